"""Processes of our own, which do not import the program that started them."""

from __future__ import annotations

import copy
import multiprocessing
import multiprocessing.connection
import multiprocessing.context
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from establish.impl.signals import undisturbed

T = TypeVar("T")

FORKED = "forkserver" in multiprocessing.get_all_start_methods()


class WithoutMain:
    """A process that runs our code alone: a script that calls us, without a guard, is not run in it again."""

    @classmethod
    def _Popen(cls, process: Any) -> Any:
        own = vars(sys.modules["__main__"])
        kept: dict[str, Any] = {name: own[name] for name in ("__file__", "__spec__") if name in own}
        own.update(__file__=None, __spec__=None)
        try:
            return super()._Popen(process)  # type: ignore[misc]  # of the class that is mixed in
        finally:
            del own["__file__"], own["__spec__"]
            own.update(kept)


if FORKED:

    class Process(WithoutMain, multiprocessing.context.ForkServerProcess):
        """Forked from a server that runs no thread of ours."""

else:

    class Process(WithoutMain, multiprocessing.context.SpawnProcess):  # type: ignore[no-redef]
        """Started anew, as on Windows."""


def context(*preloaded: str) -> Any:
    """The way to start processes. preloaded: modules that the server imports first, where there is one."""
    found: Any = copy.copy(multiprocessing.get_context("forkserver" if FORKED else "spawn"))
    found.Process = Process
    if FORKED:
        found.set_forkserver_preload(list(preloaded))
    return found


@contextmanager
def deaf() -> Iterator[None]:
    """Processes that are started here never hear Ctrl-C, not even before they can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start, in the block, would unmask the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


LISTENING = 0.5
"""Seconds of one wait."""

ENDING = 5.0
"""Seconds that are waited for the end of a pool that is given up."""


@contextmanager
def pool(
    jobs: int, context: Any, initializer: Callable[..., object] | None = None, initargs: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """``jobs`` processes of a context. They end when the block does, and with this process, however it ends.

    When the work is interrupted, or its results are wanted no more, they end at once: nothing that they do
    has to be put away. Ctrl-C is for this process alone.
    """
    others = set(multiprocessing.active_children())
    if context.get_start_method() == "forkserver":
        _wait_for_server(context)
    opened = ProcessPoolExecutor(jobs, context, _begin, (initializer, initargs))
    try:
        yield opened
        opened.shutdown()
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        ending = Thread(target=opened.shutdown, kwargs={"cancel_futures": True}, daemon=True)
        ending.start()
        ending.join(ENDING)
        raise


def submitted(
    opened: ProcessPoolExecutor, work: Callable[..., T], calls: Iterable[Sequence[Any]]
) -> list[Future[T]]:
    """What comes of ``work`` with the arguments of each call. Signals wait meanwhile.

    Else the exception that one raises could leave a lock behind it, or a process that nobody knows.
    """
    with undisturbed(), deaf():
        return [opened.submit(work, *call) for call in calls]


def as_done(futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
    """Each of them when it is done. Nothing is locked while one is waited for.

    Python hears a signal that another thread took, or that came as the wait began, when a wait is over.
    """
    done: SimpleQueue[Future[T]] = SimpleQueue()
    left = list(futures)
    with undisturbed():
        for future in left:
            future.add_done_callback(done.put)
    while left:
        with suppress(Empty):
            future = done.get(timeout=LISTENING)
            left.pop()
            yield future


def _wait_for_server(context: Any) -> None:
    """Until it has imported what it imports first, so that signals need not wait for that."""
    with deaf():
        first = context.Process(target=os.getpid)
        first.start()
    first.join()
    with undisturbed():
        del first  # what a signal raises in its finalizers would be lost


def _begin(initializer: Callable[..., object] | None, initargs: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if initializer is not None:
        initializer(*initargs)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)
