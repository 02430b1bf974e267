"""What the commands print on standard output."""

import os
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

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


def one_line(text: str) -> str:
    """``text`` without line breaks and repeated spaces."""
    return " ".join(text.split())


def plain_table() -> Table:
    """An empty table without rules, for columns with no_wrap and for `shortened` cells."""
    return Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")


def table_of(titles: Iterable[str], rows: Iterable[Iterable[str]], *, right: int | None = None) -> Table:
    """Such a table of texts that are not wrapped; numbers from column ``right`` on stand at the right."""
    table = plain_table()
    for place, title in enumerate(titles):
        side: Any = "left" if right is None or place < right else "right"
        table.add_column(title, no_wrap=True, justify=side)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def shortened(text: str) -> Text:
    """A cell of one line that is cut, with an ellipsis, where its column ends."""
    return Text(one_line(text), no_wrap=True, overflow="ellipsis")
