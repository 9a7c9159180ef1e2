#!/usr/bin/env bash
# Writes nodes and seconds of the native program for FFO #1 to #39 (one thread, v2, the page's weights), which the page of kernels shows.
# Run it after a change of the search or of the weights; a test of the program fails until then.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build -q --release
{
    echo "["
    for problems in data/problems/ffo-1-19.obf data/problems/ffo-20-39.obf; do
        target/release/outflank solve --weights data/weights/small.weights --isa v2 --threads 1 --json "$problems"
    done |
        sed -nE 's/.*"name":("FFO #[0-9]+").*"nodes":([0-9]+),"time_s":([0-9]+\.[0-9]{1,4}).*/  {"name": \1, "nodes": \2, "seconds": \3}/p' |
        sed '$!s/$/,/'
    echo "]"
} >bindings/web/app/src/native.json
