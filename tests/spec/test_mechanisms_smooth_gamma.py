"""The ideal Smooth Gamma mechanism: domain, calibrations, and losses from output densities."""

from fractions import Fraction as F
from math import floor

import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.mechanisms import smooth_gamma
from establish.spec.mechanisms.smooth_gamma import (
    SmoothGammaMechanism,
    TalkSmoothGammaMechanism,
    TightSmoothGammaMechanism,
)
from establish.spec.parameters import ParameterError

TINY = MP.mp.mpf(10) ** -45
POINTS = [(F(1, 10), F(2)), (F(1, 100), F(1, 4)), (F(1, 5), F(4))]
each_point = pytest.mark.parametrize(("alpha", "epsilon"), POINTS, ids=str)
# A bound on the loss as a share of ε: 3/5 for the printed noise, 1 for the tight one, and less than 9/10 for
# that of the slides, 3^(3/4)/16 + 3/4.
all_three = pytest.mark.parametrize(
    ("family", "share"),
    [
        (SmoothGammaMechanism, F(3, 5)),
        (TightSmoothGammaMechanism, F(1)),
        (TalkSmoothGammaMechanism, F(9, 10)),
    ],
)


def neighbors(alpha):
    """Cells in which the first establishment grows: alone, as the largest, and beside a larger one."""
    size = int(1 / alpha)
    for first in (
        (0,),
        (size // 2,),
        (size,),
        (2 * size,),
        (size, 3),
        (size, size),
        (3, 10 * size),
        (size, 2 * size),
    ):
        for more in {1, max(floor(alpha * first[0]), 1)}:
            yield first, (first[0] + more, *first[1:])


def far(largest):
    """Outputs from the counts out to a million times the largest establishment, on both sides."""
    near = [F(k, 4) for k in range(-40, 41)]
    return near + [sign * F(10) ** e for sign in (-1, 1) for e in range(2, 9)]


def losses(mechanism, first, second):
    """ln(p/q) at outputs relative to the first count, in units of its sensitivity."""
    p, q = mechanism.output(first), mechanism.output(second)
    unit = max(mechanism.alpha * max(first), 1)
    outputs = [sum(first) + unit * offset for offset in far(max(first))]
    return [p.log_density(o) - q.log_density(o) for o in outputs]


@pytest.mark.few(2)
@each_point
@all_three
def test_no_pair_of_neighbors_loses_more_than_stated_in_either_direction(alpha, epsilon, family, share):
    mechanism = family(alpha, epsilon)
    stated = MP.number(share * epsilon)
    for first, second in neighbors(alpha):
        assert max(losses(mechanism, first, second)) < stated
        assert max(losses(mechanism, second, first)) < stated


@pytest.mark.few(3)
@each_point
@all_three
def test_the_extreme_pair_loses_the_most(alpha, epsilon, family, share):
    # One establishment of 1/α workers and one more: shift S, and S grows by the factor 1+α.
    mechanism = family(alpha, epsilon)
    size = int(1 / alpha)
    extreme = max(losses(mechanism, (size + 1,), (size,)))
    for first, second in neighbors(alpha):
        assert max(losses(mechanism, first, second)) <= extreme + TINY
        if max(first) > first[0] or first[0] < size:  # S does not grow by the factor 1+α
            assert max(losses(mechanism, second, first)) < extreme


@each_point
def test_far_outputs_approach_three_times_the_log_growth(alpha, epsilon):
    mechanism = SmoothGammaMechanism(alpha, epsilon)
    size = int(1 / alpha)
    p, q = mechanism.output((size + 1,)), mechanism.output((size,))
    for output in (MP.mp.mpf(10) ** 14, -(MP.mp.mpf(10) ** 14)):
        loss = p.log_density(output) - q.log_density(output)
        assert abs(loss - 3 * MP.log(1 + MP.number(alpha))) < MP.mp.mpf(10) ** -9


@each_point
def test_the_loss_formula_is_the_log_ratio_of_the_densities(alpha, epsilon):
    mechanism = SmoothGammaMechanism(alpha, epsilon)
    slide = mechanism.slide()
    for first, second in neighbors(alpha):
        p, q = mechanism.output(first), mechanism.output(second)
        unit, larger = (max(alpha * max(sizes), F(1)) for sizes in (first, second))
        ratio = MP.number(larger / unit)
        moved = MP.number((sum(second) - sum(first)) / unit) * slide
        for w in (F(-7), F(0), F(1, 3), F(20)):
            # the output at w of the larger dataset's noise
            output = MP.number(sum(second)) + MP.number(w) * MP.number(larger) / slide
            by_density = q.log_density(output) - p.log_density(output)
            stated = smooth_gamma.privacy_loss(
                MP.number(w.numerator), MP.number(w.denominator), moved, ratio, MP
            )
            assert abs(by_density - stated) < TINY


@pytest.mark.few(5)
@pytest.mark.parametrize("sizes", [(), (3,), (40, 7), (100, 100)], ids=str)
@pytest.mark.parametrize("family", [SmoothGammaMechanism, TightSmoothGammaMechanism])
def test_the_expected_error_is_the_integral_of_the_density(family, sizes):
    mechanism = family("0.1", 2)
    law = mechanism.output(sizes)
    count, largest = sum(sizes), max(sizes, default=0)
    # ∫|o − n|·p(o) do over both sides, in units of the scale, with u = 1/z beyond 1
    scale = MP.number(max(F(largest, 10), 1)) / mechanism.slide()

    def weighted(z):
        return 2 * z * MP.exp(law.log_density(count + scale * z)) * scale**2

    near = MP.mp.quad(weighted, [0, MP.number(F(1, 2)), 1])
    beyond = MP.mp.quad(lambda u: weighted(1 / u) / u**2, [MP.mp.mpf(10) ** -40, F(1, 2), 1])
    stated = smooth_gamma.mean_absolute_error(largest, F(1, 10), mechanism.slide(), MP)
    assert abs(near + beyond - stated) < MP.mp.mpf(10) ** -25 * stated


def test_the_published_slide_is_a_fifth_of_the_first_budget():
    # ε1 = 2 − 5·ln 1.1 = 1.52344910097837569978...
    assert str(5 * SmoothGammaMechanism("0.1", 2).slide())[:21] == "1.5234491009783756997"
    tight = TightSmoothGammaMechanism("0.1", 2).slide()
    # (2 − 3·ln 1.1)/27^(1/4)
    assert abs(tight - (2 - 3 * MP.log(MP.number(F(11, 10)))) / MP.mp.root(27, 4)) < TINY


@pytest.mark.parametrize(
    ("family", "multiple", "name"), [(SmoothGammaMechanism, 5, "ε/5"), (TightSmoothGammaMechanism, 3, "ε/3")]
)
@pytest.mark.parametrize("alpha", [F(1, 10), F(1), F(3)], ids=str)
def test_the_domain_ends_at_its_inequality_and_the_error_names_it(family, multiple, name, alpha):
    # ε = multiple·ln(1+α), rounded down and up at 10^-12
    below = F(int((multiple * MP.log(MP.number(1 + alpha))) * 10**12), 10**12)
    with pytest.raises(ParameterError, match="1 \\+ α < e") as refusal:
        family(alpha, below)
    assert f"e^({name})" in str(refusal.value)
    assert family(alpha, below + F(1, 10**12)).slide() > 0


def test_a_negative_size_is_refused():
    with pytest.raises(ParameterError, match="x = -1"):
        SmoothGammaMechanism("0.1", 2).output((-1,))


def test_the_law_is_read_in_the_world_that_is_asked_for():
    with enclosing():
        law = SmoothGammaMechanism("0.1", 2).output((30, 4), ARB)
        assert law.cdf(34).contains(ARB.number(F(1, 2)))
        assert law.scale.rel_accuracy_bits() > 150


def test_the_slides_take_a_sixteenth_of_epsilon_where_they_allow_it():
    law = TalkSmoothGammaMechanism(F(1, 2), F(2)).output((10, 4))
    assert (law.center, law.scale) == (14, 40)
    # 4·ln 1.5 = 1.6218...
    TalkSmoothGammaMechanism(F(1, 2), F(163, 100))
    with pytest.raises(ParameterError, match=r"1 \+ α <= e\^\(ε/4\)"):
        TalkSmoothGammaMechanism(F(1, 2), F(162, 100))
