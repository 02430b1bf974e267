"""All attackers at once: least levels derived by hand, and bounds that no attacker may exceed."""

import math
from collections import Counter
from fractions import Fraction as F
from itertools import permutations, product

import pytest

from establish.proofs_check.implications import definitions
from establish.proofs_check.implications.attacks import attack, random_priors, shrunk
from establish.proofs_check.implications.classes import product_classes, sides, weak_classes
from establish.proofs_check.implications.decide import Kind, Verdict, decide
from establish.proofs_check.implications.space import Space
from establish.proofs_check.implications.worst_factor import worst_factor
from establish.spec.parameters import ParameterError
from establish.spec.priors import weak_prior
from establish.spec.requirements import Comparison, ShapeIs, SizeIs

C = F(2)


def answer(name, requirement, *numbers, kind=Kind.INFORMED, alpha=F(1), c=C):
    universe = definitions.small_universe(*numbers)
    space = Space(universe, definitions.DEFINITIONS[name].relation(universe, alpha))
    return decide(space, definitions.REQUIREMENTS[requirement](universe, alpha), c, kind)


def least_level(*arguments, **options):
    found = answer(*arguments, **options)
    assert found.exact
    return found.attack.factor


# Least levels that follow from distances by hand. An attacker who is sure of everything but a change
# that takes d steps reaches c^d; and couplings show that nobody exceeds it.


@pytest.mark.parametrize("name", ["edge", "node", "strong-er-ee", "weak-er-ee"])
def test_one_worker_at_one_employer_is_protected_at_exactly_the_level(name):
    # Absent and employed are neighbors under each of the four.
    assert least_level(name, "individual", 1, 1, 1) == C
    assert answer(name, "individual", 1, 1, 1).verdict == Verdict.IMPLIED


@pytest.mark.parametrize("name", ["edge", "node", "strong-er-ee", "weak-er-ee"])
def test_two_employers_cost_an_individual_twice_the_level(name):
    # From e1 to e2 the worker leaves one and joins the other: two establishments change.
    found = answer(name, "individual", 1, 2, 1)
    assert (found.verdict, found.attack.factor) == (Verdict.LARGER, C**2)


def test_another_attribute_value_is_two_steps_unless_the_whole_workforce_may_change():
    assert least_level("edge", "individual", 1, 1, 2) == C**2
    assert least_level("strong-er-ee", "individual", 1, 1, 2) == C**2
    assert least_level("node", "individual", 1, 1, 2) == C


@pytest.mark.parametrize(("workers", "steps"), [(2, 1), (4, 2), (6, 3)])
def test_edge_privacy_pays_for_every_worker_of_a_size_step(workers, steps):
    # At α = 1 the widest pair is n/2 against n.
    assert least_level("edge", "size", workers, 1, 1) == C**steps
    assert least_level("strong-er-ee", "size", workers, 1, 1) == C
    assert least_level("node", "size", workers, 1, 1) == C


def test_the_ceiling_in_the_size_requirement_is_one_worker_beyond_strong_neighbors():
    # α = 1/2: 3 may be compared with ⌈4.5⌉ = 5, but from 3 one step leads to at most max(4.5, 4).
    assert least_level("strong-er-ee", "size", 5, 1, 1, alpha=F(1, 2)) == C**2
    assert least_level("strong-er-ee", "size", 4, 1, 1, alpha=F(1, 2)) == C


def test_a_shape_changes_by_a_removal_and_a_hiring():
    assert least_level("strong-er-ee", "shape", 2, 1, 2) == C**2
    assert least_level("node", "shape", 2, 1, 2) == C


def test_weak_attackers_tell_sizes_apart_under_weak_privacy():
    # 24/11 by hand in test_implications_worst_factor; strong privacy keeps the level.
    assert least_level("weak-er-ee", "size", 4, 1, 2, kind=Kind.WEAK) == F(24, 11)
    assert least_level("strong-er-ee", "size", 4, 1, 2, kind=Kind.WEAK) == C


def test_an_attacker_who_knows_all_but_one_worker_learns_less_than_an_informed_one():
    # The shape 2 of 4 against 4 of 4 needs two uncertain workers.
    assert least_level("edge", "shape", 4, 1, 2, kind=Kind.POINT) == C**2
    assert least_level("edge", "shape", 4, 1, 2) == C**4


def test_a_public_number_of_jobs_reveals_whether_the_last_worker_is_employed():
    found = answer("edge-substitution", "individual", 2, 1, 1)
    assert (found.verdict, found.attack.factor) == (Verdict.NEVER, math.inf)


def test_nothing_to_compare_is_said_to_be_vacuous():
    found = answer("edge", "shape", 3, 1, 1)
    assert (found.verdict, found.attack, found.exact) == (Verdict.VACUOUS, None, False)


@pytest.mark.parametrize("c", [F(3, 2), F(5)])
def test_least_levels_that_are_distances_are_powers_at_every_level(c):
    assert least_level("strong-er-ee", "shape", 3, 1, 2, c=c) == c**2


def test_a_level_of_zero_is_refused():
    with pytest.raises(ParameterError, match="c = 1"):
        answer("edge", "size", 2, 1, 1, c=F(1))


# The bound over all attackers


@pytest.mark.few(6)
@pytest.mark.parametrize("name", ["edge", "node", "strong-er-ee", "weak-er-ee"])
@pytest.mark.parametrize("requirement", list(definitions.REQUIREMENTS))
@pytest.mark.parametrize("numbers", [(3, 1, 2), (2, 2, 2)])
def test_no_random_attacker_exceeds_the_bound(name, requirement, numbers):
    found = answer(name, requirement, *numbers)
    compared = list(found.requirement.representatives())
    tried = [
        one.factor
        for prior in random_priors(found.space, seed=11)
        for comparison in compared
        if (one := attack(found.space, prior, comparison, C))
    ]
    assert len(tried) > 20
    assert max(tried) <= found.bound.factor


def test_an_attacker_with_correlated_beliefs_may_exceed_the_bound():
    # Either w1 alone, or w2 and w3: from one to the other takes 3 steps, whoever leaves first.
    space = answer("strong-er-ee", "size", 3, 1, 1).space
    correlated = worst_factor({space.index[1, 0, 0]: F(1)}, {space.index[0, 1, 1]: F(1)}, space.distance, C)
    assert correlated.factor == C**3
    assert answer("strong-er-ee", "size", 3, 1, 1).bound.factor == C


def renamings(space, pairs):
    """The pairs with the workers in every other order."""
    workers = range(len(space.universe.worker_ids))
    return {
        tuple(space.index[tuple(space.worlds[at][w] for w in order)] for at in pair)
        for pair in pairs
        for order in permutations(workers)
    }


def compared_pairs(space, comparison):
    return set(product(space.where(comparison.first), space.where(comparison.second)))


@pytest.mark.parametrize(
    "comparison",
    [
        Comparison(SizeIs("e1", 1), SizeIs("e1", 2)),
        Comparison(ShapeIs("e1", (("v1",),), 2, 2), ShapeIs("e1", (("v1",),), 1, 2)),
    ],
)
def test_every_pair_of_compared_datasets_is_in_one_class(comparison):
    space = answer("edge", "size", 3, 1, 2).space
    for classes in (product_classes, weak_classes):
        found = list(classes(space, comparison))
        assert max(Counter(pair for pairs in found for pair in set(pairs)).values()) == 1
        covered = renamings(space, [pair for pairs in found for pair in pairs])
        assert covered == compared_pairs(space, comparison)


@pytest.mark.parametrize("seed", [1, 2])
def test_product_priors_weigh_all_pairs_of_a_class_alike(seed):
    space = answer("edge", "size", 3, 1, 2).space
    comparison = Comparison(SizeIs("e1", 1), SizeIs("e1", 2))
    prior = next(p for p in random_priors(space, seed) if len({len(b) for b in p.beliefs.values()}) > 1)
    weights = space.weights(prior)
    for pairs in product_classes(space, comparison):
        assert len({weights.get(i, 0) * weights.get(j, 0) for i, j in pairs}) == 1


@pytest.mark.few(2)
@pytest.mark.parametrize("absent", [F(0), F(1, 2), F(3, 4)])
def test_weak_priors_weigh_all_pairs_of_a_weak_class_alike(absent):
    space = answer("edge", "size", 3, 2, 2).space
    employment = {None: absent, "e1": (1 - absent) / 3, "e2": (1 - absent) * 2 / 3}
    weights = space.weights(weak_prior(space.universe, employment))
    for pairs in weak_classes(space, Comparison(SizeIs("e1", 1), SizeIs("e1", 2))):
        assert len({weights.get(i, 0) * weights.get(j, 0) for i, j in pairs}) == 1


def test_sides_count_how_often_a_dataset_is_compared():
    assert sides([(1, 5), (1, 6), (2, 5)]) == ({1: F(2, 3), 2: F(1, 3)}, {5: F(2, 3), 6: F(1, 3)})


def test_shrinking_keeps_the_factor_and_simplifies_the_beliefs():
    space = answer("edge", "size", 3, 1, 2).space
    comparison = Comparison(SizeIs("e1", 1), SizeIs("e1", 2))
    found = next(
        one
        for prior in random_priors(space, seed=5)
        if (one := attack(space, prior, comparison, C)) and sum(len(b) for b in prior.beliefs.values()) > 6
    )
    simple = shrunk(space, found, C)
    assert simple.factor >= found.factor
    assert sum(len(b) for b in simple.prior.beliefs.values()) < sum(
        len(b) for b in found.prior.beliefs.values()
    )


# Universes by name


def test_a_universe_is_read_from_its_three_numbers():
    universe = definitions.universe_named("workers=3, employers=2,attributes=2")
    assert (universe.worker_ids, universe.size) == (("w1", "w2", "w3"), 125)
    assert definitions.universe_named("workers=2").size == 4


@pytest.mark.parametrize("text", ["", "workers", "workers=x", "jobs=3", "workers=-1", "workers=0"])
def test_other_descriptions_of_a_universe_are_refused(text):
    with pytest.raises(ParameterError, match="workers"):
        definitions.universe_named(text)
