"""Privacy definitions on finite mechanisms, satisfied and violated."""

from fractions import Fraction as F

import pytest

from establish import ParameterError, ShapeUniverse, SizeUniverse, Universe
from establish.spec.privacy import (
    Violation,
    differential_privacy,
    edge_differential_privacy,
    node_differential_privacy,
    strong_er_ee,
    weak_er_ee,
)
from establish.spec.tables import Workplace


def geometric(center: int, ratio: F, least: int, largest: int) -> dict[int, F]:
    """The two-sided geometric law around ``center`` with its tails put on the end points.

    Its privacy loss is exactly 1/ratio per unit that the center moves.
    """
    mass = {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k - center) for k in range(least + 1, largest)}
    mass[least] = ratio ** (center - least) / (1 + ratio)
    mass[largest] = ratio ** (largest - center) / (1 + ratio)
    return mass


def noisy_total(sizes, largest=8):
    return geometric(sum(sizes), F(1, 2), 0, largest)


@pytest.mark.parametrize(
    ("definition", "level", "lower"),
    [
        (edge_differential_privacy, 2, F(199, 100)),
        # One establishment may change the total by 4, so the exact level is 2⁴.
        (node_differential_privacy, 16, F(159, 10)),
        # At α = 1 the largest step in sizes up to 4 is 2 → 4: the level is 2².
        (lambda universe, level: strong_er_ee(universe, 1, level), 4, F(39, 10)),
    ],
    ids=["edge privacy pays for a job", "node for a workforce", "strong for the largest step"],
)
def test_the_geometric_mechanism_is_private_at_its_level_and_no_lower(definition, level, lower):
    universe = SizeUniverse(2, 4)
    assert definition(universe, level).satisfied_by(noisy_total)
    assert not definition(universe, lower).satisfied_by(noisy_total)


def test_a_violation_names_neighbors_an_event_and_its_excess():
    found = strong_er_ee(SizeUniverse(1, 4), 1, 2).violation(lambda d: {d[0] >= 3: F(1)})
    # The first neighbors across the threshold, in the order of the universe, are 2 and 3.
    assert found == Violation((2,), (3,), frozenset({False}), F(1))


def test_delta_forgives_up_to_the_excess_and_no_more():
    def rarely_exact(d):
        return {d[0]: F(1, 100), None: F(99, 100)}

    universe = SizeUniverse(1, 4)
    assert strong_er_ee(universe, 1, 2, F(1, 100)).satisfied_by(rarely_exact)
    assert not strong_er_ee(universe, 1, 2, F(1, 101)).satisfied_by(rarely_exact)


def test_weak_privacy_allows_what_strong_privacy_forbids():
    # α = 1, at most 2 of each value. The difference of the two counts changes by 2 under strong
    # neighbors ((2, 0) to (2, 2)), but by 1 under weak ones, except (1, 0) to … (2, 0): also 1.
    def noisy_difference(d):
        return geometric(d[0][0] - d[0][1], F(1, 2), -2, 2)

    universe = ShapeUniverse(1, 2, 2)
    assert weak_er_ee(universe, 1, 2).satisfied_by(noisy_difference)
    assert not strong_er_ee(universe, 1, 2).satisfied_by(noisy_difference)
    assert strong_er_ee(universe, 1, 4).satisfied_by(noisy_difference)


def test_definitions_speak_of_full_tables_too():
    universe = Universe((Workplace("a"), Workplace("b")), ("1", "2", "3"))

    def noisy(d):
        return geometric(len(d.workers), F(1, 2), 0, 3)

    assert edge_differential_privacy(universe, 2).satisfied_by(noisy)
    assert not node_differential_privacy(universe, 2).satisfied_by(noisy)


def test_differential_privacy_of_a_noisy_count_of_records():
    def noisy(d):
        return geometric(d.count("f"), F(1, 3), 0, 3)

    assert differential_privacy(("f", "m"), 3, 3).satisfied_by(noisy)
    assert not differential_privacy(("f", "m"), 3, F(29, 10)).satisfied_by(noisy)


def test_only_the_given_datasets_are_compared():
    definition = edge_differential_privacy(SizeUniverse(1, 4), 2)

    def revealing(d):
        return {d[0]: F(1)}

    assert definition.satisfied_by(revealing, [(0,), (2,), (4,)])
    assert not definition.satisfied_by(revealing, [(0,), (2,), (3,)])


def test_a_mechanism_whose_output_is_no_distribution_is_refused():
    with pytest.raises(ParameterError, match="sum to 1/2"):
        edge_differential_privacy(SizeUniverse(1, 2), 2).satisfied_by(lambda d: {0: F(1, 2)})


@pytest.mark.parametrize(("c", "delta"), [(F(1, 2), 0), (2, 1), (2, F(-1, 10))])
def test_levels_outside_their_domain_are_refused(c, delta):
    with pytest.raises(ParameterError):
        strong_er_ee(SizeUniverse(1, 2), 1, c, delta)
