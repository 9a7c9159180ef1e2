"""Labels the positions of games with exact scores, on all cores, and writes training records.

usage: python label.py GAMES OUT.records [--empties 12]

GAMES is a file of games (GGF, WTHOR or transcripts). `outflank train fit` reads the result.
"""

import argparse
import sys

import numpy as np

import outflank


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("out")
    parser.add_argument("--empties", type=int, default=12, help="positions with so many empty squares and fewer [12]")
    arguments = parser.parse_args()

    games = [game for game in outflank.read(arguments.games) if isinstance(game, outflank.Game)]
    boards = np.concatenate([game.boards() for game in games])
    numbers = np.repeat(np.arange(len(games), dtype=np.uint32), [len(game.boards()) for game in games])

    empties = 64 - np.array([int(player | opponent).bit_count() for player, opponent in boards.tolist()])
    wanted = (empties > 0) & (empties <= arguments.empties)
    boards, first = np.unique(outflank.canonical(boards[wanted]), axis=0, return_index=True)

    def progress(done: int, total: int, nodes: int) -> None:
        print(f"\r{done}/{total} positions, {nodes} nodes", end="", file=sys.stderr)

    found = outflank.solve_many(boards, progress=progress)
    outflank.write_records(
        arguments.out,
        boards,
        found.score.astype(np.int16) * 128,
        np.full(len(boards), 255, dtype=np.uint8),  # exact
        numbers[wanted][first],
        settings=[("maker", "examples/label.py"), ("empties", str(arguments.empties))],
    )
    mean = np.abs(found.score).mean()
    print(f"\n{len(boards)} positions of {len(games)} games, {mean:.1f} discs on average")


if __name__ == "__main__":
    main()
