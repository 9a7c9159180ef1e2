#!/bin/sh
# Installs the C library that cargo has built: the header, the static and the shared library, and the file of
# pkg-config, which finds the others beside itself.
#
# usage: capi/install.sh FOLDER PREFIX
#
#   FOLDER   where cargo put the libraries: target/release
#   PREFIX   gets include/, lib/ and lib/pkgconfig/: /usr/local
set -eu
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
own=$(dirname "$0")
install -d "$2/include" "$2/lib/pkgconfig"
install -m 644 "$own/include/outflank.h" "$2/include"
install -m 644 "$1/liboutflank.a" "$2/lib"
for shared in so dylib; do
    [ ! -e "$1/liboutflank.$shared" ] || install -m 755 "$1/liboutflank.$shared" "$2/lib"
done
install -m 644 "$own/outflank.pc" "$2/lib/pkgconfig"
