"""Actor that verifies the certificates of parts and writes partitions with the answers."""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa

import outflank
from outflank.arrow import read_rows

from ._input import InputFile, read
from ._plan import Part
from ._solver import NOTHING, Job, node_name
from ._store import Store


class Verifier:
    """Verifies parts one after another, without an engine."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.store = Store(job.output)
        self.node = node_name()

    def search(self, part: Part) -> dict[str, Any]:
        """Verifies a part and writes its partition, unless it exists. Returns the counts of the part."""
        begin = time.monotonic()
        name = self.job.file_name(part)
        if self.store.has(name):
            return {"node": self.node, "wall": time.monotonic() - begin, **NOTHING}
        table = read(self.job.files[part.file], part.start, part.rows)
        rows = read_rows(table)
        errors: list[str | None] = []
        nodes = 0
        columns = (table.column(name).to_pylist() for name in COLUMNS)
        for row, (board, score, certificate) in enumerate(zip(rows.boards.tolist(), *columns)):
            error: str | None = rows.faults.get(row)
            if error is None:
                error, searched = check(outflank.Board(*board), score, certificate)
                nodes += searched
            errors.append(error)
        replaced = [name for name in ("certificate", "verified", "error") if name in table.column_names]
        answers = table.drop_columns(replaced)
        answers = answers.append_column("verified", pa.array([error is None for error in errors]))
        answers = answers.append_column("error", pa.array(errors, pa.string()))
        size = self.store.write_table(name, answers)
        refused = sum(error is not None for error in errors)
        wall = time.monotonic() - begin
        return {
            "node": self.node,
            "positions": len(errors),
            "solved": len(errors) - refused,
            "invalid": refused,
            "nodes": nodes,
            "seconds": wall,
            "wall": wall,
            "bytes": size,
        }


COLUMNS = ("score", "certificate")
"""Columns that the output of ``solve`` has besides boards."""


def check_certificates(files: list[InputFile]) -> None:
    """Raises ``FormatError`` if a file has no scores or certificates."""
    for file in files:
        names = read(file, 0, 0).column_names if file.path.endswith(".parquet") else []
        for name in COLUMNS:
            if name not in names:
                raise outflank.FormatError(f"{file.path}: no column {name!r}; `solve` writes it with certificates")


def check(board: outflank.Board, score: int | None, certificate: bytes | None) -> tuple[str | None, int]:
    """Verifies that a certificate proves the score of a board. Returns the reason if it does not, and the nodes of the
    verification."""
    if score is None or certificate is None:
        return "no score or no certificate", 0
    try:
        claims = outflank.verify(certificate)
    except outflank.CertificateError as error:
        return str(error), 0
    nodes = sum(claim.nodes for claim in claims)
    least = max((claim.score for claim in claims if claim.board == board and claim.at_least), default=-64)
    most = min((claim.score for claim in claims if claim.board == board and not claim.at_least), default=64)
    if (least, most) != (score, score):
        return f"score {score:+}, but the certificate proves {least:+} to {most:+}", nodes
    return None, nodes
