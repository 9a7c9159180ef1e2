# shellcheck shell=bash
# Checks sizes stated in the docs. Sourced by python.sh and web.sh.

# Compares a size stated after WORDS in a page ("5.0 MB") with BYTES. Allows 10 % either way, because compilers and
# profiles differ by some percent.
#
# usage: check_size PAGE WORDS BYTES
check_size() {
    local page=$1 words=$2 bytes=$3 stated
    stated=$(tr '\n' ' ' <"$page" | grep -oE -- "$words[^0-9]{0,3}[0-9.]+ MB" | grep -oE '[0-9.]+ MB$' | head -n 1 || true)
    if [ -z "$stated" ]; then
        echo "$page should say: $words N.N MB" >&2
        return 1
    fi
    if ! awk -v stated="${stated% MB}" -v bytes="$bytes" \
        'BEGIN { ratio = bytes / 1e6 / stated; exit !(ratio > 0.9 && ratio < 1.1) }'; then
        echo "$page says: $words $stated, but it has $bytes bytes" >&2
        return 1
    fi
    echo "$page: $words $stated ($bytes bytes)"
}
