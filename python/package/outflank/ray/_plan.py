"""The parts of the input that are searched as one: rows that follow each other and take about as long."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from outflank.arrow import COLUMNS, read_rows

from ._effort import Effort
from ._input import InputFile, read

MAX_ROWS = 100_000
"""The most rows of a part: what a killed worker has to do again, and what is in memory at once."""

PARTS = 256
"""Parts of a job that takes neither very long nor very short."""

MIN_SECONDS = 0.5
MAX_SECONDS = 20.0

SCAN_ROWS = 1 << 20
"""Rows that are looked at in one task of the planning."""


@dataclass(frozen=True)
class Part:
    """Some rows of a file. The name is that of its partition."""

    file: int
    start: int
    rows: int
    seconds: float
    """About how long it takes."""

    @property
    def name(self) -> str:
        return f"part-{self.file:05}-{self.start:012}"


class Work:
    """Progress of a run. Estimates the remaining time from the plan and the measured speed.

    The speed is that of workers while they search, so that the start of a cluster and of its workers counts once, not
    for each part that is left.
    """

    def __init__(self, parts: list[Part], workers: int) -> None:
        self.workers = workers
        self.parts_left = len(parts)
        self.planned = sum(part.seconds for part in parts)
        self.done = 0.0
        self.searched = 0.0
        """Planned seconds of the parts that this run searched."""
        self.took = 0.0
        """The seconds that workers spent on them."""

    def add(self, part: Part, took: float | None) -> None:
        """Counts a part as done. ``took`` is the seconds of its worker, or ``None`` if an earlier attempt of this run
        wrote the part."""
        self.parts_left -= 1
        self.done += part.seconds
        if took is not None:
            self.searched += part.seconds
            self.took += took

    def share(self) -> float:
        """The share of the planned seconds that is done; 1.0 if and only if no part is left."""
        if self.parts_left == 0:
            return 1.0
        # Sums in another order differ in the last digits.
        return min(self.done / max(self.planned, 1e-9), math.nextafter(1.0, 0.0))

    def seconds_left(self) -> float:
        """About how many seconds are left."""
        left = max(self.planned - self.done, 0.0) if self.parts_left else 0.0
        speed = self.took / self.searched if self.searched else 1.0
        return left * speed / self.workers


def scans(files: list[InputFile]) -> list[dict[str, Any]]:
    """The tasks of the planning: rows of files."""
    return [
        {"file": number, "start": start, "rows": min(SCAN_ROWS, file.rows - start)}
        for number, file in enumerate(files)
        for start in range(0, file.rows, SCAN_ROWS)
    ]


def estimate(files: list[InputFile], scan: dict[str, Any], effort: Effort) -> dict[str, Any]:
    """About how many seconds the rows of a task take."""
    boards = read_rows(read(files[scan["file"]], scan["start"], scan["rows"], COLUMNS)).boards
    return {"seconds": float(_seconds(boards, effort).sum())}


def part_seconds(total: float) -> float:
    """How long a part is to take, where all of them take ``total``: short enough to be shared out evenly, long enough
    that what it costs besides is nothing to speak of."""
    return min(max(total / PARTS, MIN_SECONDS), MAX_SECONDS)


def _seconds(boards: Any, effort: Effort) -> Any:
    by_empties = np.array([effort.seconds(empties) for empties in range(65)])
    return by_empties[empty_counts(boards)]


def cut(files: list[InputFile], scan: dict[str, Any], effort: Effort, most: float) -> list[dict[str, Any]]:
    """Cuts the rows of a task into parts that take about ``most`` seconds; a position that takes longer is one
    alone."""
    number, start, rows = int(scan["file"]), int(scan["start"]), int(scan["rows"])
    boards = read_rows(read(files[number], start, rows, COLUMNS)).boards
    seconds = _seconds(boards, effort)
    total = np.cumsum(seconds)
    parts: list[dict[str, Any]] = []
    begin = 0
    while begin < rows:
        before = total[begin - 1] if begin else 0.0
        end = int(np.searchsorted(total, before + most, side="right"))
        end = min(max(end, begin + 1), begin + MAX_ROWS, rows)
        parts.append(
            {
                "file": number,
                "start": start + begin,
                "rows": end - begin,
                "seconds": float(total[end - 1] - before),
            }
        )
        begin = end
    return parts


def empty_counts(boards: Any) -> Any:
    """The number of empty squares of each board."""
    discs = np.ascontiguousarray(boards[:, 0] | boards[:, 1])
    bits = np.unpackbits(discs.view(np.uint8).reshape(-1, 8), axis=1)
    return 64 - bits.sum(axis=1, dtype=np.int64)


def to_table(parts: list[Part]) -> pa.Table:
    return pa.table(
        {
            "file": pa.array([part.file for part in parts], pa.int32()),
            "start": pa.array([part.start for part in parts], pa.int64()),
            "rows": pa.array([part.rows for part in parts], pa.int64()),
            "seconds": pa.array([part.seconds for part in parts], pa.float64()),
        }
    )


def from_table(table: pa.Table) -> list[Part]:
    return [Part(**row) for row in table.to_pylist()]
