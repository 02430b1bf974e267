"""Correct mechanisms for counts and tables of records."""

import math
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.entry import Floats, correct
from establish.proofs_check.audit.gallery.noise import Rng
from establish.proofs_check.audit.gallery.scale_faults import histogram, randomized_response, truncated
from establish.proofs_check.audit.question.definitions import AuditDefinition, dp, edge, node

RECORDS = ("a", "b")

NOISE = "additive noise"

for _epsilon in ("1/10", "1/2", 1, 2):
    _value = float(dp(_epsilon).level.bound)
    correct(
        f"Laplace at ε = {_epsilon}",
        NOISE,
        dp(_epsilon),
        "a count moves by 1, and |x| by no more: ln(p/q) ≤ 1/scale = ε",
    )(noise.laplace_count(1 / _value))
    correct(f"geometric at ε = {_epsilon}", NOISE, edge(_epsilon), "|k| moves by 1: ln(p/q) ≤ −ln ρ = ε")(
        noise.geometric_count(math.exp(-_value))
    )

correct("Laplace with a fifth more noise", NOISE, dp(1), "ln(p/q) ≤ 1/1.2")(noise.laplace_count(1.2))


@correct("Laplace from 52 bits", NOISE, dp(1))
def many_bits(d: int, size: int, rng: Rng) -> Floats:
    """Laplace noise up to the rounding of floating-point noise."""
    return np.asarray(d + noise.laplace_of(rng.integers(0, 2**52, size), 2**52))


correct(
    "truncated Laplace, published",
    NOISE,
    node(1),
    "an establishment contributes at most 10, and the scale is 10",
)(truncated(10, 10.0))
correct(
    "truncated Laplace, tight", NOISE, node(2), "an establishment contributes at most 5, over a scale of 5/2"
)(truncated(5, 2.5))


def least_delta(epsilon: float, deviation: float) -> float:
    """Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ): the exact δ of normal noise on a count.

    ln(p/q) of N(1, σ²) against N(0, σ²) is (x − 1/2)/σ², which exceeds ε beyond x = εσ² + 1/2.
    """
    half, lead = 1 / (2 * deviation), epsilon * deviation

    def below(z: float) -> float:
        return math.erfc(-z / math.sqrt(2)) / 2

    return below(half - lead) - math.exp(epsilon) * below(-half - lead)


def normal_claim(epsilon: float, deviation: float) -> AuditDefinition:
    """The claim of normal noise, with its δ rounded up in the sixth digit."""
    return dp(epsilon, f"{least_delta(epsilon, deviation) * (1 + 1e-6):.12f}")


for _deviation in (1.0, 2.0):
    correct(
        f"normal noise of deviation {_deviation:g}",
        NOISE,
        normal_claim(1.0, _deviation),
        "δ is the exact divergence Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ)",
    )(noise.normal_count(_deviation))

HISTOGRAMS = "histograms and responses"
correct("histogram, add or remove", HISTOGRAMS, dp(1, records=RECORDS), "one record moves one bin by 1")(
    histogram(1.0)
)
correct(
    "histogram, substitution",
    HISTOGRAMS,
    dp(1, 0, "substitution", RECORDS),
    "a substitution moves two bins by 1 each, over a scale of 2",
)(histogram(2.0))
correct("randomized response", HISTOGRAMS, dp(1), "the odds of the true answer are e: ln(p/q) is ±1")(
    randomized_response(1 / (1 + math.exp(-1)))
)


@correct("k-ary randomized response", HISTOGRAMS, dp(1))
def k_ary(d: int, size: int, rng: Rng) -> Floats:
    """n mod 4 is kept with e times the probability of each other value: every ratio is in [1/e, e]."""
    keep = math.e / (math.e + 3)
    other = (d + rng.integers(1, 4, size)) % 4
    return np.where(rng.random(size) < keep, d % 4, other).astype(float)


@correct("noisy maximum", HISTOGRAMS, dp(1, records=RECORDS))
def noisy_maximum(d: Any, size: int, rng: Rng) -> Floats:
    """A function of the histogram with noise for ε = 1."""
    cells = [d.count(r) + rng.laplace(0.0, 1.0, size) for r in RECORDS]
    return np.asarray(cells[0] < cells[1], dtype=float)


@correct("exponential mechanism", HISTOGRAMS, dp(1, records=RECORDS))
def exponential(d: Any, size: int, rng: Rng) -> Floats:
    """Weights e^(count/2): numerator and normalizer move by at most e^(1/2) each."""
    gap = d.count("b") - d.count("a")
    return (rng.random(size) < (1 + math.tanh(gap / 4)) / 2).astype(float)  # 1/(1 + e^(−gap/2))


POST = "post-processing"


@correct("rounding after the noise", POST, dp(1))
def rounded(d: int, size: int, rng: Rng) -> Floats:
    """A function of a release that is ε-private."""
    return np.asarray(np.round(d + rng.laplace(0.0, 1.0, size)))


@correct("rounding to tens with noise for ten", POST, dp(1))
def rounded_first(d: int, size: int, rng: Rng) -> Floats:
    """The rounded count moves by at most 10, and the scale is 10: rounding first is then harmless."""
    return np.asarray(10.0 * round(d / 10) + rng.laplace(0.0, 10.0, size))


@correct("clipping at zero after the noise", POST, dp(1))
def clipped(d: int, size: int, rng: Rng) -> Floats:
    """The atom at 0 is a half-line of the noisy count: its probability moves by at most e."""
    return np.asarray(np.maximum(d + rng.laplace(0.0, 1.0, size), 0.0))


@correct("small noisy counts suppressed", POST, edge(1))
def suppressed(d: Any, size: int, rng: Rng) -> Floats:
    """Suppression looks at the noisy count only."""
    noisy = sum(d) + rng.laplace(0.0, 1.0, size)
    return np.where(noisy < 3, -1.0, noisy)


@correct("absolute value", POST, dp(2))
def folded(d: int, size: int, rng: Rng) -> Floats:
    """A function of a release that is ε-private."""
    return np.abs(d + rng.laplace(0.0, 0.5, size))


@correct("a noisy threshold", POST, dp("1/2"))
def threshold(d: int, size: int, rng: Rng) -> Floats:
    """A function of a release that is ε-private."""
    return np.asarray(d + rng.laplace(0.0, 2.0, size) > 3, dtype=float)


@correct("the release with its double", POST, dp(1))
def doubled(d: int, size: int, rng: Rng) -> Floats:
    """Both numbers are functions of one noisy count."""
    noisy = d + rng.laplace(0.0, 1.0, size)
    return noise.columns(noisy, 2 * noisy)


@correct("a constant", POST, dp("1/100"))
def nothing(d: int, size: int, rng: Rng) -> Floats:
    """The output does not depend on the data."""
    return noise.constant(7, size)


@correct("pure noise", POST, edge("1/100"))
def unrelated(d: Any, size: int, rng: Rng) -> Floats:
    """The output does not depend on the data."""
    return rng.standard_cauchy(size)


COMPOSED = "composition"


@correct("two halves of the budget", COMPOSED, dp(1))
def halves(d: int, size: int, rng: Rng) -> Floats:
    """Losses add up: 1/2 + 1/2."""
    return noise.columns(*(d + rng.laplace(0.0, 2.0, (2, size))))


@correct("mean of two halves", COMPOSED, dp(1))
def mean_of_halves(d: int, size: int, rng: Rng) -> Floats:
    """A function of two releases at 1/2 each."""
    return np.asarray(d + rng.laplace(0.0, 2.0, (2, size)).mean(axis=0))


@correct("one cell per establishment", COMPOSED, edge(1))
def disjoint(d: Any, size: int, rng: Rng) -> Floats:
    """A job is in one cell only."""
    return noise.columns(*(x + rng.laplace(0.0, 1.0, size) for x in d))


@correct("a total from its noisy cells", COMPOSED, edge(1))
def total_from_cells(d: Any, size: int, rng: Rng) -> Floats:
    """The total is a function of the noisy cells."""
    cells = [x + rng.laplace(0.0, 1.0, size) for x in d]
    return noise.columns(*cells, sum(cells))


@correct("one of two levels at random", COMPOSED, dp(1))
def one_of_two(d: int, size: int, rng: Rng) -> Floats:
    """A mixture whose weights do not depend on the data: each part has ln(p/q) ≤ 1."""
    scale = np.where(rng.random(size) < 0.5, 1.0, 2.0)
    return np.asarray(d + scale * rng.laplace(0.0, 1.0, size))


@correct("half of the records", COMPOSED, dp("1.4338", records=RECORDS))
def subsampled(d: Any, size: int, rng: Rng) -> Floats:
    """Keeping each record with probability 1/2 turns ε = 2 into ln(1 + (e² − 1)/2) = 1.43378…."""
    return np.asarray(rng.binomial(len(d), 0.5, size) + rng.laplace(0.0, 0.5, size))
