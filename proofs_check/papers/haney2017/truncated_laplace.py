"""Section 6: projection, the sensitivity of truncated counts, and the noise that it costs."""

from fractions import Fraction
from itertools import product

from establish import AtMost, Below, Equal, Every, Integer, Moment, Real, ShapeUniverse, SizeUniverse, claim
from establish.proofs_check.engine.methods import enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import coordinatewise, one_coordinate, term_by_term
from establish.proofs_check.engine.statements import AddsNoise, Comparison, EverySum
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Verdict,
    aside,
    holds,
    holds_loosely,
    not_checkable,
)
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions import laplace
from establish.spec.mechanisms.laplace import LaplaceMechanism
from establish.spec.mechanisms.truncated_laplace import (
    Boundary,
    contribution,
    enumerated_sensitivity,
    is_kept,
    sensitivity,
    truncated_count,
)
from establish.spec.relations.node import Node
from establish.spec.sensitivity import global_sensitivity

WORKFORCES = (
    Integer("θ", least=1),
    Integer("x", least=0),
    Integer("m", least=0, most=lambda c, theta, x: x),
    Integer("y", least=0),
    Integer("n", least=0, most=lambda c, theta, x, m, y: y),
)
"""Any two workforces of one establishment, of x and of y workers, of which m and n match."""


def _changes_by(boundary: Boundary, most: Formula) -> Comparison:
    """What one establishment changes of a truncated count is at most ``most(c, θ)``."""

    def change(c: World, theta: int, x: int, m: int, y: int, n: int) -> Number:
        before, after = (
            contribution(matching, size, sensitivity(theta, boundary), c)
            for matching, size in ((m, x), (n, y))
        )
        return c.absolute(before - after)

    return AtMost(*WORKFORCES, left=change, right=lambda c, theta, *_: most(c, theta))


PRINTED = _changes_by(Boundary.BELOW, lambda c, theta: theta)
EXACTLY, KEPT = (
    _changes_by(boundary, lambda c, theta, boundary=boundary: sensitivity(theta, boundary))
    for boundary in Boundary
)
REACHED, REACHED_KEPT = (
    Equal(
        Integer("θ", least=1),
        left=lambda c, theta, boundary=boundary: contribution(
            sensitivity(theta, boundary), sensitivity(theta, boundary), sensitivity(theta, boundary), c
        ),
        right=lambda c, theta, boundary=boundary: sensitivity(theta, boundary),
    )
    for boundary in Boundary
)
"""An empty establishment may become one of the largest size kept, all of whose workers match."""

ANSWERED = AddsNoise(
    Real("ε", above=0),
    Real("θ", least=1),
    law=lambda c, epsilon, theta, count: laplace.Laplace(count, theta / epsilon, c),
    sensitivity=lambda c, epsilon, theta: theta,
    level=lambda c, epsilon, theta: epsilon,
)
"""Laplace(θ/ε) noise protects answers of sensitivity θ."""


def answered_evidence() -> Evidence:
    """|o − y| − |o − x| ≤ |x − y|."""
    loss, *signs = one_coordinate(ANSWERED)
    return coordinatewise(ANSWERED, solver.proves(loss), *map(solver.owed, signs))


@claim(
    "haney2017/sec6-trunc-sensitivity",
    where="Section 6",
    says="After projection, removing nodes until all have degree less than θ, counts have sensitivity θ "
    "and can be answered with Laplace(θ/ε) noise.",
    states=(PRINTED, ANSWERED),
    tight=(EXACTLY, REACHED, KEPT, REACHED_KEPT),
    scope="node neighbors: one establishment has another workforce; a count over any property",
)
def largest_kept_workforce_is_the_sensitivity() -> Verdict:
    """One establishment changes, from any workforce to any other. Its contribution lies between 0 and the
    largest size that is kept, and both occur: an empty one may become one of that size. With degrees less
    than θ this is θ − 1, so Laplace(θ/ε) loses (1 − 1/θ)ε; if exactly θ workers are kept it is θ, and the
    loss is ε. Each worker has one job, so that removing an employer changes no other degree. ('Until all
    nodes have degree less than θ' and Section 10's 'counts ≥ θ' remove an establishment of exactly θ workers;
    'more than 1,000 employees' keeps it.)
    """
    cases = [
        (theta, boundary, establishments, kinds)
        for theta in (1, 2, 3)
        for boundary in Boundary
        for establishments, kinds in ((1, 1), (2, 1), (1, 2))
    ]
    return holds_loosely(
        *map(solver.proves, (PRINTED, EXACTLY, KEPT, REACHED, REACHED_KEPT)),
        answered_evidence(),
        aside(
            exhaustive.for_all(
                cases,
                lambda case: enumerated_sensitivity(*case) == sensitivity(case[0], case[1]),
                "the sensitivity by definition is the largest size that is kept",
                "θ = 1, 2, 3; one or two establishments of up to θ + 1 workers of each of one or two kinds",
            )
        ),
        value="θ − 1 (θ if establishments of exactly θ workers are kept)",
        condition="node neighbors differ in one employer's workforce; each worker has one job",
    )


ALL_EXCLUDED = EverySum(
    Equal(
        Integer("θ", least=1),
        Integer("degree", least=lambda c, theta: theta),
        left=lambda c, theta, degree: (
            1 - contribution(c.number(1), degree, sensitivity(theta, Boundary.BELOW), c)
        ),
        right=lambda c, theta, degree: 1 + 0 * degree,
    ),
    shared=["θ"],
)
"""Of the nodes of degree θ or more, as many are excluded as there are."""


@claim(
    "haney2017/sec6-fraction-excluded",
    origin="implied",
    states=ALL_EXCLUDED,
    tight=ALL_EXCLUDED,
    where="Section 6",
    says="A significant fraction of the nodes with degree larger than θ is excluded.",
)
def every_large_node_is_excluded() -> Verdict:
    """All of them are, and the nodes of degree θ as well, because those that stay have a degree less
    than θ. (What fraction of all nodes that is depends on the data.)
    """
    return holds_loosely(
        term_by_term(ALL_EXCLUDED, solver.proves(ALL_EXCLUDED.term)), value="all nodes with degree θ or more"
    )


_WORKERS = Integer("workers", least=1)
AT_MOST_ALL = (
    AtMost(
        _WORKERS,
        Integer("elsewhere", least=0, most=lambda c, workers: workers),
        Integer("x", least=0, most=lambda c, workers, elsewhere: workers - elsewhere),
        left=lambda c, workers, elsewhere, x: abs(elsewhere + x - elsewhere),
        right=lambda c, workers, elsewhere, x: workers,
    ),
    Equal(_WORKERS, left=lambda c, workers: abs(workers - 0), right=lambda c, workers: workers),
)
"""Any number of potential workers may come or go with an establishment, or all of them."""

NO_SCALE_IS_ENOUGH = Below(
    Real("ε", above=0),
    Real("scale", above=0),
    Real("workers", above=lambda c, epsilon, scale: epsilon * scale),
    left=lambda c, epsilon, scale, workers: epsilon,
    right=lambda c, epsilon, scale, workers: (
        laplace.log_density(c.number(0), c.number(0), scale, c)
        - laplace.log_density(c.number(0), workers, scale, c)
    ),
)
"""Whatever the scale of Laplace noise is, with enough workers the output 0 has a loss of more than ε."""


@claim(
    "haney2017/sec6-laplace-inapplicable",
    where="Section 6",
    says="Under node privacy edge counts have no a priori bound on their sensitivity but the number of "
    "nodes, so that the Laplace mechanism is inapplicable.",
    states=(*AT_MOST_ALL, NO_SCALE_IS_ENOUGH),
    tight=AT_MOST_ALL,
)
def untruncated_counts_are_unbounded() -> Verdict:
    """An establishment may have any number of the potential workers, and be empty in a neighbor: the
    sensitivity of a count is the number of potential workers. Noise of any scale, chosen before that number
    is known, is too little for some number.
    """
    return holds(
        *map(solver.proves, (*AT_MOST_ALL, NO_SCALE_IS_ENOUGH)),
        aside(
            exhaustive.for_all(
                product(range(1, 3), range(1, 6)),
                lambda case: global_sensitivity(sum, Node(SizeUniverse(case[0], case[1]))) == case[1],
                "the sensitivity by definition is the number of potential workers",
                "one or two establishments of up to 1, …, 5 workers",
            )
        ),
        value="the number of potential workers",
    )


Cells = tuple[int, int, tuple[int, ...]]
"""θ, the kinds of workers, and the cell of each establishment."""


def _marginal_sensitivity(case: Cells) -> Fraction:
    """The L1 sensitivity of all truncated counts of a marginal, over all node neighbors."""
    theta, kinds, cells = case

    def marginal(d: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        return tuple(
            truncated_count(
                [shape for shape, own in zip(d, cells, strict=True) if own == cell], theta, Boundary.BELOW
            )
            for cell in (0, 1)
        )

    return global_sensitivity(marginal, Node(ShapeUniverse(len(cells), kinds, theta + 1)))


IN_ONE_CELL = Every(
    "marginal (θ, kinds of workers, cells of the establishments)",
    lambda: ((2, 1, (0,)), (1, 1, (0, 1)), (2, 1, (0, 0)), (2, 1, (0, 1)), (3, 1, (0, 1)), (2, 2, (1,))),
    lambda case: _marginal_sensitivity(case) == sensitivity(case[0], Boundary.BELOW),
    larger=lambda: ((3, 2, (0,)), (4, 1, (0, 1))),
    wrong=lambda case: _marginal_sensitivity(case) == case[0],
)
"""The L1 sensitivity of a marginal over establishment attributes is that of one truncated count."""


@claim(
    "haney2017/sec6-marginal-sensitivity",
    origin="implied",
    where="Section 6",
    says="A summary by place, industry and ownership needs Laplace noise with the sensitivity of one count "
    "in every cell.",
    states=(EXACTLY, IN_ONE_CELL, ANSWERED),
    scope="node neighbors; cells formed by establishment attributes",
)
def establishments_lie_in_one_cell() -> Verdict:
    """Each establishment is in one cell of a marginal over establishment attributes, so its L1 sensitivity
    is that of one truncated count. With worker attributes it is not so: when one workforce replaces
    another, θ − 1 men may become θ − 1 women, and the vector changes by 2(θ − 1).
    """
    theta = 3
    by_sex = ShapeUniverse(1, 2, theta + 1)

    def sexes(d: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        men, women = d[0]
        return (men, women) if is_kept(men + women, theta, Boundary.BELOW) else (0, 0)

    return holds(
        solver.proves(EXACTLY),
        exhaustive.each(IN_ONE_CELL, "six marginals of one or two establishments of up to θ + 1 workers"),
        answered_evidence(),
        aside(
            exact.compare(
                global_sensitivity(sexes, Node(by_sex)), "==", 2 * (theta - 1), "θ = 3, counts by sex"
            )
        ),
        value="θ − 1 in total",
        condition="cells formed by establishment attributes only",
    )


EXPECTED_NOISE = Moment(
    Real("s", above=0),
    law=lambda c, scale: laplace.Laplace(c.number(0), scale, c),
    of=lambda c, noise: c.absolute(noise),
    closed=lambda c, scale: scale,
    breaks=[lambda c, scale: c.number(0)],
)
COUNT_IS_LESS = Below(
    Integer("count", least=0, most=999),
    left=lambda c, count: count,
    right=lambda c, count: LaplaceMechanism(1, 1000).noise_scale + 0 * count,
)
"""E|η| is the scale, and at ε = 1 and sensitivity 1000 that is more than a count below 1000."""


@claim(
    "haney2017/sec6-noise-gt-count",
    states=(EXPECTED_NOISE, COUNT_IS_LESS),
    where="Section 6",
    says="Laplace noise with sensitivity 1000 exceeds in expectation, even at ε = 1, the counts that are "
    "less than 1000.",
)
def expected_noise_is_a_thousand() -> Verdict:
    """E|η| = 1000/ε = 1000 at ε = 1, more than any count below 1000 (E η itself is 0). Of the other cells
    it says nothing; at a count of 1000 the two are equal. Expected is not usual: |η| exceeds a count of
    999 with probability e^(−.999) = .368... only, and its median is 1000 ln 2 = 693.1....
    """
    return holds(
        symbolic.integrates(EXPECTED_NOISE),
        solver.proves(COUNT_IS_LESS),
        aside(
            enclosure.compare(
                lambda c: c.exp(c.number(Fraction(-999, 1000))),
                "<",
                lambda c: c.number(Fraction(1, 2)),
                "probability that |η| > 999",
            )
        ),
        value="1000",
        condition="|η| is meant, and cells with counts below 1000; which cells these are is confidential",
    )


@claim(
    "haney2017/sec6-93-percent",
    where="Section 6",
    says="At θ = 1000 between 740 and 815 establishments are removed, and over 93% of the counts by place, "
    "industry and ownership are less than 1000.",
)
def large_establishments_and_small_cells_are_confidential() -> Verdict:
    """The counts are those of the confidential LODES sample. The true number of establishments was published
    with noise; see the claim about footnote 7 for the interval itself.
    """
    return not_checkable("the counts of the confidential LODES sample")


_HALF, _EPSILON = Fraction(815 - 740, 2), Fraction(1, 10)
COVERED = Below(
    left=lambda c: c.number(Fraction(95, 100)),
    right=lambda c: (
        laplace.cdf(c.number(_HALF), c.number(0), c.number(LaplaceMechanism(_EPSILON).noise_scale), c)
        - laplace.cdf(c.number(-_HALF), c.number(0), c.number(LaplaceMechanism(_EPSILON).noise_scale), c)
    ),
)
"""P(|η| ≤ 37.5) for the noise of the Laplace mechanism at ε = 0.1: the interval is wider than it need be."""

ENOUGH = Below(left=lambda c: 20 * c.log(c.number(20)) + 2, right=815 - 740)
"""The width of the 95% interval, rounded outwards, against the printed one."""


@claim(
    "haney2017/sec6-footnote-7",
    where="Section 6, footnote 7",
    says="740 to 815 is the 95% confidence interval for the number of establishments with more than 1,000 "
    "employees, counted by the Laplace mechanism with ε = 0.1.",
    states=COVERED,
    tight=ENOUGH,
)
def interval_is_wider_than_95_percent() -> Verdict:
    """One establishment changes the number by 1, so the noise is Laplace(10). The 95% interval is ±
    10·ln 20, 59.9 wide; rounded outwards to integers it is less than 62 wide. The printed one is 75
    wide, which covers 1 − e^(−3.75) = 97.6%. It would fit ± 10·ln 40 = ± 36.9, both ends rounded
    outwards: 2.5% used in log(1/p)/ε for each tail, although that formula counts both tails.
    """
    with enclosing():
        width = enclosure.digits(20 * ARB.log(ARB.number(20)))
    return holds_loosely(
        exact.decided(COVERED),
        exact.decided(ENOUGH),
        value=f"width {width}",
        condition="the interval is symmetric about the noisy count; node neighbors",
    )
