# Shared by quickstart and test: what has to be installed, and how to do things quietly.
# Sourced by bash; leaves the shell in the root of the project.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
unset CDPATH

# Packages of Debian 12 and 13 and of Ubuntu 22.04 and 24.04; README.md says what each library is
# for. valgrind is no use without libc6-dbg.
build_packages=(cmake ninja-build pkg-config gcc libc6-dev libxml2-dev libjansson-dev
    libgit2-dev libpcre2-dev libmd-dev libiberty-dev)
run_packages=(valgrind libc6-dbg git make)
test_packages=(g++ libcriterion-dev python3 python3-jsonschema libxml2-utils)
# The test runners of docs/recipes.md; where one is missing (cargo is large), its recipe's test is
# skipped.
recipe_packages=(meson automake libtool libgtest-dev check libcmocka-dev python3-pytest
    python3-dev)
# The libraries of rules/ that are small; the test of a pack whose library is missing is skipped.
pack_packages=(libssl-dev libglib2.0-dev libopenblas-dev python3-dev python3-numpy)
clang_packages=(clang)
format_packages=(clang-format)

die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# Runs a command and shows what it said only when it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status)); then
        cat "$log" >&2
        echo "${0##*/}: failed with exit status $status: $*" >&2
    fi
    rm -f "$log"
    return "$status"
}

apt_get() {
    local become=()
    ((EUID)) && become=(sudo)
    quietly "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
}

# Installs those of the packages that are missing.
need() {
    local package missing=()
    if ! command -v apt-get >/dev/null; then
        echo "${0##*/}: not Debian or Ubuntu: see to it yourself that there is what these hold: $*"
        return
    fi
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID)) && ! command -v sudo >/dev/null; then
        die "cannot install packages: not root, and there is no sudo. As root: apt-get install" \
            "--no-install-recommends ${missing[*]}"
    fi
    echo "installing ${missing[*]}"
    apt_get update && apt_get install --no-install-recommends "${missing[@]}"
}

# build PRESET [ARG...]: configures (with the ARGs) and builds in build/PRESET.
build() {
    mkdir -p build
    if ! [[ -w build && (! -e build/$1 || -w build/$1) ]]; then
        die "build/ belongs to another user, perhaps of an earlier run as root: remove it"
    fi
    quietly cmake --preset "$@"
    quietly cmake --build --preset "$1"
}
