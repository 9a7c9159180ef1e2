"""Kernels over arrays agree with the reference rules at every level."""

from __future__ import annotations

import numpy as np
import pytest
import reference

import outflank

ISAS = outflank.isas()


@pytest.fixture(scope="module")
def expected_moves(positions):
    return [sum(1 << square for square in reference.moves(*position)) for position in positions]


@pytest.mark.parametrize("isa", ISAS)
def test_mobility_and_flip(isa, boards, positions, expected_moves):
    assert outflank.mobility(boards, isa=isa).tolist() == expected_moves
    squares = np.arange(len(boards), dtype=np.uint8) % 64
    expected = [reference.flips(*position, square) for position, square in zip(positions, squares.tolist())]
    assert outflank.flip(boards, squares, isa=isa).tolist() == expected
    expected = [reference.flips(*position, 37) for position in positions]
    assert outflank.flip(boards, "F5", isa=isa).tolist() == expected


@pytest.mark.parametrize("isa", ISAS)
def test_children_and_apply(isa, boards, positions):
    children, parents, plies = outflank.children(boards, isa=isa)
    expected = []
    for row, position in enumerate(positions):
        moves = reference.moves(*position)
        if not moves and reference.moves(position[1], position[0]):
            expected.append(((position[1], position[0]), row, 64))
        expected += [(reference.after(*position, square), row, square) for square in moves]
    assert list(zip(map(tuple, children.tolist()), parents.tolist(), plies.tolist())) == expected
    assert (outflank.apply(boards[parents], plies, isa=isa) == children).all()
    assert 64 in plies.tolist()


@pytest.mark.parametrize("isa", ISAS)
def test_canonical_hash_and_perft(isa, boards, positions):
    some = slice(0, 300)
    expected = [min(reference.images(*position)) for position in positions[some]]
    canonical = outflank.canonical(boards[some], isa=isa)
    assert list(map(tuple, canonical.tolist())) == expected
    assert (outflank.hash(boards, isa=isa) == outflank.hash(boards, isa="portable")).all()
    assert len(set(outflank.hash(boards).tolist())) == len({tuple(board) for board in boards.tolist()})
    few = slice(0, 40)
    leaves = [reference.perft(*position, 2) for position in positions[few]]
    assert outflank.perft(boards[few], 2, isa=isa).tolist() == leaves
    assert outflank.perft(boards[:1], 7, isa=isa).tolist() == [55_092]


@pytest.mark.parametrize("isa", ISAS)
def test_features_and_values(isa, boards):
    for geometry, count in (("corner", 32), ("edax", 46)):
        features = outflank.features(boards, geometry=geometry, isa=isa)
        assert features.shape == (len(boards), count)
        assert (features == outflank.features(boards, geometry=geometry, isa="portable")).all()
    values = outflank.evaluate(boards, isa=isa)
    assert values.dtype == np.float32
    assert (values == outflank.evaluate(boards, isa="portable")).all()
    assert (np.abs(values) <= 63).all()
    assert len(set(values.tolist())) > 1000
    # The eight images of a position have one value.
    images = np.array(reference.images(*boards[20].tolist()), dtype=np.uint64)
    assert len(set(outflank.evaluate(images).tolist())) == 1


@pytest.mark.parametrize("isa", ISAS)
def test_planes_and_move_masks(isa, boards, positions, expected_moves):
    names = [[(discs >> square & 1) for square in range(64)] for pair in positions for discs in pair]
    expected = np.array(names).reshape(-1, 2, 8, 8)
    moves = np.array([[moves >> square & 1 for square in range(64)] for moves in expected_moves])
    for dtype in (None, np.float32, "uint8", bool):
        planes = outflank.planes(boards, dtype=dtype, isa=isa)
        assert planes.dtype == (dtype or np.float32) and (planes == expected).all()
        planes = outflank.planes(boards, dtype=dtype, moves=True, isa=isa)
        assert planes.shape == (len(boards), 3, 8, 8)
        assert (planes[:, :2] == expected).all() and (planes[:, 2] == moves.reshape(-1, 8, 8)).all()
    masks = outflank.move_masks(boards, isa=isa)
    assert masks.dtype == np.bool_ and (masks == moves).all()
    # D3 of the start is in the third row, the fourth column.
    start = outflank.planes(np.array([outflank.Board()]), moves=True)[0]
    assert np.argwhere(start[2]).tolist() == [[2, 3], [3, 2], [4, 5], [5, 4]]


@pytest.mark.parametrize("isa", ISAS)
def test_symmetries(isa, boards, positions):
    images = outflank.symmetries(boards, isa=isa)
    assert images.shape == (len(boards), 8, 2) and (images[:, 0] == boards).all()
    for row in range(0, len(boards), 50):
        assert set(map(tuple, images[row].tolist())) == set(reference.images(*positions[row]))
    # Planes are transformed in the order that the documentation of `symmetries` gives.
    planes = outflank.planes(boards)
    for number in range(8):
        turned = planes.swapaxes(2, 3) if number & 4 else planes
        turned = turned[..., ::-1] if number & 1 else turned
        turned = turned[..., ::-1, :] if number & 2 else turned
        assert (outflank.planes(images[:, number]) == turned).all()
    lowest = [min(map(tuple, row)) for row in images.tolist()]
    assert list(map(tuple, outflank.canonical(boards).tolist())) == lowest


@pytest.mark.parametrize("isa", ISAS)
def test_stability_potential_mobility_and_final_scores(isa, boards, positions):
    expected = [reference.potential_moves(*position) for position in positions]
    assert outflank.potential_mobility(boards, isa=isa).tolist() == expected
    stable = outflank.stability(boards, isa=isa)
    assert (stable & ~boards[:, 0] == 0).all() and (stable != 0).sum() > 100
    assert (stable == outflank.stability(boards, isa="portable")).all()
    # No ply flips a stable disc, and stable discs stay stable.
    opponents = outflank.stability(boards[:, ::-1], isa=isa)
    children, parents, _ = outflank.children(boards)
    assert (opponents[parents] & ~children[:, 0] == 0).all() and (stable[parents] & ~children[:, 1] == 0).all()
    corner = np.array([[1, 2], [2, 1]], dtype=np.uint64)
    assert outflank.stability(corner, isa=isa).tolist() == [1, 0]
    over = [not reference.moves(*one) and not reference.moves(one[1], one[0]) for one in positions]
    ends = boards[over]
    scores = outflank.final_scores(ends, isa=isa)
    assert scores.dtype == np.int8 and len(set(scores.tolist())) > 10
    assert scores.tolist() == [reference.final_score(*end) for end in ends.tolist()]
    assert scores.tolist() == [outflank.Board(*end).final_score for end in ends.tolist()]


def test_features_encode_their_squares():
    # Corner geometry: each disc changes the features that contain its square.
    empty = outflank.features(np.zeros((1, 2), dtype=np.uint64))[0]
    for square in range(64):
        discs = np.array([[1 << square, 0], [0, 1 << square]], dtype=np.uint64)
        mine, theirs = outflank.features(discs).astype(np.int64)
        changed = mine != empty
        assert changed.any()
        # The digit is 0 or 2 instead of 1: the feature loses or gains the same power of 3.
        assert ((empty - mine)[changed] == (theirs - empty)[changed]).all()


def test_array_layouts_and_outputs(boards):
    expected = outflank.mobility(boards)
    columns = np.asfortranarray(boards)
    assert (outflank.mobility(columns) == expected).all()
    assert (outflank.mobility(boards[::2]) == expected[::2]).all()
    assert (outflank.mobility(boards[::-1]) == expected[::-1]).all()
    out = np.empty(len(boards), dtype=np.uint64)
    assert outflank.mobility(boards, out=out) is out
    assert (out == expected).all()
    assert outflank.mobility(boards[:0]).shape == (0,)
    assert outflank.children(boards[:0])[0].shape == (0, 2)
    readonly = boards.copy()
    readonly.flags.writeable = False
    assert (outflank.mobility(readonly) == expected).all()


def test_environment_selects_the_level(monkeypatch):
    assert outflank.selected_isa() == ISAS[-1]
    monkeypatch.setenv("OUTFLANK_ISA", "portable")
    assert outflank.selected_isa() == "portable"
    monkeypatch.setenv("OUTFLANK_ISA", "pentium")
    with pytest.raises(outflank.IsaError, match="pentium"):
        outflank.selected_isa()
