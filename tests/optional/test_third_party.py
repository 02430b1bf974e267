"""Mechanisms that others wrote, audited under what they say of themselves.

Every library is optional. Each mechanism must pass at its stated level, and must be caught when clearly
more is claimed of it: an audit that cannot see that says nothing about the first.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from establish.proofs_check.audit import audit, custom, dp
from establish.proofs_check.audit.white.laws import Reading, Tail
from establish.proofs_check.audit.white.made_laws import normal
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace

SECONDS = 20
COUNTS = [(n, n + 1) for n in (0, 1, 10, 1000)]
"""A count and the next one."""


class Sampled:
    """A mechanism given by many outputs at once."""

    def __init__(self, sample):
        self.sample = sample

    def __call__(self, n, rng):
        return float(self.sample(n, 1, rng)[0])


def opendp_mechanisms():
    """Name, mechanism, and its own statement at distance 1: ε, or ρ for the Gaussian."""
    library = pytest.importorskip("opendp.prelude", reason="opendp is not installed")
    library.enable_features("contrib")
    floats = library.vector_domain(library.atom_domain(T=float, nan=False))
    whole = library.vector_domain(library.atom_domain(T=int))
    made = {
        "Laplace": (library.m.make_laplace(floats, library.l1_distance(T=float), scale=1.0), 1.0),
        "geometric": (library.m.make_geometric(whole, library.l1_distance(T=int), scale=1.0), 1),
        "Gaussian": (library.m.make_gaussian(floats, library.l2_distance(T=float), scale=1.0), 1.0),
    }

    def sampled(measurement, unit):
        # A vector of one count, repeated: the noise of the entries is independent.
        return Sampled(lambda n, size, rng: np.array(measurement([n * unit] * size), dtype=float))

    return {
        name: (sampled(measurement, unit), measurement.map(unit))
        for name, (measurement, unit) in made.items()
    }


@pytest.mark.parametrize("name", ["Laplace", "geometric", "Gaussian"])
def test_opendp_keeps_its_privacy_map(name):
    mechanism, stated = opendp_mechanisms()[name]
    if name == "Gaussian":  # ρ-zCDP of a Gaussian is μ²/2
        honest, better = (custom(COUNTS, mu=f * math.sqrt(2 * stated)) for f in (1, 0.8))
    else:
        honest, better = dp(stated), dp(0.8 * stated)
    assert not audit(mechanism, honest, seconds=SECONDS).violated
    assert audit(mechanism, better, seconds=SECONDS).violated


def diffprivlib_mechanism(name):
    """The mechanism, its own statement, and one that it does not keep."""
    library = pytest.importorskip(
        "diffprivlib.mechanisms", reason="diffprivlib is not installed (it needs scikit-learn < 1.9)"
    )
    stated = {
        "Laplace": ({"epsilon": 1}, dp(1), dp(0.8)),
        "Geometric": ({"epsilon": 1}, dp(1), dp(0.8)),
        "Gaussian": ({"epsilon": 1, "delta": 0.01}, dp(1, 0.01), dp(0.25, 0.001)),
        "GaussianAnalytic": ({"epsilon": 1, "delta": 0.01}, dp(1, 0.01), dp(0.5, 0.01)),
    }
    given, honest, better = stated[name]

    def sample(n, size, rng):
        seeded = getattr(library, name)(sensitivity=1, random_state=int(rng.integers(2**31)), **given)
        return np.array([seeded.randomise(n) for _ in range(size)], dtype=float)

    return Sampled(sample), honest, better


@pytest.mark.parametrize("name", ["Laplace", "Geometric", "Gaussian", "GaussianAnalytic"])
def test_diffprivlib_keeps_what_it_states(name):
    mechanism, honest, better = diffprivlib_mechanism(name)
    assert not audit(mechanism, honest, seconds=SECONDS).violated
    assert audit(mechanism, better, seconds=SECONDS).violated


def accounting():
    return pytest.importorskip(
        "dp_accounting.pld.privacy_loss_mechanism", reason="dp-accounting is not installed"
    )


class Lawful:
    """A mechanism that is its law."""

    def __init__(self, law):
        self.law = law


LAWS = {
    "LaplacePrivacyLoss": (2.0, lambda n, c: Laplace(c.number(n), c.number(2), c)),
    "DiscreteLaplacePrivacyLoss": (0.5, lambda n, c: Geometric(n, c.exp(-c.number(1) / 2), c)),
    "GaussianPrivacyLoss": (2.0, lambda n, c: normal(c.number(n), c.number(2), c)),
}
"""By class of dp-accounting: its parameter, and the same law here."""


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 4)])
def test_dp_accounting_computes_the_divergence_that_the_white_box_encloses(name, epsilon):
    parameter, law = LAWS[name]
    delta = getattr(accounting(), name)(parameter).get_delta_for_epsilon(float(epsilon))
    above, below = (Fraction(float(delta)) * f for f in (1 + Fraction(1, 10**9), 1 - Fraction(1, 10**9)))
    assert certify(Lawful(law), dp(epsilon, above), 3).outcome == "certified_in_range"
    assert certify(Lawful(law), dp(epsilon, below), 3).violated


def cauchy(n, c):
    """The Cauchy law around n, with scale 1."""

    def log_density(x, _):
        return -c.log(c.pi) - c.log(1 + (x - n) * (x - n))

    def tail(side):
        def of(anchor):
            offset = side * (anchor - n)
            return Tail(0, 0, -2, lambda u: -c.log(c.pi) - c.log(u * u + (1 + offset * u) ** 2))

        return of

    def cdf(x):
        return (x - n).atan() / c.pi + c.number(Fraction(1, 2))

    return Reading(log_density, cdf, (c.number(n),), left=tail(-1), right=tail(1))


def cauchy_of_dp_accounting():
    """Cauchy noise in dp-accounting's frame for additive noise.

    The frame states that it assumes a privacy loss that is non-increasing in x; this one is not.
    """
    frame = accounting()

    class Cauchy(frame.AdditiveNoisePrivacyLoss):
        def __init__(self):
            super().__init__(1.0, False, 1.0, frame.AdjacencyType.ADD)

        def noise_cdf(self, x):
            return np.arctan(x) / math.pi + 0.5

        def noise_log_cdf(self, x):
            return np.log(self.noise_cdf(x))

        def _privacy_loss_without_subsampling_remove(self, x):
            return math.log((1 + x * x) / (1 + (x + 1) ** 2))

        def _inverse_privacy_loss_without_subsampling_remove(self, privacy_loss):
            # The largest x with 1 + x² ≥ r(1 + (x+1)²), r = e^loss > 1.
            r = math.exp(privacy_loss)
            a, b, c = 1 - r, -2 * r, 1 - 2 * r
            return (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)

        def privacy_loss_tail(self):
            raise NotImplementedError

        connect_dots_bounds = from_privacy_guarantee = privacy_loss_tail

    return Cauchy()


def test_a_loss_that_is_not_monotone_makes_dp_accounting_understate_the_divergence():
    epsilon = Fraction(1, 2)
    stated = Fraction(float(cauchy_of_dp_accounting().get_delta_for_epsilon(float(epsilon))))
    assert certify(Lawful(cauchy), dp(epsilon, stated), 3).violated
