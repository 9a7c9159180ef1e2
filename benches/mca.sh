#!/usr/bin/env bash
# Prints llvm-mca's throughput bound of the selected flip and last-flip functions, in cycles per call, beside the
# measurement of `outflank kernels bench`. The bound is computed from the machine code in the release binary. A second
# bound includes the instructions of the measuring loop (loads of arguments, joins of answers, the loop itself).
#
#   benches/mca.sh [CPU]        CPU: an -mcpu of llvm-mca [default: znver4]
#
# Needs Debian's llvm-19 (or another llvm-mca in $LLVM_MCA), binutils and jq.
set -euo pipefail
cd "$(dirname "$0")/.."

cpu=${1:-znver4}
mca=${LLVM_MCA:-llvm-mca-19}
binary=target/release/outflank
[ -x "$binary" ] || { echo "no $binary: run cargo build --release" >&2; exit 2; }
code=$(mktemp)
trap 'rm -f "$code"' EXIT

# Prints the block throughput, in cycles, of the code in $code followed by the given lines.
bound() {
    { cat "$code"; printf '%s\n' "$@"; } |
        "$mca" -march=x86-64 -mcpu="$cpu" | sed -n 's/^Block RThroughput: *//p'
}

# Prints the row of a kernel at a level. The further arguments are the loop's instructions.
row() {
    local kernel=$1 isa=$2 algorithm cycles
    shift 2
    algorithm=$("$binary" kernels list "$kernel" --json | jq -r --arg isa "$isa" \
        '.algorithms[] | select(any(.levels[]; .isa == $isa and .selected)) | .algorithm')
    [ -n "$algorithm" ] || { echo "no $kernel is selected at $isa" >&2; exit 1; }
    # Only instructions are kept: no comments, no padding, and no return.
    objdump --disassemble="outflank_kernels::generated::$isa::$kernel::$algorithm" --demangle \
        --no-show-raw-insn "$binary" |
        sed -n 's/^ *[0-9a-f]*:\t//p' | sed 's/ *#.*//; s/ *<.*//' |
        grep -vE '^(nop|ret|int3|cs nop|data16|xchg +%ax,%ax|vzeroupper)' >"$code"
    cycles=$("$binary" kernels bench --kernel "$kernel.$algorithm" --isa "$isa" --repeats 101 --json |
        jq -r 'select(.kernel) | .throughput.cycles.median')
    jq -rn --arg name "$kernel.$algorithm" --arg isa "$isa" --argjson count "$(wc -l <"$code")" \
        --argjson alone "$(bound)" --argjson loop "$(bound "$@")" --argjson measured "$cycles" \
        '"| \($name) | \($isa) | \($count) | \($alone) | \($loop) | \($measured * 10 | round / 10) | " +
         "\($measured / $alone * 100 | round / 100) | \($measured / $loop * 100 | round / 100) |"'
}

echo "| function | level | instructions | bound | bound in the loop | measured | to the bound | in the loop |"
echo "|---|---|---|---|---|---|---|---|"
loop=('sub %rax, %r10' 'inc %r11' 'cmp $2048, %r11' 'jne 0')
flip=('mov (%r12,%r11,8), %edi' 'mov (%r13,%r11,8), %rsi' 'mov (%r14,%r11,8), %rdx' "${loop[@]}")
last=('mov (%r12,%r11,8), %edi' 'mov (%r13,%r11,8), %rsi' "${loop[@]}")
for isa in v3 v4 icl; do
    row flip "$isa" "${flip[@]}"
    row last_flip_count "$isa" "${last[@]}"
done
