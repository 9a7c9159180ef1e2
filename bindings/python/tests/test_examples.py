"""The examples run."""

from __future__ import annotations

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import outflank

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
ROOT = EXAMPLES.parents[2]


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks(notebook: pathlib.Path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    document = nbformat.read(notebook, as_version=4)
    nbformat.validate(document)
    # Exceptions of cells are raised here.
    nbclient.NotebookClient(document, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in document.cells for output in cell.get("outputs", [])]
    assert outputs
    if notebook.stem == "tour":
        assert any("image/svg+xml" in output.get("data", {}) for output in outputs)


def run(script: str, *arguments: object) -> str:
    command = [sys.executable, EXAMPLES / script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_label(tmp_path: pathlib.Path):
    game = outflank.Game()
    engine = outflank.Engine(hash_mib=4)
    while engine.play(game, depth=1):
        pass
    (tmp_path / "games.ggf").write_text(game.to_ggf() + "\n")
    output = run("label.py", tmp_path / "games.ggf", tmp_path / "out.records", "--empties", 10)
    records = outflank.read_records(tmp_path / "out.records")
    late = [board for board, _ in game.positions if 0 < board.empty_count <= 10]
    assert len(records.boards) == len({board.canonical() for board in late}) >= 5
    assert f"{len(records.boards)} positions of 1 games" in output
    assert (outflank.solve_many(records.boards).score.astype(np.int16) * 128 == records.values).all()


def test_pool():
    output = run("pool.py", ROOT / "data/problems" / "ffo-1-19.obf", "--level", 6)
    assert len(output.splitlines()) == 19 and output.startswith("FFO #1: ")


def test_spark_function(endgames):
    pa = pytest.importorskip("pyarrow")
    specification = importlib.util.spec_from_file_location("spark_example", EXAMPLES / "spark.py")
    example = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(example)
    some = endgames[:50].copy()
    some[5] = [1, 1]
    table = pa.table({"player": some[:, 0].view(np.int64), "opponent": some[:, 1].view(np.int64)})
    batches = list(example.search(iter(table.to_batches(max_chunksize=20)), level=60))
    found = pa.Table.from_batches(batches)
    expected = outflank.solve_many(some, errors="mark")
    scores = expected.score.tolist()
    scores[5] = None
    assert found.column("score").to_pylist() == scores
    assert found.column("error")[5].as_py().endswith("both sides hold A1")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("page", "status", "text"),
    [
        ("has the bundled weights (5.0 MB).", 0, "the bundled weights 5.0 MB (5100000 bytes)"),
        ("has the bundled weights (4.0 MB).", 1, "says: the bundled weights 4.0 MB, but it has 5100000 bytes"),
        ("has the bundled weights.", 1, "should say: the bundled weights N.N MB"),
    ],
)
def test_documented_size_is_checked(tmp_path: pathlib.Path, page: str, status: int, text: str):
    (tmp_path / "page.md").write_text(page)
    script = "set -euo pipefail; source \"$1\"; check_size \"$2\" 'the bundled weights' 5100000"
    command = ["bash", "-c", script, "bash", ROOT / "scripts" / "facts.sh", tmp_path / "page.md"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == status and text in done.stdout + done.stderr
