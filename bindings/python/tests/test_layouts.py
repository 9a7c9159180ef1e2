"""Results do not depend on the layout of NumPy arrays, and nothing is written outside of the output."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import outflank

pa = pytest.importorskip("pyarrow")

STARTS = [0x0000000810000000, 0x0000001008000000]
POSITIONS = reference.random_positions(400, 5)
ENDS = [discs for discs in POSITIONS if not reference.moves(*discs) and not reference.moves(discs[1], discs[0])]


def lay_out(data: st.DataObject, values: np.ndarray, swap: bool = True) -> np.ndarray:
    """Copies the values to an array of a random layout: strides, offset, byte order, directions and flags."""
    dtype = values.dtype
    if swap and data.draw(st.booleans(), "swapped"):
        dtype = dtype.newbyteorder("S")
    # Bytes before the first item, between items and between rows. They may break alignment.
    gap = st.sampled_from([0, 1, 3, dtype.itemsize, 2 * dtype.itemsize + 1])
    strides, span = [0] * values.ndim, dtype.itemsize
    axes = list(range(values.ndim))
    if data.draw(st.booleans(), "columns first"):
        axes.reverse()
    for axis in reversed(axes):
        strides[axis] = span + data.draw(gap, "gap")
        span = strides[axis] * max(values.shape[axis], 1)
    offset = data.draw(gap, "offset")
    memory = np.zeros(offset + span + 16, dtype=np.uint8)
    # The memory begins at a multiple of 16, so that the offset decides the alignment.
    memory = memory[-memory.ctypes.data % 16 :]
    array = np.ndarray(values.shape, dtype, memory, offset, strides)
    reverse = tuple(slice(None, None, data.draw(st.sampled_from([1, -1]), "step")) for _ in values.shape)
    array = array[reverse]
    array[...] = values
    if data.draw(st.booleans(), "read-only"):
        array.flags.writeable = False
    assert (array == values).all()
    return array


@functools.cache
def engine() -> outflank.Engine:
    return outflank.Engine(hash_mib=1)


def solutions(found: outflank.Solutions) -> list[np.ndarray]:
    return [found.score, found.best, found.depth, found.status, found.nodes]


OF_BOARDS = {
    "mobility": outflank.mobility,
    "stability": outflank.stability,
    "potential_mobility": outflank.potential_mobility,
    "canonical": outflank.canonical,
    "hash": outflank.hash,
    "features": outflank.features,
    "evaluate": outflank.evaluate,
    "planes": functools.partial(outflank.planes, moves=True),
    "move_masks": outflank.move_masks,
    "symmetries": outflank.symmetries,
    "perft": lambda boards: outflank.perft(boards, 2),
    "children": outflank.children,
    "flip": lambda boards: outflank.flip(boards, "D3"),
    "solve_many": lambda boards: solutions(outflank.solve_many(boards, depth=1, threads=1, hash_mib=1)),
    "Engine.solve_many": lambda boards: (engine().clear(), solutions(engine().solve_many(boards, depth=1)))[1],
    "to_arrow": lambda boards: outflank.arrow.from_arrow(outflank.arrow.to_arrow(boards)),
}


def same(one, other) -> bool:
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one.dtype == other.dtype and one.shape == other.shape and (one == other).all()


@pytest.mark.parametrize("name", OF_BOARDS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_board_kernels_accept_all_layouts(name, data):
    rows = data.draw(st.lists(st.sampled_from(POSITIONS), max_size=6), "rows")
    values = np.array(rows, dtype=np.uint64).reshape(-1, 2)
    array = lay_out(data, values)
    assert same(OF_BOARDS[name](array), OF_BOARDS[name](values))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_kernels_of_plies_and_finished_games_accept_all_layouts(data):
    rows = data.draw(st.lists(st.sampled_from(POSITIONS), max_size=6), "rows")
    positions = np.array(rows, dtype=np.uint64).reshape(-1, 2)
    boards, numbers, plies = outflank.children(positions)
    parents = positions[numbers]
    assert same(outflank.apply(lay_out(data, parents), lay_out(data, plies)), boards)
    squares = (plies % 64).astype(np.uint8)
    assert same(outflank.flip(lay_out(data, parents), lay_out(data, squares)), outflank.flip(parents, squares))
    ends = np.array(data.draw(st.lists(st.sampled_from(ENDS)), "ends"), dtype=np.uint64).reshape(-1, 2)
    expected = [reference.final_score(*end) for end in ends.tolist()]
    assert outflank.final_scores(lay_out(data, ends)).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_records_of_all_layouts_round_trip(data, tmp_path_factory):
    count = data.draw(st.integers(0, 5), "count")
    values = data.draw(st.lists(st.integers(-8192, 8192), min_size=count, max_size=count), "values")
    sources = data.draw(st.lists(st.sampled_from([0, 7, 60, 254, 255]), min_size=count, max_size=count), "sources")
    games = data.draw(st.lists(st.integers(0, 2**32 - 1), min_size=count, max_size=count), "games")
    columns = [
        np.array(POSITIONS[:count], dtype=np.uint64).reshape(-1, 2),
        np.array(values, dtype=np.int16),
        np.array(sources, dtype=np.uint8),
        np.array(games, dtype=np.uint32),
    ]
    path = tmp_path_factory.mktemp("records") / "some.records"
    outflank.write_records(path, *(lay_out(data, column) for column in columns))
    records = outflank.read_records(path)
    assert same([records.boards, records.values, records.sources, records.games], columns)


OUTPUTS = [
    (outflank.mobility, np.uint64, ()),
    (outflank.stability, np.uint64, ()),
    (outflank.potential_mobility, np.uint64, ()),
    (outflank.hash, np.uint64, ()),
    (outflank.canonical, np.uint64, (2,)),
    (outflank.symmetries, np.uint64, (8, 2)),
    (outflank.features, np.uint16, (32,)),
    (outflank.evaluate, np.float32, ()),
    (outflank.move_masks, np.bool_, (64,)),
    (functools.partial(outflank.planes, moves=True), np.float32, (3, 8, 8)),
    (functools.partial(outflank.planes, dtype="uint8"), np.uint8, (2, 8, 8)),
    (lambda boards, out: outflank.flip(boards, 19, out=out), np.uint64, ()),
    (lambda boards, out: outflank.apply(boards, 19, out=out), np.uint64, (2,)),
    (lambda boards, out: outflank.perft(boards, 1, out=out), np.uint64, ()),
]


@pytest.mark.parametrize(("function", "dtype", "shape"), OUTPUTS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_output_is_written_or_refused(function, dtype, shape, data):
    count = data.draw(st.integers(0, 4), "count")
    boards = np.array([STARTS] * count, dtype=np.uint64).reshape(-1, 2)
    out = lay_out(data, np.zeros((count, *shape), dtype=dtype))
    memory = out
    while isinstance(memory.base, np.ndarray):
        memory = memory.base
    can_be_written = out.flags.c_contiguous and out.flags.writeable and out.flags.aligned and out.dtype.isnative
    if can_be_written:
        assert function(boards, out=out) is out
        expected = np.zeros((count, *shape), dtype=dtype)
        assert (out == function(boards, out=expected)).all()
    else:
        before = memory.copy()
        with pytest.raises(outflank.ArrayError, match="^out: "):
            function(boards, out=out)
        assert (memory == before).all()


def test_field_of_a_packed_array():
    rows = np.zeros(3, dtype=[("x", "u1"), ("b", "u8", (2,)), ("v", "i2")])
    rows["b"] = STARTS
    assert outflank.mobility(rows["b"]).tolist() == [0x102004080000] * 3


def test_unaligned_array():
    boards = np.frombuffer(b"\0" + np.array(STARTS, np.uint64).tobytes(), np.uint64, offset=1).reshape(1, 2)
    assert boards.flags.c_contiguous and not boards.flags.aligned
    assert outflank.mobility(boards).tolist() == [0x102004080000]
    out = np.frombuffer(bytearray(9), np.uint64, offset=1)
    with pytest.raises(outflank.ArrayError, match="out: expected an aligned array"):
        outflank.mobility(boards, out=out)


def test_output_that_overlaps_the_boards_is_refused():
    memory = bytearray(np.array([STARTS] * 4, np.uint64).tobytes())
    boards = np.frombuffer(memory, np.uint64).reshape(-1, 2)
    # NumPy knows no common base of these two.
    for offset in (0, 8, 32):
        out = np.frombuffer(memoryview(memory)[offset:], np.uint64, count=4)
        with pytest.raises(outflank.ArrayError, match="got the memory of another argument"):
            outflank.mobility(boards, out=out)
    assert (boards == STARTS).all()
    plies = np.frombuffer(memory, np.uint8, count=2)
    with pytest.raises(outflank.ArrayError, match="got the memory of another argument"):
        outflank.flip(boards[2:].copy(), plies, out=boards[0])


OTHER_TYPES = ["int64", "uint32", "float64", "bool", "object", "complex128", "M8[s]", "V8", "S8", "U2"]
# Since NumPy 2.
OTHER_TYPES += [np.dtypes.StringDType()] if hasattr(getattr(np, "dtypes", None), "StringDType") else []


@pytest.mark.parametrize("dtype", OTHER_TYPES)
@pytest.mark.parametrize("name", OF_BOARDS)
def test_other_types_are_refused(name, dtype):
    with pytest.raises(outflank.ArrayError, match=r"^boards: expected an array of uint64 of shape \(N, 2\), got "):
        OF_BOARDS[name](np.zeros((3, 2), dtype=dtype))


@pytest.mark.parametrize("shape", [(), (2,), (0,), (3, 1), (3, 3), (1, 2, 2), (2, 0)])
@pytest.mark.parametrize("name", OF_BOARDS)
def test_other_shapes_are_refused(name, shape):
    with pytest.raises(outflank.ArrayError, match=r"^boards: expected an array of uint64 of shape \(N, 2\), got "):
        OF_BOARDS[name](np.zeros(shape, dtype=np.uint64))


class OwnMethods(np.ndarray):
    """Array whose methods return wrong values."""

    def astype(self, *_, **__):
        return np.zeros((3, 3), np.uint64)

    def __array__(self, *_, **__):
        return np.zeros((3, 3), np.uint64)


@pytest.mark.parametrize("dtype", ["<u8", ">u8"])
def test_subclass_is_read_as_a_plain_array(dtype):
    boards = np.array(POSITIONS[:20], dtype=dtype)
    for part in (boards, boards[::2]):
        assert same(outflank.mobility(part.view(OwnMethods)), outflank.mobility(part))
    with pytest.raises(outflank.ArrayError, match=r"boards: expected .*, got uint64 of shape \(5, 3\)"):
        outflank.mobility(np.zeros((5, 3), np.uint64)[:, ::-1].view(OwnMethods))


def test_too_many_boards_raise_memory_error():
    many = np.broadcast_to(np.array(STARTS, np.uint64), (2**50, 2))
    with pytest.raises(MemoryError):
        outflank.mobility(many)
