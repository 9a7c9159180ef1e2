#!/usr/bin/env bash
# Compiles packages for Windows, or runs tests of the program under Wine. For Debian 12 on x86-64. Cargo uses Debian's
# rustc, and compiles the standard library for Windows from Debian's sources. Installs missing packages and builds in
# target/windows.
#
# usage: scripts/windows.sh check [OPTION...]
#        scripts/windows.sh build
#        scripts/windows.sh test [FILTER...]
#
# `check` only compiles: the program and the C library, or what OPTIONs of cargo say, such as `--workspace
# --all-targets`. `build` builds outflank.exe, the C library and their tests in
# target/windows/x86_64-pc-windows-gnu/release and takes some 5 minutes on 2 cores. `test` does this, too, and runs the
# tests under Wine. A FILTER selects tests of the program by a part of their names; '' selects all. Without a FILTER, the
# tests most likely to differ on Windows run. The tests of jobs, an example of the C library and the check of kernels
# always run. Warnings are errors.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

target=x86_64-pc-windows-gnu
export CARGO_TARGET_DIR=target/windows CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS=-Dwarnings
# Allows `-Zbuild-std` with a released compiler.
export RUSTC_BOOTSTRAP=1
options=(--locked -Zbuild-std=std,panic_unwind --target "$target")
folder=target/windows/$target/release
tests=(-p outflank-cli --test it -p outflank-tournament --lib)

build() {
    install_wine
    # Snapshots are found without `cargo`, which does not run there.
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER="timeout 600 $wine" INSTA_WORKSPACE_ROOT="$PWD" INSTA_UPDATE=no
    run cargo test "${options[@]}" --release "${tests[@]}" --no-run
    # The feature is that of the tests, so that the library is built already.
    run cargo build "${options[@]}" --release -p outflank -p outflank-capi --features outflank/serde
    # The linker prefers the import library of outflank.dll to the static library.
    run x86_64-w64-mingw32-gcc -std=c99 -Ibindings/c/include bindings/c/examples/solve.c -o "$folder/solve.exe" \
        -L"$folder" -loutflank
}

# Runs tests of the program with these filters, tests of jobs, an example of the C library, and the check of kernels.
test_with_wine() {
    local solved log=$folder/tests.log
    [ $# -gt 0 ] || set -- gtp:: nboard:: solve_cli solve_errors convert_ book_ names_cli reading_names \
        signals_cli closed_ interrupted_ ctrl_c killed_ match_cli
    set -- cargo test "${options[@]}" --release "${tests[@]}" -- "$@" process_group
    # Wine 8 sometimes fails to start a program with this error, perhaps on a busy machine only.
    if ! run "$@" 2>&1 | tee "$log"; then
        grep -q 'os error 1359' "$log"
        echo "Wine could not start a program: again"
        run "$@"
    fi
    solved=$(timeout 60 $wine "$folder/solve.exe" '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X')
    echo "$solved"
    [[ $solved = "+18 by G8 "* ]]
    run timeout 60 $wine "$folder/outflank.exe" kernels check --seconds 5
}

case "${1:-}" in
check | build | test) ;;
*)
    echo "usage: scripts/windows.sh check [OPTION...] | build | test [FILTER...]" >&2
    exit 2
    ;;
esac
install_missing rustc-web rust-web-src gcc-mingw-w64-x86-64
use_debian_rustc
case $1 in
check)
    [ $# -gt 1 ] || set -- check -p outflank-cli -p outflank-capi
    run cargo check "${options[@]}" "${@:2}"
    ;;
build)
    build
    ;;
test)
    build
    test_with_wine "${@:2}"
    ;;
esac
