#!/usr/bin/env bash
# Compiles packages for Windows, or runs tests of the program under Wine. For Debian 12 on x86-64. Cargo uses Debian's
# rustc, and compiles the standard library for Windows from Debian's sources. Installs missing packages and builds in
# target/windows.
#
# usage: scripts/windows.sh check [OPTION...]
#        scripts/windows.sh test [FILTER...]
#
# `check` only compiles, with warnings as errors: the program and the C library, or what OPTIONs of cargo say, such as
# `--workspace --all-targets`. `test` builds target/windows/x86_64-pc-windows-gnu/release/outflank.exe and takes some 5
# minutes on 2 cores. FILTERs choose tests of the program by parts of their names, and an empty one all tests; without
# one, the tests of some commands run. The tests of jobs and the check of kernels always run.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

target=x86_64-pc-windows-gnu
export CARGO_TARGET_DIR=target/windows CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
# Allows `-Zbuild-std` with a released compiler.
export RUSTC_BOOTSTRAP=1
options=(--locked -Zbuild-std=std,panic_unwind --target "$target")

check() {
    run env CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS=-Dwarnings \
        cargo check "${options[@]}" "$@"
}

# Runs tests of the program with these filters, tests of jobs, and the check of kernels.
test_with_wine() {
    install_wine
    [ $# -gt 0 ] || set -- gtp:: nboard:: solve_cli solve_errors convert_ book_ names_cli reading_names
    # Snapshots are found without `cargo`, which does not run there.
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine INSTA_WORKSPACE_ROOT="$PWD" INSTA_UPDATE=no
    run cargo test "${options[@]}" --release -p outflank-cli --test it -- "$@"
    run cargo test "${options[@]}" --release -p outflank-tournament --lib -- process_group
    run $wine "target/windows/$target/release/outflank.exe" kernels check --seconds 5
}

case "${1:-}" in
check | test) ;;
*)
    echo "usage: scripts/windows.sh check [OPTION...] | test [FILTER...]" >&2
    exit 2
    ;;
esac
install_missing rustc-web rust-web-src gcc-mingw-w64-x86-64
use_debian_rustc
case $1 in
check)
    [ $# -gt 1 ] || set -- check -p outflank-cli -p outflank-capi
    check "${@:2}"
    ;;
test)
    test_with_wine "${@:2}"
    ;;
esac
