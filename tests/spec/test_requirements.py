"""The three requirements: which events they compare, and the exact Bayes factors."""

import math
from fractions import Fraction as F

import pytest

from establish import ParameterError, Universe
from establish.spec.priors import ProductPrior
from establish.spec.requirements import (
    Comparison,
    IndividualRequirement,
    PresenceRequirement,
    RecordIs,
    ShapeIs,
    ShapeRequirement,
    SizeIs,
    SizeRequirement,
    Works,
    bayes_factor,
)
from establish.spec.tables import Workplace


def universe(workers, values=1):
    domain = ((),) if values == 1 else tuple((f"v{n}",) for n in range(1, values + 1))
    return Universe((Workplace("e1"),), tuple(f"w{n}" for n in range(1, workers + 1)), domain)


TWO = universe(2)
AT = ("e1", ())
# Each of two workers is employed with probability 1/3: sizes 0, 1, 2 have 4/9, 4/9, 1/9.
PRIOR = ProductPrior(TWO, {w: {AT: F(1, 3), None: F(2, 3)} for w in ("w1", "w2")})


def by_size(*likelihood):
    return {d: F(likelihood[len(d.workers)]) for d in TWO.datasets()}


def test_bayes_factors_average_over_others_and_may_be_infinite_but_not_at_probability_0():
    assert bayes_factor(PRIOR, by_size(5, 3, 7), Comparison(SizeIs("e1", 1), SizeIs("e1", 2))) == F(3, 7)
    # Pr[ω | w1 absent] = 2/3·5 + 1/3·3 = 13/3; Pr[ω | w1 at e1] = 2/3·3 + 1/3·7 = 13/3.
    absent, present = RecordIs("w1", None), RecordIs("w1", AT)
    assert bayes_factor(PRIOR, by_size(5, 3, 7), Comparison(absent, present)) == 1
    # With (6, 3, 0): 2/3·6 + 1/3·3 = 5 and 2/3·3 + 1/3·0 = 2.
    assert bayes_factor(PRIOR, by_size(6, 3, 0), Comparison(absent, present)) == F(5, 2)
    comparison = Comparison(SizeIs("e1", 1), SizeIs("e1", 2))
    assert bayes_factor(PRIOR, by_size(0, 1, 0), comparison) == math.inf
    with pytest.raises(ParameterError, match="impossible in both"):
        bayes_factor(PRIOR, by_size(1, 0, 0), comparison)
    sure = ProductPrior(TWO, {"w1": {AT: 1}, "w2": {None: "1/2", AT: "1/2"}})
    with pytest.raises(ParameterError, match="prior probability 0"):
        bayes_factor(sure, by_size(1, 1, 1), Comparison(SizeIs("e1", 0), SizeIs("e1", 1)))


@pytest.mark.parametrize(
    ("alpha", "workers", "sizes"),
    [
        # ⌈1.1⌉ = 2, ⌈2.2⌉ = 3, ⌈3.3⌉ = 4: every step of one worker; 0 has only itself.
        (F(1, 10), 4, [(1, 2), (2, 3), (3, 4)]),
        # ⌈1.5⌉ = 2, ⌈3⌉ = 3, ⌈4.5⌉ = 5, ⌈6⌉ = 6 but only 5 workers.
        (F(1, 2), 5, [(1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]),
        (1, 4, [(1, 2), (2, 3), (2, 4), (3, 4)]),
    ],
)
def test_sizes_are_compared_up_to_the_ceiling(alpha, workers, sizes):
    assert list(SizeRequirement(universe(workers), alpha).sizes()) == sizes


def test_comparisons_come_in_both_orders_and_shapes_at_one_size_up_to_the_share():
    requirement = IndividualRequirement(universe(2, values=2))
    # 3 places, so 6 ordered pairs for each of 2 workers.
    assert len(set(requirement.comparisons())) == 12
    assert len(list(requirement.representatives())) == 6
    found = set(SizeRequirement(TWO, 1).comparisons())
    one, two = SizeIs("e1", 1), SizeIs("e1", 2)
    assert found == {Comparison(one, two), Comparison(two, one)}
    # At α = 1/2: 3/2·2 = 3, so 2 → 3 of 3 or 4; 3/2·3 = 4.5, so 3 → 4 of 4.
    assert list(ShapeRequirement(universe(4, 2), F(1, 2)).counts()) == [(2, 3, 3), (2, 3, 4), (3, 4, 4)]
    assert list(ShapeRequirement(universe(4, 2), F(1, 4)).counts()) == []
    assert ShapeRequirement(universe(4, 2), F(1, 4)).least_workers == 5
    assert len(list(ShapeRequirement(universe(5, 2), F(1, 4)).counts())) == 1
    assert list(ShapeRequirement(universe(4), 1).comparisons()) == []


def test_a_requirement_is_met_up_to_the_largest_factor_and_no_lower():
    requirement = SizeRequirement(TWO, 1)
    assert requirement.met(PRIOR, by_size(9, 4, 3), F(4, 3))
    assert not requirement.met(PRIOR, by_size(9, 4, 3), F(131, 100))
    assert dict(requirement.factors(PRIOR, by_size(9, 4, 3))) == {
        Comparison(SizeIs("e1", 1), SizeIs("e1", 2)): F(4, 3),
        Comparison(SizeIs("e1", 2), SizeIs("e1", 1)): F(3, 4),
    }


@pytest.mark.parametrize("requirement", [SizeRequirement, ShapeRequirement])
def test_alpha_must_be_positive(requirement):
    with pytest.raises(ParameterError, match="alpha = 0"):
        requirement(TWO, 0)


def test_events_count_workers_and_jobs_and_say_so():
    space = universe(2, values=3)
    event = ShapeIs("e1", (("v1",), ("v2",)), having=1, workers=2)
    # One worker has v1 or v2, the other v3: 2 orders × 2 values.
    assert sum(map(event, space.datasets())) == 4
    two = universe(1, 2)
    compared = [(str(c.first), str(c.second)) for c in PresenceRequirement(two).comparisons()]
    absent = "w1 does not work"
    assert compared[:2] == [("w1 works", absent), (absent, "w1 works")]
    assert len(compared) == 6
    assert list(PresenceRequirement(two).representatives()) == list(PresenceRequirement(two).comparisons())
    assert {Works("w1")(d): len(d.workers) for d in universe(1).datasets()} == {True: 1, False: 0}
    assert str(SizeIs("e1", 1)) == "e1 has 1 worker"
    assert str(SizeIs("e1", 0)) == "e1 has 0 workers"
