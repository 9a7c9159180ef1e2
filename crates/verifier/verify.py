#!/usr/bin/env python3
"""Second verifier of certificates (docs/formats/certificate.md), slow and without dependencies: verify.py FILE..."""

import pathlib
import struct
import sys
import zlib

BOARD = (1 << 64) - 1
COLUMN_A, COLUMN_H, ROW_1, ROW_8 = 0x0101010101010101, 0x8080808080808080, 0xFF, 0xFF << 56
# Lines on which discs are flipped: the step to the next square, squares without a next one, and without one before.
LINES = [
    (1, COLUMN_H, COLUMN_A),
    (8, ROW_8, ROW_1),
    (7, COLUMN_A | ROW_8, COLUMN_H | ROW_1),
    (9, COLUMN_H | ROW_8, COLUMN_A | ROW_1),
]


def squares(bits):
    """The squares of a bitboard, A1 first."""
    while bits:
        yield bits & -bits
        bits &= bits - 1


def legal_moves(mover, other):
    """Bitboard of the mover's legal moves."""
    found = 0
    for step, last, first in LINES:
        inner = other & ~(last | first)
        up, down = mover << step & inner, mover >> step & inner
        for _ in range(5):
            up |= up << step & inner
            down |= down >> step & inner
        found |= up << step | down >> step
    return found & ~(mover | other) & BOARD


def after(square, mover, other):
    """The position after a move on `square`, the next mover's discs first."""
    flips = 0
    for step, last, first in LINES:
        inner = other & ~(last | first)
        up, down = square << step & inner, square >> step & inner
        for _ in range(5):
            up |= up << step & inner
            down |= down >> step & inner
        flips |= (up if up << step & mover else 0) | (down if down >> step & mover else 0)
    return other ^ flips, mover | flips | square


def final_score(mover, other):
    """Score of a finished game for the mover; empty squares go to the winner."""
    lead = mover.bit_count() - other.bit_count()
    return 0 if lead == 0 else 64 - 2 * other.bit_count() if lead > 0 else 2 * mover.bit_count() - 64


def least_score(own, other):
    """The least final score of the side with the discs `own`, by its stable discs."""
    safe = []
    for step, last, first in LINES:
        up = down = BOARD & ~(own | other)
        for _ in range(7):
            up |= (up & ~last) << step
            down |= (down & ~first) >> step
        safe.append(BOARD & ~(up | down) | last | first)
    stable, grown = None, 0
    while grown != stable:
        stable, grown = grown, own
        for (step, last, first), line in zip(LINES, safe):
            grown &= line | (stable & ~last) << step | (stable & ~first) >> step
    return 2 * stable.bit_count() - 64


def exceeds(mover, other, bound):
    """True if the mover scores more than `bound`, by a plain search."""
    moves = legal_moves(mover, other)
    if not moves:
        if not legal_moves(other, mover):
            return final_score(mover, other) > bound
        return not exceeds(other, mover, -bound - 1)
    return any(not exceeds(*after(square, mover, other), -bound - 1) for square in squares(moves))


def prove(position, claimant_moves, bound, leaf_empties, moves):
    """Walks through the positions of a proof with the iterator `moves`."""
    met = set()

    def walk(mover, other, claimant_moves):
        legal = legal_moves(mover, other)
        is_over = not legal and not legal_moves(other, mover)
        if is_over or 64 - (mover | other).bit_count() <= leaf_empties:
            if exceeds(mover, other, bound if claimant_moves else -bound - 1) != claimant_moves:
                raise ValueError(f"the claim is wrong for {mover:#018x} {other:#018x}")
        elif not legal:
            walk(other, mover, not claimant_moves)
        elif claimant_moves and (mover, other) not in met:
            met.add((mover, other))
            index = next(moves, None)
            if index is None or index >= legal.bit_count():
                raise ValueError(f"no legal move for {mover:#018x} {other:#018x}")
            walk(*after(list(squares(legal))[index], mover, other), False)
        elif not claimant_moves and least_score(other, mover) <= bound:
            for square in squares(legal):
                walk(*after(square, mover, other), True)
    walk(*position, claimant_moves)


def verify(data):
    """Verifies the certificate at the beginning of `data` and returns the rest."""
    header = struct.unpack_from("<QQBbBBQQ", data) if len(data) >= 36 else None
    if header is None or len(data) < 40 + header[7]:
        raise ValueError("cut off")
    mover, other, relation, score, leaf_empties, reserved, count, length = header
    if zlib.crc32(data[:36 + length]) != int.from_bytes(data[36 + length:40 + length], "little"):
        raise ValueError("wrong checksum")
    if mover & other or relation > 1 or reserved or abs(score) > 64 or leaf_empties > 14:
        raise ValueError("impossible header")
    if count > 20_000_000 or length > 2 * count + 64:
        raise ValueError("too large")
    decoder = zlib.decompressobj(-15)
    moves = decoder.decompress(data[36:36 + length], count + 1)
    left = iter(moves)
    prove((mover, other), not relation, -score - 1 if relation else score - 1, leaf_empties, left)
    if next(left, None) is not None or len(moves) != count or not decoder.eof or decoder.unused_data:
        raise ValueError("another number of moves than needed")
    print(f"at {'most' if relation else 'least'} {score:+} for {mover:#018x} {other:#018x}, {count} moves")
    return data[40 + length:]


def main(paths):
    """Verifies files and returns the exit status."""
    status = 0
    for path in paths:
        try:
            data = pathlib.Path(path).read_bytes()
            if not data.startswith(b"othello certificate 1\n"):
                raise ValueError("no certificate")
            data = data[22:]
            while data:
                data = verify(data)
        except (OSError, ValueError, zlib.error) as reason:
            print(f"{path}: {reason}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
