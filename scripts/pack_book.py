#!/usr/bin/env python3
"""Packs a book for the page: the boards with the values of their moves (docs/formats/book.md).

usage: scripts/pack_book.py BOOK OUT
"""

import pathlib
import sqlite3
import sys

NO_MOVE, MANUAL = 65, 66


def moves(data: bytes) -> bytes:
    """Pairs of square and value: the links, and the leaf."""
    # Rows with an odd number of bytes end with a checksum.
    pairs = [data[at : at + 2] for at in range(2, len(data) // 2 * 2, 2)]
    for at, pair in enumerate(pairs):
        if at > 0 and pair[0] == MANUAL:
            del pairs[at:]
            break
    return b"".join(pair for pair in pairs if pair[0] != NO_MOVE)


def main(book: str, out: str) -> None:
    path = pathlib.Path(book).resolve()
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as database:
        rows = database.execute("select board, data from position order by board")
        packed = [board + bytes([len(known) // 2]) + known for board, data in rows for known in [moves(data)]]
    pathlib.Path(out).write_bytes(b"OfBp\x01" + b"".join(packed))


main(*sys.argv[1:])
