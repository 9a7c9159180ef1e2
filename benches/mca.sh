#!/usr/bin/env bash
# The throughput that llvm-mca allows for the selected flip and last-flip functions, in cycles a call,
# from the machine code in the release binary: what `outflank kernels bench` can at best reach.
#
#   benches/mca.sh [CPU]        CPU: an -mcpu of llvm-mca [default: znver4]
#
# Needs Debian's llvm-19 (or another llvm-mca in $LLVM_MCA) and binutils.
set -euo pipefail
cd "$(dirname "$0")/.."

cpu=${1:-znver4}
mca=${LLVM_MCA:-llvm-mca-19}
binary=target/release/outflank
[ -x "$binary" ] || { echo "no $binary: run cargo build --release" >&2; exit 2; }

echo "| function | level | instructions | llvm-mca $cpu, cycles a call |"
echo "|---|---|---|---|"
for row in flip:v3 last_flip_count:v3 flip:v4 last_flip_count:v4; do
    kernel=${row%:*} level=${row#*:}
    algorithm=$("$binary" kernels list --json |
        sed -n "s/.*\"kernel\":\"$kernel\",\"algorithm\":\"\([a-z0-9_]*\)\",\"level\":\"$level\",\"selected\":true.*/\1/p")
    function=outflank_kernels::generated::$level::$kernel::$algorithm
    # Instructions alone, without comments and padding; the call itself is not the kernel's.
    objdump --disassemble="$function" --demangle --no-show-raw-insn "$binary" |
        sed -n 's/^ *[0-9a-f]*:\t//p' | sed 's/ *#.*//; s/ *<.*//' |
        grep -vE '^(nop|ret|int3|cs nop|data16|xchg +%ax,%ax|vzeroupper)' >/tmp/mca.$$.s
    bound=$("$mca" -march=x86-64 -mcpu="$cpu" /tmp/mca.$$.s |
        sed -n 's/^Block RThroughput: *//p')
    echo "| $kernel.$algorithm | $level | $(wc -l </tmp/mca.$$.s) | $bound |"
    rm /tmp/mca.$$.s
done
