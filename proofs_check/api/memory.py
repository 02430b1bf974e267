"""A clear message before memory is used up, where the system tells how much there is."""

import os
from collections.abc import Callable, Sized
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from establish.proofs_check.audit.question.timer import address_space, memory_limit
from establish.spec.parameters import ParameterError

P = ParamSpec("P")
R = TypeVar("R")

SPARE = 200_000_000
"""Bytes that are left to others on this machine, or in this container."""

LIBRARIES = 500_000_000
"""Bytes of address space that our libraries take at most; where there is less, some end the process."""

PARTS = "parts of the table that no sum connects, one at a time, or "
"""What helps with suppressed tables."""

GROUPS = Path("/sys/fs/cgroup")
"""Where Linux shows what containers may take, by the second version of control groups."""


def free_memory() -> int | None:
    """Bytes that this process may still take; None where the system does not tell."""
    shared = [left for left in (_of_machine(), *_of_groups()) if left is not None]
    own = [max(left - SPARE, 0) for left in shared]
    own += [left for left in (_of_process(),) if left is not None]
    return min(own, default=None)


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        told = dict(line.split(":") for line in lines)
        return int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _of_groups() -> list[int]:
    """What is left to each control group that this process is in; files that it read count as left."""
    try:
        lines = Path("/proc/self/cgroup").read_text("utf-8").splitlines()
    except OSError:
        return []
    own = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
    found = []
    for folder in ((group := GROUPS / own), *group.parents):
        try:
            most, used = (int((folder / f"memory.{name}").read_text("ascii")) for name in ("max", "current"))
            told = dict(line.split() for line in (folder / "memory.stat").read_text("ascii").splitlines())
            found.append(most - used + int(told["inactive_file"]))
        except (OSError, KeyError, ValueError):  # no limit, or none that is told
            continue
    return found


def _of_process() -> int | None:
    """What ``ulimit -v`` leaves."""
    try:
        import resource
    except ImportError:  # no POSIX system
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else max(limit - address_space(), 0)


def require_libraries() -> None:
    """Raises ParameterError where a limit leaves this process less than LIBRARIES."""
    left = _of_process()
    if left is not None and left < LIBRARIES:
        raise ParameterError(
            f"ulimit -v leaves {left / 1e6:,.0f} MB of memory: the libraries need {LIBRARIES // 10**6} MB"
        )


def within_memory(what: str, instead: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function of a table, its first argument, raise ParameterError where it needs more memory than is
    free: about ``what``, with the table's size. instead: what helps beside a machine with more memory.
    """

    def limited(call: Callable[P, R]) -> Callable[P, R]:
        @wraps(call)
        def run(*given: P.args, **named: P.kwargs) -> R:
            free = free_memory()
            try:
                if free is None:
                    return call(*given, **named)
                with memory_limit(max(free, LIBRARIES)):
                    return call(*given, **named)
            except Exception as error:
                if not is_short(error):
                    raise
            left = "is there" if free is None else f"the {free / 1e6:,.0f} MB that are free here"
            raise ParameterError(
                f"{what} of {_told((*given, *named.values())[0])} needs more memory than {left}: "
                f"use {instead}a machine with more memory"
            )

        return run

    return limited


def is_short(error: BaseException) -> bool:
    """Whether memory ran out: for Python, for the database, or for the file of a library. What was raised in
    its place, as of a file that cannot be read, is looked through.
    """
    both = [one for one in (error, error.__context__) if one is not None]
    return any(
        isinstance(one, MemoryError)
        or type(one).__name__ == "OutOfMemoryException"
        or (isinstance(one, ImportError) and "failed to map segment" in str(one))
        for one in both
    )


def _told(tables: object) -> str:
    """Tables by their names and sizes, without what they hold."""
    if isinstance(tables, list | tuple):
        return " and ".join(map(_told, tables))
    if not isinstance(tables, str | os.PathLike):
        return f"{len(tables):,} rows" if isinstance(tables, Sized) else "a table in memory"
    path = Path(tables)
    return f"{path.name} ({path.stat().st_size / 1e3:,.0f} kB)" if path.is_file() else path.name
