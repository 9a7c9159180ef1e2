"""Many positions on many machines, by Ray: ``pip install outflank[ray]``.

``solve`` and ``label`` search the positions of files and write a folder of partitions; ``expand`` makes the next
positions of an opening tree; ``verify`` checks certificates that ``solve`` has made. They survive the loss of a worker
or a node. After the loss of the driver the next call continues the work and keeps all written partitions. ``learn``
lets an opening book grow. ``python -m outflank.ray`` has these functions as commands. ``BatchSolver`` searches the
batches of other pipelines of Ray Data.
"""

from ._book import LearnReport, learn
from ._effort import Effort
from ._expand import ExpandReport, expand
from ._job import Report, label, solve, verify
from ._pool import PoolError
from ._solver import BatchSolver

__all__ = [
    "BatchSolver",
    "Effort",
    "ExpandReport",
    "LearnReport",
    "PoolError",
    "Report",
    "expand",
    "label",
    "learn",
    "solve",
    "verify",
]
