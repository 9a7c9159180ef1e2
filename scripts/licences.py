"""Prints the licences of all crates that a program contains.

usage: licences.py PACKAGE TARGET
"""

import json
import subprocess
import sys
from pathlib import Path

# Licence texts in crates' folders start with one of these.
NAMES = ("licen", "copying", "copyright", "notice", "unlicense")


def cargo(*arguments: str) -> str:
    """Returns what cargo prints."""
    return subprocess.run(["cargo", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def linked(package: str, target: str) -> set[str]:
    """Returns name and version of the crates that are linked into the program of a package."""
    # The metadata also has optional crates that are not compiled, the tree has not.
    options = ["--edges=normal,no-proc-macro", "--prefix=none", "--format={p}", f"--target={target}"]
    lines = cargo("tree", "--locked", f"--package={package}", *options).splitlines()
    return {" ".join(line.split()[:2]) for line in lines}


def texts(crate: dict) -> list[str]:
    """Returns the licence texts in a crate's folder. Some crates have none, and only name their licence."""
    folder = Path(crate["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.name.lower().startswith(NAMES) and file.is_file())
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def main(package: str, target: str) -> None:
    """Prints name, licence and texts of each crate. A text that several crates have is printed once."""
    metadata = json.loads(cargo("metadata", "--locked", "--format-version=1", f"--filter-platform={target}"))
    crates = linked(package, target)
    others = [each for each in metadata["packages"] if f"{each['name']} v{each['version']}" in crates and each["source"]]
    owners: dict[str, list[str]] = {}
    print("Outflank contains these packages, and Rust's standard library (MIT OR Apache-2.0):\n")
    for crate in sorted(others, key=lambda each: each["name"]):
        name = f"{crate['name']} {crate['version']}"
        print(f"{name}: {crate['license'] or 'see below'}, {crate['repository'] or 'no address'}")
        for text in texts(crate):
            owners.setdefault(text, []).append(name)
    for text, names in owners.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n{'=' * 80}\n\n{text}")


main(*sys.argv[1:])
