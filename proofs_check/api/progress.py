"""Progress and complaints, on standard error or below the cell of a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


def complaints() -> Console:
    """Standard error; long lines are left to the reader's terminal to break."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def progress_bar(counted: bool = False) -> Progress:
    """What is being done, how far it is, and for how long; on a terminal only, and gone at the end.

    counted: whether the number of what is done is shown beside the bar.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = complaints()
    number = [MofNCompleteColumn()] if counted else []
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *number,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not (console.is_terminal or _shows_widgets(console)),
    )


def _shows_widgets(console: Console) -> bool:
    """Whether this is a notebook in which a bar can be drawn anew: it needs ipywidgets for that."""
    return console.is_jupyter and find_spec("ipywidgets") is not None


PATIENCE = 2.0
"""Seconds after which `share_bar` appears."""


@contextmanager
def share_bar(words: str) -> Iterator[Callable[[float], None]]:
    """A function that is told which share of the work is done; shown on a terminal, after a while."""
    shown = progress_bar()
    task = shown.add_task(words, total=1.0)
    waiting = Timer(PATIENCE, shown.start)
    waiting.start()
    try:
        yield lambda share: shown.update(task, completed=share)
    finally:
        waiting.cancel()
        waiting.join()
        shown.stop()
