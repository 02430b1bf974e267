"""The smooth sensitivity mechanism for percentiles: its laws and its domain."""

from fractions import Fraction as F

import pytest

from establish.spec.arithmetic import MP
from establish.spec.earnings.smooth_percentile import SmoothPercentileMechanism, loss_rate
from establish.spec.parameters import ParameterError

EARNINGS, ENDS = (0, 3, 5, 9, 9), (0, 9)


def test_the_noise_is_sixteen_times_the_smooth_sensitivity_over_the_budget():
    # at ε_x = 2, β = 1/2: windows of the median are 4, 6, 9, 9, 9, 9, so S = max(4, 6e^(−½), …) = 4
    law = SmoothPercentileMechanism(F(1, 2), 2, ENDS).output(EARNINGS)
    assert law.center == 5
    assert abs(law.scale - MP.number(16 * 4) / 2) < MP.number(10) ** -50


def test_at_a_fractional_rank_center_and_scale_are_those_between_two_order_statistics():
    # N = 4, X = 50: M = 5/2, P = 4, and one changed entry moves it by (e_4 − e_2)/2 = 3 at most; at
    # distance 1 by (e_4 − e_1)/2 + (9 − e_4)/2 = 4½, which e^(−5) makes 0.03. S = 3 at ε_x = 20, β = 5.
    law = SmoothPercentileMechanism(F(1, 2), 20, ENDS).output((0, 3, 5, 9))
    assert law.center == 4
    assert abs(law.scale - MP.number(16 * 3) / 20) < MP.number(10) ** -50


def test_noise_does_not_vanish_when_all_earn_the_same():
    assert SmoothPercentileMechanism(F(1, 2), 1, ENDS).output((5, 5, 5)).scale > 0


@pytest.mark.parametrize(
    ("earnings", "message"), [((9, 3, 5), "sorted"), ((0, 5, 10), "lie in"), ((), "one or more")]
)
def test_earnings_outside_the_domain_are_refused(earnings, message):
    with pytest.raises(ParameterError, match=message):
        SmoothPercentileMechanism(F(1, 2), 1, ENDS).output(earnings)


@pytest.mark.parametrize(
    ("share", "epsilon", "ends"), [(0, 1, ENDS), (F(1, 2), 0, ENDS), (F(1, 2), 1, (9, 9))]
)
def test_parameters_outside_the_domain_are_refused(share, epsilon, ends):
    with pytest.raises(ParameterError):
        SmoothPercentileMechanism(share, epsilon, ends)


@pytest.mark.parametrize("z", [F(-3), F(-1, 2), F(0), F(1, 3), F(2)])
def test_the_loss_rate_is_a_difference_quotient_of_the_log_density(z):
    slide, dilation, step = F(1, 16), F(1, 4), F(1, 10**12)
    mp = MP.mp
    there = MP.number(z) * mp.exp(dilation.numerator * MP.number(step) / 4) + MP.number(slide * step)
    loss = mp.log((1 + there**4) / (1 + MP.number(z) ** 4)) - MP.number(dilation * step)
    rate = loss_rate(MP.number(z), MP.number(1), MP.number(slide), MP.number(dilation), MP)
    assert abs(loss / MP.number(step) - rate) < MP.number(10) ** -10


def test_the_loss_rate_far_out_is_three_times_the_dilation():
    assert loss_rate(1, 0, F(1), F(1, 4), MP) == 3 * F(1, 4)
