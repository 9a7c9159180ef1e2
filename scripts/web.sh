#!/usr/bin/env bash
# Builds the page (bindings/web/dist) and its package, and tests them in Chromium. Installs missing packages of Debian 12,
# crates.io, npm and PyPI.
#
# usage: scripts/web.sh [build | test]
#
# `build` skips the tests, `test` tests what `build` has built. Builds in target/cross.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh
source scripts/facts.sh

# Builds the module of a name with target features. Debian has no standard library for WebAssembly, so cargo builds it
# with -Zbuild-std.
build_module() {
    local name=$1 features=$2
    run env RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="target/cross/web/$name" \
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$features -Dwarnings" \
        cargo build -q --locked --release --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -p outflank-web
}

# Builds the modules and the files that the package has beside them.
build_modules() {
    install_missing rustc-web rust-web-src lld
    use_debian_rustc
    # Browsers load the modules, and link-time optimisation makes them smaller.
    export CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_LTO=fat
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld

    # The builds run at once, because link-time optimisation uses one thread.
    local builds=() pid name
    build_module simd128 +simd128 & builds+=($!)
    build_module portable -simd128 & builds+=($!)
    # For engines with several threads: needs shared memory, which only isolated pages have.
    build_module simd128-threads +simd128,+atomics & builds+=($!)
    run env CARGO_TARGET_DIR=target/cross/bindgen cargo build -q --locked --manifest-path bindings/web/bindgen/Cargo.toml &
    builds+=($!)
    for pid in "${builds[@]}"; do wait "$pid"; done
    for name in simd128 portable simd128-threads; do
        run target/cross/bindgen/debug/outflank-bindgen \
            "target/cross/web/$name/wasm32-unknown-unknown/release/outflank_web.wasm" "bindings/web/package/wasm/$name"
    done
    rm -f bindings/web/package/wasm/outflank.*
    # A single network keeps the first load under 4 MB. Compressed here, because many servers compress only types of files that they know.
    gzip -9 --no-name --stdout data/weights/small.weights >bindings/web/package/wasm/outflank.weights.gz
    run python3 scripts/pack_book.py crates/book/built-in.book bindings/web/package/wasm/outflank.book
    gzip -9 --no-name bindings/web/package/wasm/outflank.book
    cp LICENSE-* bindings/web/package/
}

# Builds the page, and compares its size with the documentation.
build_page() {
    # The tests use Debian's Chromium.
    run env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
    run npm run --silent build

    # A first visit loads the page, one module and the weights. An isolated page loads the module with threads later, and
    # every page the book.
    local first=0 threads=0 book=0 file bytes
    for file in dist/index.html dist/assets/*; do
        bytes=$(gzip -c "$file" | wc -c)
        case "$file" in
        *.map | */portable-*) ;;
        */simd128-threads-*) threads=$bytes ;;
        */outflank.book-*) book=$bytes ;;
        *) first=$((first + bytes)) ;;
        esac
    done
    check_size ../../docs/guide/web.md 'compressed by gzip' "$first"
    check_size ../../docs/guide/web.md 'the module with threads,' "$threads"
    check_size ../../docs/guide/web.md 'the opening book,' "$book"
}

install_node
[ "${1:-}" = test ] || build_modules
cd bindings/web
[ "${1:-}" = test ] || build_page
[ "${1:-}" = build ] && exit

# Lists the files of the npm package without publishing it.
run npm publish --dry-run --workspace package --loglevel=error
command -v chromium >/dev/null || (cd .. && install_missing chromium)
run npm run --silent test
