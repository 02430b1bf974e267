"""Table 1's first row: noise infusion meets no requirement."""

from fractions import Fraction
from itertools import product
from math import ceil

from establish import Below, Every, Real, Verdict, claim, exact, exhaustive, holds, solver
from establish.proofs_check.papers.haney2017.attacks import workers
from establish.proofs_check.papers.haney2017.attacks.totals import MEN, SEXES, WOMEN
from establish.proofs_check.papers.haney2017.noise_infusion import AT_E, FACTORS, INFUSION, ZERO_IS_KEPT
from establish.proofs_check.papers.haney2017.posterior import InformedPrior, certain_conclusion, either, sure
from establish.spec.attacks import shape_attack
from establish.spec.mechanisms.noise_infusion import Histogram
from establish.spec.requirements import RecordIs, ShapeIs, SizeIs

COMPARED: dict[str, tuple[Histogram, Histogram]] = {
    "individual": ((1, 0, 1, 1), (0, 1, 1, 1)),
    "size": ((2,), (3,)),
    "shape": ((10, 4), (11, 3)),
}
"""Histograms of the only establishment in two events that a requirement compares, given what is known."""


def _never_alike(case: tuple[str, Fraction, Fraction]) -> bool:
    """No table can be published in both events, whatever the factor in each: the Bayes factor is infinite."""
    name, f, g = case
    first, second = COMPARED[name]
    return not set(INFUSION.published([first], [f])) & set(INFUSION.published([second], [g]))


TOLD_APART = Every(
    "requirement, and factors in its two events", lambda: product(COMPARED, FACTORS, FACTORS), _never_alike
)


SIZES_APART = Below(
    Real("t", above=0, below="1/3"),
    Real("f", least=lambda c, t: 1 - t),
    left=lambda c, t, f: c.number(2) + 0 * f,
    right=lambda c, t, f: 3 * f,
)
SHAPES_APART = Below(
    Real("f", above=0),
    Real("g", above=0),
    left=lambda c, f, g: shape_attack((f * 10, f * 4))[0] + 0 * g,
    right=lambda c, f, g: shape_attack((g * 11, g * 3))[0] + 0 * f,
)
ALL_FACTORS = (ZERO_IS_KEPT, SIZES_APART, SHAPES_APART)
"""The same for all factors: an empty cell is published as 0, one worker as a draw of at least 1; two workers
as a draw of at most 2, three as more; and the shares of 10 and of 11 among 14 differ.
"""


@claim(
    "haney2017/table-1/noise-infusion",
    where="Table 1",
    says="Input noise infusion satisfies neither the individual, nor the size, nor the shape requirement.",
    states=(TOLD_APART, *ALL_FACTORS),
    tight=(TOLD_APART, *ALL_FACTORS),
)
def noise_infusion_meets_no_requirement() -> Verdict:
    """For each requirement an attacker with independent beliefs, and tables that are possible in one of the
    two compared events only: the Bayes factor is infinite, so no level ε is met. Individuals: the only
    worker with a degree, in one of two cells. Size: 2 against 3 ≤ ⌈1.1·2⌉ workers; 2 is published as 1
    or 2, and 3 as 3f > 2. Shape: 10 against 11 men of 14, which is 10% more, with all cells above S; the
    published ratios 10:4 and 11:3 differ for every factor.
    """
    tenth = Fraction(1, 10)
    man, woman = ("e", MEN), ("e", WOMEN)
    staff = InformedPrior(("e",), [sure(man)] * 10 + [sure(woman)] * 3 + [either(man, woman)], SEXES)
    three = InformedPrior(("e",), [either(AT_E, None)] * 3)
    return holds(
        *map(solver.proves, ALL_FACTORS),
        exhaustive.each(TOLD_APART, "one attack on each requirement, six factors in either event"),
        certain_conclusion(
            "individual, w1 is a man against a woman",
            workers.ONE_DEGREE,
            workers.published_cells(workers.DEGREES),
            RecordIs("w1", workers.DEGREE_MAN),
            RecordIs("w1", workers.DEGREE_WOMAN),
        ),
        exact.compare(3, "<=", ceil((1 + tenth) * 2), "sizes 2 and 3 are compared at α = 1/10"),
        certain_conclusion(
            "size, 3 against 2 workers", three, workers.published_cells(((),)), SizeIs("e", 3), SizeIs("e", 2)
        ),
        exact.compare(Fraction(11, 14), "<=", (1 + tenth) * Fraction(10, 14), "shares compared at α = 1/10"),
        certain_conclusion(
            "shape, 11 against 10 men of 14",
            staff,
            workers.published_cells(SEXES),
            ShapeIs("e", (MEN,), 11, 14),
            ShapeIs("e", (MEN,), 10, 14),
        ),
        value="Bayes factor ∞ for each requirement",
        condition="α = 1/10 in the examples; factors uniform on six values, small cells uniform",
    )
