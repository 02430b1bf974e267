"""A clear message before the memory of the machine is used up, where the system tells how much there is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from establish.proofs_check.audit.question.timer import memory_limit
from establish.spec.parameters import ParameterError

SPARE = 200_000_000
"""Bytes that are left to others."""


def free_memory() -> int | None:
    """Bytes that a process may still take; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        told = dict(line.split(":") for line in lines)
        return int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


@contextmanager
def within_memory(what: str) -> Iterator[None]:
    """Raises ParameterError about ``what`` where the block needs more memory than is free."""
    free = free_memory()
    if free is None:
        yield
        return
    try:
        with memory_limit(max(free - SPARE, 0)):
            yield
    except MemoryError:
        raise ParameterError(
            f"{what} needs more memory than the {free / 1e9:.1f} GB that are free here: take parts of the "
            "table that no sum connects one after the other, or a machine with more"
        ) from None
