"""How far a campaign is, told while it runs and when it is stopped."""

import signal
import sys
import time
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

EVERY = 30.0
"""Seconds from one line on progress to the next."""

INTERRUPTED = 130
"""The exit status of a campaign that was stopped."""


class Tally:
    """So many of ``runs`` runs are done, and so many of them were as ``what`` says.

    Within it, standard error gets a line of progress every so many seconds. One who stops the campaign is
    told how far it came.
    """

    def __init__(self, runs: int, of: str, what: str, every: float = EVERY) -> None:
        self.runs, self.of, self.what, self.every = runs, of, what, every
        self.done = self.seen = 0
        self._start = time.monotonic()
        self._ended = Event()
        self._teller = Thread(target=self._tell, daemon=True)

    def add(self, said: str, counts: bool) -> None:
        """One more run is done; what it ``said``, if anything, is printed at once."""
        self.done += 1
        self.seen += counts
        if said:
            print(said, flush=True)

    def __str__(self) -> str:
        return f"{self.done} of {self.runs} {self.of}, {self.seen} {self.what}"

    def __enter__(self) -> Self:
        self._teller.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, at: TracebackType | None) -> None:
        self._ended.set()
        self._teller.join()
        if kind is KeyboardInterrupt:
            print(f"interrupted: {self}", flush=True)

    def _tell(self) -> None:
        while not self._ended.wait(self.every):
            elapsed = time.monotonic() - self._start
            print(f"{self}, {elapsed:.0f} s", file=sys.stderr, flush=True)


def stop_on_terminate() -> None:
    """Let SIGTERM end this process in the way of Ctrl-C."""

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
