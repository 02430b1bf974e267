"""Locks on files and folders, where the system has them: commands that need one say so where it has not."""

from __future__ import annotations

from establish.spec.parameters import ParameterError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def shared(descriptor: int) -> None:
    """Wait for writers, and let other readers in. Raises ParameterError where the system has no such locks."""
    _flock(descriptor, write=False)


def exclusive(descriptor: int) -> None:
    """Wait for all others. Raises ParameterError where the system has no such locks."""
    _flock(descriptor, write=True)


def _flock(descriptor: int, *, write: bool) -> None:
    if fcntl is None:
        raise ParameterError(
            "this system has no file locks of the kind that ledgers and releases need: use Linux or macOS, or WSL"
        )
    fcntl.flock(descriptor, fcntl.LOCK_EX if write else fcntl.LOCK_SH)
