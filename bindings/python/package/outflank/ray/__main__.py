"""``python -m outflank.ray``: the functions of the package as commands."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from dataclasses import asdict, fields
from typing import Any

import outflank

DESCRIPTION = """\
Searches the positions of files on a Ray cluster, or on all CPUs of this machine.

IN is a Parquet file, or a folder of such files. Its positions are in a column 'board' (lists of two uint64,
the discs of the side to move first, or texts of 64 squares and the side to move) or in two columns 'player'
and 'opponent'. The command `label` also reads training records (.records). OUT is the folder that the results
are written to.

An interrupted command continues if you run it again with the same arguments. The environment variable
RAY_ADDRESS names the cluster. Without it, the command starts Ray on this machine."""

EXAMPLES = """\
examples:
  python -m outflank.ray solve positions.parquet solved/
      exact scores
  python -m outflank.ray solve positions.parquet searched/ --level 21 --exact 24
      exact scores of positions with at most 24 empty squares, searches at level 21 of the others
  python -m outflank.ray solve positions.parquet solved/ --certificates
      exact scores with proofs, and their verification:
  python -m outflank.ray verify solved/ verified/
  python -m outflank.ray label games.records labelled/ --depth 10 --selectivity 73 --exact 18
      training records
  python -m outflank.ray expand level-8.parquet level-9/
      all positions one ply later
  python -m outflank.ray learn my.book --level 20 --time 600
      ten minutes of growth of an opening book"""

EFFORT = """\
Without limits, each position is solved: its score is exact. Limits make searches shorter: --level, or --depth and
--selectivity, and --time and --nodes. Without --depth, --selectivity holds for a search to the end of the game.
Positions with at most --exact empty squares are solved in any case, unless --time or --nodes ends the search."""


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
    is_refused = options.command == "verify" and report.invalid > 0
    return 1 if is_refused else 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m outflank.ray", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=raw
    )
    parser.add_argument("--version", action="version", version=outflank.__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in (
        ("solve", "Solve or search positions, and write the results as Parquet."),
        ("label", "Solve or search positions, and write them as records for `outflank train`."),
    ):
        command = _command(commands, name, about, EFFORT)
        _add_files(command)
        _add_effort(command)
        _add_workers(command)
        command.add_argument(
            "--part-seconds",
            type=float,
            metavar="S",
            help="seconds of work that a worker does at once, and repeats if it is lost [default: at most 20]",
        )
        if name == "solve":
            command.add_argument(
                "--certificates", action="store_true", help="prove each score by a certificate in a column"
            )
            command.add_argument(
                "--leaf-empties",
                type=int,
                default=12,
                metavar="N",
                help="greatest number of empty squares of positions that the verifier of a certificate solves by "
                "itself, 0 to 14 [default: 12]",
            )
    about = "Verify the certificates of a folder that `solve --certificates` has written. No engine takes part."
    command = _command(commands, "verify", about)
    _add_files(command)
    command.add_argument("--workers", type=int, metavar="N", help="number of workers [default: one for each CPU]")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    about = "Write all positions one ply after those of IN, without duplicates and mirror images."
    command = _command(commands, "expand", about)
    _add_files(command)
    command.add_argument(
        "--buckets", type=int, metavar="N", help="number of files in OUT [default: chosen by the size of IN]"
    )
    about = "Let an opening book on this machine grow. The cluster runs the searches."
    command = _command(commands, "learn", about)
    command.add_argument("book", metavar="BOOK", help="file of the book; a new one is made if it does not exist")
    command.add_argument("--level", type=int, default=16, metavar="L", help="level of searches, 0 to 60 [default: 16]")
    command.add_argument("--time", type=float, metavar="S", help="seconds until the end [default: until Ctrl-C]")
    command.add_argument("--positions", type=int, metavar="N", help="maximum of new positions [default: no limit]")
    command.add_argument(
        "--empties", type=int, default=30, metavar="N", help="fewest empty squares of a new position [default: 30]"
    )
    _add_workers(command)
    return parser


def _command(commands: Any, name: str, about: str, epilog: str | None = None) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about, epilog=epilog)
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    return command


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument("inputs", nargs="+", metavar="IN", help="files, or folders of files")
    command.add_argument("output", metavar="OUT", help="folder for the results")


def _add_workers(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=int, metavar="N", help="number of workers [default: one for each CPU]")
    command.add_argument(
        "--hash", type=int, default=64, metavar="MiB", help="size of each worker's hash table [default: 64]"
    )
    command.add_argument("--weights", metavar="FILE", help="weights of the evaluation [default: the bundled ones]")
    command.add_argument("--quiet", action="store_true", help="show no progress")


def _add_effort(command: argparse.ArgumentParser) -> None:
    command.add_argument("--level", type=int, metavar="L", help="strength of the searches on Edax's scale, 0 to 60")
    command.add_argument("--depth", type=int, metavar="D", help="depth in plies, 0 to 60, instead of a level")
    command.add_argument(
        "--selectivity",
        type=int,
        metavar="P",
        help="confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none [default: 100]",
    )
    command.add_argument("--exact", type=int, metavar="N", help="solve positions with at most N empty squares")
    command.add_argument("--time", type=float, metavar="S", help="maximum seconds of each search")
    command.add_argument("--nodes", type=int, metavar="N", help="maximum nodes of each search")


def _run(options: argparse.Namespace) -> Any:
    from . import Effort, expand, label, learn, solve, verify
    from ._meter import BookMeter, Meter

    if options.command == "expand":
        return expand(options.inputs, options.output, buckets=options.buckets)
    if options.command == "verify":
        progress = None if options.quiet else Meter()
        return verify(options.inputs, options.output, workers=options.workers, progress=progress)
    shared = {"workers": options.workers, "hash_mib": options.hash, "weights": options.weights}
    if options.command == "learn":
        return learn(
            options.book,
            level=options.level,
            empties=options.empties,
            time=options.time,
            positions=options.positions,
            progress=None if options.quiet else BookMeter(),
            **shared,
        )
    if options.command == "solve":
        shared["certificates"] = options.leaf_empties if options.certificates else None
    function = solve if options.command == "solve" else label
    return function(
        options.inputs,
        options.output,
        Effort(**{field.name: getattr(options, field.name) for field in fields(Effort)}),
        part_seconds=options.part_seconds,
        progress=None if options.quiet else Meter(),
        **shared,
    )


if __name__ == "__main__":
    sys.exit(main())
