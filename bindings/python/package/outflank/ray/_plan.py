"""Plan of a job: parts of the input, which are consecutive rows and take about equally long."""

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
"""Maximum number of rows of a part. A part is in memory as a whole, and is repeated if its worker is killed."""

PARTS = 256
"""Number of parts of a job, unless they would be shorter than ``MIN_SECONDS`` or longer than ``MAX_SECONDS``."""

MIN_SECONDS = 0.5
MAX_SECONDS = 20.0

SCAN_ROWS = 1 << 20
"""Rows that one planning task reads."""


@dataclass(frozen=True)
class Part:
    """Consecutive rows of a file. ``name`` is the name of the partition, without an extension."""

    file: int
    start: int
    rows: int
    seconds: float
    """Estimated seconds."""

    @property
    def name(self) -> str:
        return f"part-{self.file:05}-{self.start:012}"


class Work:
    """Progress of a run. Estimates the remaining time from the plan and the measured speed.

    The speed is measured while workers search. So the start of the cluster and of its workers does not count for each
    remaining part.
    """

    def __init__(self, parts: list[Part], workers: int) -> None:
        self.workers = workers
        self.parts_left = len(parts)
        self.planned = sum(part.seconds for part in parts)
        self.done = 0.0
        self.searched = 0.0
        """Planned seconds of the parts that this run searched."""
        self.took = 0.0
        """Seconds that workers spent on these parts."""

    def add(self, part: Part, took: float | None) -> None:
        """Counts a part as done. ``took`` is the time of its worker in seconds, or ``None`` if an earlier attempt of
        this run wrote the part."""
        self.parts_left -= 1
        self.done += part.seconds
        if took is not None:
            self.searched += part.seconds
            self.took += took

    def share(self) -> float:
        """Returns the finished share of the planned seconds; 1.0 if and only if no part is left."""
        if self.parts_left == 0:
            return 1.0
        # The order of a sum changes its last digits.
        return min(self.done / max(self.planned, 1e-9), math.nextafter(1.0, 0.0))

    def seconds_left(self) -> float:
        """Estimates the remaining seconds."""
        left = max(self.planned - self.done, 0.0) if self.parts_left else 0.0
        speed = self.took / self.searched if self.searched else 1.0
        return left * speed / self.workers


def scans(files: list[InputFile]) -> list[dict[str, Any]]:
    """Returns the planning tasks: rows of files."""
    return [
        {"file": number, "start": start, "rows": min(SCAN_ROWS, file.rows - start)}
        for number, file in enumerate(files)
        for start in range(0, file.rows, SCAN_ROWS)
    ]


def estimate(files: list[InputFile], scan: dict[str, Any], effort: Effort) -> dict[str, Any]:
    """Estimates the search time for the rows of a task, in seconds."""
    boards = read_rows(read(files[scan["file"]], scan["start"], scan["rows"], COLUMNS)).boards
    return {"seconds": float(_seconds(boards, effort).sum())}


def part_seconds(total: float) -> float:
    """Returns the intended length of a part in seconds, for a job of ``total`` seconds. Short parts are shared evenly;
    long parts have less overhead."""
    return min(max(total / PARTS, MIN_SECONDS), MAX_SECONDS)


def _seconds(boards: Any, effort: Effort) -> Any:
    by_empties = np.array([effort.seconds(empties) for empties in range(65)])
    return by_empties[empty_counts(boards)]


def cut(files: list[InputFile], scan: dict[str, Any], effort: Effort, most: float) -> list[dict[str, Any]]:
    """Cuts the rows of a task into parts of about ``most`` seconds. A longer position is a part of its own."""
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
    """Counts the empty squares of each board."""
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
