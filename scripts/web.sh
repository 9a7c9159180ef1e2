#!/usr/bin/env bash
# Builds the page (bindings/web/dist) and its package, and tests them in Chromium. Installs missing packages of Debian 12,
# crates.io, npm and PyPI.
#
# usage: scripts/web.sh [build]
#
# `build` skips the tests. Builds in target/cross.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh
source scripts/facts.sh

install_missing rustc-web rust-web-src lld
install_node

export CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_DEBUG=false
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
RUSTC=$(dpkg -L rustc-web | grep '/bin/rustc$')

# Debian has no standard library for WebAssembly. Cargo builds it with -Zbuild-std.
build() {
    local name=$1 features=$2
    run env RUSTC="$RUSTC" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="target/cross/web/$name" \
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$features -Dwarnings" \
        cargo build -q --locked --release --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -p outflank-web
}

# The builds run at once, because link-time optimisation uses one thread.
builds=()
build simd128 +simd128 & builds+=($!)
build portable -simd128 & builds+=($!)
# For engines with several threads: needs shared memory, which only isolated pages have.
build simd128-threads +simd128,+atomics & builds+=($!)
run env CARGO_TARGET_DIR=target/cross/bindgen cargo build -q --locked --manifest-path bindings/web/bindgen/Cargo.toml &
builds+=($!)
for pid in "${builds[@]}"; do wait "$pid"; done
for name in simd128 portable simd128-threads; do
    run target/cross/bindgen/debug/outflank-bindgen \
        "target/cross/web/$name/wasm32-unknown-unknown/release/outflank_web.wasm" "bindings/web/package/wasm/$name"
done
cp data/weights/outflank.weights bindings/web/package/wasm/
cp LICENSE-* bindings/web/package/

cd bindings/web
# The tests use Debian's Chromium.
run env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
run npm run --silent build

# A first visit loads the page, one module and the weights. An isolated page loads the module with threads later.
first=0 threads=0
for file in dist/index.html dist/assets/*; do
    bytes=$(gzip -c "$file" | wc -c)
    case "$file" in
    *.map | */portable-*) ;;
    */simd128-threads-*) threads=$bytes ;;
    *) first=$((first + bytes)) ;;
    esac
done
check_size ../../docs/guide/web.md 'compressed by gzip' "$first"
check_size ../../docs/guide/web.md 'the module with threads,' "$threads"
[ "${1:-}" = build ] && exit

# Lists the files of the npm package without publishing it.
run npm publish --dry-run --workspace package --loglevel=error
command -v chromium >/dev/null || (cd .. && install_missing chromium)
run npm run --silent test
