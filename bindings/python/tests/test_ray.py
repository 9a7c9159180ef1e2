"""Jobs on Ray give the same results as without Ray, even if processes are killed."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import reference

import outflank

ray = pytest.importorskip("ray")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from parquet_files import read, write  # noqa: E402

from outflank.ray import BatchSolver, Effort, expand, label, learn, solve  # noqa: E402
from outflank.ray._input import InputFile  # noqa: E402
from outflank.ray._plan import Part, cut, empty_counts, estimate, part_seconds, scans  # noqa: E402
from outflank.ray._pool import Pool, PoolError  # noqa: E402

ENVIRONMENT = {**os.environ, "RAY_BACKEND_LOG_LEVEL": "fatal"}


def test_empty_counts(boards):
    expected = [64 - int(player | opponent).bit_count() for player, opponent in boards.tolist()]
    assert empty_counts(boards).tolist() == expected


def test_plan_has_every_row_once_in_parts_of_equal_work(tmp_path, boards):
    path = write(tmp_path / "in.parquet", boards)
    files = [InputFile(path, os.path.getsize(path), len(boards))]
    effort = Effort(level=10)
    (scan,) = scans(files)
    total = estimate(files, scan, effort)["seconds"]
    assert total == pytest.approx(sum(effort.seconds(empties) for empties in empty_counts(boards).tolist()))
    most = total / 20
    parts = [Part(**row) for row in cut(files, scan, effort, most)]
    ends = [part.start + part.rows for part in parts]
    assert [part.start for part in parts] == [0, *ends[:-1]] and ends[-1] == len(boards)
    assert sum(part.seconds for part in parts) == pytest.approx(total)
    assert all(part.seconds <= most or part.rows == 1 for part in parts)
    assert 20 <= len(parts) <= 40
    assert part_seconds(1.0) == 0.5 and part_seconds(1e9) == 20.0


def test_solve(cluster, tmp_path, some, scores):
    # Two files with different columns, and with rows that are no positions.
    bad = some[200:].copy()
    bad[7] = [3, 1]
    folder = tmp_path / "in"
    folder.mkdir()
    write(folder / "a.parquet", some[:200], name=[f"p{row}" for row in range(200)])
    pq.write_table(
        pa.table({"player": bad[:, 0].view(np.int64), "opponent": bad[:, 1].view(np.int64)}), folder / "b.parquet"
    )
    out = tmp_path / "out"
    reports = []
    report = solve(
        str(folder),
        str(out),
        workers=2,
        part_seconds=0.02,
        hash_mib=4,
        progress=lambda *so_far: reports.append(so_far[1:]),
    )
    assert (report.positions, report.solved, report.invalid, report.retries) == (400, 399, 1, 0)
    assert report.parts > 4 and reports[-1] == (400, pytest.approx(1.0))
    assert sum(node["positions"] for node in report.by_node.values()) == 400
    tables = [pq.read_table(part) for part in sorted(out.glob("part-*.parquet"))]
    first = pa.concat_tables([table for table in tables if "name" in table.column_names])
    second = pa.concat_tables([table for table in tables if "name" not in table.column_names])
    assert first.column("name").to_pylist() == [f"p{row}" for row in range(200)]
    assert first.column("score").to_pylist() == scores[:200].tolist()
    expected = scores[200:].tolist()
    expected[7] = None
    assert second.column("score").to_pylist() == expected
    assert second.column("row").to_pylist() == list(range(200))
    assert second.column("status")[7].as_py() == "invalid"
    assert second.column("error")[7].as_py() == "row 7 of player, opponent: both sides hold A1"
    for row, (best, board) in enumerate(zip(first.column("best").to_pylist(), some[:200].tolist())):
        moves = outflank.Board(*board).moves
        assert best in moves if moves else best in ("PS", None), row
    assert json.loads((out / ".outflank" / "report.json").read_text())["positions"] == 400
    # A second run has nothing to do.
    stamps = {part: part.stat().st_mtime_ns for part in out.glob("part-*")}
    report = solve(str(folder), str(out), workers=2, part_seconds=0.02, hash_mib=4)
    assert (report.positions, report.done_before) == (0, 400)
    assert stamps == {part: part.stat().st_mtime_ns for part in out.glob("part-*")}
    # A run makes only the missing partition again.
    lost = sorted(stamps)[1]
    before = pq.read_table(lost)
    lost.unlink()
    report = solve(str(folder), str(out), workers=2, part_seconds=0.02, hash_mib=4)
    assert report.parts == 1 and pq.read_table(lost).column("score").equals(before.column("score"))


def test_levels(cluster, tmp_path, some):
    out = tmp_path / "out"
    report = solve(write(tmp_path / "in.parquet", some), str(out), Effort(depth=4, exact=10), workers=2)
    table = read(out)
    exact = empty_counts(some) <= 10
    assert (np.array(table.column("status").to_pylist()) == np.where(exact, "solved", "searched")).all()
    assert (table.column("depth").to_numpy()[~exact] == 4).all()
    assert report.solved == exact.sum()


def test_label(cluster, tmp_path, some, scores):
    source = tmp_path / "in.records"
    games = np.arange(len(some), dtype=np.uint32)
    outflank.write_records(source, some, np.zeros(len(some), np.int16), np.full(len(some), 254, np.uint8), games)
    out = tmp_path / "out"
    report = label(str(source), str(out), workers=2, part_seconds=0.05)
    assert report.positions == report.solved == 400
    parts = [outflank.read_records(part) for part in sorted(out.glob("part-*.records"))]
    assert len(parts) > 1
    assert (np.concatenate([part.boards for part in parts]) == some).all()
    assert (np.concatenate([part.values for part in parts]) == scores.astype(np.int16) * 128).all()
    assert (np.concatenate([part.games for part in parts]) == games).all()
    assert (np.concatenate([part.sources for part in parts]) == 255).all()
    # The input is Parquet with a row that is no position. The search is selective.
    bad = some[:50].copy()
    bad[4] = [1, 1]
    out = tmp_path / "out2"
    report = label(write(tmp_path / "in.parquet", bad), str(out), Effort(depth=2, selectivity=73), workers=1)
    assert (report.positions, report.invalid) == (50, 1)
    (part,) = out.glob("part-*.records")
    records = outflank.read_records(part)
    assert len(records.boards) == 49 and set(records.sources.tolist()) == {2}
    assert dict(records.settings)["depth"] == "2"
    (faults,) = out.glob(".outflank/faults/*.pq")
    assert pq.read_table(faults).column("row").to_pylist() == [4]


def test_expand_makes_the_opening_tree_level_by_level(cluster, tmp_path):
    path = write(tmp_path / "level-0.parquet", np.array([[0x0810000000, 0x1008000000]], dtype=np.uint64))
    counts = []
    for level in range(1, 6):
        out = tmp_path / f"level-{level}"
        report = expand(path, str(out), buckets=3)
        boards = outflank.arrow.from_arrow(read(out))
        assert len(boards) == report.children == len(set(map(tuple, boards.tolist())))
        assert (outflank.canonical(boards) == boards).all()
        counts.append(report.children)
        path = str(out)
    assert counts == [1, 3, 14, 60, 322]
    again = expand(str(tmp_path / "level-4"), str(tmp_path / "level-5"), buckets=3)
    assert again.children == 322
    (tmp_path / "level-5" / "part-000001.parquet").unlink()
    assert expand(str(tmp_path / "level-4"), str(tmp_path / "level-5"), buckets=3).children == 322


def test_expand_handles_ends_passes_and_invalid_rows(cluster, tmp_path):
    boards = np.array([[2, 1], [1, 2], [3, 3], [0xFF, 0]], dtype=np.uint64)  # a pass, an end, no position, over
    report = expand(write(tmp_path / "in.parquet", boards), str(tmp_path / "out"))
    assert (report.positions, report.invalid, report.children, report.finished) == (4, 1, 2, 1)
    (faults,) = (tmp_path / "out").glob(".outflank/faults/*.pq")
    assert pq.read_table(faults).column("row").to_pylist() == [2]


def test_empty_file(cluster, tmp_path, some):
    path = write(tmp_path / "in.parquet", some[:0])
    assert solve(path, str(tmp_path / "solved")).positions == 0
    assert expand(path, str(tmp_path / "expanded")).children == 0


def test_batches_of_ray_data(cluster, tmp_path, some, scores):
    path = write(tmp_path / "in.parquet", some, number=np.arange(len(some)))
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    data = ray.data.read_parquet(path).map_batches(
        BatchSolver, fn_constructor_args=[Effort(), 4], batch_format="pyarrow", batch_size=64, num_cpus=1, concurrency=1
    )
    rows = sorted(data.take_all(), key=lambda row: row["number"])
    assert [row["score"] for row in rows] == scores.tolist()


def test_lost_actors_are_replaced_up_to_a_limit(cluster, tmp_path):
    class Faulty:
        """Actor that is lost during parts that say so."""

        def __init__(self, folder: str) -> None:
            self.folder = pathlib.Path(folder)

        def search(self, part):
            marker = self.folder / part.name
            if part.rows == 0 or (part.rows == 1 and not marker.exists()):
                marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return {"part": part.name}

    def run(pool, parts):
        waiting = iter(parts)
        return pool.run(lambda: next(waiting, None))

    actor = ray.remote(num_cpus=1)(Faulty)
    parts = [Part(0, number, 1 if number in (2, 5) else 9, 1.0) for number in range(8)]
    pool = Pool(lambda: actor.remote(str(tmp_path)), 2)
    done = [part.name for part, row in run(pool, parts) if row["part"] == part.name]
    assert sorted(done) == sorted(part.name for part in parts) and pool.retries == 2
    with pytest.raises(PoolError, match="part-00000-000000000003: 6 workers were lost while"):
        list(run(Pool(lambda: actor.remote(str(tmp_path)), 1), [Part(0, 3, 0, 1.0)]))


@pytest.mark.parametrize(
    ("make", "arguments", "text"),
    [
        (lambda path: None, [], "no such file or folder"),
        (lambda path: path.mkdir(), [], "no .parquet and no .records file in the folder"),
        (lambda path: path.write_bytes(b"PAR1 and no more"), [], "not a readable Parquet file"),
        (lambda path: pq.write_table(pa.table({"x": [1]}), path), [], "has no column 'board', or the columns"),
        (
            lambda path: pq.write_table(pa.table({"board": [1.5]}), path),
            [],
            "column 'board': expected lists of two uint64",
        ),
        (lambda path: write(path, np.zeros((1, 2), np.uint64)), ["--level", "99"], "level: expected 0 to 60, got 99"),
        (lambda path: write(path, np.zeros((1, 2), np.uint64)), ["--weights", "/no/such"], "/no/such"),
        (lambda path: write(path, np.zeros((1, 2), np.uint64)), ["--workers", "0"], "workers: expected 1 or more"),
        (lambda path: write(path, np.zeros((1, 2), np.uint64)), ["--part-seconds", "0"], "part_seconds: expected more"),
    ],
)
def test_command_refuses_bad_input(cluster, tmp_path, make, arguments, text, capsys):
    from outflank.ray.__main__ import main

    make(tmp_path / "in.parquet")
    status = main(["solve", str(tmp_path / "in.parquet"), str(tmp_path / "out"), "--quiet", *arguments])
    error = capsys.readouterr().err
    assert status == 1 and text in error and error.count("\n") == 1, error


def test_damaged_page_is_reported_in_one_line(cluster, tmp_path, some, capsys):
    from outflank.ray.__main__ import main

    path = tmp_path / "in.parquet"
    # The damage is behind the column of boards, so that only a worker reads it.
    write(path, some, comment=[f"{row} some text that is not compressed away {row * row}" for row in range(len(some))])
    pages = pq.read_metadata(path).row_group(1).column(1)
    assert pages.path_in_schema == "comment"
    contents = bytearray(path.read_bytes())
    at = pages.data_page_offset + pages.total_compressed_size // 2
    contents[at : at + 100] = bytes(100)
    path.write_bytes(contents)
    status = main(["solve", str(path), str(tmp_path / "out"), "--quiet", "--depth", "1"])
    error = capsys.readouterr().err
    assert status == 1 and f"error: {path}: rows " in error and "cannot be read" in error
    assert error.count("\n") == 1, error


def solvers(actor: str = "Solver") -> list[int]:
    """Returns the process ids of the actors that search."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if f"ray::{actor}" in line and "<defunct>" not in line]


def test_job_survives_a_killed_worker_and_a_killed_driver(tmp_path, positions):
    """Kills a worker during the job, then the driver and all its processes. Written partitions stay, and all scores are
    right."""
    some = [position for position in positions if 47 <= (position[0] | position[1]).bit_count() <= 48][:60]
    expected = outflank.solve_many(np.array(some, dtype=np.uint64)).score
    # All eight images of each position. They are equally hard, because the hash table does not use symmetries.
    boards = np.array([image for position in some for image in reference.images(*position)], dtype=np.uint64)
    path = write(tmp_path / "in.parquet", boards)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "outflank.ray", "solve", path, str(out)]
    command += ["--workers", "2", "--part-seconds", "0.1", "--quiet", "--json"]

    def written() -> dict[str, int]:
        return {part.name: part.stat().st_mtime_ns for part in out.glob("part-*.parquet")}

    def wait_for(count: int, driver: subprocess.Popen[str]) -> None:
        end = time.monotonic() + 60
        while len(written()) < count:
            assert time.monotonic() < end and driver.poll() is None
            time.sleep(0.01)

    def begin() -> subprocess.Popen[str]:
        # A new process group can be killed as a whole, like a machine that fails.
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, env=ENVIRONMENT, text=True
        )

    driver = begin()
    wait_for(3, driver)
    second = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert second.returncode == 1 and "another job is writing to this folder" in second.stderr, second.stderr
    os.kill(solvers()[0], signal.SIGKILL)
    wait_for(8, driver)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.communicate()
    kept = written()
    total = pq.read_table(out / ".outflank" / "parts.pq").num_rows
    assert 8 <= len(kept) < total, "it was killed in the middle"
    (out / ".outflank" / "tmp-0123").write_bytes(b"half a partition")

    # Actors that have lost their driver may go on for some seconds.
    while alive := solvers():
        for process in alive:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.1)
    kept = written()
    driver = begin()
    wait_for(len(kept) + 3, driver)
    os.kill(solvers()[0], signal.SIGKILL)
    output, errors = driver.communicate(timeout=120)
    assert driver.returncode == 0, errors
    report = json.loads(output)
    after = written()
    assert {name: after[name] for name in kept} == kept, "what was written is not solved again"
    assert len(after) == total and report["retries"] == 1
    assert report["positions"] + report["done_before"] == len(boards)
    assert not list(out.glob(".outflank/tmp-*"))
    table = read(out)
    assert table.column("row").to_pylist() == list(range(len(boards)))
    assert (table.column("score").to_numpy() == np.repeat(expected, 8)).all()


def test_book_grows_on_a_cluster_that_loses_a_worker(cluster, tmp_path):
    path = str(tmp_path / "my.book")
    killed = []

    def kill_one(report, is_last):
        if not killed and report.added >= 5:
            killed.append(solvers("_Searcher")[0])
            os.kill(killed[0], signal.SIGKILL)

    report = learn(path, level=4, positions=40, workers=2, hash_mib=4, progress=kill_one)
    assert report.retries == 1 and report.added == report.positions >= 40
    assert report.searches >= report.positions and report.nodes > 1000
    # Another run continues the book, on one worker.
    again = learn(path, level=4, positions=20, workers=1, hash_mib=4)
    assert again.added >= 20 and again.positions == report.positions + again.added
    book = outflank.Book(path)
    assert len(book) == again.positions
    seen: set = set()
    check_values(book, "", seen)
    assert len(seen) > 20
    assert book.moves(outflank.Board())[0].score == again.start


def check_values(book: outflank.Book, moves: str, seen: set) -> None:
    """Checks that moves to positions of the book have the negated scores of these positions.

    One move of a position may differ: the best one that led out of the book when it was searched. Other moves may have
    added its position since.
    """
    others = []
    for known in book.moves(outflank.Game(moves)):
        after = outflank.Game(moves + known.move)
        replies = book.moves(after)
        if not replies:
            continue
        if known.score != -replies[0].score:
            others.append(known.move)
        if after.board not in seen:
            seen.add(after.board)
            check_values(book, moves + known.move, seen)
    assert len(others) <= 1, (moves, others)


def test_learn_command(cluster, tmp_path, capsys):
    from outflank.ray.__main__ import main

    path = str(tmp_path / "my.book")
    begin = time.monotonic()
    assert main(["learn", path, "--level", "2", "--time", "1.5", "--workers", "2", "--quiet", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["positions"] == len(outflank.Book(path)) > 0 and 1.5 <= time.monotonic() - begin < 60
    learner = outflank.BookLearner(path)
    assert main(["learn", path, "--quiet"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ") and path in error and error.count("\n") == 1, error
    learner.close()
    learn_errors = (["--workers", "0"], "workers: expected 1 or more"), (["--level", "99"], "level: expected 0 to 60")
    for arguments, text in learn_errors:
        assert main(["learn", path, "--quiet", *arguments]) == 1
        assert text in capsys.readouterr().err
