"""Section 5.2: what attackers infer from noise-infused tables about shapes and sizes."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import z3

from establish import Equal, Integer, Real, Verdict, aside, claim, exact, fails, holds, solver, symbolic
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import EverySum
from establish.proofs_check.papers.haney2017.noise_infusion import (
    FACTORS,
    INFUSION,
    NOT_REVEALED,
    RANGE,
    THREE_AND_FOUR,
    UP,
    ZERO,
    factor_range,
)
from establish.spec.attacks import primitive_attack, shape_attack, size_attack, success_probability
from establish.spec.mechanisms.noise_infusion import Histogram, NoiseInfusion, Table

ROUNDED = NoiseInfusion(RANGE, rounding=True)

ABOVE_LIMIT: tuple[Histogram, ...] = tuple(product(range(3, 9), repeat=2))
"""Two cells of one establishment, 3 to 8 workers each, so that both exceed S."""

MEN, WOMEN = ("man",), ("woman",)
SEXES = (MEN, WOMEN)


def shares(histogram: Histogram) -> Table:
    """The true shape."""
    return tuple(Fraction(count, sum(histogram)) for count in histogram)


def success_rate(
    infusion: NoiseInfusion,
    histograms: Iterable[Histogram],
    attack: Callable[[Table, Histogram], object],
    secret: Callable[[Histogram], object],
) -> Fraction:
    """The average over histograms and FACTORS of the probability that the attack is right."""

    def chance(histogram: Histogram, f: Fraction) -> Fraction:
        return success_probability(
            lambda table: attack(table, histogram), secret(histogram), infusion.published([histogram], [f])
        )

    chances = [chance(histogram, f) for histogram in histograms for f in FACTORS]
    return sum(chances, ZERO) / len(chances)


def _shape_rate(infusion: NoiseInfusion, histograms: Iterable[Histogram]) -> Fraction:
    return success_rate(infusion, histograms, lambda table, _: shape_attack(table), shares)


def _size_rate(infusion: NoiseInfusion, histograms: Iterable[Histogram]) -> Fraction:
    """The attacker knows the first cell, and wants all counts."""
    return success_rate(
        infusion, histograms, lambda table, h: size_attack(table, 0, h[0]), lambda h: tuple(h)
    )


_FACTOR = Real("f", above=0)

SHAPE_IS_EXACT = Equal(
    _FACTOR,
    Real("h", least=0),
    Real("others", above=0),
    left=lambda c, f, h, others: shape_attack((f * h, f * others))[0],
    right=lambda c, f, h, others: h / (h + others),
)
"""The attack on one cell beside the sum of the others, published with one factor, gives its true share."""

COUNTS_ARE_EXACT = tuple(
    Equal(
        _FACTOR,
        Integer("known", least=3),
        Real("h", least=0),
        left=lambda c, f, known, h, place=place: size_attack((f * known, f * h), 0, known)[place],
        right=right,
    )
    for place, right in ((0, lambda c, f, known, h: c.number(known)), (1, lambda c, f, known, h: h))
)
"""With one true count above S known, the attack gives that count and any other, or the total."""

TOTAL_IS_EXACT = EverySum(COUNTS_ARE_EXACT[1], shared=["f", "known"])
"""And so the sum over any number of other cells."""


@claim(
    "haney2017/sdl-shape-attack",
    where="Section 5.2",
    says="When one establishment meets the workplace criterion and all its cells exceed S, the published "
    "cells are the true ones times one factor: they reveal its shape exactly.",
    states=SHAPE_IS_EXACT,
    tight=SHAPE_IS_EXACT,
)
def one_factor_cancels_in_the_shape() -> Verdict:
    """f·h(c)/Σ f·h(c') = h(c)/Σ h(c'), for every factor; zero cells stay zero and do not disturb it. A cell
    in (0, S) does, and so does rounding: then the shape is approximate.
    """
    small = [(3, n) for n in (1, 2)]
    rate = _shape_rate(ROUNDED, ABOVE_LIMIT)
    return holds(
        symbolic.proves(SHAPE_IS_EXACT),
        aside(exact.compare(_shape_rate(INFUSION, small), "<", 1, "success beside a cell of 1 or 2")),
        aside(exact.compare(rate, "<", 1, "success when the cells are rounded")),
        value="success probability 1",
        condition=f"no cell in (0, S), no rounding (with rounding {rate} of the 216 cases with two cells of "
        "3 to 8 workers and six factors)",
    )


@claim(
    "haney2017/sdl-size-attack",
    where="Section 5.2",
    says="Knowing one true cell count above S of the only establishment, the attacker reconstructs f_w, all "
    "other cells and the total.",
    states=(*COUNTS_ARE_EXACT, TOTAL_IS_EXACT),
    tight=(*COUNTS_ARE_EXACT, TOTAL_IS_EXACT),
)
def one_known_count_reveals_all() -> Verdict:
    """published(c)/h(c) = f_w for the known cell, and published(c')/f_w = h(c') for the others. It needs
    the exact shape: a cell with 1 or 2 workers is a draw and is not reconstructed. The total is, from
    the separately published total: f·n/f = n for n > S.
    """
    exact_evidence = tuple(map(symbolic.proves, COUNTS_ARE_EXACT))
    beside_one = INFUSION.published([(100, 1)], [UP])
    rate = _size_rate(ROUNDED, ABOVE_LIMIT)
    return holds(
        *exact_evidence,
        term_by_term(TOTAL_IS_EXACT, exact_evidence[1]),
        aside(
            exact.compare(
                success_probability(lambda table: size_attack(table, 0, 100)[1], Fraction(1), beside_one),
                "==",
                0,
                "100 known and 1 unknown worker, f = 11/10: probability that the 1 is found",
            )
        ),
        aside(exact.compare(rate, "<", 1, "success when the cells are rounded")),
        value="success probability 1",
        condition=f"no other cell in (0, S), no rounding (with rounding {rate} of the 216 cases with two "
        "cells of 3 to 8 workers and six factors)",
    )


@claim(
    "haney2017/sdl-exact-only-with-known-count",
    origin="implied",
    where="Section 5.2",
    says="Exact disclosure occurs only when one of the counts h(w, c) is known exactly.",
    states=NOT_REVEALED,
)
def no_count_need_be_known() -> Verdict:
    """Counts are integers: the published ratios and a bound on the factors suffice when the counts have no
    common divisor and t < 1/3. Nothing about the establishment is known beforehand.
    """
    f, g, s, t, k = z3.Reals("f g s t k")
    rate = success_rate(
        INFUSION, ABOVE_LIMIT, lambda table, _: primitive_attack(table, RANGE.t), lambda h: [h]
    )
    return fails(
        exact.refuted(NOT_REVEALED, **THREE_AND_FOUR),
        solver.for_all(
            [*factor_range(f, s, t), *factor_range(g, s, t), 3 * t < 1, k >= 2],
            f != k * g,
            "t < 1/3: a histogram and its multiple never share a published table",
        ),
        counterexample="3 men and 4 women, f = 11/10, published 33/10 and 44/10: with t = 1/4 known, only "
        "(3, 4) fits, and the factor is 11/10",
        value=f"{rate} of the 216 cases with two cells of 3 to 8 workers and six factors, t = 1/4",
        condition="unrounded values, t < 1/3 known",
    )
