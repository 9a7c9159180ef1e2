#!/usr/bin/env bash
# Checks the kernels at the level that no x86-64 CPU has: neon, on aarch64 under QEMU. For Debian 12 on
# x86-64. (simd128 is checked in a browser by scripts/web.sh.)
# The standard library of other targets comes from Debian with a rustc of its own, which cargo is
# told to use. Installs what is missing; keeps what it builds in target/cross.
set -euo pipefail
cd "$(dirname "$0")/.."

# Random cases, besides the sweeps: fewer than the 40,000 of a test on the CPU itself.
cases=10000

source scripts/packages.sh

dpkg --print-foreign-architectures | grep -qx arm64 || as_root dpkg --add-architecture arm64
install_missing rustc-web \
    libstd-rust-web-dev:arm64 libc6:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user

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
