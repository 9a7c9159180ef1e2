#!/bin/sh
# Installs the C library that cargo built: the header, the static and the shared library with its links, and the file of
# pkg-config, which finds the others beside itself. Libraries are installed without debugging symbols.
#
# usage: capi/install.sh FOLDER PREFIX
#
#   FOLDER   cargo's folder of the libraries: target/release
#   PREFIX   gets include/, lib/ and lib/pkgconfig/: /usr/local
#
# environment: DESTDIR comes before PREFIX, for packages; STRIP is the program instead of strip, for cross builds
set -eu
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
own=$(dirname "$0")
prefix=${DESTDIR-}$2
version=$(sed -n 's/^Version: //p' "$own/outflank.pc")
# Programs ask for this version: the major one, and before 1.0 the minor one, too. build.rs says the same.
case $version in
    0.*) minor=${version#0.}; compatible=0.${minor%%.*} ;;
    *) compatible=${version%%.*} ;;
esac

# Removes what only a debugger reads.
strip_file() {
    case $(uname -s) in
        Darwin) options=-Sx ;;
        *) options=$1 ;;
    esac
    command -v "${STRIP:-strip}" >/dev/null || { echo "install.sh: no ${STRIP:-strip}: $2 keeps its symbols" >&2; return; }
    "${STRIP:-strip}" "$options" "$2"
}

install -d "$prefix/include" "$prefix/lib/pkgconfig"
install -m 644 "$own/include/outflank.h" "$prefix/include"
install -m 644 "$own/outflank.pc" "$prefix/lib/pkgconfig"
install -m 644 "$1/liboutflank.a" "$prefix/lib"
strip_file --strip-debug "$prefix/lib/liboutflank.a"

# Installs a shared library under its full version, with links of the compatible version and of none.
install_shared() {
    [ -e "$1" ] || return 0
    # Programs that run keep the file that they opened.
    rm -f "$prefix/lib/$2"
    install -m 755 "$1" "$prefix/lib/$2"
    strip_file --strip-unneeded "$prefix/lib/$2"
    ln -sf "$2" "$prefix/lib/$3"
    ln -sf "$2" "$prefix/lib/$4"
}
install_shared "$1/liboutflank.so" "liboutflank.so.$version" "liboutflank.so.$compatible" liboutflank.so
install_shared "$1/liboutflank.dylib" "liboutflank.$version.dylib" "liboutflank.$compatible.dylib" liboutflank.dylib
