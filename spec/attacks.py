"""What an attacker computes from a noise-infused table (Haney et al. 2017, Section 5.2).

The attacker reads the published cells of one workplace criterion that exactly one establishment
meets. Every function here sees published values and the attacker's knowledge, never a true count.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import TypeVar

from establish.spec.mechanisms.noise_infusion import Histogram, Table
from establish.spec.parameters import ParameterError, Rational, exact
from establish.spec.tables import Attributes

Secret = TypeVar("Secret")


def shape_attack(published: Table) -> Table:
    """The share of the workforce in each cell: the distortion factor cancels.

    Exact when every true count is 0 or at least S, and nothing is rounded.
    Raises ParameterError when all cells are 0.
    """
    total = sum(published, Fraction(0))
    if total == 0:
        raise ParameterError("published cells are all 0: there is no workforce to take shares of")
    return tuple(value / total for value in published)


def size_attack(published: Table, known_cell: int, known_count: int) -> Table:
    """The count of every cell, from the true count of one; their sum is the total employment.

    known_cell: the position of the cell whose true count the attacker knows, a count > S. Exact
    under the same conditions as :func:`shape_attack`.
    Raises ParameterError for a known count < 1 or a known cell that is published as 0.
    """
    if known_count < 1 or published[known_cell] == 0:
        raise ParameterError("known_count must be at least 1, in a cell that is not published as 0")
    factor = published[known_cell] / known_count
    return tuple(value / factor for value in published)


def individual_attack(published: Mapping[Attributes, Fraction], known: Attributes) -> Attributes:
    """All attributes of the one worker who has the attributes ``known``.

    published: the cells by worker attributes. known: the first attributes of the worker, whom the
    attacker knows to be the only one with them in the establishment. Zero counts are preserved and
    positive ones stay positive, so exactly one of these cells is positive: the worker's.
    Raises ParameterError when not exactly one cell is positive.
    """
    positive = [cell for cell, value in published.items() if cell[: len(known)] == known and value > 0]
    if len(positive) != 1:
        raise ParameterError(f"known = {known} has {len(positive)} positive cells: it needs one")
    return positive[0]


def primitive_attack(published: Table, spread: Rational) -> list[Histogram]:
    """Every integer histogram that could have been published so, without any known count.

    spread: t in (0, 1), or an upper bound for it: |f − 1| ≤ t. The ratios of unrounded cells fix
    the histogram up to a positive integer multiple, and the range of factors leaves few multiples;
    for t < 1/3 a histogram whose counts have no common divisor is the only candidate. Not in the
    paper. Cells with true counts in (0, S) must be left out.
    Raises ParameterError for a spread outside (0, 1) or cells that are all 0.
    """
    t = exact("spread", spread)
    if not 0 < t < 1:
        raise ParameterError(f"spread = {spread} is not allowed: 0 < t < 1")
    scale = lcm(*(value.denominator for value in published))
    whole = [int(value * scale) for value in published]
    divisor = gcd(*whole)
    if divisor == 0:
        raise ParameterError("published cells are all 0: nothing can be inferred")
    unit = Fraction(divisor, scale)  # published = unit · (whole / divisor)
    candidates = []
    multiple = 1
    while unit / multiple >= 1 - t:
        if unit / multiple <= 1 + t:
            candidates.append(tuple(multiple * (n // divisor) for n in whole))
        multiple += 1
    return candidates


def success_probability(
    attack: Callable[[Table], Secret], secret: Secret, law: Mapping[Table, Fraction]
) -> Fraction:
    """The probability that the attack on a published table returns the secret, exactly."""
    return sum((mass for table, mass in law.items() if attack(table) == secret), Fraction(0))
