"""The output folder: a plan, partitions that are there whole or not at all, and a report."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

import outflank

from ._input import absolute

PLAN = "_plan.json"
PARTS = "_parts.parquet"
REPORT = "_report.json"


class Store:
    """A folder on any file system that Arrow knows."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.filesystem, self.folder = pa.fs.FileSystem.from_uri(absolute(path))

    def prepare(self) -> None:
        """Makes the folder, and removes what killed writers left."""
        self.filesystem.create_dir(self.folder, recursive=True)
        for info in self._list():
            if info.base_name.startswith(".tmp-"):
                self.filesystem.delete_file(info.path)

    def _list(self) -> list[Any]:
        selector = pa.fs.FileSelector(self.folder, allow_not_found=True)
        return list(self.filesystem.get_file_info(selector))

    def names(self) -> set[str]:
        """The names of the finished files."""
        return {info.base_name for info in self._list() if not info.base_name.startswith(".tmp-")}

    def has(self, name: str) -> bool:
        info = self.filesystem.get_file_info(f"{self.folder}/{name}")
        return bool(info.type == pa.fs.FileType.File)

    def read_json(self, name: str) -> Any:
        """The contents of a file; ``None`` where there is none."""
        if not self.has(name):
            return None
        with self.filesystem.open_input_stream(f"{self.folder}/{name}") as stream:
            try:
                return json.loads(stream.read())
            except ValueError as error:
                raise outflank.FormatError(f"{self.path}/{name}: not JSON: {error}") from error

    def write_json(self, name: str, value: Any) -> None:
        data = json.dumps(value, indent=1).encode()
        temporary = self._temporary()
        with self.filesystem.open_output_stream(temporary) as stream:
            stream.write(data)
        self._commit(temporary, name)

    def read_table(self, name: str) -> pa.Table:
        return pq.read_table(f"{self.folder}/{name}", filesystem=self.filesystem)

    def write_table(self, name: str, table: pa.Table) -> int:
        """Writes a Parquet file under its name when it is complete. Returns its bytes."""
        temporary = self._temporary()
        pq.write_table(table, temporary, filesystem=self.filesystem, compression="zstd")
        return self._commit(temporary, name)

    def write_records(self, name: str, **columns: Any) -> int:
        """Writes a record file under its name when it is complete. Returns its bytes."""
        if not isinstance(self.filesystem, pa.fs.LocalFileSystem):
            raise outflank.FormatError(f"{self.path}: record files are written to local folders only")
        temporary = self._temporary()
        outflank.write_records(temporary, **columns)
        return self._commit(temporary, name)

    def _temporary(self) -> str:
        """A name that no reader of the folder takes for a partition."""
        return f"{self.folder}/.tmp-{uuid.uuid4().hex}"

    def _commit(self, temporary: str, name: str) -> int:
        if isinstance(self.filesystem, pa.fs.LocalFileSystem):
            # On the disk before it has its name, so that a power cut leaves no empty partition.
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
        size = int(self.filesystem.get_file_info(temporary).size)
        self.filesystem.move(temporary, f"{self.folder}/{name}")
        return size
