"""Actor that searches the positions of parts and writes their partitions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import ray

import outflank
from outflank import Status
from outflank.arrow import Rows, read_rows

from ._effort import Effort
from ._input import InputFile, read
from ._plan import Part
from ._store import FAULTS, Store


@dataclass(frozen=True)
class Job:
    """Description of a job: input, limits and output."""

    kind: str
    """"solve", "label" or "verify"."""
    files: list[InputFile]
    output: str
    effort: Effort
    hash_mib: int
    weights: str | None
    certificates: int | None = None
    """Greatest number of empty squares of leaves of the certificates; ``None`` for no certificates."""

    def file_name(self, part: Part) -> str:
        """Returns the name of the partition of a part."""
        return part.name + (".records" if self.kind == "label" else ".parquet")


class Solver:
    """Searches parts one after another, on one thread. The hash table is kept from part to part."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.store = Store(job.output)
        self.engine = outflank.Engine(hash_mib=job.hash_mib, weights=job.weights)
        self.node = node_name()

    def search(self, part: Part) -> dict[str, Any]:
        """Searches a part and writes its partition, unless it exists. Returns the counts of the part."""
        begin = time.monotonic()
        name = self.job.file_name(part)
        if self.store.has(name):
            # An earlier attempt was killed after it had written the partition.
            return {"node": self.node, "wall": time.monotonic() - begin, **NOTHING}
        table = read(self.job.files[part.file], part.start, part.rows)
        rows = read_rows(table)
        found = self.engine.solve_many(rows.boards, errors="mark", **self.job.effort.arguments())
        status = status_of(rows, found)
        if self.job.kind == "label":
            size = self._write_records(part, name, table, rows, found, status)
        else:
            answers = with_answers(table, part.start, rows, found, status)
            if self.job.certificates is not None:
                certificates = self._certificates(rows, status, self.job.certificates)
                answers = answers.append_column("certificate", certificates)
            size = self.store.write_table(name, answers)
        return {
            "node": self.node,
            "positions": len(status),
            "solved": int((status == Status.SOLVED).sum()),
            "invalid": len(rows.faults),
            "nodes": int(found.nodes.sum()),
            "seconds": float(found.seconds.sum()),
            "wall": time.monotonic() - begin,
            "bytes": size,
        }

    def _certificates(self, rows: Rows, status: Any, leaf_empties: int) -> pa.Array:
        """Makes the certificates of the solved rows, from the table that their searches have filled."""
        return pa.array(
            [
                self.engine.certify(outflank.Board(*board), leaf_empties=leaf_empties)
                if one == Status.SOLVED
                else None
                for board, one in zip(rows.boards.tolist(), status.tolist())
            ],
            pa.binary(),
        )

    def _write_records(
        self,
        part: Part,
        name: str,
        table: pa.Table,
        rows: Rows,
        found: outflank.Solutions,
        status: Any,
    ) -> int:
        """Writes training records. Invalid rows go to a separate table, which is written first."""
        if rows.faults:
            numbers = np.fromiter(rows.faults, dtype=np.int64)
            faults = table.take(pa.array(numbers))
            faults = faults.append_column("row", pa.array(numbers + part.start))
            faults = faults.append_column("error", pa.array(list(rows.faults.values()), pa.string()))
            self.store.write_table(f"{FAULTS}/{part.name}.pq", faults)
        usable = status != Status.INVALID
        games = np.zeros(len(status), dtype=np.uint32)
        if "game" in table.schema.names:
            games = table.column("game").to_numpy().astype(np.uint32)
        is_exact = status == Status.SOLVED
        sources = np.where(is_exact, 255, np.minimum(found.depth, 60)).astype(np.uint8)
        return self.store.write_records(
            name,
            boards=rows.boards[usable],
            values=(found.score.astype(np.int16) * 128)[usable],
            sources=sources[usable],
            games=games[usable],
            settings=[("maker", f"outflank.ray label {outflank.__version__}")]
            + [(key, str(value)) for key, value in self.job.effort.arguments().items()],
        )


class BatchSolver:
    """Searches batches of a dataset of Ray Data, for pipelines that do more than ``solve``::

        dataset.map_batches(BatchSolver, fn_constructor_args=[Effort(level=16)], batch_format="pyarrow",
                            batch_size=256, num_cpus=1, concurrency=8)

    Batches need the columns of ``outflank.arrow``, and get those of ``solve``; ``row`` counts within the batch.
    """

    def __init__(self, effort: Effort = Effort(), hash_mib: int = 64, weights: str | None = None) -> None:
        self.effort = effort
        self.engine = outflank.Engine(hash_mib=hash_mib, weights=weights)

    def __call__(self, batch: pa.Table) -> pa.Table:
        rows = read_rows(batch)
        found = self.engine.solve_many(rows.boards, errors="mark", **self.effort.arguments())
        return with_answers(batch, 0, rows, found, status_of(rows, found))


NOTHING = {"positions": 0, "solved": 0, "invalid": 0, "nodes": 0, "seconds": 0.0, "bytes": 0}


def status_of(rows: Rows, found: outflank.Solutions) -> Any:
    """Returns the status of each row, including invalid ones."""
    status = found.status.copy()
    status[list(rows.faults)] = Status.INVALID
    return status


def with_answers(table: pa.Table, start: int, rows: Rows, found: outflank.Solutions, status: Any) -> pa.Table:
    """Adds the results to the columns of the input. ``row`` is the number of the row in its file."""
    errors: list[str | None] = [None] * len(status)
    for row, what in rows.faults.items():
        errors[row] = f"row {start + row} of {what}"
    names = np.array([outflank.square_name(ply) for ply in range(65)] + [None] * 191, dtype=object)
    is_valid = status != Status.INVALID
    answers = {
        "row": np.arange(start, start + len(status), dtype=np.int64),
        "score": pa.array(found.score, mask=~is_valid),
        "best": pa.array(names[found.best], pa.string()),
        "depth": found.depth,
        "selectivity": found.selectivity,
        "status": pa.array([Status(one).name.lower() for one in status.tolist()], pa.string()),
        "nodes": found.nodes,
        "seconds": found.seconds,
        "error": pa.array(errors, pa.string()),
    }
    # A certificate of the input may be about another score.
    kept = [name for name in table.schema.names if name not in answers and name != "certificate"]
    return pa.table({**{name: table.column(name) for name in kept}, **answers})


def node_name() -> str:
    """Returns the address and the number of this node."""
    context = ray.get_runtime_context()
    return f"{ray.util.get_node_ip_address()} {context.get_node_id()[:8]}"
