#!/usr/bin/env bash
# Measures how the choice of a kernel's algorithm changes the time of whole solves. A kernel timed alone has the branch
# predictor and the caches to itself, so its own timing is not enough.
#
#   ROUNDS=7 benches/selection.sh ISA [KERNEL[.ALGORITHM]…]
#
# Kernels are named as for `outflank kernels list` [default: last_move_score last_flip_count, all ways to score the last
# move]. For each of their algorithms at the level ISA, the program is generated and built in target/selection with that
# algorithm selected. Its signature must equal that of the unchanged program. The two programs then solve FFO #20-39 in
# turn (`outflank bench --peer`), and each score must be right. A build takes some minutes. Needs jq.
set -euo pipefail
cd "$(dirname "$0")/.."

isa=${1:?a level is needed, such as v3}
shift
[ $# -gt 0 ] || set -- last_move_score last_flip_count

cargo build --release -q
cargo build -q -p outflank-codegen
base=target/release/outflank
copy=target/selection/source
other=target/selection/release/outflank

signature() { "$1" bench --isa "$isa" --hash 64 --json | jq -s '.[-1].signature'; }

rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z | xargs -0 cp --parents -t "$copy"
expected=$(signature "$base")
echo "| algorithm at $isa | seconds | time relative to the selected |"
echo "|---|---|---|"
for pattern; do
    "$base" kernels list "$pattern" --json | jq -r --arg isa "$isa" '.kernel as $kernel | .algorithms[] |
        select(any(.levels[]; .isa == $isa and (.selected | not))) | "\($kernel) \(.algorithm)"'
done | while read -r kernel algorithm; do
    template=codegen/templates/$kernel.rs.j2
    sed -E "/^#!\[select\(/ { s/\b$isa = \w+/$isa = $algorithm/; t; s/\)\]/, $isa = $algorithm)]/ }" \
        "$template" >"$copy/$template"
    # If the generator refuses the selection, it prints the reason, and the algorithm is not measured.
    if target/debug/outflank-codegen --templates "$copy/codegen/templates" --kernels "$copy/kernels/src" \
        --checker "$copy/crates/checker/src" --fuzz "$copy/fuzz" >/dev/null; then
        cargo build --release -q -p outflank-cli --manifest-path "$copy/Cargo.toml" --target-dir target/selection
        [ "$(signature "$other")" = "$expected" ] || { echo "$kernel.$algorithm: another signature" >&2; exit 1; }
        "$base" bench --isa "$isa" --rounds "${ROUNDS:-7}" --peer "$other solve --isa $isa {file}" --json </dev/null |
            jq -rs --arg name "$kernel.$algorithm" 'def round3: . * 1000 | round / 1000; .[-1] |
                "| \($name) | \(.peer.median | round3) | \(1 / .ratio.median | round3) (\(1 / .ratio.max | round3) to " +
                "\(1 / .ratio.min | round3)) |"'
    fi
    cp "$template" "$copy/$template"
done
