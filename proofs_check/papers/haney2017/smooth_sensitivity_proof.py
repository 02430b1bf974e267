"""The proof of Lemma 8.5: the larger of two smooth bounds, and counts within several steps."""

from fractions import Fraction

from establish import Verdict, claim, exact, fails, solver
from establish.proofs_check.engine.statements import AtMost, Equal, Integer, Rational, Real, computed, given
from establish.proofs_check.papers.haney2017.smooth_sensitivity import IN_STEPS, TENTH, in_steps_evidence
from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.relations.growth import growth_bound, largest_after

SHARE_SMOOTH = AtMost(
    Real("α", above=0),
    Real("s", least=0),
    Real("t", least=lambda c, alpha, s: s, most=lambda c, alpha, s: largest_after(s, alpha, c)),
    left=lambda c, alpha, s, t: alpha * t,
    right=lambda c, alpha, s, t: (1 + alpha) * (alpha * s),
)
"""S2 = αx is smooth along every neighbor, with e^b = 1 + α."""


LARGER_OF_TWO = AtMost(
    Real("e^b", least=1),
    Real("S_1(x)", least=0),
    Real("S_2(x)", least=0),
    Real("S_1(y)", least=0, most=lambda c, growth, one, two: growth * one),
    Real("S_2(y)", least=0, most=lambda c, growth, one, two, _: growth * two),
    left=lambda c, growth, one, two, one_y, two_y: c.maximum(one_y, two_y),
    right=lambda c, growth, one, two, one_y, two_y: growth * c.maximum(one, two),
)
"""If both bounds are smooth along a pair of neighbors, so is the larger of the two."""


UPPER = AtMost(
    *(Real(name, least=0) for name in ("S_1", "S_2")),
    Real("LS_1", least=0, most=lambda c, one, two: one),
    Real("LS_2", least=0, most=lambda c, one, two, _: two),
    left=lambda c, one, two, first, second: c.maximum(first, second),
    right=lambda c, one, two, first, second: c.maximum(one, two),
)
"""The larger of two upper bounds is one on both."""

_BOUNDS = tuple(Real(name, least=0) for name in ("S_1(x)", "S_2(x)", "S_1(y)", "S_2(y)"))


def _larger_moves(c: World, one: Number, two: Number, one_y: Number, two_y: Number) -> Number:
    return c.absolute(c.maximum(one, two) - c.maximum(one_y, two_y))


MOVES_LESS = tuple(
    AtMost(*_BOUNDS, left=_larger_moves, right=lambda c, *v, of=of: c.absolute(v[of] - v[of + 2]))
    for of in (0, 1)
)
"""The larger differs by at most what S_1 differs by, and by at most what S_2 does, as printed."""

MOVES_AS_MUCH = AtMost(
    *_BOUNDS,
    left=_larger_moves,
    right=lambda c, one, two, one_y, two_y: c.maximum(c.absolute(one - one_y), c.absolute(two - two_y)),
)

_OF_ONE = (Integer("q(x)", least=0), Integer("q(y)", least=0), Integer("q(z)", least=0), Real("e^b", least=1))
_ONE_APART = [
    given(lambda c, x, y, z, growth: c.absolute(x - y), "==", lambda c, *_: c.number(1)),
    given(lambda c, x, y, z, growth: c.absolute(y - z), "==", lambda c, *_: c.number(1)),
]
BY_ONE = AtMost(
    *_OF_ONE,
    left=lambda c, x, y, z, growth: c.absolute(y - z),
    right=lambda c, x, y, z, growth: growth * c.absolute(x - y),
    given=_ONE_APART,
)
"""Along neighbors by one worker the sensitivity is 1 everywhere, which is smooth for every b ≥ 0."""

BY_EPSILON = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    Real("x", least=0),
    left=lambda c, alpha, factor, x: c.maximum(factor * x, x + 1),
    right=lambda c, alpha, factor, x: x + growth_bound(x, alpha, c),
)
"""The largest of N1, x + 1, or of N2, a factor of x, is the largest neighbor of all."""

BY_ALPHA = Equal(
    Real("α", above=0),
    Real("x", least=0),
    left=lambda c, alpha, x: c.maximum((1 + alpha) * x, x + 1),
    right=lambda c, alpha, x: x + growth_bound(x, alpha, c),
)


def _reached(c: World, alpha: Fraction, x: Fraction, j: int) -> Number:
    """α times the largest count within j steps of x: a larger one goes no less far."""
    size: Number = c.number(x)
    for _ in range(j):
        size = largest_after(size, alpha, c)
    return c.number(alpha) * size


POWERS = Equal(
    Rational("α", above=0),
    Rational("x", least=0),
    Integer("j", least=0),
    left=computed(_reached),
    right=computed(lambda c, alpha, x, j: c.number(x * alpha * (1 + alpha) ** j)),
)
"""A^(j)(x), the maximum of α·y over all counts y within j steps, is x·α·(1+α)^j."""


def _farthest(c: World, alpha: Fraction, growth: Fraction, x: Fraction) -> Number:
    """The largest e^(−jb)·A^(j)(x): from α times the count ≥ 1 on it falls, as e^b ≥ 1 + α."""
    size, scale = EXACT.number(x), EXACT.number(1)
    largest = alpha * size
    while alpha * size < 1 and (after := largest_after(size, alpha, EXACT)) > size:
        size, scale = after, scale * growth
        largest = max(largest, alpha * size / scale)
    return c.number(largest)


SMOOTH_SHARE = Equal(
    Rational("α", above=0),
    Rational("e^b", least=lambda c, alpha: 1 + alpha),
    Rational("x", least=0),
    left=computed(_farthest),
    right=computed(lambda c, alpha, growth, x: c.number(alpha * x + 0 * growth)),
)
"""S* of S2, the largest e^(−jb)·A^(j)(x), is the largest ((1+α)/e^b)^j·αx: that of j = 0 for e^b ≥ 1 + α."""


@claim(
    "haney2017/lemma-8.5-proof",
    where="Appendix B, proof of Lemma 8.5",
    says="If S1 and S2 are smooth upper bounds for two sets of neighbors, max(S1, S2) is one for both. N1 "
    "are the neighbors of one worker more, N2 those whose employment differs by a factor of at most ε, S1 = "
    "1 and S2 = αx; for S2, A^(j)(x) = α·x·(1+α)^j, since the largest reachable count is x·(1+α)^j, so that "
    "S* is the largest ((1+α)/e^b)^j·αx.",
    states=(UPPER, LARGER_OF_TWO, *MOVES_LESS, BY_ONE, BY_EPSILON, SHARE_SMOOTH, POWERS, SMOOTH_SHARE),
    meant=(MOVES_AS_MUCH, BY_ALPHA, IN_STEPS),
)
def proof_combines_bounds_that_are_not_smooth() -> Verdict:
    """The general claim needs each S smooth along every neighbor, not only its own set. S2 = αx is not: one
    hire takes x = 1 to x = 2 and doubles it, more than e^b = 1+α. The maximum max(αx, 1) is smooth all the
    same, by a direct argument (haney2017/lemma-8.5-real). It differs by at most the larger of the
    differences of S1 and of S2, and not by at most each of them: S1 = 1 does not differ at all. Below 1/α
    one hire grows a count faster than the share α does: it takes x = 0 to 1, and 1 to 2, where x·(1+α) is 0
    and 1.1. The formulas for A^(j) and for S* are right from x ≥ 1/α on (on real counts). The ε of N2 is
    a slip for 1 + α: Definition 7.1 bounds growth by the share α.
    """
    return fails(
        *map(solver.proves, (UPPER, LARGER_OF_TWO, BY_ONE, MOVES_AS_MUCH)),
        exact.refuted(MOVES_LESS[0], **{"S_1(x)": 1, "S_2(x)": 1, "S_1(y)": 1, "S_2(y)": 2}),
        exact.refuted(MOVES_LESS[1], **{"S_1(x)": 1, "S_2(x)": 1, "S_1(y)": 2, "S_2(y)": 1}),
        exact.refuted(SHARE_SMOOTH, α=TENTH, s=1, t=2),
        exact.refuted(POWERS, α=TENTH, x=0, j=1),
        exact.refuted(POWERS, α=TENTH, x=1, j=1),
        exact.refuted(SMOOTH_SHARE, **{"α": TENTH, "e^b": 1 + TENTH, "x": 1}),
        exact.refuted(BY_EPSILON, α=TENTH, ε=3, x=1),
        solver.proves(BY_ALPHA),
        in_steps_evidence(),
        counterexample="α = 1/10, e^b = 1.1, x = 1 → 2: S2 goes from 1/10 to 2/10 > 11/100; j = 1: from x = "
        "0 one worker is reachable and x·(1+α) = 0, from x = 1 two, and x·(1+α) = 1.1",
        condition="the lemma's formula survives: the maximum is smooth although S2 is not; A^(j) is right "
        "for x ≥ 1/α on real counts, and N2 with the factor 1 + α",
    )
