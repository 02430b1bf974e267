"""Evidence that several checks rest on, computed once in a process."""

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Built = TypeVar("Built")

_forget: list[Callable[[], None]] = []


def shared(build: Callable[Arguments, Built], most: int | None = None) -> Callable[Arguments, Built]:
    """``build`` is run once for equal arguments, which must be hashable; what it returns is not changed,
    but that a list or dict may grow by what was found out about the arguments.

    The runner settles the claims of a module, and of a family's folder, in one process, so that they
    find what is shared. most: how
    many results are kept, the last ones; all of them by default.
    """
    kept = lru_cache(most)(build)
    _forget.append(kept.cache_clear)
    return cast(Callable[Arguments, Built], kept)


def forget() -> None:
    """Compute everything shared anew when it is next asked for: after a definition was changed, in tests."""
    for clear in _forget:
        clear()
