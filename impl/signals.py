"""Signals that ask a process to end."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ASKING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Those that this system knows."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals that ask to end wait until the block is done.

    A mask would not do: it holds for one thread, and Python raises in the main thread whichever thread
    takes the signal. In other threads nothing is raised, so that nothing has to wait.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in ASKING}
    before = {number: handler for number, handler in handlers.items() if handler not in UNHEARD}
    came: list[int] = []
    over = False

    def hold(number: int, frame: FrameType | None) -> None:
        if over:  # it came while the handlers were put back
            signal.signal(number, before[number])
            signal.raise_signal(number)
        else:
            came.append(number)

    try:
        for number in before:
            signal.signal(number, hold)
        yield
    finally:
        over = True
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


UNHEARD = (signal.SIG_IGN, None)
"""Ignored, or not Python's to handle."""
