"""Rules of disclosure limitation and the linear programs behind them, against their sentences."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, Verdict, claim, exhaustive, holds
from establish.spec.disclosure_limitation import p_percent
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise
from establish.spec.disclosure_limitation.simplex import maximum, optimum
from establish.spec.mechanisms.noise_infusion import FactorRange

Contributions = tuple[int, ...]


def _contributions() -> Iterator[Contributions]:
    for number in range(5):
        yield from product((0, 1, 5, 100), repeat=number)


def _rules_say_their_sentences(values: Contributions) -> bool:
    """The second contributor knows the largest within p% exactly where the cell is sensitive."""
    ordered = [*sorted(values, reverse=True), 0, 0]
    rest, largest = sum(values) - ordered[0] - ordered[1], ordered[0]
    pairs = [(p, q) for p in (5, 10, 20) for q in (50, 100)]
    known = all(p_percent.pq_sensitive(values, p, q) == (q * rest < p * largest) for p, q in pairs)
    plain = all(p_percent.p_percent_sensitive(values, p) == (rest * 100 < p * largest) for p in (5, 20))
    share = all(
        p_percent.nk_sensitive(values, n, k) == (100 * sum(ordered[:n]) > k * sum(values))
        for n, k in product((1, 2, 3), (1, 60, 99))
    )
    guessed = all(
        p_percent.estimate_of_largest(values, rank) == sum(values) - ordered[rank - 1]
        for rank in range(2, len(values) + 1)
    )
    return p_percent.remainder(values) == rest and known and plain and share and guessed


def _one_contributor_is_sensitive(values: Contributions) -> bool:
    return p_percent.p_percent_sensitive(values, 10) == (len(values) < 3)


RULES = Every(
    "contributions", _contributions, _rules_say_their_sentences, wrong=_one_contributor_is_sensitive
)

_FACTORS = (Fraction(1, 10), Fraction(1, 4))


def _values() -> Iterator[tuple[int, bool]]:
    yield from product(range(13), (False, True))


def _is_published_within_its_factors(case: tuple[int, bool]) -> bool:
    """What is published of one establishment, whose value lies in one of the intervals again."""
    value, rounding = case
    s, t = _FACTORS
    noise = MultiplicativeNoise(FactorRange(s, t), rounding)
    factors = (1 - t, 1 - s, 1 + s, 1 + t)
    published = [noise.published([value], [factor]) for factor in factors]
    held = all(any(low <= value <= high for low, high in noise.intervals(y)) for y in published)
    same = noise.unchanged(value) == all(y == value for y in published)
    variance = noise.variance([value, value]) == 2 * value**2 * noise.factor_variance()
    simpson = ((s**2 + t**2) + 4 * ((s + t) / 2) ** 2) / 6
    return held and same and variance and noise.factor_variance() == simpson


NOISE = Every("value and rounding", _values, _is_published_within_its_factors)

Row = tuple[int, ...]

Program = tuple[Row, tuple[Row, Row], tuple[int, int]]
"""What is greatest, the two equations, and their right sides."""


def _programs() -> Iterator[Program]:
    """Two equations over three unknowns, factors 0, 1 and 2; a sum that bounds all unknowns."""
    for first, objective in product(product((0, 1, 2), repeat=3), ((1, 0, 0), (1, -1, 2), (-1, 0, 1))):
        yield objective, ((1, 1, 1), first), (4, sum(first))


def _is_proved_by_its_dual(program: Program) -> bool:
    """A point that satisfies the equations and a dual vector that bounds every point have the same value."""
    objective, rows, right = program
    costs = [Fraction(value) for value in objective]
    system = [[Fraction(value) for value in row] for row in rows]
    ends = [Fraction(value) for value in right]
    try:
        found = optimum(costs, system, ends)
    except ValueError:
        return not any(
            all(
                sum(a * x for a, x in zip(row, point, strict=True)) == b
                for row, b in zip(rows, right, strict=True)
            )
            for point in product(range(5), repeat=3)
        )
    if found is None or maximum(costs, system, ends) != found.value:
        return False
    at = all(
        sum(a * x for a, x in zip(row, found.point, strict=True)) == b
        for row, b in zip(system, ends, strict=True)
    )
    bounds = [
        sum(y * row[k] for y, row in zip(found.dual, system, strict=True)) >= costs[k] for k in range(3)
    ]
    value = sum(a * x for a, x in zip(costs, found.point, strict=True))
    proved = sum(y * b for y, b in zip(found.dual, ends, strict=True))
    return at and min(found.point) >= 0 and all(bounds) and value == proved == found.value


PROGRAMS = Every("linear program", _programs, _is_proved_by_its_dual)


@claim(
    "establish/rules-say-their-sentences",
    where="Disclosure limitation",
    says="The p%, pq and nk rules call a cell sensitive by their sentences, and multiplicative noise "
    "publishes what its factors allow.",
    states=(RULES, NOISE),
)
def rules_say_their_sentences() -> Verdict:
    """Every multiset of up to four contributions of 0, 1, 5 and 100; for the noise all four ends of a factor.
    Its variance is a third of s² + st + t², by Simpson's rule, which is exact for squares.
    """
    return holds(
        exhaustive.each(RULES, "up to four contributions of 0, 1, 5 or 100"),
        exhaustive.each(NOISE, "values 0 to 12, factors 10% to 25% off 1, with and without rounding"),
    )


@claim(
    "establish/linear-programs-are-proved-by-their-duals",
    where="Cell suppression: linear programs",
    says="The optimum of a linear program comes with a point that attains it and a dual that proves it.",
    states=PROGRAMS,
)
def linear_programs_are_proved_by_their_duals() -> Verdict:
    """c·x = y·b with A·x = b, x ≥ 0 and y·A ≥ c: no point has more, as c·x ≤ y·A·x = y·b."""
    return holds(exhaustive.each(PROGRAMS, "two equations over three unknowns, factors 0, 1, 2"))
