"""What functions keep of a run in the world of terms is forgotten after it.

A branch in a function with a cache would be asked once only: the run down the other side would be given
what the first one found, and the tree would not be the formula.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

_KEEPS = type(lru_cache(lambda: None))


@contextmanager
def forgotten() -> Iterator[None]:
    """Caches that grow while the block runs are empty afterwards."""
    before = [(kept, kept.cache_info().currsize) for kept in _caches(len(sys.modules))]
    try:
        yield
    finally:
        for kept, size in before:
            if kept.cache_info().currsize != size:
                kept.cache_clear()


@cache
def _caches(modules: int) -> tuple[Any, ...]:
    """Functions and methods with a cache, of our modules and a user's own; modules: how many there are."""
    found: dict[int, Any] = {}
    for name, module in [*sys.modules.items()]:
        if isinstance(module, ModuleType) and _is_ours(name, module):  # None: not to be imported
            for value in [*vars(module).values()]:
                members = [*vars(value).values()] if isinstance(value, type) else [value]
                found.update((id(each), each) for each in members if isinstance(each, _KEEPS))
    return tuple(found.values())


def _is_ours(name: str, module: Any) -> bool:
    """Whether formulas may be written in the module: no library's, and no engine's."""
    if name.startswith("establish."):
        return name.startswith(("establish.spec", "establish.proofs_check.papers"))
    file = getattr(module, "__file__", None) or ""
    return "site-packages" not in file and name.partition(".")[0] not in sys.stdlib_module_names
