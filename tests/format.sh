#!/bin/sh
# format.sh: fails when a C or C++ file is not as clang-format would have it.
#
# The style is that of one version, since versions differ: with another, or none, nothing is checked
# and the exit status is 77.
set -eu
version=14
cd "$(dirname "$0")/.."

if ! have=$(clang-format --version 2>&1); then
    echo "format: skipped, there is no clang-format"
    exit 77
fi
case $have in
*" version $version."*) ;;
*)
    echo "format: skipped, the style is that of clang-format $version, this is $have"
    exit 77
    ;;
esac

if ! find src include tests bench -name '*.[ch]' -o -name '*.cc' |
    sort | xargs clang-format --dry-run -Werror --ferror-limit=3; then
    echo "format: run clang-format -i on these files"
    exit 1
fi
