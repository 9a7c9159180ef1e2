#!/usr/bin/env bash
# Runs the tests of searches with several threads under the thread sanitizer, which reports data races. Takes about 6
# minutes on 2 cores. Installs a nightly compiler and its sources if they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

[[ $(rustup toolchain list) == *nightly* ]] || run rustup toolchain install nightly --profile minimal
run rustup component add rust-src --toolchain nightly
# The standard library is built with the sanitizer, too. Otherwise it would report races that do not exist.
export RUSTFLAGS=-Zsanitizer=thread CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/thread-sanitizer
run cargo +nightly test -Zbuild-std --target x86_64-unknown-linux-gnu -p outflank --test it -- threads::
