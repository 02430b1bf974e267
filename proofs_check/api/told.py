"""What an answer says in lines: all when it is printed, the first where it is looked at."""

from __future__ import annotations

import html
from collections.abc import Iterator
from math import ceil, isinf

FEW = 5
"""Lines of what an answer shows of itself, at most."""


class Told:
    """An answer that says itself in lines."""

    def lines(self) -> Iterator[str]:
        """What a command prints of it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return few_lines(self.lines())

    def _repr_html_(self) -> str:
        return preformatted(str(self))


def few_lines(lines: Iterator[str]) -> str:
    """The first lines, and how many more there are."""
    found = list(lines)
    if len(found) > FEW:
        found = [*found[: FEW - 1], f"and {len(found) - FEW + 1} more lines: print it"]
    return "\n".join(found)


def preformatted(text: str) -> str:
    """The text as it is, for a notebook."""
    return f'<pre style="white-space: pre-wrap">{html.escape(text)}</pre>'


def rounded_up(share: float | None) -> str:
    """At most so many times the limit, in thousandths."""
    if not share:
        return "not known"
    return "∞" if isinf(share) else f"{ceil(share * 1000) / 1000:.3f}"
