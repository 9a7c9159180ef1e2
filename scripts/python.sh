#!/usr/bin/env bash
# Builds the wheel, installs it into a clean environment and checks types, stubs, the examples of the documentation, and
# pytest with Ray. Needs PyPI. Installs Python 3.10 or later from Debian if necessary.
#
# usage: scripts/python.sh
#
# Builds in target/python.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh
source scripts/facts.sh
folder=$PWD/${CARGO_TARGET_DIR:-target}/python
case "${CARGO_TARGET_DIR:-}" in /*) folder=$CARGO_TARGET_DIR/python ;; esac

python=$(usable_python)
rm -rf "$folder/environment" "$folder/wheels"
run "$python" -m venv "$folder/environment"
export PATH="$folder/environment/bin:$PATH"
run pip --quiet --disable-pip-version-check install 'maturin>=1.9.4,<2'
# From the source distribution, which is thereby tested.
run maturin build --quiet --sdist --manifest-path bindings/python/Cargo.toml --release --out "$folder/wheels"
check_size docs/guide/python.md 'the bundled weights' "$(cat "$folder"/wheels/outflank-*.whl | wc -c)"

# The wheel depends on NumPy only.
run pip --quiet --disable-pip-version-check install "$folder"/wheels/outflank-*.whl
run python scripts/readme.py README.md docs/guide/python.md

run pip --quiet --disable-pip-version-check install "$(echo "$folder"/wheels/outflank-*.whl)[ray]" \
    pytest hypothesis pandas polars mypy ruff==0.17.6 nbclient ipykernel
cd bindings/python
run ruff check --no-cache .
run mypy --cache-dir "$folder/mypy"
(cd "$folder" && run python -m mypy.stubtest outflank._outflank)
run python -m pytest -q -o cache_dir="$folder/pytest"
