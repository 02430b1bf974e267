"""Calls of a slow mechanism in several processes.

What comes out depends on the seed and not on the number of processes: outputs are drawn in blocks, each
with a generator of its own, and how they are cut depends on how many are asked for.
"""

import signal
import time
from collections.abc import Callable
from math import ceil
from multiprocessing import TimeoutError as NoAnswerError
from multiprocessing import get_all_start_methods, get_context
from typing import Any

import numpy as np

from establish.spec.parameters import ParameterError

FEWEST = 256
"""Fewer outputs are drawn in this process, from the generator itself."""

BLOCK, BLOCKS = 64, 256
"""A block has at least so many outputs, and there are about so many blocks at most."""

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What ends a process that is copied."""

Call = Callable[[Any, np.random.Generator], Any]
"""One output on a dataset; raises what the mechanism's user is to see."""

_call: Call
"""What a process calls; set when it starts."""


class Workers:
    """``jobs`` processes that hold copies of ``call``, made when they are first needed.

    Raises ParameterError for fewer than one, and for several where processes cannot be copied.
    """

    def __init__(self, call: Call, jobs: int) -> None:
        if jobs < 1:
            raise ParameterError(f"jobs = {jobs} is not allowed: at least 1 process is needed")
        if jobs > 1 and "fork" not in get_all_start_methods():
            raise ParameterError(f"jobs = {jobs} is not allowed: this system cannot copy processes")
        self._called, self.jobs = call, jobs
        self._pool: Any = None

    def draw(self, dataset: Any, size: int, rng: np.random.Generator, until: float) -> list[Any]:
        """``size`` outputs, in order. Raises TimeoutError after ``until``, by ``time.monotonic()``."""
        block, base = max(BLOCK, ceil(size / BLOCKS)), int(rng.integers(2**63))
        tasks = [(dataset, min(block, size - start), (base, start)) for start in range(0, size, block)]
        outputs: list[Any] = []
        for part in self._parts(tasks, until):
            outputs += part
        return outputs

    def _parts(self, tasks: list[Any], until: float) -> Any:
        if self.jobs == 1:
            _start(self._called)
            for task in tasks:
                if time.monotonic() > until:
                    raise TimeoutError
                yield _block(task)
            return
        if self._pool is None:
            self._pool = _copies(self.jobs, self._called)
        coming = self._pool.imap(_block, tasks)
        for _ in tasks:
            left = until - time.monotonic()
            try:
                yield coming.next(None if left == float("inf") else max(left, 0.0))
            except NoAnswerError:
                raise TimeoutError from None

    def close(self) -> None:
        """End the processes, whatever they do."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool.join()
            self._pool = None


def _copies(jobs: int, call: Call) -> Any:
    """Processes that hold copies of ``call`` and end as soon as a signal tells them to.

    A command hears of such a signal in Python, and so would its copies: one that waits for work would go on
    waiting, as a handler in Python runs when the wait is over. So they let the system end them. A signal
    that comes before a copy is that far waits until it is.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        return get_context("fork").Pool(jobs, _start_copy, (call,))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_copy(call: Call) -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    _start(call)


def _start(call: Call) -> None:
    global _call
    _call = call


def _block(task: tuple[Any, int, tuple[int, int]]) -> list[Any]:
    dataset, size, seed = task
    rng = np.random.default_rng(seed)
    return [_call(dataset, rng) for _ in range(size)]
