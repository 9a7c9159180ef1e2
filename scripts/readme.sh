#!/usr/bin/env bash
# Runs every `outflank` command that the README shows, in a folder with files of the names that it uses.
# What takes longer than 20 s is interrupted there, which must end it. Then it builds the C program as the
# README says, and runs it.
#
# usage: scripts/readme.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin problems
ln -s "$program" bin/outflank
ln -s "$program" new
ln -s "$program" old
export PATH="$folder/bin:$PATH"

cp "$root"/problems/*.obf problems
head -n 12 problems/ffo-1-19.obf >FILE
cp FILE FILE…
cp FILE test.obf
cp "$root/weights/outflank.weights" my.weights
outflank weights export my.weights eval.dat
outflank match 'outflank gtp --depth 1' 'outflank gtp --depth 1' --games 24 --ggf games.ggf >match.txt
head -n 1 games.ggf >game.ggf
outflank convert games.ggf --to wthor --out WTH_2020.wtb

# The levels and cores that the examples name are not everywhere.
lacks() {
    case "$1" in
    *--isa*) ! outflank perft 1 --isa "$(sed 's/.*--isa \([a-z0-9]*\).*/\1/' <<<"$1")" >/dev/null 2>&1 ;;
    *) false ;;
    esac || case "$1" in
    *--cpu*) [ "$(nproc)" -lt 2 ] ;;
    *) false ;;
    esac
}

count=0
commands=$(sed -n 's/^\$ \(.*outflank .*\)$/\1/p' "$root/README.md" | grep -v '^cargo ' | sed 's/ *#.*//')
while IFS= read -r command; do
    if lacks "$command"; then
        echo "- $command: not on this CPU"
        continue
    fi
    echo "+ $command"
    status=0
    timeout --signal INT --kill-after 30 20 env --default-signal=INT bash -c "set -o pipefail; $command" </dev/null >out.txt 2>err.txt || status=$?
    # 124: it was interrupted, and ended.
    if [ "$status" != 0 ] && [ "$status" != 124 ]; then
        tail -n 5 out.txt err.txt
        echo "status $status: $command" >&2
        exit 1
    fi
    count=$((count + 1))
done <<<"$commands"

cd "$root"
commands=$(sed -n 's/^\$ \(cargo build .*-p outflank-capi\|gcc .*\)$/\1/p' README.md)
if [ "$(wc -l <<<"$commands")" != 2 ]; then
    echo "the README should have two commands for the C program" >&2
    exit 1
fi
while IFS= read -r command; do
    # Where it puts its file is said in the command.
    command=${command/-o solve/-o $folder/solve}
    echo "+ $command"
    env -u CARGO_TARGET_DIR bash -c "$command"
done <<<"$commands"
"$folder/solve" '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'

echo "$((count + 2)) commands of the README were run, and ended as they should"
