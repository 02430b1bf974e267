"""The attacks on noise-infused tables: they find what was infused, and fail where they must."""

from fractions import Fraction as F
from math import gcd

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from establish.spec.attacks import (
    individual_attack,
    primitive_attack,
    shape_attack,
    size_attack,
    success_probability,
)
from establish.spec.mechanisms.noise_infusion import FactorRange, NoiseInfusion
from establish.spec.parameters import ParameterError

RANGE = FactorRange("1/20", "3/10")
INFUSION = NoiseInfusion(RANGE)
ROUNDED = NoiseInfusion(RANGE, rounding=True)
UP = F(11, 10)

above_limit = st.lists(st.integers(3, 10_000), min_size=1, max_size=6).map(tuple)
factors = st.fractions(F(7, 10), F(13, 10)).filter(lambda f: f in RANGE)


@given(above_limit, factors)
def test_the_shape_comes_out_exactly_whatever_the_factor(histogram, f):
    ((table, mass),) = INFUSION.published([histogram], [f]).items()
    assert mass == 1
    assert shape_attack(table) == tuple(F(n, sum(histogram)) for n in histogram)


@given(above_limit, factors, st.data())
def test_one_known_count_gives_all_counts(histogram, f, data):
    ((table, _),) = INFUSION.published([histogram], [f]).items()
    known = data.draw(st.integers(0, len(histogram) - 1))
    assert size_attack(table, known, histogram[known]) == histogram


def test_a_wrong_known_count_gives_wrong_counts():
    table = INFUSION.infused([(100, 40)], [UP])
    assert size_attack(table, 0, 100) == (100, 40)
    assert size_attack(table, 0, 50) == (50, 20)


def test_two_establishments_in_the_criterion_defeat_the_shape_attack():
    # (11/10)·(10, 3) + (9/10)·(10, 30) = (20, 303/10), but the true sums are (20, 33).
    table = INFUSION.infused([(10, 3), (10, 30)], [UP, F(9, 10)])
    assert table == (20, F(303, 10))
    assert shape_attack(table) != (F(20, 53), F(33, 53))


def test_the_shape_attack_survives_zero_cells_and_fails_beside_small_ones():
    assert shape_attack(INFUSION.infused([(6, 0, 4)], [UP])) == (F(3, 5), 0, F(2, 5))
    law = INFUSION.published([(3, 1)], [UP])
    # 33/10 beside 1 or 2: shares 33/43 or 33/53, never 3/4.
    assert {shape_attack(table)[0] for table in law} == {F(33, 43), F(33, 53)}
    assert success_probability(shape_attack, (F(3, 4), F(1, 4)), law) == 0


def test_rounding_makes_the_shape_approximate():
    assert ROUNDED.infused([(3, 5)], [UP]) == (3, 6)
    assert shape_attack((F(3), F(6)))[0] == F(1, 3)


CELLS = [("degree", "m"), ("degree", "f"), ("none", "m"), ("none", "f")]


@pytest.mark.parametrize("infusion", [INFUSION, ROUNDED])
@pytest.mark.parametrize(("own", "truth"), [((1, 0), CELLS[0]), ((0, 1), CELLS[1])])
def test_the_only_worker_with_a_degree_is_found_whatever_is_drawn(infusion, own, truth):
    law = infusion.published([(*own, 2, 7)], [F(9, 10)])

    def attack(table):
        return individual_attack(dict(zip(CELLS, table, strict=True)), ("degree",))

    assert len(law) == 4  # two draws for each of two small cells
    assert success_probability(attack, truth, law) == 1


@pytest.mark.parametrize("first_cells", [(0, 0), (1, 2)])
def test_the_attack_on_an_individual_needs_exactly_one_positive_cell(first_cells):
    published = dict(zip(CELLS, map(F, (*first_cells, 5, 5)), strict=True))
    with pytest.raises(ParameterError, match="positive cells"):
        individual_attack(published, ("degree",))


@settings(max_examples=settings().max_examples // 4)
@given(above_limit, factors)
def test_the_true_histogram_is_always_a_candidate(histogram, f):
    assert histogram in primitive_attack(INFUSION.infused([histogram], [f]), RANGE.t)


@settings(max_examples=settings().max_examples // 2)
@given(above_limit, factors)
def test_counts_without_a_common_divisor_are_the_only_candidate_below_one_third(histogram, f):
    assume(gcd(*histogram) == 1)
    assert primitive_attack(INFUSION.infused([histogram], [f]), RANGE.t) == [histogram]


def test_larger_spreads_and_common_divisors_leave_several_candidates():
    wide = NoiseInfusion(FactorRange("1/20", "1/2"))
    # f = 3/2: the counts twice at factor 3/4, or three times at 1/2, are as possible.
    found = primitive_attack(wide.infused([(3, 4)], [F(3, 2)]), F(1, 2))
    assert found == [(3, 4), (6, 8), (9, 12)]
    # (30, 40) = 10·(3, 4): multiples k with 11/k within 3/10 of 1, that is k = 9, ..., 15.
    found = primitive_attack(INFUSION.infused([(30, 40)], [UP]), RANGE.t)
    assert found == [(3 * k, 4 * k) for k in range(9, 16)]


def test_success_is_averaged_over_the_published_tables():
    law = {(F(1),): F(1, 3), (F(2),): F(2, 3)}
    assert success_probability(lambda table: table[0], F(2), law) == F(2, 3)
    assert success_probability(lambda table: table[0], F(5), law) == 0


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (lambda: shape_attack((F(0), F(0))), "all 0"),
        (lambda: size_attack((F(0), F(3)), 0, 5), "known_count"),
        (lambda: size_attack((F(3), F(3)), 0, 0), "known_count"),
        (lambda: primitive_attack((F(0),), F(1, 4)), "all 0"),
        (lambda: primitive_attack((F(3),), 1), "spread = 1"),
    ],
)
def test_an_attack_without_anything_to_go_on_is_refused(attack, message):
    with pytest.raises(ParameterError, match=message):
        attack()
