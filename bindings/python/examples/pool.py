"""Searches the positions of a file in a pool of Python processes. Each worker has an engine.

usage: python pool.py POSITIONS.obf [--level 16]
"""

import argparse
import multiprocessing

import outflank

engine: outflank.Engine


def start() -> None:
    """Makes the engine of a worker. An engine cannot be used after a fork."""
    global engine
    engine = outflank.Engine()


def search(task: tuple[outflank.Board, int]) -> tuple[int, str | None]:
    board, level = task
    found = engine.search(board, level=level)
    return found.score, found.best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("--level", type=int, default=16)
    arguments = parser.parse_args()
    problems = [one for one in outflank.read(arguments.positions) if isinstance(one, outflank.Problem)]
    tasks = [(problem.board, arguments.level) for problem in problems]
    with multiprocessing.get_context("spawn").Pool(initializer=start) as pool:
        for problem, (score, best) in zip(problems, pool.imap(search, tasks)):
            print(f"{problem.name}: {score:+} {best}")


if __name__ == "__main__":
    main()
