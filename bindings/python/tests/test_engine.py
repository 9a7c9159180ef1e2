from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import reference

import outflank
from outflank import Status

HARD = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


@pytest.fixture(scope="module")
def engine():
    return outflank.Engine(hash_mib=16)


@pytest.mark.parametrize("isa", outflank.isas())
def test_solve(isa, ffo):
    engine = outflank.Engine(hash_mib=16, isa=isa)
    assert engine.isa == isa
    for problem in ffo[:6]:
        found = engine.solve(problem.board)
        assert (found.score, found.solved, found.bound) == (problem.score, True, "exact")
        assert found.best in [move for move, score in problem.scores if score == problem.score]
        board = problem.board
        for ply in found.line:
            board = board.play(ply)
        assert board.is_over
        final = board.final_score
        assert final == (found.score if len(found.line) % 2 == 0 else -found.score)


def test_limits(engine):
    found = engine.search(outflank.Board(), depth=6)
    assert (found.depth, found.selectivity, found.complete, found.solved) == (6, 100, True, False)
    assert engine.search(outflank.Board(), level=10, exact=20).depth == 10
    assert engine.search(outflank.Game("f5"), depth=8, selectivity=73).depth == 8
    assert not engine.search(outflank.Board(), time=0.05).complete
    assert not engine.search(outflank.Board(), nodes=20_000, selectivity=73).complete
    assert engine.search(HARD, nodes=10**9, depth=1, exact=14).solved
    assert engine.search(outflank.Board(), nodes=50_000).nodes < 1_000_000
    assert engine.solve(HARD, window=(-1, 1)).bound == "lower"
    found = engine.search(outflank.Board(), depth=4, lines=4)
    assert len({candidate.move for candidate in found.candidates}) == 4
    assert outflank.search_depth(20, level=10) == (20, 100)
    assert outflank.search_depth(30, level=21) == (30, 87)
    assert outflank.search_depth(30, depth=8, selectivity=73, exact=18) == (8, 73)
    assert outflank.search_depth(30, selectivity=73) == (30, 73)
    game = outflank.Game("f5")
    assert engine.play(game, nodes=1000, selectivity=73) == game.moves[-1]


def test_progress_and_its_exceptions(engine):
    seen = []
    engine.clear()
    engine.search(outflank.Board(), depth=10, progress=lambda so_far: seen.append(so_far.depth))
    assert seen == sorted(seen) and seen[-1] == 10 and len(seen) > 2

    def fail(so_far):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        engine.solve(outflank.Board(), progress=fail)
    # The engine can still search.
    assert engine.solve(HARD).score == 18


def test_clear_empties_the_hash_table():
    engine = outflank.Engine(hash_mib=16)
    first = engine.solve(HARD).nodes
    assert engine.solve(HARD).nodes < first
    engine.clear()
    assert engine.solve(HARD).nodes == first


def test_play_and_analyze(engine):
    game = outflank.Game("f5d6c3")
    move = engine.play(game, depth=4)
    assert game.moves[-1] == move and len(game) == 4
    while engine.play(game, depth=1):
        pass
    assert game.is_over and engine.play(game) is None
    reports = []
    judged = engine.analyze(outflank.Game("f5d6c6b6"), depth=6, progress=reports.append)
    assert reports == [1, 2, 3, 4] and [judgement.number for judgement in judged] == [1, 2, 3, 4]
    assert judged[3].loss > 0 and judged[3].best != "B6" and judged[0].loss == 0
    assert judged[3].loss == judged[3].best_score - judged[3].score


def test_other_threads_run_during_a_search_and_stop_it(engine):
    count = 0
    thread = threading.Thread(target=lambda: engine.solve(outflank.Board()))
    thread.start()
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        count += 1
    assert count > 1000, "the interpreter is not held"
    begin = time.monotonic()
    engine.stop()
    thread.join(10)
    assert not thread.is_alive() and time.monotonic() - begin < 5
    assert engine.search(outflank.Board(), depth=4).complete


INTERRUPTED = """
import outflank, os, signal, threading, time
import numpy as np
# A shell ignores the signal for background jobs, and Python inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
boards = np.array([[0x0810000000, 0x1008000000]] * 4, dtype=np.uint64)
work = {
    "solve": lambda: outflank.Engine(hash_mib=16, threads=2).solve(outflank.Board()),
    "many": lambda: outflank.solve_many(boards, threads=2),
    "engine many": lambda: outflank.Engine(hash_mib=16).solve_many(boards),
}
for name, call in work.items():
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        call()
    except KeyboardInterrupt:
        print(name, "interrupted", flush=True)
"""


def test_ctrl_c_ends_a_search():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [f"{name} interrupted" for name in ("solve", "many", "engine many")], done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_engine_made_before_a_fork_raises(engine):
    child = os.fork()
    if child == 0:
        try:
            engine.search(outflank.Board(), depth=2)
        except outflank.EngineError as error:
            os._exit(0 if "before a fork" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_solve_many(threads, endgames):
    some = endgames[:60]
    few = [row for row, (player, opponent) in enumerate(some.tolist()) if (player | opponent).bit_count() >= 56]
    reports = []
    found = outflank.solve_many(some, threads=threads, hash_mib=16, progress=lambda *so_far: reports.append(so_far))
    assert (found.status == Status.SOLVED).all() and reports[-1] == (60, 60, int(found.nodes.sum()))
    engine = outflank.Engine(hash_mib=16)
    for row, (player, opponent) in enumerate(some.tolist()):
        board = outflank.Board(player, opponent)
        engine.clear()
        single = engine.solve(board)
        assert (found.score[row], found.nodes[row]) == (single.score, single.nodes)
        if single.best is not None:
            assert outflank.square_name(int(found.best[row])) == single.best
        else:
            assert found.best[row] == 255
    assert few, "some rows are also solved by the reference"
    for row in few[:3]:
        assert found.score[row] == reference.negamax(*some[row].tolist())
    kept = engine.solve_many(some)
    assert (kept.score == found.score).all()
    assert (outflank.solve_many(some, keep_tables=True).score == found.score).all()
    shorter = outflank.solve_many(some, depth=4, exact=10)
    assert set(shorter.status.tolist()) == {Status.SOLVED, Status.SEARCHED}
    wld = outflank.solve_many(some, window=(-1, 1))
    assert (wld.score == np.sign(found.score)).all()


def test_invalid_rows_are_marked(endgames):
    some = endgames[:10].copy()
    some[3] = [7, 1]
    for found in (
        outflank.solve_many(some, errors="mark"),
        outflank.Engine(hash_mib=16).solve_many(some, errors="mark"),
    ):
        assert found.status[3] == Status.INVALID and found.best[3] == 255
        assert (np.delete(found.status, 3) == Status.SOLVED).all()
    assert len(outflank.solve_many(some[:0]).score) == 0


def test_progress_stops_solve_many(endgames):
    start = np.array([[0x0810000000, 0x1008000000]] * 3, dtype=np.uint64)
    hard = np.concatenate([endgames[:20], start])
    found = outflank.solve_many(hard, threads=1, progress=lambda *so_far: False)
    # The hardest rows come first, so the search was stopped in one of them.
    assert found.status[20] in (Status.INCOMPLETE, Status.NOT_SEARCHED)
    assert (found.status[:20] == Status.NOT_SEARCHED).all()
    # Only False stops: the time limit ends the hardest rows, and the others are searched.
    found = outflank.solve_many(hard, threads=1, time=0.3, progress=lambda *so_far: 0)
    assert (found.status != Status.NOT_SEARCHED).all()
    found = outflank.Engine(hash_mib=16).solve_many(hard[::-1].copy(), nodes=1000)
    assert (found.status[:3] == Status.INCOMPLETE).all() and (found.status[3:] == Status.SOLVED).sum() > 0
