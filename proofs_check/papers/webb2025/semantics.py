"""Sections 5.1 to 5.4.1 and Appendix D: neighbors, simultaneous protection, groups, firms, sampling."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from establish import AtMost, Equal, Every, Real, claim, exact, exhaustive, repeats, solver
from establish.proofs_check.engine.rules import any_psi
from establish.proofs_check.engine.statements import ComparisonOfPsi, EveryPsi, GaussianChains
from establish.proofs_check.engine.verdicts import Outcome, Verdict, aside, holds, ill_posed, misprint
from establish.proofs_check.papers.webb2025.firms import staircase
from establish.proofs_check.papers.webb2025.intervals import CLOSENESS
from establish.proofs_check.papers.webb2025.persons import (
    ONE_BY_ONE,
    steps_add_up,
    whole_numbers_close_to_none,
)
from establish.spec.arithmetic import Number, World
from establish.spec.neighbor_functions.functions import root
from establish.spec.neighbor_functions.intervals import rational_root_interval
from establish.spec.relations.psi import Psi

HALF = Fraction(1, 2)

SQUARES = (0, 1, 4, 9)
"""Sizes whose intervals under √ have rational ends."""


RELATION = Psi("sqrt", 1, SQUARES, 2)
SIMULTANEOUS = Psi("sqrt", (1, 2), SQUARES)


def _as_defined(pair: tuple[tuple[int, ...], ...]) -> bool:
    """Related exactly when one record changed to a close one, in either order."""
    d, d2 = pair
    changed = [(r, r2) for r, r2 in zip(d, d2, strict=True) if r != r2]
    near = len(changed) == 1 and all(root().close(r, r2, 1) for r, r2 in changed)
    return RELATION.related(d, d2) == RELATION.related(d2, d) == near


NEIGHBORS = Every(
    "pair of datasets",
    lambda: product(product(SQUARES, repeat=2), repeat=2),
    _as_defined,
    wrong=lambda pair: not RELATION.related(*pair),
)


def _mutual(r: tuple[int, ...], r2: tuple[int, ...]) -> bool:
    """Whether each attribute of r2 lies in the interval around that of r."""
    return all(
        low <= y <= high
        for x, y, gamma in zip(r, r2, (1, 2), strict=True)
        for low, high in [rational_root_interval(x, gamma)]
    )


def _pairs() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    records = list(product(SQUARES, repeat=2))
    return ((r, r2) for r, r2 in product(records, repeat=2) if r != r2)


AT_ONCE = Every(
    "pair of records",
    _pairs,
    lambda p: SIMULTANEOUS.related((p[0],), (p[1],)) == (_mutual(*p) and _mutual(*p[::-1])),
    wrong=lambda p: not SIMULTANEOUS.related((p[0],), (p[1],)),
)


@claim(
    "webb2025/def-5.5",
    where="Section 5.1, Definition 5.5",
    says="ψ-neighbors: one record is replaced by another record that is ψ-close to it.",
    states=NEIGHBORS,
    origin="implied",
)
def neighbors_are_well_defined() -> Verdict:
    """Closeness is symmetric, so the relation is; it changes one record and all confidential attributes of
    it that are close. It is not transitive: 0 and 1, 1 and 4 are neighbors at γ = 1 under √, 0 and 4 not.
    Number and public attributes of the establishments do not change.
    """
    return holds(
        exhaustive.each(NEIGHBORS, "two establishments of size 0, 1, 4 or 9, ψ = √, γ = 1"),
        aside(exact.compare(int(RELATION.related((0, 9), (4, 9))), "==", 0, "0 and 4 are not close")),
    )


@claim(
    "webb2025/sec5.3-simul",
    where="Section 5.3",
    says="The guarantee is simultaneous: it holds for any two records all of whose attributes lie in each "
    "other's intervals.",
    states=(AT_ONCE, *CLOSENESS, ONE_BY_ONE),
)
def all_attributes_may_change_at_once() -> Verdict:
    """Closeness asks for every attribute on its own, so a record may change in all attributes at once, each
    up to the end of its interval, and is still a neighbor. A mechanism pays for the joint change.
    """
    return holds(
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in CLOSENESS),
        steps_add_up(),
        exhaustive.each(AT_ONCE, "one establishment with two attributes of 0, 1, 4 or 9, ψ = √, γ = (1, 2)"),
        condition="public attributes are equal",
    )


def _floor_moves(x: Fraction, y: Fraction) -> int:
    """By how much ⌊√x + 1/4⌋ differs between x and y, squares of rationals."""
    low, high = sorted(math.isqrt(int(16 * v)) for v in (x, y))
    return (high + 1) // 4 - (low + 1) // 4


def _spread(values: Sequence[Fraction], gamma: Fraction) -> Fraction:
    """The largest difference of ⌊√x + 1/4⌋ between values that are close at that distance."""
    return max(
        Fraction(_floor_moves(x, y))
        for x, y in product(values, repeat=2)
        if x <= y and root().close(x, y, gamma)
    )


QUARTERS = tuple(Fraction(n * n, 16) for n in range(13))
"""The values of which √ is a multiple of 1/4, up to 9."""

GROUPS = Every(
    "multiple m of γ = 1",
    lambda: (Fraction(3, 2), Fraction(1), Fraction(2)),
    lambda m: _spread(QUARTERS, m) <= m * _spread(QUARTERS, Fraction(1)),
)
"""What ⌊√x + 1/4⌋ + N(0, 1/μ²) costs at mγ is at most m times what it costs at γ, on real values."""


def _cut(real: bool) -> ComparisonOfPsi:
    """Between values at most mγ apart lies, at a share of the way of ψ, one that is at most γ away: the first
    of m equal steps.
    """
    low = {"least" if real else "above": 0}
    return EveryPsi(
        Real("γ", least=0),
        Real("m", least=1),
        Real("x", **low),
        Real("y", **low),
        left=lambda psi, c, gamma, m, x, y: c.absolute(
            psi.value(psi.inverse(psi.value(x, c) + (psi.value(y, c) - psi.value(x, c)) / m, c), c)
            - psi.value(x, c)
        ),
        relation="<=",
        right=lambda psi, c, gamma, m, x, y: gamma,
        given=[
            (
                lambda psi, c, gamma, m, x, y: c.absolute(psi.value(x, c) - psi.value(y, c)),
                "<=",
                lambda psi, c, gamma, m, x, y: m * gamma,
            )
        ],
        real=real,
    )


FIRST_STEP = _cut(True), _cut(False)


CHANGES = GaussianChains("ψ-neighbors", level=lambda c, mu, d: (d - 1) * mu)
"""d changes, one after the other, cost (d − 1)μ, as printed; they cost dμ (ONE_BY_ONE)."""


@claim(
    "webb2025/rem-5.8",
    where="Section 5.3, Remark 5.8",
    says="μ-GEDP for γ_1, …, γ_k is mμ-GEDP for mγ_1, …, mγ_k.",
    states=GROUPS,
    meant=(*FIRST_STEP, ONE_BY_ONE),
)
def group_privacy_needs_values_in_between() -> Verdict:
    """Cut the way of ψ from x to y into m equal steps, at most γ each; ψ is continuous, so values in between
    exist, all attributes move together, and m steps cost mμ. On integer data they need not exist: at
    γ = 1/2 under √ the interval around 0 is [0, 1/4], so 0 employees are close to no other whole number, and
    a mechanism that tells exactly whether there are 0 is μ-GEDP on whole numbers for every μ. But
    |√1 − √0| = 1 = 2γ. And m must be a whole number: ⌊√x + 1/4⌋ moves by at most 1 between values that are
    close at γ = 1, and from 0 to 2 between 1/4 and 4, whose roots differ by 3/2.
    """
    return ill_posed(
        steps_add_up(),
        exact.compare(len(whole_numbers_close_to_none()), "==", 0, "whole numbers close to 0 at γ = 1/2"),
        exact.compare(int(root().close(0, 1, 2 * HALF)), "==", 1, "0 and 1 are close at 2γ = 1"),
        staircase()[0],
        exact.compare(int(root().close(HALF**2, 4, 3 * HALF)), "==", 1, "1/4 and 4 at (3/2)γ, γ = 1"),
        exact.refuted(GROUPS, case=3 * HALF),
        aside(exact.compare(_floor_moves(HALF**2, Fraction(4)), "==", 2, "⌊√4 + 1/4⌋ − ⌊√(1/4) + 1/4⌋")),
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in FIRST_STEP),
        condition="m a whole number, and attributes that take every nonnegative real value",
        counterexample="whole numbers, ψ = √, γ = 1/2, m = 2: 'are there 0 employees?' answered exactly is "
        "0-GEDP at γ, and tells 0 from 1, which are close at 2γ; real numbers, ψ = √, γ = 1, m = 3/2: "
        "⌊√x + 1/4⌋ + N(0, 1/μ²) is μ-GEDP and costs 2μ between 1/4 and 4",
    )


@claim(
    "webb2025/sec5.4.1-ell",
    where="Section 5.4.1",
    says="ℓ total changes to a firm, D_1, …, D_ℓ each a neighbor of the next, are as hard to detect as "
    "N(0,1) from N((ℓ−1)μ,1).",
    states=CHANGES,
    tight=ONE_BY_ONE,
    meant=ONE_BY_ONE,
)
def number_of_changes_is_off_by_one() -> Verdict:
    """D_1, …, D_ℓ are ℓ datasets, one step apart each: ℓ−1 changes, and (ℓ−1)μ is right for them. ℓ changes,
    one in each of ℓ establishments, need D_1, …, D_{ℓ+1} and cost ℓμ; for ℓ = 1 the printed bound would make
    a change of the only establishment cost nothing. Also printed: D_{i+i} for D_{i+1}, "pairwise" for
    consecutive neighbors, and "equivalent to" for "at least as hard as".
    """
    return misprint(
        exact.refuted(CHANGES, μ=1, chain=(0, 1)),
        steps_add_up(),
        reading="ℓ changes, D_1, …, D_{ℓ+1}, at least as hard as N(0,1) from N(ℓμ,1)",
        reading_is=Outcome.HOLDS,
        counterexample="ℓ = 1: the printed bound for one change is N(0,1) from N(0,1)",
        value="ℓμ",
    )


_SAMPLED = (Real("N", above=0), Real("x", least=0, most=lambda c, people: people), Real("n", above=0))


def _scaled(c: World, people: Number, x: Number, n: Number, power: int) -> Number:
    """n times the mean (power 1) or the variance (2) of an indicator with P(1) = x/N, scaled by N/n."""
    share, scale = x / people, people / n
    if power == 1:
        return n * scale * (share * 1 + (1 - share) * 0)
    return n * (scale * scale) * (share * c.power(1 - share, 2) + (1 - share) * c.power(0 - share, 2))


SAMPLE_UNBIASED = Equal(
    *_SAMPLED, left=lambda c, people, x, n: _scaled(c, people, x, n, 1), right=lambda c, people, x, n: x
)
SAMPLE_VARIANCE = Equal(
    *_SAMPLED,
    left=lambda c, people, x, n: _scaled(c, people, x, n, 2),
    right=lambda c, people, x, n: x * (people - x) / n,
)
AT_MOST_PER_SHARE = AtMost(
    *_SAMPLED[:2],
    Real("q", above=0, most=1),
    left=lambda c, people, x, q: x * (people - x) / (people * q),
    right=lambda c, people, x, q: x / q,
)
LENGTH_OF_ORDER_ROOT = AtMost(
    *_SAMPLED[:2],
    Real("q", above=0, most=1),
    Real("z", above=0),
    left=lambda c, people, x, q, z: 2 * z * c.sqrt(x * (people - x) / (people * q)),
    right=lambda c, people, x, q, z: 2 * z / c.sqrt(q) * c.sqrt(x),
)
SAMPLING = SAMPLE_UNBIASED, SAMPLE_VARIANCE, AT_MOST_PER_SHARE, LENGTH_OF_ORDER_ROOT
"""Of n = Nq independent draws; intervals of z standard deviations to either side are O(√x) for a fixed q."""


@claim(
    "webb2025/ex-5.9",
    where="Section 5.3, Example 5.9",
    says="A sample of n = Nq people of a region estimates a size x without bias and with variance "
    "x(N−x)/n ≤ x/q, so confidence intervals have length O(√x).",
    states=SAMPLING,
    tight=SAMPLE_VARIANCE,
)
def sampling_error_is_of_the_order_of_the_root() -> Verdict:
    """n independent Bernoulli(x/N) variables have mean nx/N and variance n(x/N)(1−x/N); x̂ multiplies by N/n.
    x/q − x(N−x)/(Nq) = x²/(Nq) ≥ 0. Drawn without replacement, the variance is smaller still by the factor
    (N−n)/(N−1). q = 0, which is not excluded, draws nobody.
    """
    return holds(*map(solver.proves, SAMPLING), value="x(N−x)/n", condition="q > 0, and q fixed as x grows")


repeats(
    "webb2025/ex-D.1",
    where="Appendix D, Example D.1",
    says="The example of Section 5.3 again, in the same words.",
    same_as="webb2025/ex-5.9",
)
