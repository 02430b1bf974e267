"""Sums that telescope, are moved or divided, or lie beside an integral: what does not follow is not shown."""

from dataclasses import replace

import pytest

from establish import Integer, OnIntegers, Real, RuleError, SumOnIntegers, exact, rules, solver
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.distributions.geometric import Geometric, ratio_of, weights_total

T, S = Real("t", above=0), Real("s", above=0)


def laplace(c, t, *_):
    return Geometric(0, ratio_of(t, c), c)


def gaussian(c, s, *_):
    return DiscreteGaussian(0, s, c)


def share(c, t, *_):
    return 1 / (1 - ratio_of(t, c))


def shown(statement):
    return solver.proves(statement, lambda c, *_: c.exp(c.number(0)))


def telescoped(statement, right=share, left=share, start=0):
    owed = rules.steps_of_sum(statement, right, left, 0, share, start)
    return rules.telescoped(statement, right, left, 0, share, start, *map(shown, owed))


TOTAL = SumOnIntegers(T, law=laplace, closed=lambda c, t: weights_total(ratio_of(t, c)))
CLOSER = replace(TOTAL, closed=lambda c, t: weights_total(ratio_of(t, c)) - c.number(1) / 1000)


def test_a_sum_telescopes_to_its_ends_and_to_nothing_else():
    assert telescoped(TOTAL).established
    assert telescoped(CLOSER).established is None
    assert exact.refuted(CLOSER, t=1).established


def test_a_sum_telescopes_by_no_other_terms():
    assert telescoped(TOTAL, right=lambda c, t, k: 2 * share(c, t)).established is None
    assert telescoped(TOTAL, left=lambda c, t, k: c.number(0)).established is None


def test_what_does_not_vanish_far_out_is_no_end():
    """With C/w(k) added F does not tend to 0, though every term still telescopes."""

    def kept(c, t, k):
        return share(c, t) + c.exp(c.absolute(k) / t)

    more = replace(TOTAL, closed=lambda c, t: weights_total(ratio_of(t, c)) + 1)
    assert telescoped(more, right=kept).established is None


def difference(by):
    """P(X > 0) − P(X > by), which is 0 for no by ≥ 1."""
    return OnIntegers(
        S, law=gaussian, of=lambda c, s, k: (1 if k > 0 else 0) - (1 if k > by else 0), closed=0
    )


def test_a_moved_index_shows_no_other_sum():
    statement = difference(1)

    def above(c, s, k):
        return c.number(1) if k > 0 else c.number(0)

    parts = (above, lambda c, s, k: c.number(0), 1, 0, 1)
    found = rules.moved_index(statement, *parts, *map(shown, rules.index_moved(statement, *parts)))
    assert found.established is None
    assert exact.refuted(statement, s=1).established


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_a_quotient_of_bounds_bounds_one_way(relation):
    """An upper bound over an upper bound bounds nothing."""
    above, below = (replace(TOTAL, relation=relation) for _ in range(2))
    with pytest.raises(RuleError, match="must be those of"):
        rules.above_and_below(OnIntegers(T, law=laplace, relation=relation, closed=1), above, below)


MEAN = OnIntegers(T, law=laplace, of=lambda c, t, k: k, degree=1, closed=0)
ONE = OnIntegers(S, law=gaussian, relation="<=", closed=1)
AROUND_1 = OnIntegers(S, law=lambda c, s: DiscreteGaussian(1, s, c), relation="<=", closed=1)
REFUSED = {
    "a start that is no whole number": (
        lambda: rules.steps_of_sum(TOTAL, share, share, 0, share, lambda c, t: t),
        "must be a whole number",
    ),
    "a mean that telescopes": (
        lambda: rules.steps_of_sum(OnIntegers(T, law=laplace, closed=1), share, share),
        "needs a sum of the weights",
    ),
    "a move by no whole number": (
        lambda: rules.index_moved(difference(1), share, share, lambda c, s: s),
        "must be a whole number",
    ),
    "a quotient of other sums": (lambda: rules.above_and_below(MEAN, TOTAL, TOTAL), "must be those of"),
    "larger means of two laws": (lambda: rules.below_together(ONE, AROUND_1), "one domain and law"),
}


@pytest.mark.parametrize(("attempt", "told"), REFUSED.values(), ids=REFUSED)
def test_what_a_rule_is_not_about_is_refused(attempt, told):
    with pytest.raises(RuleError, match=told):
        attempt()


def tail(closed, start=1):
    return OnIntegers(
        S,
        Integer("m", least=start),
        law=gaussian,
        of=lambda c, s, m, k: 1 if k >= m else 0,
        relation="<=",
        closed=closed,
    )


def beside(statement):
    owed = rules.tail_and_integral(statement, lambda c, s, m: s, lambda c, s, m: m)
    return rules.tail_beside_integral(
        statement, lambda c, s, m: s, lambda c, s, m: m, *map(solver.owed, owed)
    )


def test_a_tail_beside_its_integral_is_moved_by_a_whole_unit():
    own = tail(lambda c, s, m: (1 - c.erf(m / c.sqrt(2 * s))) / 2)
    assert beside(own).established is None
    assert exact.refuted(own, s=1, m=1).established


def test_a_tail_beside_its_integral_starts_at_1():
    """At m = 0 the tail holds more than half."""
    assert beside(tail(lambda c, s, m: (1 - c.erf((m - 1) / c.sqrt(2 * s))) / 2, 0)).established is None
