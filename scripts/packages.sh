# shellcheck shell=bash
# For scripts that need packages of Debian: sourced by them.

run() {
    echo "+ $*"
    "$@"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then run "$@"; else run sudo "$@"; fi
}

# Installs those of the packages that are missing.
install_missing() {
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    as_root apt-get -qq update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${missing[@]}"
}

# Prints a Python of 3.10 or later with venv, which it installs from Debian where there is none.
usable_python() {
    local python=${PYTHON:-python3}
    if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        install_missing python3 python3-venv >&2
        python=/usr/bin/python3
    fi
    echo "$python"
}

# Puts an SMT solver for proofs of kernels into the path, from PyPI.
install_solver() {
    local folder=${CARGO_TARGET_DIR:-$PWD/target}/solver
    if [ ! -x "$folder/bin/python" ]; then
        run "$(usable_python)" -m venv "$folder"
    fi
    run "$folder/bin/pip" --quiet --disable-pip-version-check install bitwuzla==0.9.1
    export PATH="$folder/bin:$PATH"
}
