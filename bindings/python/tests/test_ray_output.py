"""Output folder of jobs on Ray: readers, concurrent writers, and the estimated remaining time."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

import outflank

pytest.importorskip("ray")
pa = pytest.importorskip("pyarrow")

from parquet_files import write  # noqa: E402

from outflank.ray import Effort, Report, expand, label, solve  # noqa: E402
from outflank.ray._meter import Meter  # noqa: E402
from outflank.ray._plan import Part, Work  # noqa: E402
from outflank.ray._store import Store  # noqa: E402


def test_other_readers_read_the_folder(cluster, tmp_path, some, scores):
    bad = some.copy()
    bad[5] = [3, 1]
    solve(write(tmp_path / "in.parquet", bad), str(tmp_path / "out"), workers=2, part_seconds=0.05, hash_mib=4)
    expand(str(tmp_path / "in.parquet"), str(tmp_path / "next"), buckets=2)
    expected = scores.tolist()
    expected[5] = None
    frames = {
        "polars": lambda module, folder: module.read_parquet(f"{folder}/*.parquet").to_arrow(),
        "pandas": lambda module, folder: pa.Table.from_pandas(module.read_parquet(folder)),
        "pyarrow.parquet": lambda module, folder: module.read_table(folder),
        "pyarrow.dataset": lambda module, folder: module.dataset(folder).to_table(),
        "duckdb": lambda module, folder: pa.table(module.sql(f"select * from '{folder}/*.parquet'").arrow()),
        "ray.data": lambda module, folder: pa.concat_tables(
            pa.table(batch) for batch in module.read_parquet(str(folder)).iter_batches(batch_format="pyarrow")
        ),
    }
    for name, read_with in frames.items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        table = read_with(module, tmp_path / "out")
        rows = sorted(zip(table.column("row").to_pylist(), table.column("score").to_pylist()))
        found = [None if score != score else score for _, score in rows]
        assert [row for row, _ in rows] == list(range(400)) and found == expected, name
        assert read_with(module, tmp_path / "next").num_rows > 400, name
    # The folder is a valid input of another job.
    again = solve(str(tmp_path / "out"), str(tmp_path / "again"), Effort(depth=1), workers=1)
    assert (again.positions, again.invalid) == (400, 1)


def test_remaining_time():
    parts = [Part(0, number, 1, seconds) for number, seconds in enumerate([4.0] * 100 + [1.0] * 100)]
    work = Work(parts, 2)
    assert (work.share(), work.seconds_left()) == (0.0, 250.0), "as planned, before anything is known"
    # Workers are ten times as fast as planned. Their start does not count.
    work.add(parts[0], 0.4)
    assert work.share() == pytest.approx(4 / 500) and work.seconds_left() == pytest.approx(496 / 10 / 2)
    # Partitions of an earlier run do not count for the speed.
    work.add(parts[1], None)
    assert work.seconds_left() == pytest.approx(492 / 10 / 2)
    for part in parts[2:]:
        work.add(part, part.seconds / 10)
    assert (work.share(), work.seconds_left()) == (1.0, 0.0)


@pytest.mark.parametrize("order", [1, -1])
def test_share_is_one_only_after_the_last_part(order):
    # The sum depends on the order: 0.6000000000000001 or 0.6. A part may take no time.
    parts = [Part(0, number, 1, seconds) for number, seconds in enumerate([0.1, 0.2, 0.3, 0.0])][::order]
    work = Work(parts, 1)
    for part in sorted(parts, key=lambda part: -part.seconds):
        assert work.share() < 1.0
        work.add(part, 0.1)
    assert (work.share(), work.seconds_left()) == (1.0, 0.0)


def test_files_of_killed_writers_are_removed(tmp_path, monkeypatch):
    store = Store(str(tmp_path / "out"))
    with store.opened():
        (tmp_path / "out" / ".outflank" / "tmp-here").write_bytes(b"of a worker that was killed during the job")
    assert store.names(".outflank") <= {"lock"}
    # Of a driver that was killed. A worker that it left renames its file after the folder was listed.
    (tmp_path / "out" / ".outflank" / "tmp-here").write_bytes(b"x")
    monkeypatch.setattr(store, "names", lambda folder="": {"tmp-gone", "tmp-here"})
    with store.opened():
        assert not (tmp_path / "out" / ".outflank" / "tmp-here").exists()


def test_meter_shows_the_remaining_time(capsys, monkeypatch):
    meter = Meter()
    monkeypatch.setattr(meter, "is_due", lambda: True)
    meter(Report("out", positions=10, seconds=7.0, seconds_left=25.4), 1000, 0.01)
    assert "10/1000 positions, 1% of the work, 1.4/s, 25 s left" in capsys.readouterr().err


HOLDING = """
import sys, time
from outflank.ray._store import Store
with Store(sys.argv[1]).opened():
    print("open", flush=True)
    time.sleep(600)
"""


def test_second_driver_is_refused_until_the_first_ends(cluster, tmp_path, some):
    path = write(tmp_path / "in.parquet", some[:20])
    out = str(tmp_path / "out")
    first = subprocess.Popen([sys.executable, "-c", HOLDING, out], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout.readline() == "open\n"
        for job in (solve, label, expand):
            with pytest.raises(outflank.FormatError, match="another job is writing to this folder: wait for its end"):
                job(path, out)
        # Another folder is not locked.
        assert expand(path, str(tmp_path / "other")).positions == 20
    finally:
        first.kill()
        first.communicate()
    assert solve(path, out, Effort(depth=1), workers=1).positions == 20
    assert solve(path, out, Effort(depth=1), workers=1).done_before == 20


def test_partitions_without_a_plan_are_refused(cluster, tmp_path, some):
    path = write(tmp_path / "in.parquet", some[:20])
    out = tmp_path / "out"
    out.mkdir()
    write(out / "part-00000-000000000000.parquet", some[:20])
    for job in (solve, label, expand):
        with pytest.raises(outflank.FormatError, match="has partitions, but not the plan of their job"):
            job(path, str(out))


def test_folder_of_another_job_is_refused(cluster, tmp_path, some, capsys):
    from outflank.ray.__main__ import main

    path = write(tmp_path / "in.parquet", some[:20])
    assert main(["solve", path, str(tmp_path / "out"), "--depth", "2", "--quiet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 20
    assert main(["solve", path, str(tmp_path / "out"), "--depth", "3", "--quiet"]) == 1
    assert "begun by a job with other effort" in capsys.readouterr().err
    write(tmp_path / "in.parquet", some[:21])
    assert main(["solve", path, str(tmp_path / "out"), "--depth", "2", "--quiet"]) == 1
    assert "begun by a job with other input files" in capsys.readouterr().err
