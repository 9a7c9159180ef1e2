#!/usr/bin/env bash
# Checks the kernels at the levels that no x86-64 CPU has, on one that has none of them: neon on
# aarch64 under QEMU, simd128 on WebAssembly under Node.js. For Debian 12 on x86-64.
# The standard library of other targets comes from Debian with a rustc of its own, which cargo is
# told to use. Installs what is missing; keeps what it builds in target/cross.
set -euo pipefail
cd "$(dirname "$0")/.."

# Random cases, besides the sweeps: fewer than the 40,000 of a test on the CPU itself.
cases=10000
seed=2

source scripts/packages.sh

dpkg --print-foreign-architectures | grep -qx arm64 || as_root dpkg --add-architecture arm64
install_missing rustc-web rust-web-src lld \
    libstd-rust-web-dev:arm64 libc6:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
command -v node >/dev/null || install_missing nodejs

RUSTC=$(dpkg -L rustc-web | grep '/bin/rustc$')
export RUSTC RUSTDOC="${RUSTC%c}doc"
run "$RUSTC" --version

aarch64=(
    CARGO_TARGET_DIR=target/cross/aarch64
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    # Without -L: the loader of the cross compiler's libc does not fit libc6:arm64, and a program that
    # starts a thread with both of them never ends.
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
    # The check fails where this level is not among those that it compared.
    OUTFLANK_ISA=neon
    OUTFLANK_CHECK_CASES="$cases"
)
run env "${aarch64[@]}" cargo test --target aarch64-unknown-linux-gnu -p outflank-kernels -p outflank-checker -- --nocapture
# With the C interface: a char of C has no sign there.
run env "${aarch64[@]}" cargo check --target aarch64-unknown-linux-gnu -p outflank-capi

# Debian has no standard library for WebAssembly: cargo builds one, which is not stable yet.
wasm=(
    CARGO_TARGET_DIR=target/cross/wasm32
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=-Ctarget-feature=+simd128
    RUSTC_BOOTSTRAP=1
)
# The memory allocator, in std, takes most of the time if it is not optimised.
run env "${wasm[@]}" cargo build --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort \
    --profile test --config 'profile.test.package.std.opt-level = 1' -p outflank-cross-wasm
run node cross/wasm/run.mjs target/cross/wasm32/wasm32-unknown-unknown/debug/outflank_cross_wasm.wasm \
    "$seed" "$cases"
