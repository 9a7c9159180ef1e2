"""Parquet files of the tests."""

from __future__ import annotations

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

import outflank


def write(path: pathlib.Path, boards, **columns) -> str:
    pq.write_table(pa.table({"board": outflank.arrow.to_arrow(boards), **columns}), path, row_group_size=150)
    return str(path)


def read(folder: pathlib.Path):
    parts = sorted(folder.glob("part-*.parquet"))
    return pa.concat_tables([pq.read_table(part) for part in parts])
