from __future__ import annotations

import numpy as np
import pytest

import outflank
from outflank import arrow

pa = pytest.importorskip("pyarrow")


def test_fixed_size_lists_are_not_copied(boards):
    column = arrow.to_arrow(boards)
    assert column.type == pa.list_(pa.uint64(), 2)
    back = arrow.from_arrow(column)
    assert (back == boards).all()
    assert np.shares_memory(back, boards)
    table = pa.table({"board": column})
    assert np.shares_memory(arrow.from_arrow(table), boards)
    part = table.slice(100, 50)
    assert (arrow.from_arrow(part) == boards[100:150]).all()
    assert (arrow.from_arrow(pa.concat_tables([table, table])) == np.concatenate([boards, boards])).all()
    batch = table.to_batches()[0]
    assert (arrow.from_arrow(batch) == boards).all()
    assert arrow.from_arrow(table.slice(0, 0)).shape == (0, 2)


def test_other_arrow_layouts_are_read(boards):
    columns = {"player": boards[:, 0], "opponent": boards[:, 1]}
    assert (arrow.from_arrow(pa.table(columns)) == boards).all()
    signed = {name: column.view(np.int64) for name, column in columns.items()}
    assert (arrow.from_arrow(pa.table(signed)) == boards).all()
    texts = [outflank.Board(*row).to_text() for row in boards[:50].tolist()]
    assert (arrow.from_arrow(pa.table({"board": texts})) == boards[:50]).all()


def test_data_frames_of_texts_are_read(boards):
    texts = [outflank.Board(*row).to_text() for row in boards[:50].tolist()]
    for name in ("pandas", "polars"):
        frames = pytest.importorskip(name)
        frame = frames.DataFrame({"board": texts})
        assert (arrow.from_arrow(frame) == boards[:50]).all(), name
        part = frames.concat([frame, frame])[25:75]
        assert (arrow.from_arrow(part) == np.concatenate([boards[25:50], boards[:25]])).all(), name
        rows = arrow.read_rows(frames.DataFrame({"board": [texts[0], None, "XO"]}))
        assert list(rows.faults) == [1, 2] and rows.boards[0].tolist() == boards[0].tolist(), name


def test_solutions_convert_to_a_table(endgames):
    table = outflank.solve_many(endgames[:5]).to_arrow()
    assert table.column_names == ["score", "best", "depth", "selectivity", "status", "nodes", "seconds"]
    assert table.num_rows == 5


def test_solutions_and_records_convert_to_data_frames(tmp_path, endgames):
    found = outflank.solve_many(endgames[:5])
    columns = ["score", "best", "depth", "selectivity", "status", "nodes", "seconds"]
    for module, frame in (("pandas", found.to_pandas), ("polars", found.to_polars)):
        pytest.importorskip(module)
        frame = frame()
        assert list(frame.columns) == columns and len(frame) == 5
        assert (frame["score"].to_numpy() == found.score).all()
        assert frame["nodes"].to_numpy().dtype == np.uint64
    values = found.score.astype(np.int16) * 128
    outflank.write_records(tmp_path / "some.records", endgames[:5], values, np.full(5, 255, np.uint8))
    records = outflank.read_records(tmp_path / "some.records")
    assert records.to_arrow().column_names == ["player", "opponent", "value", "source", "game"]
    for module, frame in (("pandas", records.to_pandas), ("polars", records.to_polars)):
        pytest.importorskip(module)
        frame = frame()
        assert (frame["value"].to_numpy() == values).all() and frame["player"].to_numpy().dtype == np.uint64
        # The boards of a frame can be read again.
        assert (arrow.from_arrow(frame) == endgames[:5]).all()


def test_representations_have_one_line(tmp_path, boards, endgames):
    found = outflank.solve_many(endgames[:3])._replace(
        status=np.array([1, 0, 1], np.uint8), nodes=np.array([1200, 0, 34], np.uint64), seconds=np.array([0.5, 0, 0.25])
    )
    assert repr(found) == "<outflank.Solutions 3 rows: 1 not searched, 2 solved; 1,234 nodes in 0.75 s>"
    assert repr(outflank.solve_many(boards[:0])) == "<outflank.Solutions 0 rows: none; 0 nodes in 0 s>"
    outflank.write_records(tmp_path / "a", boards, np.zeros(4000, np.int16), np.full(4000, 255, np.uint8))
    assert repr(outflank.read_records(tmp_path / "a")) == "<outflank.Records 4000 positions of 1 games>"


def test_list_of_one_word_is_refused():
    start = [0x08_1000_0000, 0x10_0800_0000]
    lists = pa.array([start, [None, 5], [5, None], start, [0, 0]], pa.list_(pa.uint64(), 2))
    for column in (lists, lists.slice(1), pa.chunked_array([lists.slice(0, 2), lists.slice(2)])):
        rows = arrow.read_rows(column)
        first = len(lists) - len(column)
        half = {1 - first: "board: no value", 2 - first: "board: no value"}
        assert rows.faults == {**half, 4 - first: "board: expected a board with discs, found an empty one"}
        assert rows.boards.tolist() == [start, [0, 0], [0, 0], start, [0, 0]][first:]


def test_unaligned_columns_are_read(boards):
    data = pa.py_buffer(b"\0" + boards.tobytes()).slice(1)
    column = pa.FixedSizeListArray.from_arrays(pa.Array.from_buffers(pa.uint64(), 2 * len(boards), [None, data]), 2)
    assert (outflank.mobility(arrow.from_arrow(column)) == outflank.mobility(boards)).all()


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"position": [1]}, "has no column 'board', or the columns 'player' and 'opponent': it has position"),
        ({"player": [1]}, "has no column 'opponent'"),
        ({"player": [1.0], "opponent": [2.0]}, "column 'player': expected uint64, got double"),
        ({"board": [1]}, "column 'board': expected lists of two uint64, or texts, got int64"),
    ],
)
def test_missing_or_wrong_columns_are_refused(table, text):
    with pytest.raises(outflank.FormatError) as caught:
        arrow.from_arrow(pa.table(table))
    assert text in str(caught.value)


def test_invalid_rows_are_reported():
    start = [0x08_1000_0000, 0x10_0800_0000]
    lists = pa.array([start, None, [3, 1], start], pa.list_(pa.uint64(), 2))
    pairs = pa.table(
        {
            "player": pa.array([start[0], None, 3, start[0]], pa.uint64()),
            "opponent": pa.array([start[1], 1, 1, start[1]], pa.uint64()),
        }
    )
    texts = pa.table({"board": [outflank.Board().to_text(), None, "XO", outflank.Board().to_text()]})
    for table, name in ((lists, "board"), (pairs, "player"), (texts, "board")):
        rows = arrow.read_rows(table)
        assert list(rows.faults) == [1, 2]
        assert rows.faults[1] == f"{name}: no value"
        assert rows.boards.tolist() == [start, [0, 0], [0, 0], start]
        with pytest.raises(outflank.RowError) as caught:
            arrow.from_arrow(table)
        assert (caught.value.row, caught.value.column) == (1, name)
    assert "both sides hold A1" in arrow.read_rows(lists).faults[2]


def test_records_round_trip(tmp_path, boards):
    path = tmp_path / "some.records"
    values = (np.arange(len(boards)) % 100 - 50).astype(np.int16)
    sources = np.where(np.arange(len(boards)) % 2, 255, 10).astype(np.uint8)
    games = (np.arange(len(boards)) // 60).astype(np.uint32)
    outflank.write_records(path, boards, values, sources, games, settings=[("maker", "a test")])
    records = outflank.read_records(path)
    assert (records.boards == boards).all() and (records.values == values).all()
    assert (records.sources == sources).all() and (records.games == games).all()
    assert records.settings == [("maker", "a test")]
    with pytest.raises(outflank.FormatError, match="there is such a file already"):
        outflank.write_records(path, boards, values, sources)
    values[7] = 9000
    with pytest.raises(outflank.RowError, match="row 7 of values: more than 64 discs"):
        outflank.write_records(tmp_path / "other", boards, values, sources)
    with pytest.raises(outflank.ArrayError, match="values: expected one for each of 4000 boards, got 2"):
        outflank.write_records(tmp_path / "other", boards, values[:2], sources)
    sources[9] = 100
    values[7] = 0
    with pytest.raises(outflank.RowError, match="row 9 of sources"):
        outflank.write_records(tmp_path / "other", boards, values, sources)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.warns(UserWarning, match="bytes at the end are no whole block"):
        assert len(outflank.read_records(path).boards) == 0
    damaged = bytearray(whole)
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(outflank.FormatError):
        outflank.read_records(path)
