"""Laws on which a certificate or a violation would be wrong: the truth of each is a short sum."""

import math
from fractions import Fraction

import numpy as np
import pytest

from establish import ParameterError, custom
from establish.proofs_check.audit.white.composed import rounded
from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.made_laws import clipped, finite, mixed, mixture
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from tests.proofs_check.audit.lawful import Lawful

HALF = Fraction(1, 2)
LEVELS = ({"epsilon": 1}, {"epsilon": 1, "delta": Fraction(1, 100)}, {"mu": 1})


def shown(law, epsilon=None, delta=0, mu=None):
    """What the white box says of the laws of 0 and 1."""
    return certify(Lawful(law), custom([(0, 1)], epsilon, delta, mu=mu))


@pytest.mark.small_campaign
def test_a_mixture_of_mixtures_whose_tails_differ_keeps_no_epsilon():
    # Law 0 has a part of scale 2 inside of a part, so that its loss against scale 1 alone grows far out.
    def law(n, c):
        one, two = (Laplace(c.number(0), c.number(scale), c) for scale in (1, 2))
        inner = mixture([(HALF, one), (HALF, one if n else two)], c)
        return mixture([(HALF, inner), (HALF, one)], c)

    # Below −t, law 0 has more than e^(−t/2)/8 and law 1 has e^(−t)/2: e^20 times as much and more from t = 44
    # on. At ε = 60 it is from t = 123 on, where law 0 has 1e-28, less than is looked for.
    result = shown(law, 20)
    (p, _), (_, q) = result.probabilities
    assert result.violated
    assert p > math.exp(20) * q
    assert p == pytest.approx(math.exp(-44.1589 / 2) / 8, rel=1e-3)
    assert shown(law, 60).outcome == "no_violation_found"
    assert shown(law, mu=20).violated


@pytest.mark.parametrize("level", LEVELS)
def test_a_law_with_ends_is_not_clipped_as_if_it_had_none(level):
    # Uniform on [0, 1] against [1/4, 5/4]: an output below 1/4 tells them apart.
    def law(n, c):
        at = c.number(Fraction(n, 4))
        read = Reading(lambda x, k: c.number(0), lambda x: x - at, (at + c.number(HALF),), at, at + 1)
        return clipped(read, 0, 1, c)

    with pytest.raises(ParameterError, match="whole line"):
        shown(law, **level)


def on_integers(masses, breaks, log_mass):
    """A law on 0, 1, ... with these probabilities, which a formula between breaks gives as well."""
    sums = [sum(masses[: k + 1]) for k in range(len(masses))]
    return lambda c: Reading(
        lambda x, k: log_mass(c, x, k),
        lambda k: c.number(sums[int(k)]),
        breaks,
        0,
        len(masses) - 1,
        whole=True,
    )


def test_a_mass_of_its_own_at_the_last_integer_counts():
    # Three masses alike and a fourth one, 1/10 against 1/100: the loss is ln 10.
    def law(n, c):
        last = (Fraction(1, 10), Fraction(1, 100))[n]
        most = (1 - last) / 3
        masses = [most, most, most, last]
        formula = lambda c, x, k: c.log(c.number(last if k == 2 else most))  # noqa: E731
        return on_integers(masses, (1, 3), formula)(c)

    assert shown(law, Fraction(math.log(10)) + Fraction(1, 1000)).outcome == "certified"
    result = shown(law, Fraction(math.log(10)) - Fraction(1, 1000))
    assert result.violated
    assert result.event == "3 ≤ output"
    assert float(result.epsilon_lower_bound) == pytest.approx(math.log(10))
    assert shown(law, mu=Fraction(104, 100)).violated  # Φ⁻¹(1/10) − Φ⁻¹(1/100) is 1.0448
    assert shown(law, mu=Fraction(105, 100)).outcome == "certified"


def test_what_a_formula_would_give_at_a_break_refutes_nothing():
    # 1/2 at the middle of five integers; others by r^|k − 2| with r = 1/4 against 1/2. At distances 1 and 2
    # the ratios are 6/5 and 3/5; the formula would give 12/5 at the middle, where both have 1/2.
    def law(n, c):
        ratio = Fraction(1 + n, 4)
        share = 1 / (4 * (ratio + ratio**2))
        masses = [share * ratio ** abs(k - 2) for k in range(5)]
        masses[2] = HALF

        def formula(c, x, k):
            if k == 1:
                return -c.log(c.number(2))
            return c.log(c.number(share)) + (x - 2 if k else 2 - x) * c.log(c.number(ratio))

        return on_integers(masses, (2, 3), formula)(c)

    assert shown(law, Fraction(6, 10)).outcome != "violated"  # ln(5/3) is .511
    assert shown(law, HALF).violated
    assert float(shown(law, HALF).epsilon_lower_bound) == pytest.approx(math.log(5 / 3))


@pytest.mark.parametrize("level", LEVELS)
def test_an_integer_of_a_law_and_an_atom_there_are_one_output(level):
    # The same two masses 1/2, once as atoms and once as a law on the integers.
    def law(n, c):
        formula = lambda c, x, k: -c.log(c.number(2))  # noqa: E731
        return on_integers([HALF, HALF], (1,), formula)(c) if n else finite({0: HALF, 1: HALF})

    assert shown(law, **level).outcome == "no_violation_found"

    # With probability 1/10 at 0 besides, where the geometric law has about .46 alone.
    def inflated(n, c):
        noise = Geometric(0, c.exp(-c.number(1)), c)
        return noise if n else mixed(noise, ((0, Fraction(1, 10)),), c.number(Fraction(9, 10)), c)

    assert not shown(inflated, **level).violated


@pytest.mark.parametrize("level", LEVELS)
def test_ends_that_may_be_the_same_refute_nothing(level):
    # Cauchy laws on [0, √2], whose center moves by 1/10; read in balls alone, which do not tell √2 from √2.
    def law(n, c):
        end, center = c.sqrt(c.number(2)), c.number(Fraction(n, 10))
        total = (end - center).atan() + center.atan()
        return Reading(
            lambda x, k: -c.log(1 + (x - center) * (x - center)) - c.log(total),
            lambda x: ((x - center).atan() + center.atan()) / total,
            (c.number(HALF),),
            c.number(0),
            end,
        )

    assert shown(law, **level).outcome == "no_violation_found"


def test_the_event_of_a_tuple_is_told_of_the_dataset_that_it_is_likelier_for():
    # output[1] is uniform on [0, 1] for 0 and on [0, 2] for 1, so that beyond 1 there is nothing for 0.
    def law(n, c):
        width = 1 + n
        flat = Reading(
            lambda x, k: -c.log(c.number(width)),
            lambda x: x / width,
            (c.number(HALF),),
            c.number(0),
            c.number(width),
        )
        return Laplace(c.number(n), c.number(1), c), flat

    result = shown(law, 1)
    assert result.violated
    assert result.pair == (1, 0)
    assert "1 ≤ output[1]" in result.event
    (p, _), (low, high) = result.probabilities
    assert p > 0.1
    assert low == 0
    assert high < 1e-300


def test_integers_at_ties_of_a_rounding_show_nothing():
    # To even numbers, ties to multiples of 4: δ at ε = 1/2 is that of output ≥ 2, which is what k ≥ 2 has.
    # k ≥ 1 would show .288, but 1 goes to 0.
    def law(n, c):
        return rounded(Geometric(n, c.exp(-c.number(1)), c), 2)

    ratio = math.exp(-1)
    for_one, for_zero = ratio / (1 + ratio), ratio**2 / (1 + ratio)
    assert for_one - math.exp(0.5) * for_zero < 1 / 4
    assert shown(law, HALF, Fraction(1, 4)).outcome == "no_violation_found"
    assert shown(law, mu=1).outcome == "no_violation_found"
    assert shown(law, 1).outcome == "certified"


def test_outputs_beyond_every_float_count_and_do_not_end_in_an_error():
    # In t = ln(x + 1) the laws are Laplace laws of scales 100 and 101: the loss of the second passes .1 at
    # t near 1112, where e^t exceeds every float. With Z the standard law, δ follows from P(|Z| > t/scale).
    def law(n, c):
        return LogLaplace(c.number(0), c.number(1), c.number(100 + n), c)

    end = (0.1 + math.log(1.01)) / (1 / 100 - 1 / 101)
    exact = math.exp(-end / 101) - math.exp(0.1 - end / 100)
    assert shown(law, Fraction(1, 10), Fraction(exact * 1.001)).outcome == "certified"
    assert shown(law, Fraction(1, 10), Fraction(exact * 0.999)).violated


@pytest.mark.small_campaign
def test_heavy_tails_around_an_irrational_center_are_settled():
    def law(n, c):
        return HeavyTailed(c.number(n) + c.sqrt(c.number(2)), c.number(1), 4, c)

    x, step = np.linspace(-100, 100, 200_001, retstep=True)
    first, second = (math.sqrt(2) / math.pi / (1 + (x - n) ** 4) for n in (0, 1))
    delta = Fraction(np.maximum(first - math.e * second, 0).sum() * step)
    assert shown(law, 1, delta * Fraction(1001, 1000)).outcome == "certified"
    assert shown(law, 1, delta * Fraction(999, 1000)).violated


@pytest.mark.parametrize(
    ("atom", "told"), [(Fraction(1, 3), "1/3"), (0.1 + 0.2, "0.30000000000000004"), (0.25, "0.25")]
)
def test_an_atom_is_told_as_the_number_that_it_is(atom, told):
    at = Fraction(atom)
    low, high = Fraction(1, 4), Fraction(3, 4)
    swap = lambda n, c: finite({at: high, at + 1: low} if n else {at: low, at + 1: high})  # noqa: E731
    result = shown(swap, epsilon=HALF)
    assert result.violated
    assert result.event == f"output = {told}"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("pair", [((1,), (2,)), ((1, 5), (2, 5))])
def test_a_law_around_a_tuple_is_refused_with_a_reason(pair, level):
    definition = custom([pair], level.get("epsilon"), level.get("delta", 0), mu=level.get("mu"))
    law = lambda d, c: Laplace(c.number(d), c.number(1), c)  # noqa: E731
    with pytest.raises(ParameterError, match=r"around \(.*\), which is not a number"):
        certify(Lawful(law), definition)
