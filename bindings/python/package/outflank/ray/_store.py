"""Output folder: a plan, partitions and a report. Each file appears when it is complete."""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from collections.abc import Iterator
from typing import Any

import filelock
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

import outflank

from ._input import absolute

STATE_FOLDER = ".outflank"
"""Folder within the output for all files except partitions, so that ``out/*.parquet`` matches only results."""

PLAN = f"{STATE_FOLDER}/plan.json"
PARTS = f"{STATE_FOLDER}/parts.pq"
REPORT = f"{STATE_FOLDER}/report.json"
FAULTS = f"{STATE_FOLDER}/faults"
LOCK = f"{STATE_FOLDER}/lock"
TEMPORARY = f"{STATE_FOLDER}/tmp-"


class Store:
    """Folder on any file system that Arrow knows."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.filesystem, self.folder = pa.fs.FileSystem.from_uri(absolute(path))

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Makes the folder, locks it against other drivers, and removes files of killed writers, before and after.

        The lock of a local folder ends with the process. On other file systems there is none.
        """
        self.filesystem.create_dir(f"{self.folder}/{FAULTS}", recursive=True)
        with self._locked():
            self._remove_temporary()
            yield
            self._remove_temporary()

    def _remove_temporary(self) -> None:
        for name in self.names(STATE_FOLDER):
            if f"{STATE_FOLDER}/{name}".startswith(TEMPORARY):
                # A worker that lost its driver may still rename it.
                with contextlib.suppress(FileNotFoundError):
                    self.filesystem.delete_file(f"{self.folder}/{STATE_FOLDER}/{name}")

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        if not isinstance(self.filesystem, pa.fs.LocalFileSystem):
            yield
            return
        lock = filelock.FileLock(f"{self.folder}/{LOCK}")
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout as error:
            message = f"{self.path}: another job is writing to this folder: wait for its end, or choose another folder"
            raise outflank.FormatError(message) from error
        try:
            yield
        finally:
            lock.release()

    def names(self, folder: str = "") -> set[str]:
        """Returns the names of the files in the output, or in a folder within it."""
        path = f"{self.folder}/{folder}" if folder else self.folder
        infos = self.filesystem.get_file_info(pa.fs.FileSelector(path, allow_not_found=True))
        return {info.base_name for info in infos if info.type == pa.fs.FileType.File}

    def read_plan(self) -> Any:
        """Reads the plan of the job that began the folder; ``None`` for a new folder.

        Partitions without a plan are an error: nobody knows how they were made.
        """
        plan = self.read_json(PLAN)
        if plan is None and any(name.startswith("part-") for name in self.names()):
            message = f"{self.path}: has partitions, but not the plan of their job: choose another folder"
            raise outflank.FormatError(message)
        return plan

    def has(self, name: str) -> bool:
        info = self.filesystem.get_file_info(f"{self.folder}/{name}")
        return bool(info.type == pa.fs.FileType.File)

    def read_json(self, name: str) -> Any:
        """Reads a JSON file; ``None`` if it does not exist."""
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
        """Writes a Parquet file, which gets its name when it is complete. Returns its size in bytes."""
        temporary = self._temporary()
        pq.write_table(table, temporary, filesystem=self.filesystem, compression="zstd")
        return self._commit(temporary, name)

    def write_records(self, name: str, **columns: Any) -> int:
        """Writes a record file, which gets its name when it is complete. Returns its size in bytes."""
        if not isinstance(self.filesystem, pa.fs.LocalFileSystem):
            raise outflank.FormatError(f"{self.path}: record files are written to local folders only")
        temporary = self._temporary()
        outflank.write_records(temporary, **columns)
        return self._commit(temporary, name)

    def _temporary(self) -> str:
        """Returns a unique path in ``STATE_FOLDER``, where readers do not look for partitions."""
        return f"{self.folder}/{TEMPORARY}{uuid.uuid4().hex}"

    def _commit(self, temporary: str, name: str) -> int:
        if isinstance(self.filesystem, pa.fs.LocalFileSystem):
            # The data reaches the disk before the rename, so that a power cut leaves no empty partition.
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
        size = int(self.filesystem.get_file_info(temporary).size)
        self.filesystem.move(temporary, f"{self.folder}/{name}")
        return size
