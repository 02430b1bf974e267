"""Establishments of a cell with given totals (Webb et al. 2025, Algorithm 7), as corrected.

What the published lines leave open is decided as follows. Every value is a whole number, so that totals
are kept exactly. Where month 2 of the cell is known, the values of Algorithm 2 are weights that divide it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from establish.spec.parameters import ParameterError, Rational, probability
from establish.spec.synthetic.divider import divided
from establish.spec.synthetic.month_2 import month_2

SHAPE = 10
"""Shape of the Gamma law of an establishment's concentration (Appendix A.4)."""

SCALE = 200
"""Scale of that law: the mean concentration is 2,000 (Appendix A.4)."""


@dataclass(frozen=True)
class Totals:
    """What is known of one cell: whole numbers ≥ 0, all 0 where there is no establishment.

    Raises ParameterError otherwise.
    """

    establishments: int
    month_1: int
    month_2: int
    month_3: int
    wages: int

    def __post_init__(self) -> None:
        values = (self.month_1, self.month_2, self.month_3, self.wages)
        if self.establishments < 0 or any(value < 0 for value in values):
            raise ParameterError("totals must be whole numbers >= 0")
        if self.establishments == 0 and any(values):
            raise ParameterError("a cell without establishments must have no employment and no wages")


@dataclass(frozen=True)
class Draws:
    """The random draws for one cell of d establishments, one value per establishment in each sequence.

    month_1, month_3, wages: g_j ~ Gamma(c_j, 1) with the concentrations c_j. noise: Z_j of Algorithm 2.
    offsets: uniform on [0, 1), for months 1, 2, 3 and wages.
    """

    month_1: Sequence[Fraction]
    month_3: Sequence[Fraction]
    wages: Sequence[Fraction]
    noise: Sequence[Fraction]
    offsets: tuple[Fraction, Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class Establishment:
    """Employment in three months and quarterly wages in dollars, whole numbers ≥ 0."""

    month_1: int
    month_2: int
    month_3: int
    wages: int


def with_dominant(concentrations: Sequence[Fraction], place: int, share: Rational) -> tuple[Fraction, ...]:
    """The concentrations with that of one establishment set to c·R, R the sum of the others.

    c = share/(1 − share), for 0 < share < 1. Its part of every total is then Beta(cR, R): ``share`` on
    average. A cell of one establishment stays as it is. Raises ParameterError for another share.
    """
    part = probability("dominant", share)
    others = sum(concentrations, Fraction(0)) - concentrations[place]
    if not others:
        return tuple(concentrations)
    own = part / (1 - part) * others
    return (*concentrations[:place], own, *concentrations[place + 1 :])


def establishments(cell: Totals, draws: Draws) -> list[Establishment]:
    """The cell's establishments; each of the four columns adds up to its total exactly."""
    first, second, third, fourth = draws.offsets
    m1 = divided(draws.month_1, cell.month_1, first)
    m3 = divided(draws.month_3, cell.month_3, third)
    weights = [Fraction(month_2(*row)) for row in zip(m1, m3, draws.noise, strict=True)]
    m2 = divided(weights, cell.month_2, second)
    wages = divided(draws.wages, cell.wages, fourth)
    rows = [Establishment(*row) for row in zip(m1, m2, m3, wages, strict=True)]
    if len(rows) != cell.establishments:
        raise ParameterError("the draws must have one value per establishment")
    return rows


def key(before: int, j: int) -> int:
    """primary_key of line 12: of the j-th establishment of a cell, with so many ones before the cell."""
    return before + j
