"""A limit for one claim, and a word about which one a run is at when it takes long."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LIMIT, LONG_LIMIT = 600, 7200
"""Seconds of processor time that the check of a claim may take, and one that is entered as thorough."""

AGAIN = 5.0
"""Seconds of processor time after which the limit is told again."""

SILENCE = 30.0
"""Seconds after which a run says at which claim it is, and again after as many."""


PATIENCE = 2.0
"""Seconds after which work that is seldom done is announced."""


class LimitError(Exception):
    """A check took more processor time than it may."""


@contextmanager
def announced(words: str) -> Iterator[None]:
    """If what runs inside takes over two seconds, a terminal or notebook is told once, on stderr."""
    timer = threading.Timer(PATIENCE, print, [words], {"file": sys.stderr, "flush": True})
    if sys.stderr.isatty() or "ipykernel" in sys.modules:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def watched(id: str, limit: float) -> Iterator[None]:
    """What runs inside is told of on stderr when it takes long, and raises LimitError after ``limit`` seconds
    of processor time, where the system has such a clock and this is the main thread.
    """
    ended = threading.Event()
    watch = threading.Thread(target=_tell, args=(id, ended), daemon=True)
    watch.start()
    try:
        with _limited(id, limit):
            yield
    finally:
        ended.set()


def _tell(id: str, ended: threading.Event) -> None:
    seconds = 0.0
    while not ended.wait(SILENCE):
        seconds += SILENCE
        print(f"still at {id} ({seconds:.0f} s)", file=sys.stderr, flush=True)


@contextmanager
def _limited(id: str, limit: float) -> Iterator[None]:
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise LimitError(f"{id} took more than {limit:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit, AGAIN)  # where something catches it, it comes again
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
