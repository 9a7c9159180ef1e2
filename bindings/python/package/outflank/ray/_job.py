"""Solving and labelling: plan, search, report."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import ray

import outflank

from . import _plan as planning
from ._effort import Effort
from ._input import absolute, find
from ._plan import Part, Work, cut, estimate, from_table, scans, to_table
from ._pool import Pool, check_workers
from ._solver import Job, Solver
from ._store import PARTS, PLAN, REPORT, Store
from ._verifier import Verifier, check_certificates


@dataclass
class Report:
    """Result of a job."""

    output: str
    kind: str = "solve"
    """"solve", "label" or "verify"."""
    positions: int = 0
    """Positions searched by this run."""
    solved: int = 0
    """Number of solved or verified rows."""
    invalid: int = 0
    """Number of invalid or refused rows; the output has their reasons."""
    done_before: int = 0
    """Positions of partitions that an earlier run had written."""
    nodes: int = 0
    seconds: float = 0.0
    """Wall-clock time of this run."""
    seconds_left: float = 0.0
    """Estimated remaining time of the run."""
    search_seconds: float = 0.0
    """Total time of the searches."""
    parts: int = 0
    retries: int = 0
    """Parts that were repeated because a worker or a node was lost."""
    bytes: int = 0
    by_node: dict[str, dict[str, float]] = field(default_factory=dict)
    """Positions, nodes, busy seconds and positions per busy second of each node of the cluster."""

    def add(self, row: dict[str, Any]) -> None:
        """Adds the counts of a part."""
        self.parts += 1
        self.positions += row["positions"]
        self.solved += row["solved"]
        self.invalid += row["invalid"]
        self.nodes += row["nodes"]
        self.search_seconds += row["seconds"]
        self.bytes += row["bytes"]
        node = self.by_node.setdefault(row["node"], {"positions": 0, "nodes": 0, "busy_seconds": 0.0})
        node["positions"] += row["positions"]
        node["nodes"] += row["nodes"]
        node["busy_seconds"] += row["wall"]
        node["positions_per_second"] = node["positions"] / max(node["busy_seconds"], 1e-9)

    def __str__(self) -> str:
        rate = self.positions / max(self.seconds, 1e-9)
        good, bad = ("verified", "refused") if self.kind == "verify" else ("solved", "invalid")
        lines = [
            f"{self.output}: {self.positions} positions ({self.solved} {good}, {self.invalid} {bad}), "
            f"{self.done_before} done before",
            f"{self.nodes} nodes in {self.seconds:.1f} s, {rate:.1f} positions/s, {self.parts} parts, "
            f"{self.retries} retries, {self.bytes} bytes",
        ]
        lines += [
            f"  {name}: {node['positions']:.0f} positions, {node['nodes']:.0f} nodes, "
            f"{node['positions_per_second']:.1f} positions/s of {node['busy_seconds']:.1f} busy seconds"
            for name, node in self.by_node.items()
        ]
        return "\n".join(lines)


Progress = Callable[[Report, int, float], None]
"""Function that is called with the report so far, the number of positions of this run, and the finished share."""


def solve(
    inputs: str | list[str],
    output: str,
    effort: Effort = Effort(),
    *,
    workers: int | None = None,
    part_seconds: float | None = None,
    hash_mib: int = 64,
    weights: str | None = None,
    certificates: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Solves or searches the positions of Parquet files and writes a folder of Parquet partitions.

    Each partition has the columns of the input for some rows, and ``row``, ``score``, ``best``, ``depth``,
    ``selectivity``, ``status``, ``nodes``, ``seconds`` and ``error``. A row that is no position has the status
    "invalid" and an error. A folder that an earlier run with the same arguments began is completed.

    ``workers`` actors search, by default one for each CPU of the cluster. Each uses one CPU and a table of ``hash_mib``
    MiB. The rows are cut into parts of about ``part_seconds``, by default at most 20 seconds. A part is repeated if its
    worker is lost.

    With ``certificates``, a number from 0 to 14, solved rows get a column ``certificate``: a file that proves the
    score, as ``Engine.certify`` makes it with this number as ``leaf_empties``. ``verify`` checks them.
    """
    if certificates is not None and certificates not in range(15):
        raise ValueError(f"certificates: expected 0 to 14, got {certificates}")
    return _run("solve", inputs, output, effort, workers, part_seconds, hash_mib, weights, progress, certificates)


def label(
    inputs: str | list[str],
    output: str,
    effort: Effort = Effort(),
    *,
    workers: int | None = None,
    part_seconds: float | None = None,
    hash_mib: int = 64,
    weights: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Labels positions for training. It works as ``solve``, but writes record files, which ``outflank train`` reads.
    The input may be record files, too. Rows that are no positions go to ``.outflank/faults`` of the output."""
    return _run("label", inputs, output, effort, workers, part_seconds, hash_mib, weights, progress)


def verify(
    inputs: str | list[str],
    output: str,
    *,
    workers: int | None = None,
    part_seconds: float | None = None,
    progress: Progress | None = None,
) -> Report:
    """Verifies the certificates of Parquet files that ``solve`` has written, and writes a folder of Parquet partitions.

    Each partition has the columns of the input without ``certificate``, and ``verified`` and ``error``. A row is
    verified if its certificate proves the ``score`` of its board. No engine takes part. A folder that an earlier run
    began is completed.
    """
    return _run("verify", inputs, output, Effort(), workers, part_seconds, 1, None, progress)


def _run(
    kind: str,
    inputs: str | list[str],
    output: str,
    effort: Effort,
    workers: int | None,
    part_seconds: float | None,
    hash_mib: int,
    weights: str | None,
    progress: Progress | None,
    certificates: int | None = None,
) -> Report:
    begin = time.monotonic()
    if part_seconds is not None and not part_seconds > 0:
        raise ValueError(f"part_seconds: expected more than 0, got {part_seconds}")
    check_workers(workers)
    if weights is not None:
        weights = os.path.abspath(weights)
        # An unusable file is an error here, not in a worker.
        outflank.Weights(weights)
    files = find([inputs] if isinstance(inputs, str) else list(inputs))
    if kind == "verify":
        check_certificates(files)
    job = Job(kind, files, absolute(output), effort, hash_mib, weights, certificates)
    store = Store(output)
    with store.opened():
        with cluster():
            parts = _plan(store, job, part_seconds)
            finished = store.names()
            left = [part for part in parts if job.file_name(part) not in finished]
            report = Report(output, kind)
            report.done_before = sum(part.rows for part in parts) - sum(part.rows for part in left)
            if left:
                _search(job, left, report, workers, progress, begin)
        report.seconds = time.monotonic() - begin
        store.write_json(REPORT, asdict(report))
    return report


def _plan(store: Store, job: Job, part_seconds: float | None) -> list[Part]:
    """Returns the parts of the job. An earlier run of the job in the folder may have made them; otherwise they are
    new."""
    files, effort = job.files, job.effort
    plan = {
        "version": 3,
        "kind": job.kind,
        "certificates": job.certificates,
        "effort": asdict(effort),
        "part_seconds": part_seconds,
        "weights": job.weights,
        "files": [asdict(file) for file in files],
    }
    existing = store.read_plan()
    if existing is not None:
        check_same(store.path, existing, plan)
        return from_table(store.read_table(PARTS))
    tasks = scans(files)
    if part_seconds is None:
        estimates = _for_each(tasks, lambda scan: [estimate(files, scan, effort)])
        part_seconds = planning.part_seconds(sum(row["seconds"] for row in estimates))
    most = part_seconds
    rows = _for_each(tasks, lambda scan: cut(files, scan, effort, most))
    rows.sort(key=lambda row: (row["file"], row["start"]))
    parts = [Part(**row) for row in rows]
    store.write_table(PARTS, to_table(parts))
    # The plan is written last: it shows that the parts are complete.
    store.write_json(PLAN, plan)
    return parts


def _for_each(
    tasks: list[dict[str, Any]], function: Callable[[dict[str, Any]], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Joins the results of a function for all tasks. Up to four tasks run here, more on the cluster."""
    if len(tasks) <= 4:
        return [row for task in tasks for row in function(task)]
    remote = ray.remote(function)
    return [row for rows in ray.get([remote.remote(task) for task in tasks]) for row in rows]


def check_same(path: str, existing: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raises ``FormatError`` if the plan in the folder is that of another job."""
    for name in sorted({*existing, *wanted}):
        if existing.get(name) != wanted.get(name):
            what = "input files" if name == "files" else name
            message = f"{path}: begun by a job with other {what}"
            if name != "files":
                message += f" ({existing.get(name)}, not {wanted.get(name)})"
            raise outflank.FormatError(f"{message}: choose another folder, or go on with the same arguments")


def _search(
    job: Job, parts: list[Part], report: Report, workers: int | None, progress: Progress | None, begin: float
) -> None:
    """Searches the parts, the longest ones first, so that no long part is left for the end."""
    parts = sorted(parts, key=lambda part: -part.seconds)
    actor = ray.remote(num_cpus=1)(Verifier if job.kind == "verify" else Solver)
    pool: Pool[Part] = Pool(lambda: actor.remote(job), workers, len(parts))
    waiting = iter(parts)
    positions = sum(part.rows for part in parts)
    work = Work(parts, pool.workers)
    for part, row in pool.run(lambda: next(waiting, None)):
        report.add(row)
        report.retries = pool.retries
        report.seconds = time.monotonic() - begin
        work.add(part, row["wall"] if row["positions"] else None)
        report.seconds_left = work.seconds_left()
        if progress is not None:
            progress(report, positions, work.share())


@contextlib.contextmanager
def cluster() -> Iterator[None]:
    """Connects to the cluster that the environment names, or to a local one."""
    connects = not ray.is_initialized()
    if connects:
        # Ray's own processes read this variable.
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        yield
    finally:
        if connects:
            ray.shutdown()
