"""Processes of our own, which do not import the program that started them."""

from __future__ import annotations

import copy
import multiprocessing
import multiprocessing.context
import sys
from typing import Any

FORKED = "forkserver" in multiprocessing.get_all_start_methods()


class WithoutMain:
    """A process that runs our code alone: a script that calls us, without a guard, is not run in it again."""

    @classmethod
    def _Popen(cls, process: Any) -> Any:
        own = vars(sys.modules["__main__"])
        kept: dict[str, Any] = {name: own[name] for name in ("__file__", "__spec__") if name in own}
        own.update(__file__=None, __spec__=None)
        try:
            return super()._Popen(process)  # type: ignore[misc]  # of the class that is mixed in
        finally:
            del own["__file__"], own["__spec__"]
            own.update(kept)


if FORKED:

    class Process(WithoutMain, multiprocessing.context.ForkServerProcess):
        """Forked from a server that runs no thread of ours."""

else:

    class Process(WithoutMain, multiprocessing.context.SpawnProcess):  # type: ignore[no-redef]
        """Started anew, as on Windows."""


def context(*preloaded: str) -> Any:
    """The way to start processes. preloaded: modules that the server imports first, where there is one."""
    found: Any = copy.copy(multiprocessing.get_context("forkserver" if FORKED else "spawn"))
    found.Process = Process
    if FORKED:
        found.set_forkserver_preload(list(preloaded))
    return found
