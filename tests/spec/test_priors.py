"""Beliefs of attackers: probabilities of datasets, and beliefs that are refused."""

from fractions import Fraction as F

import pytest

from establish import ParameterError, Universe
from establish.spec.priors import (
    JointPrior,
    ProductPrior,
    place_of,
    possible_places,
    two_point_prior,
    weak_prior,
)
from establish.spec.tables import Tables, Worker, Workplace

E1, E2 = Workplace("e1"), Workplace("e2")
TWO = Universe((E1,), ("w1", "w2"), (("f",), ("m",)))
AT_F, AT_M = ("e1", ("f",)), ("e1", ("m",))


def employing(**values: str) -> Tables:
    workers = tuple(Worker(id, (value,)) for id, value in values.items())
    return Tables((E1,), workers, tuple((id, "e1") for id in values))


def test_places_are_absent_and_every_workplace_with_every_value():
    assert possible_places(TWO) == (None, AT_F, AT_M)
    assert possible_places(Universe((E1, E2), ("w1",))) == (None, ("e1", ()), ("e2", ()))


def test_the_place_of_a_worker_is_read_from_the_table():
    assert place_of(employing(w1="f"), "w1") == AT_F
    assert place_of(employing(w1="f"), "w2") is None


def test_probabilities_of_independent_workers_multiply():
    prior = ProductPrior(TWO, {"w1": {AT_F: F(1, 3), None: F(2, 3)}, "w2": {AT_M: 1}})
    assert prior.probability(employing(w1="f", w2="m")) == F(1, 3)
    assert prior.probability(employing(w1="f")) == 0
    assert prior.support() == {employing(w2="m"): F(2, 3), employing(w1="f", w2="m"): F(1, 3)}


def test_a_weak_attacker_spreads_employment_evenly_over_attribute_values():
    prior = weak_prior(TWO, {None: "1/4", "e1": "3/4"})
    assert prior.beliefs["w1"] == prior.beliefs["w2"]
    assert prior.beliefs["w1"] == {None: F(1, 4), AT_F: F(3, 8), AT_M: F(3, 8)}
    assert sum(prior.support().values()) == 1


def test_a_joint_prior_is_any_belief_about_the_dataset():
    both, nobody = employing(w1="f", w2="m"), employing()
    assert JointPrior(TWO, {both: "1/3", nobody: "2/3"}).support() == {both: F(1, 3), nobody: F(2, 3)}


@pytest.mark.parametrize(
    ("belief", "message"),
    [
        ({employing(w1="f"): "1/2"}, "sum to 1/2, they must sum to 1"),
        ({employing(w1="f"): 2, employing(): -1}, "probability -1"),
        ({employing(w9="f"): 1}, "not a dataset of the universe"),
    ],
)
def test_beliefs_that_are_no_joint_prior_are_refused(belief, message):
    with pytest.raises(ParameterError, match=message):
        JointPrior(TWO, belief)


def test_a_two_point_prior_is_certain_where_the_datasets_agree():
    prior = two_point_prior(TWO, employing(w1="f", w2="m"), employing(w2="m"))
    assert prior.beliefs == {"w1": {AT_F: F(1, 2), None: F(1, 2)}, "w2": {AT_M: F(1)}}


@pytest.mark.parametrize(
    ("beliefs", "message"),
    [
        ({"w1": {None: 1}}, "do not match the workers"),
        ({"w1": {None: 1}, "w2": {None: 1}, "w3": {None: 1}}, "do not match the workers"),
        ({"w1": {None: "1/2"}, "w2": {None: 1}}, "sum to 1/2, they must sum to 1"),
        ({"w1": {None: 2, AT_F: -1}, "w2": {None: 1}}, "probability -1"),
        ({"w1": {("e9", ("f",)): 1}, "w2": {None: 1}}, "not a place of the universe"),
    ],
)
def test_beliefs_that_are_no_product_prior_are_refused(beliefs, message):
    with pytest.raises(ParameterError, match=message):
        ProductPrior(TWO, beliefs)
