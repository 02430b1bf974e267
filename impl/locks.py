"""Locks on files and folders, which Windows does not have: what needs one says so there."""

from importlib import import_module
from typing import Any

from establish.spec.parameters import ParameterError

try:
    _fcntl: Any = import_module("fcntl")
except ImportError:
    _fcntl = None


def shared(descriptor: int) -> None:
    """Wait for whoever writes. Raises ParameterError where the system has no such locks."""
    _lock(descriptor, "LOCK_SH")


def exclusive(descriptor: int, *, wait: bool = True) -> None:
    """Wait for all others, or raise OSError where somebody holds the lock and ``wait`` is not set.

    Raises ParameterError where the system has no such locks.
    """
    _lock(descriptor, "LOCK_EX", *([] if wait else ["LOCK_NB"]))


def _lock(descriptor: int, *names: str) -> None:
    if _fcntl is None:
        raise ParameterError(
            "ledgers and releases need file locks, which this system does not have: use Linux, macOS or WSL"
        )
    kind = 0
    for name in names:
        kind |= getattr(_fcntl, name)
    _fcntl.flock(descriptor, kind)
