"""Searches positions on Spark, by `mapInArrow`. Spark moves the data, and each task has its own engine.

usage: spark-submit spark.py IN.parquet OUT.parquet [LEVEL]

IN has the columns `player` and `opponent`. They are BIGINT with the same bits, because Spark has no unsigned numbers.
Every machine needs `pip install outflank[arrow]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

import outflank
from outflank.arrow import read_rows

SCHEMA = "player bigint, opponent bigint, score int, best string, nodes bigint, error string"


def search(batches: Iterable[pa.RecordBatch], level: int = 16) -> Iterator[pa.RecordBatch]:
    """Searches the positions of the batches of a partition."""
    engine = outflank.Engine()
    for batch in batches:
        rows = read_rows(batch)
        found = engine.solve_many(rows.boards, level=level, errors="mark")
        errors: list[str | None] = [rows.faults.get(row) for row in range(len(batch))]
        best = [outflank.square_name(int(ply)) if ply <= 64 else None for ply in found.best]
        yield pa.record_batch(
            {
                "player": batch.column("player"),
                "opponent": batch.column("opponent"),
                "score": pa.array(found.score.astype("int32"), mask=np.array([error is not None for error in errors])),
                "best": pa.array(best, pa.string()),
                "nodes": found.nodes.astype("int64"),
                "error": pa.array(errors, pa.string()),
            }
        )


def main() -> None:
    from pyspark.sql import SparkSession

    source, target = sys.argv[1:3]
    level = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    spark = SparkSession.builder.getOrCreate()
    positions = spark.read.parquet(source).select("player", "opponent")
    positions.mapInArrow(lambda batches: search(batches, level), SCHEMA).write.parquet(target)
    spark.stop()


if __name__ == "__main__":
    main()
