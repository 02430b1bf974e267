"""What is known of a mechanism that runs, in one place: lists of mechanisms are made of these."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from establish.spec.parameters import Rational

Known = tuple[str, ...] | str
"""The claims that settle a property, by id; or why there is nothing to settle."""

FIXED = "the scale of the noise does not depend on the data"
PERCENTILES = "a percentile of noisy counts has no closed form: impl.earnings.accuracy estimates it"

ER_EE = ("strong-er-ee", "weak-er-ee")
"""The definitions of budgets for which noise on counts follows α."""


@dataclass(frozen=True)
class Cell:
    """A cell that certification draws: the sizes of its establishments, and the mechanism's parameters."""

    sizes: tuple[int, ...]
    given: Mapping[str, Rational]


def cell(*sizes: int, **given: Rational) -> Cell:
    """``cell(500, 3, alpha="1/10", epsilon=2)``: noise of several units of the grid, so that rounding hides
    nothing of a wrong scale.
    """
    return Cell(sizes, given)


@dataclass(frozen=True)
class Joined:
    """A guarantee that no single claim says. kind: neighbors and queries, one of KINDS. because: the argument
    that joins the claims. steps: so many neighbors in a row are one of the kind.
    """

    kind: tuple[str, str]
    claims: tuple[str, ...]
    because: str
    steps: int = 1


def of_records(*claims: str, because: str) -> tuple[Joined, Joined]:
    """Privacy of one record, and so of a change, which is one record less and another more."""
    return (
        Joined(("record", "presence"), claims, because),
        Joined(
            ("record", "change"),
            (*claims, "haney2017/eq-14"),
            because + " A changed record is one that leaves and one that comes.",
            steps=2,
        ),
    )


OF_SHARES = (
    "A record is in one cell, of which the total and what it chooses are released, with shares of ε that "
    "add up to it."
)
"""Why mechanisms that choose by a noisy total lose ε."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """One mechanism, whose name is that of the file in which its card stands.

    runs: module and name of its class, below ``establish.impl``. under: the definitions of budgets for which
    plans take it. takes: the parameters that a release of one table of counts gives it. since: the rule of
    defaults by which it came among the mechanisms to choose from; 0 where it is not among them. cells: what
    is drawn of a mechanism on counts. definition, density: where the ideal mechanism and the density of its
    output stand in ``establish.spec``. Then what settles its privacy loss, the admissibility of its noise,
    its bias and its moments. joined: its guarantees, where no single claim says them.
    """

    runs: str
    under: tuple[str, ...]
    takes: tuple[str, ...] = ()
    since: int = 0
    cells: tuple[Cell, ...] = ()
    definition: str
    density: str
    loss: Known
    admissibility: Known
    bias: Known
    moments: Known
    joined: tuple[Joined, ...] = ()

    @property
    def module(self) -> str:
        return f"establish.impl.{self.runs.rpartition('.')[0]}"

    def load(self) -> Any:
        """The class that runs."""
        return getattr(import_module(self.module), self.runs.rpartition(".")[2])
