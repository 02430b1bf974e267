"""What an answer says in lines: all when it is printed, the first where it is looked at."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import ceil, isinf

from establish.proofs_check.engine.shown import few_lines, preformatted


class Shown:
    """What a notebook shows as it is printed."""

    def _repr_html_(self) -> str:
        return preformatted(repr(self))


class Told(ABC):
    """An answer that says itself in lines."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """What a command prints of it."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return few_lines(self.lines())

    def _repr_html_(self) -> str:
        return preformatted(str(self))


def rounded_up(share: float | None) -> str:
    """At most so many times the limit, in thousandths."""
    if not share:
        return "not known"
    return "∞" if isinf(share) else f"{ceil(share * 1000) / 1000:.3f}"
