"""Gaussian levels of laws that are not normal: least μ by other ways, certified above and refuted below."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.audit import custom
from establish.proofs_check.audit.white import gaussian_level
from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.made_laws import clipped, finite, mixed, mixture, normal
from establish.proofs_check.audit.white.pair import Pair
from establish.proofs_check.audit.white.trade_off import gap_between
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from tests.proofs_check.audit.lawful import Lawful

HALF, LITTLE = Fraction(1, 2), Fraction(1, 1000)


def shown(law, mu, first=0, second=1):
    """What the white box says of one pair at level μ."""
    return certify(Lawful(law), custom([(first, second)], mu=Fraction(mu)))


def refuted_below(law, least):
    """What refutes a level a little below the least, where one a little above is certified."""
    assert shown(law, least * (1 + LITTLE)).outcome == "certified"
    result = shown(law, least * (1 - LITTLE))
    assert result.violated
    return result


def probability(event, cdf):
    """Of an event in words, by a distribution function."""
    total = 0.0
    for part in event.split(" or "):
        before, _, after = part.partition("output")
        low = cdf(float(before.removesuffix(" ≤ "))) if before else 0.0
        total += (cdf(float(after.removeprefix(" ≤ "))) if after else 1.0) - low
    return total


def laplace(scale, distance=1):
    return lambda n, c: Laplace(c.number(distance * n), c.number(scale), c)


def least_mu_of_laplace(loss):
    """Laplace laws ``loss`` scales apart have δ(ε) = 1 − e^((ε − loss)/2) for 0 ≤ ε ≤ loss: at each such ε
    the μ whose δ is that, by root search in mpmath, and the largest of them on a grid."""

    def mu_at(epsilon):
        delta = 1 - mpmath.exp((epsilon - loss) / 2)
        gap = lambda mu: (  # noqa: E731
            mpmath.ncdf(mu / 2 - epsilon / mu)
            - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
            - delta
        )
        return mpmath.findroot(gap, (loss / 4, 2 * loss + 2), solver="anderson", tol=1e-20)

    with mpmath.workdps(20):
        return float(max(mu_at(mpmath.mpf(loss) * k / 40) for k in range(40)))


@pytest.mark.few(2)
@pytest.mark.parametrize("loss", [Fraction(1, 2), Fraction(1), Fraction(3)])
def test_laplace_noise_is_certified_above_its_least_mu_and_refuted_below(loss):
    least = Fraction(least_mu_of_laplace(float(loss)))
    kept = shown(laplace(1 / loss), least * (1 + LITTLE))
    assert kept.outcome == "certified"
    assert float(kept.epsilon_lower_bound) == pytest.approx(float(least))
    assert shown(laplace(1 / loss), least * (1 - LITTLE)).violated


def test_a_wrong_scale_is_refuted_by_an_event_whose_probabilities_are_right():
    # The scale is 5% too small for the μ that noise of scale 1 keeps.
    result = shown(laplace(Fraction(95, 100)), Fraction(least_mu_of_laplace(1)))
    assert result.violated
    inside = [probability(result.event, stats.laplace(n, 0.95).cdf) for n in result.pair]
    for (low, high), value in zip(result.probabilities, inside, strict=True):
        assert low <= value * (1 + 1e-12)
        assert high >= value * (1 - 1e-12)
    assert stats.norm.ppf(inside[0]) - stats.norm.ppf(inside[1]) > least_mu_of_laplace(1)


@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(99, 100)])
def test_randomized_response_keeps_twice_the_quantile_of_its_truth(p):
    # The best event is the answer itself, with p against 1 − p: Φ⁻¹(p) − Φ⁻¹(1 − p).
    def law(n, c):
        return finite({0: p if n == 0 else 1 - p, 1: 1 - p if n == 0 else p})

    least = Fraction(2 * stats.norm.ppf(float(p)))
    result = refuted_below(law, least)
    assert result.event in ("output = 0", "output = 1")
    assert float(result.epsilon_lower_bound) == pytest.approx(float(least))


@pytest.mark.parametrize("mu", [Fraction(1, 5), Fraction(1), Fraction(3)])
def test_normal_laws_by_their_divergences_have_the_mu_of_the_closed_form(mu):
    # Their loss has no bound: the certificate needs the argument about tails.
    with enclosing():
        laws = Pair(
            lambda c: normal(c.number(0), c.number(2), c), lambda c: normal(2 * c.number(mu), c.number(2), c)
        )
        above = gaussian_level.from_divergences(laws, ARB.number(mu * (1 + LITTLE)))
        below = gaussian_level.from_divergences(laws, ARB.number(mu * (1 - LITTLE)))
        touching = gaussian_level.from_divergences(laws, ARB.number(mu))
    assert (above.within, below.within, touching.within) == (True, False, None)
    assert float(above.gap) == pytest.approx(float(mu))
    assert below.finding is not None


def least_mu_in_bins(first, second, edges):
    """The largest gap of the events that are the likeliest bins: their masses from distribution functions,
    added up in the order of their ratio."""
    ends = np.concatenate([[-np.inf], edges, [np.inf]])
    p, q = (np.diff(law(ends)) for law in (first, second))
    kept = (p > 0) & (q > 0)
    order = np.argsort(-(p[kept] / q[kept]))
    above, other = np.cumsum(p[kept][order]), np.cumsum(q[kept][order])
    inside = (above > 1e-12) & (other > 1e-12) & (above < 1 - 1e-9) & (other < 1 - 1e-9)
    return float((stats.norm.ppf(above) - stats.norm.ppf(other))[inside].max())


def two_humps(n, c):
    parts = [(Fraction(1, 4), n), (Fraction(3, 4), n + 5)]
    return mixture([(share, Laplace(c.number(at), c.number(1), c)) for share, at in parts], c)


def heavy(n, c):
    return HeavyTailed(c.number(n), c.number(1), 4, c)


def heavy_cdf(n):
    """1/(1 + x⁴), whose integral is π/√2, by its antiderivative."""

    def cdf(x):
        x = np.clip(x - n, -1e6, 1e6)
        root = math.sqrt(2)
        angle = np.arctan(root * x + 1) + np.arctan(root * x - 1)
        log = np.log((x * x + root * x + 1) / (x * x - root * x + 1))
        return ((2 * angle + log) / (4 * root)) / (math.pi / root) + 0.5

    return cdf


def humps_cdf(n):
    return lambda x: 0.25 * stats.laplace.cdf(x, n) + 0.75 * stats.laplace.cdf(x, n + 5)


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    ("law", "cdf", "intervals"),
    [pytest.param(two_humps, humps_cdf, 2, marks=pytest.mark.campaign), (heavy, heavy_cdf, 1)],
)
def test_laws_with_several_crossings_have_the_mu_that_bins_find(law, cdf, intervals):
    least = least_mu_in_bins(cdf(0), cdf(1), np.linspace(-40, 40, 400_001))
    kept = shown(law, Fraction(least) * (1 + LITTLE))
    assert kept.outcome == "certified"
    assert float(kept.epsilon_lower_bound) == pytest.approx(least, rel=1e-6)
    result = shown(law, Fraction(least) * (1 - LITTLE))
    assert result.violated
    assert len(result.event.split(" or ")) == intervals
    (p, _), (_, q) = result.probabilities
    assert stats.norm.ppf(p) - stats.norm.ppf(q) > least * (1 - LITTLE)
    for (low, high), n in zip(result.probabilities, result.pair, strict=True):
        assert low - 1e-9 < probability(result.event, cdf(n)) < high + 1e-9


def test_geometric_noise_is_settled_on_its_integers():
    # The event n ≤ 0 has 1/(1 + r) against r/(1 + r): the two sides of a geometric law of ratio r.
    ratio = math.exp(-0.5)
    gap = stats.norm.ppf(1 / (1 + ratio)) - stats.norm.ppf(ratio / (1 + ratio))
    law = lambda n, c: Geometric(n, c.exp(-c.number(HALF)), c)  # noqa: E731
    refuted_below(law, Fraction(gap))


def uniform(low):
    def law(n, c):
        at = c.number(low * n)
        middle = at + c.number(HALF)
        return Reading(lambda x, k: c.number(0), lambda x: x - at, (middle,), at, at + 1)

    return law


def test_a_uniform_shift_breaks_every_mu():
    result = shown(uniform(Fraction(1, 4)), 50)
    assert result.violated
    assert result.epsilon_lower_bound == math.inf
    (p, _), (_, q) = result.probabilities
    assert p > 0.2
    assert q == pytest.approx(0, abs=1e-300)


def test_clipping_to_public_ends_keeps_a_level_and_an_atom_of_one_law_breaks_all():
    law = lambda n, c: clipped(Laplace(c.number(n), c.number(1), c), 0, 1, c)  # noqa: E731
    refuted_below(law, Fraction(least_mu_of_laplace(1)))  # output ≤ 1/2 survives

    def leaky(n, c):
        noise = Laplace(c.number(n), c.number(1), c)
        share = Fraction(1, 1000)
        return mixed(noise, ((0, share),), c.number(1 - share), c) if n == 0 else noise

    assert shown(leaky, 5).event == "output = 0"


@pytest.mark.parametrize("mu", [2, 5])
def test_normal_laws_of_two_deviations_keep_no_mu(mu):
    law = lambda n, c: normal(c.number(0), c.number(1 + n), c)  # noqa: E731
    result = shown(law, mu)
    assert result.violated
    (p, _), (_, q) = result.probabilities
    assert stats.norm.ppf(p) - stats.norm.ppf(q) > mu


def beside_an_atom(n, c):
    """Normal laws one deviation apart in nine cases of ten, else 7."""
    noise = normal(c.number(n), c.number(1), c)
    return mixed(noise, ((7, Fraction(1, 10)),), c.number(Fraction(9, 10)), c)


@pytest.mark.small_campaign
def test_a_common_atom_beside_normal_noise_keeps_its_mu():
    # Far out the gap of x ≤ −t is that of the normal laws alone, less about ln(10/9)/t²; so the least μ is 1,
    # which no event attains. A law that is the same in a tenth of all cases keeps what the rest keeps.
    assert shown(beside_an_atom, 1 + LITTLE).outcome == "certified"
    assert shown(beside_an_atom, Fraction(98, 100)).violated
    tail = stats.norm.logcdf
    ends = [stats.norm.ppf(0.9 * math.exp(tail(-4 - n))) for n in (0, 1)]
    assert ends[0] - ends[1] > 0.98


@pytest.mark.small_campaign
def test_a_law_whose_tails_are_unknown_is_not_certified():
    class Unknown:
        breaks = (0,)

        def __init__(self, n, c):
            self.center, self.c = c.number(n), c

        def log_density(self, x):
            return -self.c.log(1 + (x - self.center) ** 2) - self.c.log(self.c.pi)

        def cdf(self, x):
            return self.c.number(HALF) + (x - self.center).atan() / self.c.pi

    result = shown(Unknown, 5)
    assert result.outcome == "no_violation_found"
    assert any("form of a tail is not known" in note for note in result.notes)


def test_probabilities_that_are_not_told_from_zero_refute_nothing():
    # Far to the right both laws of loss 50 have less than the precision of their distribution functions.
    least = -2 * stats.norm.ppf(math.exp(-25) / 2)  # of x ≤ 1/2
    assert least < 15
    result = shown(laplace(Fraction(1, 50)), 15)
    assert result.outcome == "certified"
    assert float(result.epsilon_lower_bound) == pytest.approx(least)
    with enclosing():
        nothing = ARB.number(0).union(ARB.number(Fraction(1, 10**60)))
        assert not gap_between(ARB.number(Fraction(1, 10**30)), nothing) > 10
        assert gap_between(ARB.number(Fraction(1, 10**30)), ARB.number(0)) > 10**9


@pytest.mark.small_campaign
def test_a_center_that_is_irrational_is_settled_like_any_other():
    law = lambda n, c: Laplace(c.sqrt(c.number(3 * n)), c.number(1), c)  # noqa: E731
    refuted_below(law, Fraction(least_mu_of_laplace(math.sqrt(3))))
    # δ at ε = 1 is 1 − e^((1 − √3)/2), about .3065, in both orders.
    delta = Fraction(1 - math.exp((1 - math.sqrt(3)) / 2))
    kept, broken = (custom([(0, 1), (1, 0)], 1, delta * (1 + sign * LITTLE)) for sign in (1, -1))
    assert certify(Lawful(law), kept).outcome == "certified"
    assert certify(Lawful(law), broken).violated
