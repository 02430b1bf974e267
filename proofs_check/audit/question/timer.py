"""Limits on the time and the memory that foreign code may take."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlowError(BaseException):
    """Foreign code passed its limit; a BaseException, so that its own ``except`` lets it through."""


def can_interrupt() -> bool:
    """Whether running code can be interrupted here: in the main thread of a POSIX system."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError inside the block after ``seconds``, where code can be interrupted.

    The signal comes again every second, in case the code swallowed it. Elsewhere there is no limit.
    """
    if not can_interrupt():
        yield
        return

    def stop(signal_number: int, frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def memory_limit(more: int) -> Iterator[None]:
    """Code in the block gets a MemoryError beyond ``more`` bytes, where the system can limit that."""
    try:
        import resource
    except ImportError:  # no POSIX system
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit = address_space() + more
    if before[1] != resource.RLIM_INFINITY:
        limit = min(limit, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def address_space() -> int:
    """Bytes of address space in use; a generous guess where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * 4096
    except OSError:
        return 1 << 40
