"""ψ-closeness, decided exactly, and the farthest values that are still close."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.spec.neighbor_functions.intervals import farthest_floats
from establish.spec.neighbor_functions.named import NAMES, neighbor_function
from establish.spec.parameters import ParameterError
from establish.spec.relations.psi import Psi

HALF = Fraction(1, 2)


def test_square_roots_that_are_exactly_gamma_apart_are_close():
    # √9 − √4 = 1 = γ, and √9 − √(4 − tiny) > 1.
    psi = Psi("sqrt", 1)
    assert psi.related((4,), (9,))
    assert psi.related((9,), (4,))
    assert not psi.related((4 - Fraction(1, 10**30),), (9,))
    assert psi.related((4 + Fraction(1, 10**30),), (9,))


def test_the_square_root_of_an_irrational_is_decided_too():
    # √2 ≈ 1.41421356, so (√2 + 1/2)² = 2.25 + √2 ≈ 3.66421356.
    psi = Psi("sqrt", "1/2")
    assert psi.related((2,), (Fraction(366421356, 10**8),))
    assert not psi.related((2,), (Fraction(366421357, 10**8),))


def test_relative_distances_are_decided_by_the_logarithm():
    # e^(1/2) = 1.6487212707001281…
    psi = Psi("log", "1/2")
    assert psi.related((10,), (Fraction("16.4872127"),))
    assert not psi.related((10,), (Fraction("16.4872128"),))
    assert psi.related((Fraction("16.4872127"),), (10,))


def test_under_the_logarithm_zero_is_close_to_nothing_else():
    psi = Psi("log", 100)
    assert not psi.related((0,), (Fraction(1, 10**9),))
    assert not psi.related((0,), (0,)), "a dataset is not its own neighbor"


def test_the_identity_is_an_absolute_distance():
    psi = Psi("identity", 3)
    assert psi.related((7,), (10,))
    assert not psi.related((7,), (Fraction(1001, 100),))


def test_every_attribute_has_its_own_gamma():
    psi = Psi("identity", (1, 5))
    assert psi.related(((2, 10),), ((3, 15),))
    assert psi.related(((2, 10),), ((2, 5),))
    assert not psi.related(((2, 10),), ((4, 10),))
    assert not psi.related(((2, 10),), ((2, 16),))


def test_only_one_establishment_may_change():
    psi = Psi("identity", 1)
    assert psi.related((1, 5), (1, 6))
    assert not psi.related((1, 5), (2, 6))
    assert not psi.related((1, 5), (1, 5))
    assert not psi.related((1, 5), (1, 5, 1))


def test_every_attribute_may_have_its_own_neighbor_function():
    psi = Psi(("sqrt", "log(x+1)"), (1, 1))
    assert psi.related(((4, 0),), ((9, 1),)), "√9 − √4 = 1 and ln 2 < 1"
    assert not psi.related(((4, 0),), ((9, 2),)), "ln 3 > 1"
    assert not psi.related(((4, 0),), ((10, 1),))


def test_a_float_is_the_binary_rational_that_it_is():
    # 0.1 lies above 1/10 by about 5.6e-18.
    psi = Psi("identity", "1/10")
    assert psi.related((0,), (Fraction(1, 10),))
    assert not psi.related((0,), (0.1,))


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [*NAMES, "sqrt(x+3)", "log(x+1/2)"])
@given(x=st.floats(0.01, 1e6), gamma=st.fractions(0, 2, max_denominator=20))
@settings(deadline=None)
def test_the_farthest_floats_are_close_and_nothing_much_farther_is(name, x, gamma):
    psi = neighbor_function(name)

    def close(y):
        return psi.close(Fraction(x), Fraction(y), gamma)

    low, high = farthest_floats(psi, x, gamma)
    assert low <= x <= high
    assert close(low)
    assert close(high)
    assert not close(high * (1 + 1e-9) + 1e-9)
    # What is subtracted exceeds the rounding of the largest value in this test, 1e6 · 2^-52.
    beyond = low * (1 - 1e-9) - 1e-9
    assert beyond < 0 or not close(beyond)


def test_the_farthest_floats_stop_at_zero():
    assert farthest_floats(neighbor_function("sqrt"), 0.0, HALF) == (0.0, 0.25)
    assert farthest_floats(neighbor_function("identity"), 1.0, 3) == (0.0, 4.0)
    assert farthest_floats(neighbor_function("log"), 0.0, 3) == (0.0, 0.0)


def test_a_function_of_balls_may_be_the_neighbor_function():
    # ψ(x) = √(x + 1): from x = 8 with γ = 1 to ψ = 4 and ψ = 2, that is 15 and 3.
    psi = Psi(lambda x: (x + 1).sqrt(), 1)
    assert psi.related((8,), (15,))
    assert psi.related((8,), (3,))
    assert not psi.related((8,), (Fraction(1501, 100),))
    low, high = farthest_floats(psi.attributes[0][0], 8.0, 1)
    assert low == pytest.approx(3, rel=1e-15)
    assert high == pytest.approx(15, rel=1e-15)


@given(st.data())
def test_neighbors_in_a_grid_are_the_related_datasets(data):
    psi = Psi("sqrt", "1/2", (0, Fraction(1, 4), 1, 2, 4), establishments=2)
    d = data.draw(psi.dataset_strategy())
    found = list(psi.neighbors(d))
    assert len(found) == len(set(found))
    assert set(found) == {d2 for d2 in psi.datasets() if psi.related(d, d2)}


def test_a_grid_of_attribute_tuples_is_enumerated():
    psi = Psi("identity", (1, 1), (0, 1), establishments=1)
    assert set(psi.datasets()) == {((a, b),) for a in (0, 1) for b in (0, 1)}
    assert set(psi.neighbors(((0, 0),))) == {((0, 1),), ((1, 0),), ((1, 1),)}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("cube", 1), "psi = cube"),
        (("sqrt", -1), "gamma = -1"),
        (("sqrt", ()), "gamma = "),
        ((("sqrt", "log"), 1), "2 neighbor functions and 1 distance"),
        ((lambda x: x * x, 1), "not concave"),
        (("sqrt", float("nan")), "gamma = nan"),
        (("sqrt", 1, (-1,)), "values = "),
        (("sqrt", 1, (1,), 0), "establishments = 0"),
    ],
)
def test_a_parameter_outside_its_domain_is_named(arguments, named):
    with pytest.raises(ParameterError, match=named):
        Psi(*arguments)
