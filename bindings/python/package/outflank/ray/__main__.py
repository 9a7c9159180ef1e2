"""``python -m outflank.ray``: the functions of the package as commands."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from dataclasses import asdict
from typing import Any

import outflank

DESCRIPTION = """\
Solve, search, label or expand the positions of files, or let an opening book grow, on a Ray cluster.

IN are Parquet files, or folders of them, with a column 'board' (two uint64, or 64 squares and the side to
move) or two columns 'player' and 'opponent'; `label` takes training records (.records) too. OUT is a folder.
A command that was killed goes on where it was when it is given again. The cluster is the one that
RAY_ADDRESS names, else one on this machine."""

EXAMPLES = """\
examples:
  python -m outflank.ray solve positions.parquet solved/               exact scores
  python -m outflank.ray solve positions.parquet out/ --level 21 --exact 24
  python -m outflank.ray label games.records labelled/ --depth 10 --selectivity 73 --exact 18
  python -m outflank.ray expand level-8.parquet level-9/               the next positions of a tree
  python -m outflank.ray learn my.book --level 20 --time 600           an opening book"""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        from ray.exceptions import RayTaskError

        from . import PoolError
    except ImportError:
        print("error: ray is not installed: pip install 'outflank[ray]'", file=sys.stderr)
        return 2
    try:
        # Ray's messages about lost workers are not part of the report.
        with contextlib.redirect_stdout(sys.stderr):
            report = _run(options)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return 130
    except RayTaskError as error:
        # The text of this error is the traceback of a worker.
        print(f"error: {error.cause}", file=sys.stderr)
        return 1
    except (outflank.OutflankError, PoolError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(json.dumps(asdict(report)) if options.json else report)
    return 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m outflank.ray", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=raw
    )
    parser.add_argument("--version", action="version", version=outflank.__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in (
        ("solve", "exact scores, or searches to a level or depth, as Parquet"),
        ("label", "the same as training records"),
    ):
        command = _command(commands, name, about)
        _add_effort(command)
        _add_workers(command)
        command.add_argument(
            "--part-seconds",
            type=float,
            metavar="S",
            help="about how long a part takes, which a lost worker has to do again [at most 20]",
        )
    command = _command(commands, "expand", "every next position, unique up to symmetry")
    command.add_argument("--buckets", type=int, metavar="N", help="partitions [default: by the size of the input]")
    about = "let an opening book on this machine grow, where it matters most"
    command = commands.add_parser("learn", help=about, description=about)
    command.add_argument("book", metavar="BOOK", help="the book; it is made where there is none")
    command.add_argument("--level", type=int, default=16, metavar="L", help="search as Edax at this level [16]")
    command.add_argument("--time", type=float, metavar="S", help="seconds after which to end [until Ctrl-C]")
    command.add_argument("--positions", type=int, metavar="N", help="positions to add at most")
    command.add_argument("--empties", type=int, default=30, metavar="N", help="fewest empty squares [30]")
    command.add_argument("--json", action="store_true", help="write the report as JSON")
    _add_workers(command)
    return parser


def _add_workers(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=int, metavar="N", help="actors [default: the cluster's CPUs]")
    command.add_argument("--hash", type=int, default=64, metavar="MiB", help="table of each worker [64]")
    command.add_argument("--weights", metavar="FILE", help="weights [default: the bundled ones]")
    command.add_argument("--quiet", action="store_true", help="show no progress")


def _command(commands: Any, name: str, about: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    command.add_argument("inputs", nargs="+", metavar="IN", help="files, or folders of files")
    command.add_argument("output", metavar="OUT", help="the folder to write to")
    command.add_argument("--json", action="store_true", help="write the report as JSON")
    return command


def _add_effort(command: argparse.ArgumentParser) -> None:
    command.add_argument("--level", type=int, metavar="L", help="as Edax at this level, 0 to 60")
    command.add_argument("--depth", type=int, metavar="D", help="plies, 0 to 60")
    command.add_argument("--selectivity", type=int, metavar="P", help="73, 87, 95, 98, 99 or 100 percent")
    command.add_argument("--exact", type=int, metavar="N", help="solve positions with at most N empty squares")
    command.add_argument("--time", type=float, metavar="S", help="seconds of each search at most")
    command.add_argument("--nodes", type=int, metavar="N", help="nodes of each search at most")


def _run(options: argparse.Namespace) -> Any:
    from . import Effort, expand, label, learn, solve
    from ._meter import BookMeter, Meter

    if options.command == "expand":
        return expand(options.inputs, options.output, buckets=options.buckets)
    if options.command == "learn":
        return learn(
            options.book,
            level=options.level,
            empties=options.empties,
            time=options.time,
            positions=options.positions,
            workers=options.workers,
            hash_mib=options.hash,
            weights=options.weights,
            progress=None if options.quiet else BookMeter(),
        )
    function = solve if options.command == "solve" else label
    return function(
        options.inputs,
        options.output,
        Effort(
            level=options.level,
            depth=options.depth,
            selectivity=options.selectivity,
            exact=options.exact,
            time=options.time,
            nodes=options.nodes,
        ),
        workers=options.workers,
        part_seconds=options.part_seconds,
        hash_mib=options.hash,
        weights=options.weights,
        progress=None if options.quiet else Meter(),
    )


if __name__ == "__main__":
    sys.exit(main())
