#!/usr/bin/env bash
# Checks the kernels at the level neon, on aarch64 under QEMU. For Debian 12 on x86-64. (scripts/web.sh checks simd128
# in a browser.) Cargo uses Debian's rustc, which has a standard library for aarch64. Installs missing packages and
# builds in target/cross.
set -euo pipefail
cd "$(dirname "$0")/.."

# Number of random cases. A test on the CPU itself has 40,000.
cases=5000

source scripts/packages.sh

[[ $(dpkg --print-foreign-architectures) == *arm64* ]] || as_root dpkg --add-architecture arm64
install_missing rustc-web \
    libstd-rust-web-dev:arm64 libc6:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user

use_debian_rustc

aarch64=(
    CARGO_TARGET_DIR=target/cross/aarch64
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    # Without -L: the loader of the cross compiler's libc does not fit libc6:arm64, and a program that
    # starts a thread with both of them never ends.
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
    # The check fails if it did not compare this level.
    OUTFLANK_ISA=neon
    OUTFLANK_CHECK_CASES="$cases"
)
# Leaves out the statistics of benches, which do not depend on the CPU and take minutes under QEMU, and the checker's
# program: its tests start it, and QEMU does not start one program from another.
run env "${aarch64[@]}" cargo test --target aarch64-unknown-linux-gnu -p outflank-kernels -p outflank-checker-core \
    -p outflank-checker --no-default-features --features outflank-kernels/std -- --nocapture --skip bench::baseline
# Checks the C interface, too: C's char is unsigned on aarch64.
run env "${aarch64[@]}" cargo check --target aarch64-unknown-linux-gnu -p outflank-capi
