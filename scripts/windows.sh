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

# Runs a command for at most some seconds, and then shows its output. Through a pipe, the script would also wait for
# everything that Wine goes on running.
run_within() {
    local seconds=$1 status=0
    shift
    echo "+ $*"
    timeout -k 10 "$seconds" "$@" >"$folder/output.log" 2>&1 </dev/null || status=$?
    cat "$folder/output.log"
    return "$status"
}

# Runs tests of the program with these filters, and tests of jobs.
test_with_wine() {
    [ $# -gt 0 ] || set -- gtp:: nboard:: solve_cli solve_errors convert_ book_ names_cli reading_names \
        signals_cli closed_ interrupted_ ctrl_c killed_ match_cli
    local failed try test=(cargo test "${options[@]}" --release "${tests[@]}" --no-fail-fast --)
    run_within 900 "${test[@]}" "$@" process_group && return
    # Programs fail to start under Wine 8 at random, with this error. The failed tests then run again, one by one.
    for try in 1 2; do
        grep -q 'os error 1359' "$folder/output.log" || break
        mapfile -t failed < <(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$folder/output.log")
        [ ${#failed[@]} -gt 0 ] || break
        echo "Wine could not start a program: repetition $try"
        run_within 300 "${test[@]}" --test-threads 1 --exact "${failed[@]}" && return
    done
    return 1
}

# Runs an example of the C library, and the check of kernels.
try_with_wine() {
    run_within 60 $wine "$folder/solve.exe" '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
    grep -q '^+18 by G8 ' "$folder/output.log"
    run_within 60 $wine "$folder/outflank.exe" kernels check --seconds 5
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
    try_with_wine
    ;;
esac
