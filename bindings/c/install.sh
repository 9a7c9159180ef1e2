#!/bin/sh
# Installs the C library that cargo built: the header, the static library, the shared library with its links, and the
# file for pkg-config. That file has paths relative to itself. Libraries are installed without debugging symbols.
#
# usage: bindings/c/install.sh FOLDER PREFIX
#
#   FOLDER   has the libraries that cargo built, such as target/release
#   PREFIX   gets include/, lib/ and lib/pkgconfig/, such as /usr/local
#
# environment: DESTDIR is put before PREFIX, for packages; STRIP replaces the program strip, for cross builds
set -eu
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
source_dir=$(dirname "$0")
prefix=${DESTDIR-}$2
version=$(sed -n 's/^Version: //p' "$source_dir/outflank.pc")
# Version in the soname: MAJOR.MINOR before 1.0, else MAJOR. build.rs computes the same.
case $version in
    0.*) minor=${version#0.}; compatible=0.${minor%%.*} ;;
    *) compatible=${version%%.*} ;;
esac

# Removes symbols that linkers do not need.
strip_file() {
    case $(uname -s) in
        Darwin) options=-Sx ;;
        *) options=$1 ;;
    esac
    command -v "${STRIP:-strip}" >/dev/null || { echo "install.sh: no ${STRIP:-strip}: $2 keeps its symbols" >&2; return; }
    "${STRIP:-strip}" "$options" "$2"
}

install -d "$prefix/include" "$prefix/lib/pkgconfig"
install -m 644 "$source_dir/include/outflank.h" "$prefix/include"
install -m 644 "$source_dir/outflank.pc" "$prefix/lib/pkgconfig"
install -m 644 "$1/liboutflank.a" "$prefix/lib"
strip_file --strip-debug "$prefix/lib/liboutflank.a"

# Installs a shared library under its full version, with one link named by the compatible version and one without a
# version.
install_shared() {
    [ -e "$1" ] || return 0
    # The old file is removed first: running programs keep it.
    rm -f "$prefix/lib/$2"
    install -m 755 "$1" "$prefix/lib/$2"
    strip_file --strip-unneeded "$prefix/lib/$2"
    ln -sf "$2" "$prefix/lib/$3"
    ln -sf "$2" "$prefix/lib/$4"
}
install_shared "$1/liboutflank.so" "liboutflank.so.$version" "liboutflank.so.$compatible" liboutflank.so
install_shared "$1/liboutflank.dylib" "liboutflank.$version.dylib" "liboutflank.$compatible.dylib" liboutflank.dylib
