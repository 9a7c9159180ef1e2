#!/usr/bin/env bash
# Builds the program and the wheel of Python for other computers: an archive and a wheel per platform, the source
# distribution of the wheels, and the file SHA256SUMS. Runs each program that can run here, natively, under QEMU or under
# Wine, and the wheel of this platform. For Debian 12 on x86-64. Cargo uses Debian's rustc and compiles the standard
# library from Debian's sources. zig from PyPI is the linker, for Windows mingw-w64. Installs missing packages.
#
# usage: scripts/dist.sh [TARGET...]
#
# Without a TARGET, all of `targets` below. The files are in target/dist, where they replace older ones. SHA256SUMS has
# those of this run. A target takes some 5 minutes on 2 cores.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

targets=(
    x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu
    x86_64-unknown-linux-musl aarch64-unknown-linux-musl
    x86_64-pc-windows-gnu
    x86_64-apple-darwin aarch64-apple-darwin
)
# Oldest versions of the C library of Linux and of macOS on which programs run.
glibc=2.17
macos=11.0

version=$(sed -n '0,/^version = /s/^version = "\(.*\)"$/\1/p' Cargo.toml)
time=$(git log -1 --format=%ct)
dist=$PWD/target/dist

# Prints the path of the program of a target.
program() {
    local suffix=
    [[ $1 != *-windows-* ]] || suffix=.exe
    echo "$dist/build/$1/dist/outflank$suffix"
}

# Environment of cargo and maturin for any target.
environment=(
    RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$dist/build"
    CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    # zig has the system's library of macOS but no frameworks.
    MACOSX_DEPLOYMENT_TARGET="$macos"
    CARGO_TARGET_{X86_64,AARCH64}_APPLE_DARWIN_RUSTFLAGS="-Clink-arg=-F$PWD/scripts/macos"
)
standard_library=(-Z build-std=std,panic_unwind)

# Builds the program of a target.
build() {
    local target=$1 command=zigbuild platform=$1
    # Debian's rustc lacks the files with which it would start programs for musl. zig has them.
    local of_program=(CARGO_TARGET_{X86_64,AARCH64}_UNKNOWN_LINUX_MUSL_RUSTFLAGS=-Clink-self-contained=no)
    case $target in
    *-windows-*) command=build ;;
    *-linux-gnu) platform+=.$glibc ;;
    esac
    run env "${environment[@]}" "${of_program[@]}" cargo "$command" --locked --profile dist "${standard_library[@]}" \
        -p outflank-cli --target "$platform"
}

# Builds the wheel of a target, which serves Python 3.10 and later.
build_wheel() {
    local target=$1 options=(--zig) folder=$dist/wheels file
    # An extension module has to link musl dynamically.
    local flags="-Clink-self-contained=no -Ctarget-feature=-crt-static"
    local of_wheel=(CARGO_TARGET_{X86_64,AARCH64}_UNKNOWN_LINUX_MUSL_RUSTFLAGS="$flags")
    case $target in
    *-windows-*) options=() ;;
    *-musl) options+=(--compatibility musllinux_1_2) ;;
    *-linux-gnu) options+=(--compatibility "manylinux_${glibc/./_}") ;;
    esac
    rm -rf "$folder"
    licences outflank-python "$target" >bindings/python/LICENSE-THIRD-PARTY.txt
    run env "${environment[@]}" "${of_wheel[@]}" maturin build --locked --profile dist "${standard_library[@]}" \
        --manifest-path bindings/python/Cargo.toml --target "$target" "${options[@]}" --out "$folder"
    rm bindings/python/LICENSE-THIRD-PARTY.txt
    for file in "$folder"/*.whl; do
        check_wheel "$file"
        mv "$file" "$dist/"
        files+=("${file##*/}")
    done
}

# Checks that a wheel has its README, all licences, and a library with the function that Python calls first. Installs the
# wheel of this platform in a clean environment, and solves a position.
check_wheel() {
    local wheel=$1 environment=$dist/environment unpacked=$dist/unpacked-wheel name
    rm -rf "$environment" "$unpacked"
    unzip -q "$wheel" -d "$unpacked"
    grep -q '^# Outflank for Python' "$unpacked"/*.dist-info/METADATA
    for name in APACHE MIT THIRD-PARTY.txt; do
        test -s "$unpacked"/*.dist-info/licenses/LICENSE-$name
    done
    grep -rq PyInit__outflank --include='_outflank.*' "$unpacked/outflank"
    [[ $wheel = *-manylinux*_x86_64.whl ]] || return 0
    run "$(usable_python)" -m venv "$environment"
    run "$environment/bin/pip" --quiet --disable-pip-version-check install "$wheel"
    run "$environment/bin/python" -c '
import outflank
board = outflank.Board.from_text("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
assert outflank.Engine().solve(board).score == 18'
}

# Runs the unpacked program of a target, or says that it was not run.
try() {
    local target=$1 path=$2 runner=()
    case $target in
    x86_64-*-linux-*) ;;
    aarch64-*-linux-*) runner=(qemu-aarch64) ;;
    *-windows-*) runner=("$wine") ;;
    *)
        echo "$target: not run"
        return
        ;;
    esac
    run timeout 300 "${runner[@]}" "$path" solve data/problems/ffo-1-19.obf
    # The check runs kernels in another process, which QEMU does not start. scripts/cross.sh checks neon.
    [[ $target != aarch64-* ]] || return 0
    run timeout 300 "${runner[@]}" "$path" kernels check --seconds 5
}

# Prints the licences of a package for a target: of its crates, and of the libraries that compilers add.
licences() {
    local package=$1 target=$2 zig texts name
    zig=$(echo target/zig/lib/python*/site-packages/ziglang)
    declare -A texts=(["Rust's standard library"]=/usr/share/doc/rustc-web/copyright)
    case $target in
    *-windows-*)
        texts[mingw-w64]=/usr/share/doc/mingw-w64-common/copyright
        texts[libgcc]=/usr/share/doc/gcc-mingw-w64-base/copyright
        ;;
    *)
        texts[compiler-rt]=$zig/LICENSE
        texts[libunwind]=$zig/lib/libunwind/LICENSE.TXT
        ;;
    esac
    [[ $target != *-musl ]] || texts[musl]=$zig/lib/libc/musl/COPYRIGHT
    "$(usable_python)" scripts/licences.py "$package" "$target"
    for name in "${!texts[@]}"; do
        printf '\n%s\n\n' "$name"
        cat "${texts[$name]}"
    done
}

# Packs the program of a target with documents, and unpacks and tries it. Equal contents give equal archives.
pack() {
    local target=$1 name=outflank-$version-$1 folder=$dist/outflank-$version-$1 shell archive
    rm -rf "$folder" "$folder".* "$dist/unpacked"
    mkdir -p "$folder/completions" "$folder/man" "$dist/unpacked"
    cp "$(program "$target")" LICENSE-* crates/cli/README.md CHANGELOG.md "$folder/"
    "$(program "${targets[0]}")" man --folder "$folder/man"
    for shell in bash elvish fish powershell zsh; do
        "$(program "${targets[0]}")" completions "$shell" >"$folder/completions/outflank.$shell"
    done
    licences outflank-cli "$target" >"$folder/THIRD-PARTY.txt"

    chmod -R u=rwX,go=rX "$folder"
    find "$folder" -exec touch -h -d "@$time" {} +
    case $target in
    *-windows-*)
        archive=$name.zip
        (cd "$dist" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -@ "$archive")
        run unzip -q "$dist/$archive" -d "$dist/unpacked"
        ;;
    *)
        archive=$name.tar.gz
        tar -C "$dist" --sort=name --owner=0 --group=0 --numeric-owner -c "$name" | gzip -9n >"$dist/$archive"
        run tar -C "$dist/unpacked" -xzf "$dist/$archive"
        ;;
    esac
    rm -rf "$folder"
    files+=("$archive")
    try "$target" "$dist/unpacked/$name/$(basename "$(program "$target")")"
}

[ $# -gt 0 ] || set -- "${targets[@]}"
for target in "$@"; do
    [[ " ${targets[*]} " = *" $target "* ]] || {
        echo "dist.sh: unknown target $target: expected one of ${targets[*]}" >&2
        exit 2
    }
done

install_missing rustc-web rust-web-src zip unzip
install_zig
use_debian_rustc
mkdir -p "$dist/bin"
[[ "$*" != *-windows-* ]] || install_wine
if [[ "$*" = *-apple-* ]]; then
    # Debian's rustc lacks the tool that strips programs for macOS. LLVM's also renews their signature.
    install_missing llvm
    ln -sf "$(command -v llvm-objcopy)" "$dist/bin/rust-objcopy"
    export PATH=$dist/bin:$PATH
fi
if [[ "$*" = *aarch64-*-linux-* ]]; then
    [[ $(dpkg --print-foreign-architectures) == *arm64* ]] || as_root dpkg --add-architecture arm64
    install_missing qemu-user libc6:arm64
fi
# The first target's program writes manual pages and completions.
build "${targets[0]}"
files=()
for target in "$@"; do
    build "$target"
    pack "$target"
    build_wheel "$target"
done
run maturin sdist --manifest-path bindings/python/Cargo.toml --out "$dist"
files+=("outflank-$version.tar.gz")
cd "$dist"
sha256sum "${files[@]}" >SHA256SUMS
ls -l "${files[@]}" SHA256SUMS
