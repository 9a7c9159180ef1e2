#!/usr/bin/env bash
# Runs fuzz targets, 20 seconds each, and fails with a report if one finds a mistake.
#
#   scripts/fuzz.sh [TARGET…]
#
# A target is a kernel (flip, mobility, …) or a reader (ggf, gtp, …) [default: three kernels, other ones each day].
# FUZZ_SECONDS sets the time of each, FUZZ_SANITIZER=address adds checks of memory. Installs a nightly compiler and
# cargo-fuzz if they are missing, and builds in target/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

target=${CARGO_TARGET_DIR:-$PWD/target}
mapfile -t kernels < <(sed -n 's/^name = "\([a-z_]*\)"$/\1/p' fuzz/Cargo.toml)
mapfile -t readers < <(cd fuzz/readers/src/bin && ls | sed 's/\.rs$//')

if [ $# -eq 0 ]; then
    day=$(($(date +%s) / 86400))
    for i in 0 1 2; do
        set -- "$@" "${kernels[(3 * day + i) % ${#kernels[@]}]}"
    done
fi

# Prints the folder of a target's crate.
folder_of() {
    if [[ " ${kernels[*]} " == *" $1 "* ]]; then
        echo fuzz
    elif [[ " ${readers[*]} " == *" $1 "* ]]; then
        echo fuzz/readers
    else
        echo "no fuzz target is named '$1' (possible: ${kernels[*]} ${readers[*]})" >&2
        return 2
    fi
}
for name; do folder_of "$name" >/dev/null; done

[[ $(rustup toolchain list) == *nightly* ]] || run rustup toolchain install nightly --profile minimal
export PATH="$target/tools/bin:$PATH"
cargo fuzz --version >/dev/null 2>&1 || run cargo install --quiet --locked --root "$target/tools" cargo-fuzz

for name; do
    # Leaks are not reported: the thread of the last engine may end after the fuzzer.
    ASAN_OPTIONS=detect_leaks=0 run cargo +nightly fuzz run --fuzz-dir "$(folder_of "$name")" --target-dir "$target/fuzz" \
        --sanitizer "${FUZZ_SANITIZER:-none}" --codegen-units 16 "$name" -- \
        -max_total_time="${FUZZ_SECONDS:-20}" -verbosity=0 -print_final_stats=1
done
