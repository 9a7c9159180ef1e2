"""Pool of actors that run tasks. An actor that is lost with its process or node is replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

import ray
from ray.exceptions import RayActorError

IN_FLIGHT = 2
"""Maximum number of tasks that an actor holds: the running one and the next one."""

MAX_LOSSES = 5
"""Maximum number of actors that may be lost during one task."""


class Task(Protocol):
    """Argument of an actor's ``search``."""

    @property
    def name(self) -> str:
        """Unique name of the task."""


T = TypeVar("T", bound=Task)


def check_workers(workers: int | None) -> None:
    """Raises ``ValueError`` for an impossible number of workers."""
    if workers is not None and workers < 1:
        raise ValueError(f"workers: expected 1 or more, got {workers}")


class PoolError(RuntimeError):
    """Task that has lost too many actors."""


class Pool(Generic[T]):
    """Runs tasks on several actors.

    Ray's own executors also scale clusters, move data and keep statistics. That costs several seconds of two cores at
    the start of a job, and 7 % of them later. This pool moves only the number of a part.
    """

    def __init__(self, make: Callable[[], Any], workers: int | None, most: int | None = None) -> None:
        """Makes a pool of ``workers`` actors, by default one for each CPU of the cluster, and at most ``most``."""
        self.make = make
        if workers is None:
            workers = max(int(ray.cluster_resources().get("CPU", 1)), 1)
        self.workers = workers if most is None else min(workers, most)
        self.retries = 0
        """Number of repeated tasks."""

    def run(self, next_task: Callable[[], T | None]) -> Iterator[tuple[T, dict[str, Any]]]:
        """Yields each finished task, with the result of its actor.

        ``next_task`` is called whenever an actor has room. After ``None`` it is called again when a task finishes. The
        run ends when it returns ``None`` and no task is running.
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
                actor = next(actor for actor in actors if done in actor.running)
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
        """Replaces an actor and repeats its tasks. The search of the first task finds out if it was finished
        already."""
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
    """Actor, and the tasks that it holds."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.running: dict[Any, T] = {}

    def begin(self, task: T) -> None:
        self.running[self.handle.search.remote(task)] = task
