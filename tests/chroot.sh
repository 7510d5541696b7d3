#!/bin/sh
# chroot.sh SUITE: do the two commands of the README work on a bare Debian?
#
# Makes a fresh minimal system (bookworm, trixie) in a temporary directory with debootstrap, clones
# HEAD into it, and runs ci/quickstart twice and ci/test there, with no configuration, no compiler
# and no git until they install them. The clone belongs to a user other than the one who runs them.
# The directory is removed at the end unless KEEP=1 is set. Needs root, debootstrap, unshare and the
# network; takes some minutes.
set -eu

case ${1-} in
'' | -*)
    echo "usage: $0 SUITE" >&2
    exit 2
    ;;
esac
suite=$1
project=$(cd "$(dirname "$0")/.." && pwd)
if [ "$(id -u)" -ne 0 ]; then
    echo "$0: only root can make a chroot" >&2
    exit 1
fi

scratch=$(mktemp -d)
system=$scratch/$suite
# Mounts are made in a namespace of their own and are gone before anything is removed.
cleanup() {
    if [ "${KEEP-}" = 1 ]; then
        echo "kept: $system"
    else
        rm -rf --one-file-system "$scratch"
    fi
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

step() {
    began=$(date +%s)
    "$@" || return
    echo "== $suite: $* ($(($(date +%s) - began)) s)"
}

bare() {
    unshare --mount sh -c '
        mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" &&
            mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" &&
            ln -sf pts/ptmx "$0/dev/ptmx" || exit
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root TERM=dumb ${http_proxy:+http_proxy="$http_proxy"} chroot "$0" "$@"
        ' "$system" "$@"
}

log=$scratch/debootstrap.log
if ! unshare --mount debootstrap --variant=minbase "$suite" "$system" >"$log" 2>&1; then
    tail -20 "$log" >&2
    exit 1
fi
cp /etc/resolv.conf "$system/etc/"
git -c safe.directory="$project" clone --quiet --no-hardlinks "$project" "$system/srv/grindgate"
chown -R 1000:1000 "$system/srv/grindgate"

step bare /srv/grindgate/ci/quickstart
step bare /srv/grindgate/ci/quickstart
step bare /srv/grindgate/ci/test
echo "$suite: all is well"
