"""Measures the package: import, kernels over a million boards at every level, and `solve_many`.

usage: python benches/measure.py [--many BOARDS.npy]

`cargo bench --bench batch` measures the same kernels on the same boards without Python. With `--many`, the program
compares `solve_many` on two threads with two processes of one thread, which solve a half each.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import outflank

BOARDS = 1_000_000


def median_time(call: Callable[[], object], rounds: int = 7) -> float:
    """Returns the median time of some runs in seconds, after a warm-up run."""
    call()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def positions_after(plies: int) -> np.ndarray:
    """Returns all positions after some plies, unique up to symmetry."""
    boards = np.array([outflank.Board()])
    for _ in range(plies):
        boards, _, _ = outflank.children(boards)
        boards = np.unique(outflank.canonical(boards), axis=0)
    return boards


def imports() -> None:
    code = "import time; begin = time.perf_counter(); import outflank; print(time.perf_counter() - begin)"
    command = [sys.executable, "-c", code]
    times = [float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(7)]
    print(f"import outflank: {1e3 * statistics.median(times):.1f} ms")


def kernels() -> None:
    boards = positions_after(8)
    # Passes are rare so early, and are left out.
    boards = np.resize(boards[outflank.mobility(boards) != 0], (BOARDS, 2))
    moves = outflank.mobility(boards)
    squares = np.array([(bits & -bits).bit_length() - 1 for bits in moves.tolist()], dtype=np.uint8)
    words, pairs = np.empty(BOARDS, np.uint64), np.empty((BOARDS, 2), np.uint64)
    numbers, values = np.empty((BOARDS, 32), np.uint16), np.empty(BOARDS, np.float32)
    calls: list[tuple[str, Callable[..., object], tuple[np.ndarray, ...], np.ndarray]] = [
        ("mobility", outflank.mobility, (), words),
        ("flip", outflank.flip, (squares,), words),
        ("apply", outflank.apply, (squares,), pairs),
        ("canonical", outflank.canonical, (), pairs),
        ("hash", outflank.hash, (), words),
        ("features", outflank.features, (), numbers),
        ("evaluate", outflank.evaluate, (), values),
    ]
    print("ms for a million boards, into `out` / into a new array")
    print(f"{'':10}" + "".join(f"{isa:>16}" for isa in outflank.isas()))
    for name, kernel, arguments, out in calls:
        row = []
        for isa in outflank.isas():
            call = functools.partial(kernel, boards, *arguments, isa=isa)
            into_out, into_new = median_time(functools.partial(call, out=out)), median_time(call)
            row.append(f"{1e3 * into_out:7.1f} / {1e3 * into_new:6.1f}")
        print(f"{name:10}" + "".join(f"{cell:>16}" for cell in row), flush=True)


HALF = """
import sys, numpy as np, outflank
boards = np.load(sys.argv[1])[int(sys.argv[2])::2]
print(outflank.solve_many(boards, threads=1, hash_mib=128).nodes.sum())
"""


def many(path: str) -> None:
    """Measures `solve_many` and two processes in turn, three times."""
    boards = np.load(path)
    for _ in range(3):
        begin = time.perf_counter()
        found = outflank.solve_many(boards, threads=2, hash_mib=256)
        together = time.perf_counter() - begin
        begin = time.perf_counter()
        halves = [
            subprocess.Popen([sys.executable, "-c", HALF, path, str(half)], stdout=subprocess.PIPE) for half in (0, 1)
        ]
        nodes = sum(int(half.communicate()[0]) for half in halves)
        apart = time.perf_counter() - begin
        assert nodes == found.nodes.sum()
        print(f"solve_many {together:.2f} s, two processes {apart:.2f} s: {together / apart:.3f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--many", metavar="BOARDS.npy", help="measure solve_many on these boards instead")
    arguments = parser.parse_args()
    if arguments.many:
        many(arguments.many)
    else:
        imports()
        kernels()
