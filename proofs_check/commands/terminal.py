"""Where the commands print: tables on stdout, progress and complaints on stderr."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil, isinf
from threading import Timer
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.progress import Progress

PIPED_WIDTH = 160
"""Columns of a table that does not go to a terminal, unless ``$COLUMNS`` says otherwise."""


class _Output(Console):
    """A console that leaves it to the command line how to end when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        raise


def output(piped_width: int = PIPED_WIDTH) -> Console:
    """Standard output, as wide as the terminal, or ``piped_width`` when it is piped."""
    console = _Output(highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = piped_width
    return console


def complaints() -> Console:
    """Standard error; long lines are left to the reader's terminal to break."""
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
        disable=not console.is_terminal,
    )


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


def rounded_up(share: float | None) -> str:
    """At most so many times the limit, in thousandths."""
    if not share:
        return "not known"
    return "∞" if isinf(share) else f"{ceil(share * 1000) / 1000:.3f}"


def one_line(text: str) -> str:
    """``text`` without line breaks and repeated spaces."""
    return " ".join(text.split())


def plain_table() -> Table:
    """An empty table without rules, for columns with no_wrap and for `shortened` cells."""
    return Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")


def shortened(text: str) -> Text:
    """A cell of one line that is cut, with an ellipsis, where its column ends."""
    return Text(one_line(text), no_wrap=True, overflow="ellipsis")
