"""The least error of noise S·Z: certificates show what is true, and nothing that was planted."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import exp

import numpy as np
import pytest

from establish.proofs_check.engine.rules import by_moved_amounts
from establish.proofs_check.engine.rules.additive_errors import AdditiveCertificate, Move, shown_by
from establish.proofs_check.engine.rules.limits import SCALE
from establish.proofs_check.engine.statements import NoSmallerAdditiveError, StatementError
from establish.proofs_check.limits.additive_errors import built, least_error, moves
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from establish.spec.parameters import ParameterError

TENTH, FOUR = Fraction(1, 10), Fraction(4)
ONE = Move(1, 0, 1)


@cache
def small() -> AdditiveCertificate:
    return built(TENTH, FOUR)


@cache
def shown() -> Fraction:
    return shown_by(small()) or Fraction(0)


def tent(places, start, width, ends):
    """What is linear from one end to the other of an interval, at these places, and 0 elsewhere."""
    inside = (start <= places) & (places < start + width)
    return inside * (ends[0] + (ends[1] - ends[0]) * (places - start) / width)


def given_and_taken(certificate: AdditiveCertificate, places):
    """Both functions by move, in floats: amounts as they are, and as their images."""
    found = {}
    for (move, direction, i), pair in certificate.amounts.items():
        d, m = (float(x) for x in move.shift_and_factor(certificate.alpha))
        start, width = i / certificate.per_unit, 1 / certificate.per_unit
        ends = [amount / SCALE for amount in pair]
        image = (start - d) / m if direction == "there" else m * start + d
        stretched = width / m if direction == "there" else width * m
        given, taken = found.setdefault((move, direction), [0.0, 0.0])
        found[move, direction] = [
            given + exp(-float(certificate.epsilon)) * tent(places, start, width, ends),
            taken + tent(places, image, stretched, ends),
        ]
    return found


@pytest.mark.small_campaign
def test_the_certificate_shows_the_least_value_of_its_function():
    """By a grid of places that are no ends, where floats see the same function."""
    places = np.linspace(-4.2, 4.2, 84_001) + 1e-5
    both = given_and_taken(small(), places).values()
    function = np.abs(places) - sum(taken for _, taken in both) + sum(given for given, _ in both)
    assert function.min() >= float(shown()) - 1e-12
    assert function.min() <= float(shown()) + 2e-4


STEP = 1 / 4_000
PLACES = np.arange(-5, 5, STEP) + STEP / 2


def density_of_smooth_staircase(epsilon: Fraction):
    """At PLACES."""
    law = SmoothStaircaseMechanism(TENTH, epsilon).cell_law(0, 0)
    edges = np.array([float(x) for x in law.breaks(8)])
    middles = [edges[0] - 0.01, *((edges[1:] + edges[:-1]) / 2), edges[-1] + 0.01]
    heights = [float(MP.exp(law.log_density(MP.number(Fraction(float(z)))))) for z in middles]
    density = np.array(heights)[np.searchsorted(edges, PLACES)]
    assert abs(density.sum() * STEP - 1) < 1e-2
    return density


@pytest.mark.small_campaign
def test_a_private_law_takes_as_much_as_it_gives_by_each_move():
    """Smooth Staircase is private: each inequality of the certificate holds for its density."""
    density = density_of_smooth_staircase(FOUR)
    for given, taken in given_and_taken(small(), PLACES).values():
        assert (density * taken).sum() >= (1 - 1e-3) * (density * given).sum()


@pytest.mark.small_campaign
def test_a_law_with_too_little_noise_does_not():
    """That for twice the ε has less error than what is shown, so that some move must tell."""
    density = density_of_smooth_staircase(2 * FOUR)
    assert (density * np.abs(PLACES)).sum() * STEP < float(shown())
    both = given_and_taken(small(), PLACES).values()
    assert any((density * taken).sum() < 0.5 * (density * given).sum() for given, taken in both)


def test_no_more_is_shown_than_there_is():
    """Smooth Staircase has 2.4% more than what is shown."""
    has = float(SmoothStaircaseMechanism(TENTH, FOUR).mean_absolute_error(10))
    assert 1.02 < has / float(shown()) < 1.03
    assert by_moved_amounts(NoSmallerAdditiveError(TENTH, FOUR, shown()), small()).established is True
    more = NoSmallerAdditiveError(TENTH, FOUR, shown() * Fraction(1001, 1000))
    assert by_moved_amounts(more, small()).established is None
    assert least_error(small()) <= shown() < least_error(small()) + Fraction(1, 10**6)


@pytest.mark.parametrize(
    "planted",
    [
        {(Move(20, 10, 2), "there", 0): (1, 1)},  # from 10 to 12 is no step
        {(Move(5, 6, 1), "there", 0): (1, 1)},  # the largest has 5 workers, another one 6
        {(Move(5, -1, 1), "there", 0): (1, 1)},
        {(Move(5, 1, 0), "there", 0): (1, 1)},
        {(ONE, "there", 0): (-1, 1)},
        {(ONE, "elsewhere", 0): (1, 1)},
    ],
)
def test_other_amounts_show_nothing(planted):
    assert shown_by(replace(small(), amounts={**small().amounts, **planted})) is None


@pytest.mark.parametrize("direction", ["there", "back"])
def test_an_amount_too_many_shows_less(direction):
    """What is taken from the middle of the noise lowers the function there."""
    key = (Move(10, 10, 1), direction, 40 if direction == "there" else -37)
    less = shown_by(replace(small(), amounts={**small().amounts, key: (SCALE // 10, SCALE // 10)}))
    assert less is not None
    assert less < shown() - Fraction(1, 20)


def test_without_amounts_nothing_is_necessary():
    assert shown_by(AdditiveCertificate(TENTH, FOUR, 10, {})) == 0


def test_a_certificate_is_of_its_parameters():
    for other in (NoSmallerAdditiveError("1/10", 5, "1/100"), NoSmallerAdditiveError("1/20", 4, "1/100")):
        assert by_moved_amounts(other, small()).established is None


@pytest.mark.parametrize("alpha", ["1/10", "3/20", "1/3", "5/2"])
def test_moves_are_between_neighbors(alpha):
    """Units and parts of them, and one unit with a factor of 1 + α."""
    a = Fraction(alpha)
    listed = [move.shift_and_factor(a) for move in moves(a, 20)]
    assert all(move.allowed(a) for move in moves(a, 20))
    assert (1, 1 + a) in listed
    assert ((1, 1) in listed) == (a <= 1)
    assert all(d <= 1 and (m == 1 or d == 1) for d, m in listed)
    assert all((Fraction(k, 10), 1) in listed for k in range(1, 10) if k * (1 + a) <= 10)


def test_the_adversary_refutes_more_than_smooth_staircase_has():
    assert NoSmallerAdditiveError("1/10", 1, "1.01674").counterexample(10)[1] == ""
    assert "E|Z| is 1.10015" in NoSmallerAdditiveError("1/10", 1, "1.11").counterexample(10)[1]
    assert "not defined" in NoSmallerAdditiveError("1", 1, "1").counterexample(10)[0]
    with pytest.raises(StatementError, match="a point gives down and up"):
        NoSmallerAdditiveError("1/10", 1, "1").at({"down": 0})
    with pytest.raises(StatementError, match="at least 0"):
        NoSmallerAdditiveError("1/10", 1, "1").at({"down": -1, "up": 0})
    with pytest.raises(ParameterError, match="value = 0"):
        NoSmallerAdditiveError("1/10", 1, 0)
