"""Where the commands print: tables on stdout, progress and complaints on stderr."""

from __future__ import annotations

import os

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

PIPED_WIDTH = 160
"""Columns of a table that does not go to a terminal, unless ``$COLUMNS`` says otherwise."""


def output() -> Console:
    """Standard output, as wide as the terminal, or PIPED_WIDTH when it is piped."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPED_WIDTH
    return console


def complaints() -> Console:
    """Standard error; long lines are left to the reader's terminal to break."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def progress_bar() -> Progress:
    """What is being done, how far it is, and for how long; on a terminal only, and gone at the end."""
    console = complaints()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def one_line(text: str) -> str:
    """``text`` without line breaks and repeated spaces."""
    return " ".join(text.split())


def plain_table() -> Table:
    """An empty table without rules, for columns with no_wrap and for `shortened` cells."""
    return Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")


def shortened(text: str) -> Text:
    """A cell of one line that is cut, with an ellipsis, where its column ends."""
    return Text(one_line(text), no_wrap=True, overflow="ellipsis")
