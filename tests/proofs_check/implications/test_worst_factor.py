"""The worst Bayes factor of one attacker: by hand, by every labelling, by a linear program of HiGHS."""

import math
import random
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

from establish.proofs_check.implications.attacks import attack, random_priors
from establish.proofs_check.implications.certificate import check_plan
from establish.proofs_check.implications.definitions import DEFINITIONS, REQUIREMENTS, small_universe
from establish.proofs_check.implications.space import Space
from establish.proofs_check.implications.witness import mechanism_violation, recheck, witness_likelihood
from establish.proofs_check.implications.worst_factor import worst_factor
from establish.spec.parameters import ParameterError
from establish.spec.priors import two_point_prior, weak_prior
from establish.spec.requirements import Comparison, SizeIs

NAMES = list(DEFINITIONS)


def space_of(name, *numbers, alpha=F(1)):
    universe = small_universe(*numbers)
    return Space(universe, DEFINITIONS[name].relation(universe, alpha))


def some_attacks(space, count, c, alpha=F(1)):
    """Attacks of random priors on every requirement of the universe."""
    draw = random.Random(7)
    comparisons = [
        comparison
        for make in REQUIREMENTS.values()
        for comparison in make(space.universe, alpha).representatives()
    ]
    found = []
    for prior in random_priors(space, seed=3):
        if one := attack(space, prior, draw.choice(comparisons), c):
            found.append(one)
        if len(found) == count:
            return found
    raise AssertionError(f"only {len(found)} attacks")


# The optimum


def test_two_known_datasets_are_told_apart_by_c_to_their_distance():
    space = space_of("edge", 3, 1, 1)
    prior = two_point_prior(space.universe, space.datasets[0], space.datasets[-1])
    # Only sizes 0 and 3 differ in all workers: one dataset each, at distance 3.
    found = attack(space, prior, Comparison(SizeIs("e1", 0), SizeIs("e1", 3)), F(3, 2))
    assert found.factor == F(27, 8)


def test_weak_neighbors_tell_weak_attackers_sizes_apart():
    """α = 1, sizes 2 and 4, two values, c = 2, by hand.

    Shapes of 2 workers: (2,0), (1,1), (0,2) with 1/4, 1/2, 1/4; of 4 workers: (4,0), (3,1), (2,2), …
    with 1/16, 4/16, 6/16, 4/16, 1/16. From (2,0) the weak neighbors of size 4 are (4,0) and (3,1), from
    (1,1) only (2,2). Likelihoods 4 on (1,1), 2 on (2,0), (0,2), (2,2), 1 on the other shapes of 4 give
    (2 + 1)/(6/16·2 + 10/16) = 24/11. Dual: send 9/22 of (1,1) to (2,2), load 9/11 = 24/11·6/16; the
    other 1/11 two steps to (3,1), (1,3) and all of (2,0), (0,2) one step, load 4/11 + 1 = 24/11·10/16.
    """
    space = space_of("weak-er-ee", 4, 1, 2)
    prior = weak_prior(space.universe, {None: "1/2", "e1": "1/2"})
    found = attack(space, prior, Comparison(SizeIs("e1", 2), SizeIs("e1", 4)), F(2))
    assert found.factor == F(24, 11)


def every_labelling(space):
    """All integer labellings with k = 0 on the first dataset that change by ≤ 1 between neighbors."""
    near = [
        [j for j, d2 in enumerate(space.datasets) if space.relation.related(d, d2)] for d in space.datasets
    ]
    order, seen = [0], {0}
    for i in order:
        for j in near[i]:
            if j not in seen:
                seen.add(j)
                order.append(j)
    assert len(order) == len(space.datasets)

    def extend_labels(labels, at):
        if at == len(order):
            yield dict(labels)
            return
        i = order[at]
        known = [labels[j] for j in near[i] if j in labels]
        for k in range(max(known) - 1, min(known) + 2):
            labels[i] = k
            yield from extend_labels(labels, at + 1)
            del labels[i]

    yield from extend_labels({0: 0}, 1)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ["edge", "node", "strong-er-ee", "weak-er-ee"])
@pytest.mark.parametrize("numbers", [(3, 1, 1), (2, 1, 2), (2, 2, 1)])
def test_the_maximum_is_that_over_every_labelling(name, numbers):
    space, c = space_of(name, *numbers), F(3, 2)
    labellings = list(every_labelling(space))
    for found in some_attacks(space, 4, c):
        weights = space.weights(found.prior)
        first = space.given(weights, found.comparison.first)
        second = space.given(weights, found.comparison.second)
        best = max(
            sum(q * c ** k[i] for i, q in first.items()) / sum(q * c ** k[j] for j, q in second.items())
            for k in labellings
        )
        assert found.factor == best


def by_highs(space, first, second, c):
    """The linear program as it is stated: all datasets, all pairs of neighbors, in floats."""
    at = {d: i for i, d in enumerate(space.datasets)}
    pairs = [(at[d], at[d2]) for d in at for d2 in space.relation.neighbors(d)]
    private = lil_matrix((len(pairs), len(at)))
    for row, (i, j) in enumerate(pairs):
        private[row, i], private[row, j] = 1, -float(c)
    gain, unit = np.zeros(len(at)), np.zeros((1, len(at)))
    for i, q in first.items():
        gain[i] = float(q)
    for j, q in second.items():
        unit[0, j] = float(q)
    solved = linprog(-gain, private.tocsr(), np.zeros(len(pairs)), unit, [1])
    assert solved.status == 0
    return -solved.fun


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ["edge", "node", "strong-er-ee", "weak-er-ee"])
@pytest.mark.parametrize("numbers", [(4, 1, 2), (3, 2, 1), (2, 2, 2)])
def test_the_maximum_is_that_of_the_linear_program(name, numbers):
    space, c = space_of(name, *numbers), F(5, 3)
    for found in some_attacks(space, 6, c):
        weights = space.weights(found.prior)
        first = space.given(weights, found.comparison.first)
        solved = by_highs(space, first, space.given(weights, found.comparison.second), c)
        assert float(found.factor) == pytest.approx(solved, rel=1e-7)


# Unconnected datasets


def test_events_that_no_chain_connects_are_told_apart_for_certain():
    space = space_of("edge-substitution", 2, 1, 1)
    prior = weak_prior(space.universe, {None: "1/2", "e1": "1/2"})
    found = attack(space, prior, Comparison(SizeIs("e1", 1), SizeIs("e1", 2)), F(2))
    assert found.factor == math.inf
    recheck(space, found, F(2))
    likelihood = witness_likelihood(space, found, F(2))
    # The likelihood is 1 on the tables with one job and 0 on all others.
    assert {len(d.workers): p for d, p in likelihood.items()} == {0: 0, 1: 1, 2: 0}


def test_unconnected_parts_have_scales_of_their_own():
    # Part {1, 3} alone gives c·(1/2)/(1/4), part {2, 4} gives c·(1/2)/(3/4): the first is larger, and
    # the second gets likelihood 0.
    parts = {(1, 3): 1, (2, 4): 1}

    def distance(i, j):
        return 0 if i == j else parts.get((i, j), math.inf)

    first, second = {1: F(1, 2), 2: F(1, 2)}, {3: F(1, 4), 4: F(3, 4)}
    found = worst_factor(first, second, distance, F(3))
    assert (found.factor, found.labels[4]) == (6, None)
    check_plan(found.plan, first, second, distance, F(3), F(6))


@pytest.mark.parametrize("c", [F(1), F(1, 2)])
def test_a_level_that_is_not_positive_is_refused(c):
    with pytest.raises(ParameterError, match="must be greater than 1"):
        worst_factor({1: F(1)}, {2: F(1)}, lambda i, j: 1, c)


# The mechanism behind it


@pytest.mark.few(2)
@pytest.mark.parametrize("name", NAMES)
def test_every_witness_extends_to_a_mechanism_that_satisfies_the_definition(name):
    space, c = space_of(name, 3, 1, 2), F(3, 2)
    for found in some_attacks(space, 5, c):
        recheck(space, found, c)
        assert mechanism_violation(space, found, c) is None
