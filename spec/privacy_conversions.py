"""What one definition of privacy implies about another: pure and approximate, Gaussian, concentrated, Rényi.

All are about two output laws P, Q of neighbors, both ways round, whatever the neighbors are. The guarantees:
(ε, δ), pure where δ = 0; μ (Gaussian: :mod:`establish.spec.gaussian`); Rényi of order a > 1 with value r:
D_a(P‖Q) = ln E_Q[(P/Q)^a]/(a − 1) ≤ r; ρ (zero-concentrated): D_a ≤ a·ρ for every a > 1.

*The chord.* Under pure ε the ratio L = P/Q lies in [e^−ε, e^ε], and E_Q[L] = 1. A convex f lies below its
chord there, so E_Q[f(L)] ≤ p·f(e^ε) + (1 − p)·f(e^−ε) with p = 1/(1 + e^ε), equal for randomized response,
which tells one bit truly with probability e^ε/(1 + e^ε). So randomized response is the worst law for every
divergence of convex f: for δ at a level (f = max(0, L − e^level)) and for each Rényi order (f = L^a).

*The flaw.* Under (ε, δ) a test with false positive rate x has false negative rate at least f(x) = max(0,
1 − δ − e^ε·x, e^−ε·(1 − δ − x)), equal for the law that reveals the data with probability δ and else is
randomized response. δ at a level is the greatest 1 − f(x) − e^level·x, at a corner of f: at x = 0, or at
x = (1 − δ)/(1 + e^ε) (Kairouz, Oh and Viswanath 2015).
"""

from establish.spec.arithmetic import Number, World
from establish.spec.distributions.gaussian import quantile


def randomized_response_delta(level: Number, epsilon: Number, delta: Number, c: World) -> Number:
    """The least δ at ``level`` ≥ 0 that (ε, δ) implies: 1 − (1 − δ)(1 + e^level)/(1 + e^ε), at least δ.

    epsilon ≥ 0 and 0 ≤ delta < 1. With delta = 0 it is the chord, (e^ε − e^level)/(1 + e^ε).
    """
    kept = (1 - c.number(delta)) * (1 + c.exp(c.number(level))) / (1 + c.exp(c.number(epsilon)))
    return c.maximum(c.number(delta), 1 - kept)


def randomized_response_epsilon(target: Number, epsilon: Number, delta: Number, c: World) -> Number:
    """The least level ≥ 0 at which (ε, δ) implies δ = ``target``, for delta ≤ target < 1.

    The inverse of :func:`randomized_response_delta`: ln((1 − target)(1 + e^ε)/(1 − δ) − 1), at least 0.
    """
    odds = (1 - c.number(target)) / (1 - c.number(delta)) * (1 + c.exp(c.number(epsilon)))
    return c.log(c.maximum(c.number(1), odds - 1))


def pure_to_gaussian(epsilon: Number, c: World) -> Number:
    """−2·Φ⁻¹(1/(1 + e^ε)), the least μ that pure ε ≥ 0 implies.

    The trade-off function of pure ε is two straight lines, from (0, 1) to (x, x) and on to (1, 0), with
    x = 1/(1 + e^ε). That of μ is convex with the same ends, so it lies below both lines if and only if it
    does at x, where it is Φ(Φ⁻¹(1 − x) − μ).
    """
    return -2 * quantile(1 / (1 + c.exp(c.number(epsilon))), c)


def pure_to_concentrated(epsilon: Number, c: World) -> Number:
    """ε·(e^ε − 1)/(e^ε + 1) = ε·tanh(ε/2), the least ρ that pure ε ≥ 0 implies; below ε²/2.

    With u = (a − 1/2)ε and v = ε/2, (a − 1)·D_a of randomized response is ln cosh u − ln cosh v, the integral
    of tanh from v to u. As tanh(t)/t falls, that is at most (tanh(v)/v)·(u² − v²)/2 = (a − 1)·a·ε·tanh(v);
    as a tends to 1, D_a tends to ε·tanh(v).
    """
    ratio = c.exp(c.number(epsilon))
    return c.number(epsilon) * (ratio - 1) / (ratio + 1)


def log_moment(order: Number, epsilon: Number, c: World) -> Number:
    """ln E_Q[(P/Q)^a] of randomized response at ε > 0, for a ≥ 1: ln((e^{aε} + e^{(1 − a)ε})/(1 + e^ε))."""
    a, level = c.number(order), c.number(epsilon)
    return c.log((c.exp(a * level) + c.exp((1 - a) * level)) / (1 + c.exp(level)))


def pure_to_renyi(order: Number, epsilon: Number, c: World) -> Number:
    """D_a of randomized response at ε > 0, the least value at order a > 1 that pure ε implies."""
    return log_moment(order, epsilon, c) / (c.number(order) - 1)


def laplace_moment(order: Number, epsilon: Number, c: World) -> Number:
    """E_Q[(P/Q)^a] of Laplace noise with answers ε ≥ 0 scales apart, for a > 1:
    (a·e^{(a − 1)ε} + (a − 1)·e^{−aε})/(2a − 1) (Mironov 2017).
    """
    a, level = c.number(order), c.number(epsilon)
    return (a * c.exp((a - 1) * level) + (a - 1) * c.exp(-a * level)) / (2 * a - 1)


def laplace_log_moment(order: Number, epsilon: Number, c: World) -> Number:
    """Its logarithm."""
    return c.log(laplace_moment(order, epsilon, c))


def laplace_to_concentrated(epsilon: Number, c: World) -> Number:
    """ε + e^{−ε} − 1, the least ρ of Laplace noise with answers ε ≥ 0 scales apart: the limit of its D_a as a
    tends to 1.
    """
    level = c.number(epsilon)
    return level + c.exp(-level) - 1


def gaussian_to_concentrated(mu: Number, c: World) -> Number:
    """μ²/2, the least ρ that μ ≥ 0 implies: that of N(0, 1) and N(μ, 1), from which every pair of laws with
    this μ comes by post-processing (Blackwell's theorem), and D_a does not rise.
    """
    return c.power(c.number(mu), 2) / 2


def concentrated_to_renyi(order: Number, rho: Number, c: World) -> Number:
    """a·ρ, the value at order a > 1 by the definition of ρ; N(0, 1) and N(√(2ρ), 1) attain it."""
    return c.number(order) * c.number(rho)


def log_greatest_share(order: Number, c: World) -> Number:
    """ln of the greatest (1 − t)·t^{a − 1} over 0 < t < 1, which is at t = 1 − 1/a, for a > 1."""
    a = c.number(order)
    return (a - 1) * c.log(1 - 1 / a) - c.log(a)


def renyi_to_delta(level: Number, order: Number, value: Number, c: World) -> Number:
    """min(1, e^{(a − 1)(r − level)}·(1 − 1/a)^{a − 1}/a), a δ at ``level`` that r at order a > 1 implies.

    δ is E_P[max(0, 1 − e^{level − Z})] of the loss Z = ln(P/Q). With t = e^{level − z}, 1 − t is at most the
    greatest (1 − t)·t^{a − 1} times e^{(a − 1)(z − level)}, and E_P[e^{(a − 1)Z}] ≤ e^{(a − 1)r} (Canonne,
    Kamath and Steinke 2020, Proposition 12).
    """
    more = c.number(order) - 1
    bound = c.exp(more * (c.number(value) - c.number(level)) + log_greatest_share(order, c))
    return -c.maximum(c.number(-1), -bound)


def renyi_to_epsilon(target: Number, order: Number, value: Number, c: World) -> Number:
    """The level ≥ 0 at which :func:`renyi_to_delta` is the ``target`` in (0, 1), or 0 where it is less there.

    r + ln(1 − 1/a) − (ln target + ln a)/(a − 1).
    """
    more = c.number(order) - 1
    level = c.number(value) + (log_greatest_share(order, c) - c.log(c.number(target))) / more
    return c.maximum(c.number(0), level)
