"""The numbers of the claims, by second methods: mpmath, no Arb, no formula of the specification.

Everything is written anew from the definitions: sizes of establishments, S = max(αx, 1), the densities
of the outputs. Only the numbers under test come from the library: from its ledger, with which
``make check`` compares every claim.
"""

from fractions import Fraction as F
from functools import cache

import mpmath
import pytest
from mpmath import mpf

from establish.proofs_check.engine import ledger
from establish.proofs_check.papers.haney2017.points import POINTS
from establish.spec.arithmetic import MP
from establish.spec.distributions import laplace

pytestmark = pytest.mark.usefixtures("thirty_digits")
PHI = (mpmath.sqrt(5) - 1) / 2


def label(alpha, epsilon):
    """How a claim's id names the point."""
    return f"a{float(alpha):g}-e{float(epsilon):g}".replace("0.", ".")


def value_of(id):
    return ledger.recorded()[f"haney2017/{id}"].value


def real(x):
    return mpf(x.numerator) / x.denominator


def maximum(f, low, high):
    """The maximum of a unimodal f on [low, high] by golden sections."""
    for _ in range(70):  # f is flat at its maximum: 10^-14 of the width beside it costs 10^-28
        a, b = high - PHI * (high - low), low + PHI * (high - low)
        low, high = (low, b) if f(a) > f(b) else (a, high)
    return f((low + high) / 2)


def zero(f, low, high):
    """The point between low and high where f changes its sign, by bisection."""
    positive = f(low) > 0
    for _ in range(130):
        middle = (low + high) / 2
        low, high = (middle, high) if (f(middle) > 0) == positive else (low, middle)
    return (low + high) / 2


def sensitivity(largest, alpha):
    return max(alpha * largest, mpf(1))


def loss_of_pair(x, y, a, alpha):
    """sup over outputs and both directions of ln(p/q), for n + (S/a)·Z with Z ∝ 1/(1+z⁴).

    One establishment, of x or of y workers. Outputs are scanned on a grid in units of the noise, out to
    where the log-ratio has its limit, and the best cell of the grid is refined.
    """
    scale_x, scale_y = sensitivity(x, alpha) / a, sensitivity(y, alpha) / a

    def log_ratio(output):
        z, w = (output - x) / scale_x, (output - y) / scale_y
        return mpmath.log((1 + z**4) / (1 + w**4)) - mpmath.log(scale_y / scale_x)

    grid = [x + scale_x * mpmath.sinh(mpf(k) / 8) for k in range(-120, 121)]
    best = mpf(0)
    for sign in (1, -1):
        values = [sign * log_ratio(o) for o in grid]
        top = max(range(1, len(grid) - 1), key=values.__getitem__)
        refined = maximum(lambda o, s=sign: s * log_ratio(o), grid[top - 1], grid[top + 1])
        best = max(best, refined)
    return best


def printed_slide(alpha, epsilon):
    return (epsilon - 5 * mpmath.log(1 + alpha)) / 5


each_point = pytest.mark.parametrize(("alpha", "epsilon"), POINTS, ids=[label(*point) for point in POINTS])
# Sizes in units of 1/α, and the shares of the allowed growth max(αx, 1).
NEIGHBORS = [(size, share) for size in (0, F(1, 2), F(9, 10), 1, 3) for share in (F(1, 3), F(9, 10), 1)]


def losses(alpha, a):
    """(whether the pair is extreme, its loss) over a grid of neighbors of real sizes."""
    for size, share in NEIGHBORS:
        x = real(F(size)) / alpha
        y = x + real(F(share)) * sensitivity(x, alpha)
        yield size >= 1 and share == 1, loss_of_pair(x, y, a, alpha)


@pytest.mark.few(2)
@each_point
def test_the_loss_of_algorithm_2_is_the_maximum_over_outputs_and_neighbors(alpha, epsilon):
    stated = mpf(value_of(f"alg-2-loss/{label(alpha, epsilon)}"))
    al, ep = real(alpha), real(epsilon)
    for extreme, loss in losses(al, printed_slide(al, ep)):
        if extreme:
            assert abs(loss - stated) < mpf(10) ** -15
        else:
            assert loss < stated


@pytest.mark.few(2)
@each_point
def test_at_the_least_multiplier_of_algorithm_2_the_loss_is_epsilon(alpha, epsilon):
    multiplier = mpf(value_of(f"alg-2-multiplier/{label(alpha, epsilon)}"))
    al, ep = real(alpha), real(epsilon)
    for extreme, loss in losses(al, printed_slide(al, ep) / multiplier):
        if extreme:
            assert abs(loss - ep) < mpf(10) ** -14
        else:
            assert loss < ep
    extreme_pair = 1 / al, 1 / al + 1
    less_noise = printed_slide(al, ep) / (multiplier - mpf(10) ** -12)
    assert loss_of_pair(*extreme_pair, less_noise, al) > ep


def log_delta(alpha, epsilon):
    """ln ∫ (q − e^ε·p)₊ between 1/α and 1/α + 1 workers for n + (2S/ε)·Laplace(1), by quadrature.

    Beyond each end of the set where q > e^ε·p the density is integrated relative to its value of p at
    that end, so that tiny probabilities keep their digits.
    """
    x, y = 1 / alpha, 1 / alpha + 1
    scale_p, scale_q = 2 / epsilon, 2 * (1 + alpha) / epsilon

    def gain(output):
        ratio = mpmath.log(scale_q / scale_p)
        return abs(output - x) / scale_p - abs(output - y) / scale_q - ratio - epsilon

    parts = []
    for side, start in ((1, y), (-1, x)):
        far = start + side * scale_p
        while gain(far) < 0:
            far = start + 2 * (far - start)
        end = zero(gain, start, far)

        def density(t):
            """(q − e^ε·p)/q(end) at the distance t beyond the end; q(end) = e^ε·p(end)."""
            return mpmath.exp(-t / scale_q) - mpmath.exp(-t / scale_p)

        steps = [0, *(scale_q * m for m in (1, 4, 16, 64, 200))]
        log_q = -abs(end - y) / scale_q - mpmath.log(2 * scale_q)
        parts.append(log_q + mpmath.log(mpmath.quad(density, steps)))
    return max(parts) + mpmath.log1p(mpmath.exp(min(parts) - max(parts)))


@each_point
def test_the_least_delta_of_algorithm_3_is_the_integral_of_the_excess(alpha, epsilon):
    stated = mpf(value_of(f"alg-3-delta/{label(alpha, epsilon)}"))
    assert abs(mpmath.exp(log_delta(real(alpha), real(epsilon))) / stated - 1) < mpf(10) ** -15


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "alpha",
    [
        *(pytest.param(a, marks=pytest.mark.small_campaign) for a in (F(1, 100), F(1, 20))),
        *(F(1, 10), F(1, 5), F(1)),
    ],
    ids=str,
)
def test_the_guarantee_of_algorithm_3_breaks_where_the_integral_meets_the_printed_delta(alpha):
    stated = value_of(f"lemma-9.2-breaks/a{float(alpha):g}".replace("a0.", "a."))
    al = real(alpha)

    def gap(epsilon):
        return log_delta(al, epsilon) + epsilon / (2 * mpmath.log(1 + al))

    root = mpmath.findroot(gap, (mpf(5), mpf(40)), solver="illinois", tol=mpf(10) ** -36)
    assert abs(root - mpf(stated)) < mpf(10) ** -14
    assert gap(root - 1) < 0 < gap(root + 1)


@pytest.mark.parametrize("delta", ["0.05", "5e-4"])
@pytest.mark.parametrize("alpha", ["0.01", "0.10", "0.20"])
def test_the_entries_of_table_2_are_the_least_epsilons(delta, alpha):
    if delta == "0.05":  # one claim has the three entries of this column
        found = value_of("table-2/d.05").split(", ")[("0.01", "0.10", "0.20").index(alpha)]
    else:
        found = value_of(f"table-2/d5e-4-a{alpha[1:]}")
    stated = mpf(found)
    # 1+α = e^(ε/(2·ln(1/δ))), solved for ε numerically
    al, de = mpf(alpha), mpf(delta)
    root = mpmath.findroot(lambda e: mpmath.exp(e / (2 * mpmath.log(1 / de))) - 1 - al, 1)
    assert abs(root / stated - 1) < mpf(10) ** -15


@cache
def above_1():
    return value_of("lemma-8.6-above-1")


@pytest.mark.parametrize("gamma", ["1.1", "1.5", "2", "3", "4", "5.5", "9"])
def test_the_constants_of_lemma_8_6_are_maxima_of_the_log_density(gamma):
    assert above_1() == "sliding (γ−1)^(1−1/γ), dilation max(1, γ−1)"
    g = mpf(gamma)
    # sliding: the slope of ln(1+z^γ), in u = ln z
    slope = maximum(lambda u: g * mpmath.exp(u * (g - 1)) / (1 + mpmath.exp(u * g)), -30, 30)
    assert abs(slope - (g - 1) ** (1 - 1 / g)) < mpf(10) ** -20
    # dilation: |ln((1+(e^λ·z)^γ)/(1+z^γ)) − λ|/|λ| over λ = ±1/2 and z from 0 to far out
    best = mpf(0)
    for lam in (mpf(1) / 2, -mpf(1) / 2):
        for z in [mpf(0), *(mpf(10) ** e for e in range(-40, 61, 5))]:
            loss = mpmath.log((1 + (mpmath.exp(lam) * z) ** g) / (1 + z**g)) - lam
            best = max(best, abs(loss) / abs(lam))
    assert abs(best - max(1, g - 1)) < mpf(10) ** -6


def test_the_numbers_of_lemma_8_6_at_4_are_maxima_too():
    slope = maximum(lambda z: 4 * z**3 / (1 + z**4), mpf(0), mpf(5))
    assert abs(slope - mpf(value_of("lemma-8.6-sliding-4"))) < mpf(10) ** -15
    assert value_of("lemma-8.6-dilation-4") == "3"


def test_the_excess_of_lemma_9_1_on_the_grid_is_the_integral_of_the_densities():
    # ∫ (h(z) − e^(ε/2)·e^b·h(e^b·z))₊ dz over both tails, with h(z) = ½·e^−|z|, ε = 4, b = 4/(2·ln 20)
    stretch = mpmath.exp(2 / mpmath.log(20))

    def gain(z):
        return mpmath.exp(-z) - mpmath.exp(2) * stretch * mpmath.exp(-stretch * z)

    start = zero(gain, mpf(0), mpf(30))
    found = mpmath.quad(gain, [start + step for step in (0, 1, 4, 16, 64)])
    b = 2 / mpmath.log(20)
    assert abs(found - laplace.dilation_excess(b, mpf(2), MP)) < mpf(10) ** -16


@each_point
def test_the_loss_of_algorithm_1_is_the_shift_of_the_logarithm(alpha, epsilon):
    # From 0 to 1 worker ln(n + 1/α) moves by ln(1+α), and the noise has scale 2·ln(1+α)/ε.
    al, ep = real(alpha), real(epsilon)
    scale = 2 * mpmath.log(1 + al) / ep
    centers = mpmath.log(1 / al), mpmath.log(1 + 1 / al)
    outputs = [centers[0] + mpf(k) / 10 * scale for k in range(-40, 41)]
    loss = max((abs(o - centers[1]) - abs(o - centers[0])) / scale for o in outputs)
    assert abs(loss - real(F(value_of(f"alg-1-loss/{label(alpha, epsilon)}")))) < mpf(10) ** -20
    assert abs(loss / ep - real(F(value_of(f"alg-1-multiplier/{label(alpha, epsilon)}")))) < (mpf(10) ** -20)
