#!/usr/bin/env bash
# Runs every `outflank` command of the README and the guides once, in a folder with the files that they name. A command
# that takes longer than 5 s is interrupted and must then end; a record of measurements may take a minute. Then builds and
# runs the C programs as the guide shows.
#
# usage: scripts/readme.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p bin data/problems
ln -s "$program" bin/outflank
ln -s "$program" new
ln -s "$program" old
ln -s "$program" bin/outflank-before
# Substitute for other engines in the examples.
printf '#!/bin/sh\necho "0 nodes in 0:01.5"\n' >bin/other-engine
chmod +x bin/other-engine
ln -s other-engine bin/edax
export PATH="$folder/bin:$PATH"

cp "$root"/data/problems/*.obf "$root"/data/problems/*.cert data/problems
head -n 12 data/problems/ffo-1-19.obf >FILE
cp FILE FILE…
for copy in positions.obf test.obf hard.obf many.obf; do
    cp FILE "$copy"
done
printf 'f5d6c3d3c4f4f6\nf5f6e6f4\n' >openings.txt
# Linear weights, because the examples export them and start a fit with them.
outflank train fit data/problems/*.obf --hold-out 0 --out my.weights
cp my.weights new.weights
outflank train fit --network data/problems/*.obf --hold-out 0 --epochs 1 --out late.network
cp late.network early.network
outflank weights export my.weights eval.dat
outflank match 'outflank gtp --depth 1' 'outflank gtp --depth 1' --games 24 --ggf games.ggf >match.txt
head -n 1 games.ggf >game.ggf
outflank convert games.ggf --to wthor --out WTH_2020.wtb
outflank book learn my.book --positions 20 --level 1
printf '(;GM[Othello]DT[1992]PB[Tastet Marc]PW[Feinstein]RE[+10]B[F5]W[D6]B[C3]W[D3]B[C4]W[F4];)\n' >club.ggf
outflank games import my.games club.ggf
cp my.book other.book
outflank book export my.book --out book.dat

# Returns success if this machine lacks the level or core that a command names.
lacks() {
    case "$1" in
    *--isa*) ! outflank perft 1 --isa "$(sed 's/.*--isa \([a-z0-9]*\).*/\1/' <<<"$1")" >/dev/null 2>&1 ;;
    *) false ;;
    esac || case "$1" in
    *--cpu*) [ "$(nproc)" -lt 2 ] ;;
    *) false ;;
    esac
}

pages=(README.md crates/cli/README.md)
for page in book games suite show solve analyze player convert play gtp nboard match weights kernels training; do
    pages+=("docs/guide/$page.md")
done

count=0
commands=$(cd "$root" && sed -n 's/^\$ \(.*outflank .*\)$/\1/p' "${pages[@]}" | grep -v '^cargo ' |
    sed 's/ *#.*//' | awk '!shown[$0]++')
while IFS= read -r command; do
    if [[ $command == *--in-search* ]]; then
        echo "- $command: builds programs in a checkout for minutes"
        continue
    fi
    if lacks "$command"; then
        echo "- $command: not on this CPU"
        continue
    fi
    echo "+ $command"
    status=0
    # The next command reads the record of this one.
    limit=5
    case "$command" in *--processes*) limit=60 ;; esac
    # Examples overwrite the files of earlier ones.
    command=${command/outflank convert /outflank convert --force }
    timeout --signal INT --kill-after 30 "$limit" env --default-signal=INT bash -c "set -o pipefail; $command" </dev/null >out.txt 2>err.txt || status=$?
    # 124: interrupted, and ended.
    if [ "$status" != 0 ] && [ "$status" != 124 ]; then
        tail -n 5 out.txt err.txt
        echo "status $status: $command" >&2
        exit 1
    fi
    count=$((count + 1))
done <<<"$commands"

cd "$root"
commands=$(sed -n 's/^\$ \(cargo build .* -p outflank-capi\|gcc -I.*\)$/\1/p' docs/guide/c.md)
if [ "$(wc -l <<<"$commands")" != 3 ]; then
    echo "docs/guide/c.md should have three commands for the C programs" >&2
    exit 1
fi
while IFS= read -r command; do
    # Writes the program into the temporary folder. Without optimisation the library is built sooner.
    command=${command/-o /-o $folder/}
    command=${command/ --release/}
    command=${command/target\/release/target\/debug}
    echo "+ $command"
    env -u CARGO_TARGET_DIR bash -c "$command"
done <<<"$commands"
"$folder/solve" '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
"$folder/analyze" f5d6c6b6 6

echo "$((count + 3)) commands of the documentation were run, and ended as they should"
