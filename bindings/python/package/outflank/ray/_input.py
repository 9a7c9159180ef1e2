"""Files of positions: Parquet, and Outflank's training records. A part of a file is read as an Arrow table."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

import outflank
from outflank.arrow import check_columns

RECORDS = ".records"


@dataclass(frozen=True)
class InputFile:
    """Input file. Its size and its number of rows show if it was replaced by another one."""

    path: str
    bytes: int
    rows: int


def find(paths: list[str]) -> list[InputFile]:
    """Lists the files of some paths. A folder stands for its Parquet and record files in the order of their names,
    except those that begin with a dot or an underscore.

    Raises ``FormatError`` with the name of a file that cannot be read or has no boards.
    """
    files: list[InputFile] = []
    for path in map(absolute, paths):
        filesystem, inner = pa.fs.FileSystem.from_uri(path)
        info = filesystem.get_file_info(inner)
        if info.type == pa.fs.FileType.NotFound:
            raise FileNotFoundError(f"{path}: no such file or folder")
        if info.type != pa.fs.FileType.Directory:
            files.append(_describe(path))
            continue
        listed = filesystem.get_file_info(pa.fs.FileSelector(inner, recursive=False))
        named = [entry.path for entry in listed if not entry.base_name.startswith((".", "_"))]
        names = sorted(path for path in named if path.endswith((".parquet", RECORDS)))
        if not names:
            raise outflank.FormatError(f"{path}: no .parquet and no {RECORDS} file in the folder")
        files.extend(_describe(os.path.join(path, os.path.basename(name))) for name in names)
    return files


def absolute(path: str) -> str:
    """Makes a path absolute, so that it is valid in every process of the cluster. A URI stays as it is."""
    return path if "://" in path else os.path.abspath(path)


def _describe(path: str) -> InputFile:
    filesystem, inner = pa.fs.FileSystem.from_uri(path)
    size = filesystem.get_file_info(inner).size
    if path.endswith(RECORDS):
        return InputFile(path, size, len(_records(path, size).boards))
    try:
        metadata = pq.read_metadata(inner, filesystem=filesystem)
        names = metadata.schema.to_arrow_schema().names
    except (pa.ArrowException, OSError) as error:
        raise outflank.FormatError(f"{path}: not a readable Parquet file: {_first_line(error)}") from error
    check_columns(names, path)
    return InputFile(path, size, metadata.num_rows)


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


@functools.lru_cache(maxsize=1)
def _records(path: str, _bytes: int) -> outflank.Records:
    if "://" in path:
        raise outflank.FormatError(f"{path}: record files are read from local paths only")
    return outflank.read_records(path)


def read(file: InputFile, start: int, rows: int, columns: tuple[str, ...] | None = None) -> pa.Table:
    """Reads rows of a file, with all columns or only those in ``columns`` that the file has."""
    if file.path.endswith(RECORDS):
        records = _records(file.path, file.bytes)
        part = slice(start, start + rows)
        table = pa.table(
            {
                "board": outflank.arrow.to_arrow(records.boards[part]),
                "game": records.games[part],
            }
        )
        return table if columns is None else table.select([name for name in columns if name in table.schema.names])
    filesystem, inner = pa.fs.FileSystem.from_uri(file.path)
    try:
        return _read_parquet(filesystem, inner, start, rows, columns)
    except (pa.ArrowException, OSError) as error:
        message = f"{file.path}: rows {start} to {start + rows - 1} cannot be read: {_first_line(error)}"
        raise outflank.FormatError(message) from error


def _read_parquet(filesystem: Any, path: str, start: int, rows: int, columns: tuple[str, ...] | None) -> pa.Table:
    """Reads rows of a Parquet file. Only the row groups that have them are read."""
    with filesystem.open_input_file(path) as source:
        parquet = pq.ParquetFile(source)
        names = None
        if columns is not None:
            names = [name for name in columns if name in parquet.schema_arrow.names]
        groups: list[int] = []
        first, seen = 0, 0
        for group in range(parquet.num_row_groups):
            count = parquet.metadata.row_group(group).num_rows
            if seen + count > start and seen < start + rows:
                if not groups:
                    first = seen
                groups.append(group)
            seen += count
        table = parquet.read_row_groups(groups, columns=names)
        return table.slice(start - first, rows)
