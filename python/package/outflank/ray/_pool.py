"""Actors that carry out parts. Those that are lost with their process or node are replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import ray
from ray.exceptions import RayActorError

from ._plan import Part

IN_FLIGHT = 2
"""Parts that an actor has at once: it searches one, and the next one is there when it is done."""

MAX_LOSSES = 5
"""How many actors may be lost while they search one part."""


class PoolError(RuntimeError):
    """A part whose actors are lost again and again."""


class Pool:
    """Carries out parts on some actors.

    Ray's own executors do more (they scale clusters, move data, and keep statistics), which costs several seconds
    of two cores at the start of a job and 7 % of them after it; what is moved here is the number of a part.
    """

    def __init__(self, make: Callable[[], Any], workers: int) -> None:
        self.make = make
        self.workers = workers
        self.retries = 0
        """Parts that were begun again."""

    def run(self, parts: list[Part]) -> Iterator[tuple[Part, dict[str, Any]]]:
        """The parts in the order in which they are done, with what their actors returned."""
        waiting = deque(parts)
        losses: dict[str, int] = {}
        actors = [_Worker(self.make()) for _ in range(self.workers)]
        try:
            for count in range(1, IN_FLIGHT + 1):
                for actor in actors:
                    actor.fill(waiting, count)
            while running := [result for actor in actors for result in actor.running]:
                (done,), _ = ray.wait(running, num_returns=1)
                actor = next(one for one in actors if done in one.running)
                try:
                    row = ray.get(done)
                except RayActorError as error:
                    self._lost(actor, waiting, losses, error)
                    continue
                yield actor.running.pop(done), row
                actor.fill(waiting, IN_FLIGHT)
        finally:
            for actor in actors:
                ray.kill(actor.handle)

    def _lost(self, actor: _Worker, waiting: deque[Part], losses: dict[str, int], error: Exception) -> None:
        """Replaces an actor. Its parts are done again: whether the first was written, the next actor sees."""
        begun, *_ = parts = list(actor.running.values())
        losses[begun.name] = losses.get(begun.name, 0) + 1
        if losses[begun.name] > MAX_LOSSES:
            message = f"{begun.name}: {MAX_LOSSES + 1} workers were lost while they searched it, the last one: {error}"
            raise PoolError(message) from error
        self.retries += 1
        waiting.extendleft(reversed(parts))
        actor.handle = self.make()
        actor.running = {}
        actor.fill(waiting, IN_FLIGHT)


class _Worker:
    """An actor, and the parts that it has."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.running: dict[Any, Part] = {}

    def fill(self, waiting: deque[Part], most: int) -> None:
        while waiting and len(self.running) < most:
            part = waiting.popleft()
            self.running[self.handle.search.remote(part)] = part
