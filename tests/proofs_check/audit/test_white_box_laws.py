"""Laws of a user's own: tails, atoms and integers are judged as they are, and never certified unearned."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from scipy import stats

from establish.proofs_check.audit import AuditOutcome, dp
from establish.proofs_check.audit.white.intervals import Interval
from establish.proofs_check.audit.white.laws import Reading, Tail
from establish.proofs_check.audit.white.made_laws import clipped, finite, mixed, normal, point
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.arithmetic import ARB, SYM, enclosing
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError
from tests.proofs_check.audit.lawful import Lawful


def number(result):
    return float(result.epsilon_lower_bound)


@pytest.mark.parametrize("factor", [1, Fraction(95, 100)])
def test_geometric_noise_is_certified_at_its_ratio_and_refuted_below(factor):
    def law(n, c):
        return Geometric(n, c.exp(-1 / c.number(factor)), c)

    result = certify(Lawful(law), dp(1), 6)
    assert result.violated == (factor < 1)
    assert number(result) == pytest.approx(1 / float(factor))


def test_the_divergence_of_geometric_noise_is_a_finite_sum():
    # With ρ = e^(−1/2) and ε = 1/4, ln(p/q) is 1/2 up to the smaller count and −1/2 from the larger
    # one on: only k ≤ n counts, P = 1/(1+ρ), Q = ρ/(1+ρ), and δ = (1 − e^(1/4)·ρ)/(1 + ρ).
    ratio = math.exp(-1 / 2)
    exact = (1 - math.exp(1 / 4) * ratio) / (1 + ratio)
    noise = Lawful(lambda n, c: Geometric(n, c.exp(-c.number(Fraction(1, 2))), c))
    above, below = (Fraction(exact * factor) for factor in (1 + 1e-9, 1 - 1e-9))
    assert certify(noise, dp("1/4", above), 3).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    result = certify(noise, dp("1/4", below), 3)
    assert result.outcome is AuditOutcome.VIOLATED
    assert (result.pair, result.event) == ((0, 1), "output ≤ 0")


def test_normal_noise_has_the_divergence_of_its_closed_form():
    # δ(ε) = Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ) for a shift by 1.
    sigma, epsilon = 2, 1
    half, lead = 1 / (2 * sigma), epsilon * sigma
    exact = stats.norm.cdf(half - lead) - math.e**epsilon * stats.norm.cdf(-half - lead)
    noise = Lawful(lambda n, c: normal(c.number(n), c.number(sigma), c))
    claim = dp(epsilon, Fraction(exact * 1.0001))
    assert certify(noise, claim, 3).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert certify(noise, dp(epsilon, Fraction(exact * 0.9999)), 3).outcome is AuditOutcome.VIOLATED
    pure = certify(noise, dp(epsilon), 3)
    assert pure.outcome is AuditOutcome.VIOLATED
    assert pure.epsilon_lower_bound == math.inf


def cauchy(n, c):
    """A user's own law: its tail is −2·ln(1/u) + rest(u) with x = anchor ± 1/u."""
    constant = -c.log(c.pi)

    def log_density(x, _):
        return constant - c.log(1 + (x - n) * (x - n))

    def tail(side):
        def of(anchor):
            offset = side * (anchor - n)
            return Tail(0, 0, -2, lambda u: constant - c.log(u * u + (1 + offset * u) ** 2))

        return of

    def cdf(x):
        return (x - n).atan() / c.pi + c.number(Fraction(1, 2))

    return Reading(log_density, cdf, (c.number(n),), left=tail(-1), right=tail(1))


def test_cauchy_noise_has_a_loss_that_is_largest_between_center_and_tail():
    # sup (1 + (x−1)²)/(1 + x²) = (3 + √5)/2 at x = (1 − √5)/2: the derivative is (x² − x − 1)·(...).
    exact = math.log((3 + math.sqrt(5)) / 2)
    above = certify(Lawful(cauchy), dp(Fraction(exact + 1e-6)), 3)
    assert above.outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert number(above) == pytest.approx(exact, rel=1e-13)
    below = certify(Lawful(cauchy), dp(Fraction(exact - 1e-4)), 3)
    assert below.outcome is AuditOutcome.VIOLATED
    assert set(below.pair) == {0, 1}


@pytest.mark.small_campaign
def test_a_law_without_tails_is_not_certified():
    def law(n, c):
        return replace(cauchy(n, c), left=None)

    result = certify(Lawful(law), dp(2), 3)
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND
    assert any("tail of unknown form" in note for note in result.notes)


@pytest.mark.small_campaign
def test_a_violation_is_found_although_a_tail_is_unknown():
    result = certify(Lawful(lambda n, c: replace(cauchy(n, c), left=None)), dp(Fraction(1, 2)), 3)
    assert result.outcome is AuditOutcome.VIOLATED
    (p, _), (_, q) = result.probabilities
    assert p > math.exp(0.5) * q


def test_an_exact_zero_is_refuted_by_the_event_that_it_is():
    def law(n, c):
        return Laplace(c.number(n), c.number(1), c) if n else point(0)

    result = certify(Lawful(law), dp(5), 3)
    assert result.outcome is AuditOutcome.VIOLATED
    assert (result.pair, result.event) == ((0, 1), "output = 0")
    assert result.probabilities[0][1] == 1.0
    assert result.probabilities[1][0] == 0.0


def test_an_atom_on_one_side_counts_in_full_for_delta():
    # Noise for n = 0 with probability 9/10 only: the atom {0} has mass 1/10 and none for n = 1.
    def law(n, c):
        noise = Laplace(c.number(n), c.number(1), c)
        share = c.number(Fraction(9, 10))
        return noise if n else mixed(noise, ((0, Fraction(1, 10)),), share, c)

    assert certify(Lawful(law), dp(2, Fraction(11, 100)), 1).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert certify(Lawful(law), dp(2, Fraction(9, 100)), 1).outcome is AuditOutcome.VIOLATED


def test_clipping_after_the_noise_keeps_the_level_and_clipping_to_the_data_does_not():
    def after(n, c):
        return clipped(Laplace(c.number(n), c.number(1), c), 0, 10, c)

    def to_data(n, c):
        return clipped(Laplace(c.number(n), c.number(1), c), 0, n + 2, c)

    kept = certify(Lawful(after), dp(1), 4)
    assert kept.outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert number(kept) == pytest.approx(1)
    assert certify(Lawful(to_data), dp(1), 4).outcome is AuditOutcome.VIOLATED


def response(odds):
    def law(n, c):
        keep = odds(c) / (1 + odds(c))
        return finite({n % 2: keep, 1 - n % 2: 1 - keep})

    return Lawful(law)


def test_randomized_response_is_certified_at_its_own_level_exactly():
    honest = response(lambda c: c.exp(c.number(1)))
    assert certify(honest, dp(1), 3).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert certify(honest, dp(Fraction(999, 1000)), 3).outcome is AuditOutcome.VIOLATED


def test_two_values_that_balls_cannot_tell_apart_are_not_certified_without_symbols():
    # The same odds e in ARB only: equality with ε = 1 is then not decided.
    def law(n, c):
        if c is SYM:
            raise TypeError("no symbols")
        keep = c.exp(c.number(1)) / (1 + c.exp(c.number(1)))
        return finite({n % 2: keep, 1 - n % 2: 1 - keep})

    result = certify(Lawful(law), dp(1), 3)
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND
    assert number(result) == pytest.approx(1)


def test_a_mass_that_may_be_zero_decides_nothing():
    # 1/3 three times is 1 in rationals, and a ball around 1 in ARB: what is left over may be zero.
    def law(n, c):
        third = c.number(1) / 3
        return finite({0: third + third + third - 1, 1: 1}) if n else point(1)

    result = certify(Lawful(law), dp(1), 1)
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND
    assert any("not decided" in note for note in result.notes)


def test_a_law_on_the_integers_is_judged_at_integers_only():
    # 0 and 1 have probability 1/2 each for n = 0, and e^(±1/4)/(e^(1/4) + e^(−1/4)) for n = 1. The
    # formula of n = 1 has a hump of height 2 between them, where no output lies.
    def law(n, c):
        quarter = c.number(Fraction(n, 4))
        whole = c.exp(quarter) + c.exp(-quarter)

        def log_mass(x, _):
            return quarter * (1 - 2 * x) - c.log(whole) + 8 * n * x * (1 - x)

        return Reading(
            log_mass, lambda k: c.exp(quarter) / whole if k < 1 else c.number(1), (0,), 0, 1, whole=True
        )

    worst = math.log((math.exp(1 / 4) + math.exp(-1 / 4)) / 2) + 1 / 4
    result = certify(Lawful(law), dp(1), 1)
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND
    assert number(result) == pytest.approx(worst, rel=1e-12)
    assert certify(Lawful(law), dp(Fraction(1, 4)), 1).outcome is AuditOutcome.VIOLATED
    assert certify(Lawful(law), dp(3), 1).outcome is AuditOutcome.CERTIFIED_IN_RANGE


def test_all_integers_between_the_ends_of_a_law_count_towards_its_divergence():
    # 0 to 4 with 1/10, 3/20, 1/5, 1/4, 3/10 and the reverse; both formulas break at 2 alone. Without δ the
    # loss is ln 3 at both ends; at ε = ln 2 the excess is that of one end, 3/10 − 2/10.
    def law(n, c):
        step = c.number(Fraction(1 - 2 * n, 20))

        def mass(k):
            return c.number(Fraction(1, 5)) + step * (k - 2)

        return Reading(
            lambda x, _: c.log(mass(x)),
            lambda k: sum((mass(j) for j in range(int(k) + 1)), c.number(0)),
            (2,),
            0,
            4,
            whole=True,
        )

    for end in (0, 4):
        with enclosing():
            read = law(0, ARB)
            assert float(Interval(Fraction(end), Fraction(end)).probability(read)) == pytest.approx(
                0.1 if end == 0 else 0.3
            )
    two = Fraction(math.log(2))
    assert certify(Lawful(law), dp(two, Fraction(101, 1000)), 1).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert certify(Lawful(law), dp(two, Fraction(99, 1000)), 1).outcome is AuditOutcome.VIOLATED


class OnUnit:
    """A law on [0, 1] by the powers of x that its density and its distribution function have."""

    support, breaks = (0, 1), (Fraction(1, 2),)

    def __init__(self, density, power, c, factor=1):
        self.density, self.power, self.c, self.factor = density, power, c, factor

    def log_density(self, x):
        return self.c.log(self.c.number(self.factor)) + self.density * self.c.log(x)

    def cdf(self, x):
        return self.c.power(x, self.power)


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
NO_LAWS = {
    "an outcome is lost": (lambda n, c: finite({0: HALF, 1: (HALF, QUARTER)[n]}), "sum to 0.750000"),
    "an outcome is lost beside noise": (
        lambda n, c: mixed(Laplace(c.number(n), c.number(1), c), ((0, QUARTER),), (3 * QUARTER, HALF)[n], c),
        "sum to 0.750000",
    ),
    "an outcome stands twice": (
        lambda n, c: mixed(Laplace(c.number(n), c.number(1), c), ((0, QUARTER), (0, QUARTER)), HALF, c),
        "the atom 0 twice",
    ),
    "the factor of a density is left out": (lambda n, c: OnUnit(n, n + 1, c), "is not the logarithm of"),
    "density and distribution function are of two laws": (
        lambda n, c: OnUnit(0, n + 1, c),
        "is not the logarithm of",
    ),
    "a distribution function ends at a half": (
        lambda n, c: Reading(lambda x, _: -c.log(c.number(2)), lambda x: x / (1 + n), (HALF,), 0, 1),
        "is not",
    ),
}


@pytest.mark.parametrize("name", NO_LAWS)
@pytest.mark.parametrize("delta", [0, Fraction(1, 10)])
def test_what_is_no_law_is_refused(name, delta):
    law, said = NO_LAWS[name]
    with pytest.raises(ParameterError, match=said):
        certify(Lawful(law), dp(3, delta), 1)


def test_what_is_no_law_on_a_later_dataset_is_not_certified():
    def law(n, c):
        return finite({0: HALF, 1: HALF if n < 2 else QUARTER})

    assert certify(Lawful(law), dp(1), 1).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    result = certify(Lawful(law), dp(1), 3)
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND
    assert any("sum to 0.750000" in note for note in result.notes)


def test_a_law_of_ones_own_whose_density_is_the_slope_is_judged():
    result = certify(Lawful(lambda n, c: OnUnit(n, n + 1, c, n + 1)), dp(1, HALF), 1)
    assert result.outcome is AuditOutcome.CERTIFIED_IN_RANGE


def test_a_mechanism_without_outputs_is_refused():
    with pytest.raises(ParameterError, match="a tuple without outputs"):
        certify(Lawful(lambda n, c: ()), dp(1), 1)
