#!/usr/bin/env bash
# Renews what the page of kernels knows of the native program: nodes and seconds for FFO #1 to #39 on one thread at v2.
# After a change of the search or of the bundled weights; a test of the program tells when it is needed.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build -q --release
{
    echo "["
    for problems in problems/ffo-1-19.obf problems/ffo-20-39.obf; do
        target/release/outflank solve --isa v2 --threads 1 --json "$problems"
    done |
        sed -nE 's/.*"name":("FFO #[0-9]+").*"nodes":([0-9]+),"time_s":([0-9]+\.[0-9]{1,4}).*/  {"name": \1, "nodes": \2, "seconds": \3}/p' |
        sed '$!s/$/,/'
    echo "]"
} >web/app/src/native.json
