#!/usr/bin/env bash
# Builds the page and its package from nothing and tests them in Chromium: everything from Debian 12, crates.io,
# npm and PyPI that is missing is installed. The page is then in web/dist.
#
# usage: scripts/web.sh [build]
#
# With `build` without the tests. What is compiled is kept in target/cross.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh
source scripts/facts.sh

install_missing rustc-web rust-web-src lld
install_node

export CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_DEBUG=false
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
RUSTC=$(dpkg -L rustc-web | grep '/bin/rustc$')

# Debian has no standard library for WebAssembly: cargo builds one, which is not stable yet.
build() {
    local name=$1 features=$2
    run env RUSTC="$RUSTC" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="target/cross/web/$name" \
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$features -Dwarnings" \
        cargo build -q --locked --release --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -p outflank-web
}

# All at once: most of a build is one thread that optimises the whole program.
builds=()
build simd128 +simd128 & builds+=($!)
build portable -simd128 & builds+=($!)
# For engines with several threads: it takes memory that only isolated pages may share.
build simd128-threads +simd128,+atomics & builds+=($!)
run env CARGO_TARGET_DIR=target/cross/bindgen cargo build -q --locked --manifest-path web/bindgen/Cargo.toml &
builds+=($!)
for pid in "${builds[@]}"; do wait "$pid"; done
for name in simd128 portable simd128-threads; do
    run target/cross/bindgen/debug/outflank-bindgen \
        "target/cross/web/$name/wasm32-unknown-unknown/release/outflank_web.wasm" "web/package/wasm/$name"
done
cp weights/outflank.weights web/package/wasm/
cp LICENSE-* web/package/

cd web
# Playwright's own browsers are not needed.
run env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
run npm run --silent build

# A visitor loads the page, one of the modules, and the weights; where the page is isolated, later the module with threads.
first=0 threads=0
for file in dist/index.html dist/assets/*; do
    bytes=$(gzip -c "$file" | wc -c)
    case "$file" in
    *.map | */portable-*) ;;
    */simd128-threads-*) threads=$bytes ;;
    *) first=$((first + bytes)) ;;
    esac
done
check_size ../docs/guide/web.md 'compressed by gzip' "$first"
check_size ../docs/guide/web.md 'the module with threads,' "$threads"
[ "${1:-}" = build ] && exit

# What would be published; nothing is.
run npm publish --dry-run --workspace package --loglevel=error
command -v chromium >/dev/null || (cd .. && install_missing chromium)
run npm run --silent test
