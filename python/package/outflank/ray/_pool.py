"""Actors that carry out tasks. Those that are lost with their process or node are replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

import ray
from ray.exceptions import RayActorError

IN_FLIGHT = 2
"""Tasks that an actor has at once: it searches one, and the next one is there when it is done."""

MAX_LOSSES = 5
"""How many actors may be lost while they search one task."""


class Task(Protocol):
    """What an actor's ``search`` is called with."""

    @property
    def name(self) -> str:
        """A name of its own."""


T = TypeVar("T", bound=Task)


class PoolError(RuntimeError):
    """A task whose actors are lost again and again."""


class Pool(Generic[T]):
    """Carries out tasks on some actors.

    Ray's own executors do more (they scale clusters, move data, and keep statistics), which costs several seconds
    of two cores at the start of a job and 7 % of them after it; what is moved here is the number of a part.
    """

    def __init__(self, make: Callable[[], Any], workers: int) -> None:
        self.make = make
        self.workers = workers
        self.retries = 0
        """Tasks that were begun again."""

    def run(self, next_task: Callable[[], T | None]) -> Iterator[tuple[T, dict[str, Any]]]:
        """The tasks in the order in which they are done, with what their actors returned.

        ``next_task`` is asked for more whenever an actor has room; where it says ``None``, it is asked again after the
        next task that is done. The end is when it says so and none is under way.
        """
        lost: deque[T] = deque()
        losses: dict[str, int] = {}
        actors = [_Worker[T](self.make()) for _ in range(self.workers)]

        def fill() -> None:
            for count in range(1, IN_FLIGHT + 1):
                for actor in actors:
                    if len(actor.running) < count:
                        task = lost.popleft() if lost else next_task()
                        if task is None:
                            return
                        actor.begin(task)

        try:
            fill()
            while running := [result for actor in actors for result in actor.running]:
                (done,), _ = ray.wait(running, num_returns=1)
                actor = next(one for one in actors if done in one.running)
                try:
                    row = ray.get(done)
                except RayActorError as error:
                    self._lost(actor, lost, losses, error)
                else:
                    yield actor.running.pop(done), row
                fill()
        finally:
            for actor in actors:
                ray.kill(actor.handle)

    def _lost(self, actor: _Worker[T], lost: deque[T], losses: dict[str, int], error: Exception) -> None:
        """Replaces an actor. Its tasks are done again: whether the first was done, the next actor sees."""
        begun, *_ = tasks = list(actor.running.values())
        losses[begun.name] = losses.get(begun.name, 0) + 1
        if losses[begun.name] > MAX_LOSSES:
            message = f"{begun.name}: {MAX_LOSSES + 1} workers were lost while they searched it, the last one: {error}"
            raise PoolError(message) from error
        self.retries += 1
        lost.extendleft(reversed(tasks))
        actor.handle = self.make()
        actor.running = {}


class _Worker(Generic[T]):
    """An actor, and the tasks that it has."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.running: dict[Any, T] = {}

    def begin(self, task: T) -> None:
        self.running[self.handle.search.remote(task)] = task
