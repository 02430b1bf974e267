"""How an answer shows itself: in a few lines where it is looked at, and as text in a notebook."""

import html
from collections.abc import Iterable, Mapping

FEW, WIDE = 5, 160
"""Lines that an answer shows, and characters of each, at most."""


def few_lines(lines: Iterable[str]) -> str:
    """The first lines, each cut where it is wide, and how many more there are."""
    found = [" ".join(line.split()) if len(line) > WIDE else line for line in lines]
    found = [line if len(line) <= WIDE else f"{line[: WIDE - 1]}…" for line in found]
    if len(found) > FEW:
        found = [*found[: FEW - 1], f"and {len(found) - FEW + 1} more lines: print it"]
    return "\n".join(found)


def titled(first: str, fields: Mapping[str, str]) -> str:
    """A first line, and one for each field that says something."""
    return few_lines([first, *(f"{name}: {' '.join(text.split())}" for name, text in fields.items() if text)])


def preformatted(text: str) -> str:
    """The text as it is, for a notebook."""
    return f'<pre style="white-space: pre-wrap">{html.escape(text)}</pre>'
