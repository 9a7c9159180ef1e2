"""Expansion of an opening tree by one ply."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import ray

import outflank
from outflank.arrow import COLUMNS, read_rows, to_arrow

from ._input import InputFile, absolute, find, read
from ._job import check_same, cluster
from ._plan import scans
from ._store import FAULTS, PLAN, REPORT, Store

BUCKET_ROWS = 4_000_000
"""Intended number of positions of a partition, which take 64 MiB."""

CHILDREN = 10
"""Estimated number of new children of a position: those that no other position has."""


@dataclass
class ExpandReport:
    """Result of an expansion."""

    output: str
    positions: int = 0
    """Number of positions of the input."""
    invalid: int = 0
    """Number of invalid rows; ``.outflank/faults`` of the output has them."""
    children: int = 0
    """Number of positions of the output, unique up to symmetry."""
    finished: int = 0
    """Number of positions of the output that are finished games."""
    partitions: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.output}: {self.children} positions ({self.finished} finished games) from {self.positions} "
            f"({self.invalid} invalid), {self.partitions} partitions, {self.seconds:.1f} s"
        )


def expand(inputs: str | list[str], output: str, *, buckets: int | None = None) -> ExpandReport:
    """Makes all positions one ply below the positions of the input, unique up to symmetry. The output is Parquet
    partitions with a column ``board`` of two uint64.

    A position whose side to move has to pass has one child, after the pass. A finished game has none. So the score of a
    position is the maximum of the negated scores of its children. A folder that an earlier run began is completed.
    """
    begin = time.monotonic()
    files = find([inputs] if isinstance(inputs, str) else list(inputs))
    rows = sum(file.rows for file in files)
    if buckets is None:
        buckets = max(-(-rows * CHILDREN // BUCKET_ROWS), 1)
    if buckets < 1:
        raise ValueError(f"buckets: expected 1 or more, got {buckets}")
    store = Store(output)
    with store.opened():
        return _run(store, files, rows, buckets, begin)


def _run(store: Store, files: list[InputFile], rows: int, buckets: int, begin: float) -> ExpandReport:
    output = store.path
    plan = {"version": 2, "kind": "expand", "buckets": buckets, "files": [asdict(file) for file in files]}
    existing = store.read_plan()
    if existing is not None:
        check_same(output, existing, plan)
    else:
        store.write_json(PLAN, plan)
    report = ExpandReport(output, positions=rows)
    finished = store.names()
    left = [bucket for bucket in range(buckets) if _name(bucket) not in finished]
    if left:
        with cluster():
            _expand(files, absolute(output), buckets, left)
    for name in store.names():
        if name.startswith("part-"):
            boards = outflank.arrow.from_arrow(store.read_table(name))
            report.partitions += 1
            report.children += len(boards)
            report.finished += _finished(boards)
    for name in store.names(FAULTS):
        report.invalid += store.read_table(f"{FAULTS}/{name}").num_rows
    report.seconds = time.monotonic() - begin
    store.write_json(REPORT, asdict(report))
    return report


def _name(bucket: int) -> str:
    return f"part-{bucket:06}.parquet"


def _table(boards: Any) -> pa.Table:
    return pa.table({"board": to_arrow(boards)})


def _finished(boards: Any) -> int:
    movers = outflank.mobility(boards) == 0
    others = outflank.mobility(boards[:, ::-1]) == 0
    return int((movers & others).sum())


def _expand(files: list[InputFile], output: str, buckets: int, left: list[int]) -> None:
    """Makes the children of the input's parts, and a partition of each bucket in ``left``."""
    children = ray.remote(num_returns=len(left))(_children)
    merge = ray.remote(_merge)
    arrays = [children.remote(files, output, scan, buckets, left) for scan in scans(files)]
    # Ray returns a single result for one bucket, not a list.
    arrays = [[array] if len(left) == 1 else array for array in arrays]
    merged = [merge.remote(output, bucket, *(part[index] for part in arrays)) for index, bucket in enumerate(left)]
    ray.get(merged)


def _children(files: list[InputFile], output: str, scan: dict[str, Any], buckets: int, left: list[int]) -> Any:
    """Makes the children of some rows, as an array for each bucket in ``left``."""
    number, start = scan["file"], scan["start"]
    rows = read_rows(read(files[number], start, scan["rows"], COLUMNS))
    if rows.faults:
        faults = pa.table(
            {
                "file": [files[number].path] * len(rows.faults),
                "row": pa.array([start + row for row in rows.faults], pa.int64()),
                "error": [f"row {start + row} of {what}" for row, what in rows.faults.items()],
            }
        )
        Store(output).write_table(f"{FAULTS}/{number:05}-{start:012}.pq", faults)
    # Invalid rows are boards without discs, which have no children.
    boards, _, _ = outflank.children(rows.boards)
    boards = unique(outflank.canonical(boards))
    buckets_of = outflank.hash(boards) % np.uint64(buckets)
    parts = [boards[buckets_of == wanted] for wanted in left]
    return parts[0] if len(left) == 1 else parts


def _merge(output: str, bucket: int, *arrays: Any) -> None:
    """Writes the partition of a bucket, without duplicates."""
    # Without rows there are no arrays.
    none = np.empty((0, 2), dtype=np.uint64)
    Store(output).write_table(_name(bucket), _table(unique(np.concatenate([none, *arrays]))))


def unique(boards: Any) -> Any:
    """Returns the distinct boards, in ascending order."""
    boards = boards[np.lexsort((boards[:, 1], boards[:, 0]))]
    is_new = np.ones(len(boards), dtype=bool)
    is_new[1:] = (boards[1:] != boards[:-1]).any(axis=1)
    return boards[is_new]
