"""What it costs to draw several quantiles and the total by how equal the gaps are."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from establish import Every, Verdict, aside, claim, exact, exhaustive, holds, solver
from establish.proofs_check.engine.rules import by_one_gap, one_more, term_by_term
from establish.proofs_check.engine.statements import OneDraw
from establish.proofs_check.papers.ours.small_mechanisms import (
    CHANGE,
    HALF,
    PRESENCE,
    QUARTILES,
    Mechanism,
    largest_ratio,
    private,
)
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.equal_gaps import EqualGaps, counts
from establish.spec.earnings.neighbors import Earnings
from establish.spec.indistinguishability import Distribution

PLACE = "Quantiles and the total in one draw"

LOSS = OneDraw(lambda c, ratio: ratio * ratio)
"""One draw costs e^ε = r², r = e^(ε/2), for the total and all quantiles together."""


def gaps(
    shares: tuple[Fraction, ...], weights: tuple[int, ...], totals: tuple[int, ...], half: Fraction = HALF
) -> Mechanism:
    """Quantiles from candidates 3, 5, … with these weights, and a total; its loss is 1/half²."""
    candidates = range(3, 2 * len(weights) + 3, 2)
    law = EqualGaps(candidates, [Fraction(w) for w in weights], shares, totals, half, EXACT)

    def output(d: Earnings) -> Distribution:
        return {drawn: Fraction(p) for drawn, p in law.output(d).items()}

    return output


THREE, ONE = QUARTILES, (HALF,)
STEEP, EVEN = (1, 50), (2, 1, 3)
"""Weights of candidates 3, 5 and 3, 5, 7; the steep ones come near the full loss."""


@claim(
    "establish/equal-gaps-loss",
    where=PLACE,
    says="Drawing a total and candidates with chances W(y)·e^(−ε·u/2), u = Σ_j |n_j − t_j|, costs ε when "
    "one individual is added or removed, for the total and all quantiles together.",
    states=LOSS,
    tight=LOSS,
)
def one_draw_costs_epsilon() -> Verdict:
    """One individual more is in one gap, whichever T and y: one n_j changes by 1, and u by at most 1. So each
    numerator changes by a factor of at most r = e^(ε/2), their sum as well, and a probability by at most r².
    W and the list of totals are public. An amount that is moved at random before, whatever the others are,
    mixes such laws, and a mixture costs no more. Exact laws on the small universe with e^ε = 4 are private at
    4, and at 16 when one individual's earnings change; with steep weights the exact value is above 3.8. With
    e^(−ε·u), without the half, e^ε is not enough: the exact value at e^ε = 4 is above 13.
    """
    steep = largest_ratio(gaps(ONE, STEEP, (2,)), PRESENCE)
    without = largest_ratio(gaps(ONE, STEEP, (2,), HALF**2), PRESENCE)
    moved, sums, quotients = one_more(LOSS)
    return holds(
        by_one_gap(
            LOSS, solver.proves(moved), term_by_term(sums, solver.proves(sums.term)), solver.proves(quotients)
        ),
        *(
            aside(private(gaps(shares, weights, totals), level, "a total and quantiles", relation))
            for shares, totals in ((ONE, (0, 2, 4)), (THREE, (3, 7)))
            for weights in (STEEP, EVEN)
            for level, relation in ((4, PRESENCE), (16, CHANGE))
        ),
        aside(exact.compare(steep, ">", Fraction(38, 10), "weights 1, 50: e^loss at e^ε = 4")),
        aside(exact.compare(without, ">", 13, "weights e^(−ε·u): e^loss at e^ε = 4")),
        value="ε",
        condition="the public law, the shares and the list of totals do not depend on the data",
    )


def _cases() -> Iterator[tuple[int, ...]]:
    yield from ((), (1,), (3, 3), (2, 4, 6), (1, 3, 5, 5))


def _counts_every_individual_once(earnings: tuple[int, ...]) -> bool:
    """Whoever earns a candidate's amount is in the gap that starts there."""
    found = {y: counts(earnings, y) for y in combinations_with_replacement((2, 3, 4, 6), 2)}
    below = {y: sum(e < y for e in earnings) for y in (2, 3, 4, 6)}
    return all(
        (n[0], n[0] + n[1], sum(n)) == (below[y[0]], below[y[1]], len(earnings)) for y, n in found.items()
    )


COUNTED = Every("earnings", _cases, _counts_every_individual_once)


def _weights() -> Iterator[tuple[tuple[int, ...], Fraction]]:
    yield from (((0, 1, 2), Fraction(6)), ((0, 0, 1), Fraction(1)), ((2, 2, 2), Fraction(27, 6)))


def _is_the_ordered_law(case: tuple[tuple[int, ...], Fraction]) -> bool:
    """Weights 1, 2, 3: the product over the factorials of how often each candidate occurs."""
    law = EqualGaps((1, 2, 3), (1, 2, 3), [Fraction(1, 4), HALF, Fraction(3, 4)], (0,), HALF, EXACT)
    places, weight = case
    return bool(law.public(places) == weight)


ORDERED = Every("places", _weights, _is_the_ordered_law)


@claim(
    "establish/equal-gaps-counts-and-weights",
    where=PLACE,
    states=(COUNTED, ORDERED),
    says="The gaps count every individual once, those who earn a candidate's amount in the gap from there "
    "on; the public law is that of independent candidates in order.",
)
def every_individual_is_in_one_gap() -> Verdict:
    """Two candidates among four, five lists of earnings; and three places with weights 1, 2, 3."""
    return holds(
        exhaustive.each(COUNTED, "five lists of earnings, pairs of four candidates"),
        exhaustive.each(ORDERED, "three lists of places"),
    )
