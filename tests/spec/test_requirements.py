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


def test_the_bayes_factor_of_a_size_is_the_ratio_of_its_likelihoods():
    assert bayes_factor(PRIOR, by_size(5, 3, 7), Comparison(SizeIs("e1", 1), SizeIs("e1", 2))) == F(3, 7)


def test_the_bayes_factor_of_a_record_averages_over_the_other_worker():
    # Pr[ω | w1 absent] = 2/3·5 + 1/3·3 = 13/3; Pr[ω | w1 at e1] = 2/3·3 + 1/3·7 = 13/3.
    absent, present = RecordIs("w1", None), RecordIs("w1", AT)
    assert bayes_factor(PRIOR, by_size(5, 3, 7), Comparison(absent, present)) == 1
    # With (6, 3, 0): 2/3·6 + 1/3·3 = 5 and 2/3·3 + 1/3·0 = 2.
    assert bayes_factor(PRIOR, by_size(6, 3, 0), Comparison(absent, present)) == F(5, 2)


def test_an_output_that_excludes_the_second_event_has_an_infinite_factor():
    comparison = Comparison(SizeIs("e1", 1), SizeIs("e1", 2))
    assert bayes_factor(PRIOR, by_size(0, 1, 0), comparison) == math.inf
    with pytest.raises(ParameterError, match="impossible in both"):
        bayes_factor(PRIOR, by_size(1, 0, 0), comparison)


def test_an_event_of_prior_probability_0_cannot_be_compared():
    sure = ProductPrior(TWO, {"w1": {AT: 1}, "w2": {None: "1/2", AT: "1/2"}})
    with pytest.raises(ParameterError, match="prior probability 0"):
        bayes_factor(sure, by_size(1, 1, 1), Comparison(SizeIs("e1", 0), SizeIs("e1", 1)))


def test_individuals_are_compared_on_every_ordered_pair_of_their_places():
    requirement = IndividualRequirement(universe(2, values=2))
    # 3 places, so 6 ordered pairs for each of 2 workers.
    assert len(set(requirement.comparisons())) == 12
    assert len(list(requirement.representatives())) == 6


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


def test_size_comparisons_come_in_both_orders():
    found = set(SizeRequirement(TWO, 1).comparisons())
    one, two = SizeIs("e1", 1), SizeIs("e1", 2)
    assert found == {Comparison(one, two), Comparison(two, one)}


def test_shapes_are_compared_at_the_same_size_and_up_to_the_share():
    # At α = 1/2: 3/2·2 = 3, so 2 → 3 of 3 or 4; 3/2·3 = 4.5, so 3 → 4 of 4.
    assert list(ShapeRequirement(universe(4, 2), F(1, 2)).counts()) == [(2, 3, 3), (2, 3, 4), (3, 4, 4)]
    assert list(ShapeRequirement(universe(4, 2), F(1, 4)).counts()) == []
    assert ShapeRequirement(universe(4, 2), F(1, 4)).least_workers == 5
    assert len(list(ShapeRequirement(universe(5, 2), F(1, 4)).counts())) == 1


def test_without_an_attribute_there_is_no_shape_to_compare():
    assert list(ShapeRequirement(universe(4), 1).comparisons()) == []


def test_shape_events_count_the_workers_of_the_property():
    space = universe(2, values=3)
    event = ShapeIs("e1", (("v1",), ("v2",)), having=1, workers=2)
    # One worker has v1 or v2, the other v3: 2 orders × 2 values.
    assert sum(map(event, space.datasets())) == 4


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


def test_presence_compares_a_job_with_none_in_both_orders():
    two = universe(1, 2)
    compared = [(str(c.first), str(c.second)) for c in PresenceRequirement(two).comparisons()]
    absent = "w1 does not work"
    assert compared[:2] == [("w1 works", absent), (absent, "w1 works")]
    assert len(compared) == 6
    assert list(PresenceRequirement(two).representatives()) == list(PresenceRequirement(two).comparisons())


def test_who_works_is_told_from_who_does_not():
    assert {Works("w1")(d): len(d.workers) for d in universe(1).datasets()} == {True: 1, False: 0}


def test_one_worker_is_said_to_be_one():
    assert str(SizeIs("e1", 1)) == "e1 has 1 worker"
    assert str(SizeIs("e1", 0)) == "e1 has 0 workers"
