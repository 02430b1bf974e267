"""How the laws are drawn: coins of e^(−γ), the discrete Laplace law from them, and rejection from it."""

from functools import partial
from typing import Any

from establish import AtMost, Equal, Evidence, OnIntegers, SumOnIntegers, Verdict, claim, given, holds, solver
from establish.proofs_check.engine.rules import above_and_below, beside_integral, near_integral, quotient
from establish.proofs_check.engine.statements import Integer, Real
from establish.proofs_check.papers.canonne2020.geometric import around_zero, owed, summed
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian, log_acceptance
from establish.spec.distributions.geometric import Geometric, ratio_of, weights_total

entered = partial(claim, origin="unread", where="How the laws are drawn")
SQUARE = Real("s", above=0)
SCALE = Real("t", above=0)

COINS = Equal(
    Real("γ", least=0),
    Integer("n", least=1),
    left=lambda c, g, n: c.power(c.exp(-g / n), n),
    right=lambda c, g, n: c.exp(-g),
)


@entered(
    "canonne2020/coins-in-parts",
    says="For γ > 1, n independent coins of probability e^(−γ/n) all show 1 with probability e^(−γ).",
    states=COINS,
)
def coins_in_parts() -> Verdict:
    """n·(−γ/n) = −γ."""
    return holds(solver.proves(COINS, lambda c, g, n: c.log(c.exp(-g))))


WHOLE_COINS = Equal(
    Real("γ", least=0),
    Integer("n", least=0, most=lambda c, g: g),
    left=lambda c, g, n: c.exp(-(g - n)) * c.power(c.exp(c.number(-1)), n),
    right=lambda c, g, n: c.exp(-g),
)


@entered(
    "canonne2020/coins-by-floor",
    says="A coin of probability e^(−(γ − n)) and n coins of probability 1/e, such as n = ⌊γ⌋, all show 1 "
    "with probability e^(−γ).",
    states=WHOLE_COINS,
)
def coins_by_floor() -> Verdict:
    """−(γ − n) − n = −γ."""

    def product(c: Any, g: Any, n: Any) -> Any:
        return c.log(c.exp(-(g - n)) * c.power(c.exp(c.number(-1)), n))

    return holds(solver.proves(WHOLE_COINS, product, lambda c, g, n: c.log(c.exp(-g))))


DIGITS = Equal(
    Integer("t", least=1),
    Integer("u", least=0, below=lambda c, t: t),
    Integer("v", least=0),
    left=lambda c, t, u, v: c.exp(-u / t) * c.power(c.exp(c.number(-1)), v),
    right=lambda c, t, u, v: c.exp(-(u + t * v) / t),
)


@entered(
    "canonne2020/two-digits",
    says="With U below t kept with probability e^(−U/t), and V geometric with ratio 1/e, X = U + tV has "
    "probabilities proportional to e^(−X/t).",
    states=DIGITS,
)
def two_digits() -> Verdict:
    """−u/t − v = −(u + tv)/t."""

    def product(c: Any, t: Any, u: Any, v: Any) -> Any:
        return c.log(c.exp(-u / t) * c.power(c.exp(c.number(-1)), v))

    return holds(solver.proves(DIGITS, product, lambda c, t, u, v: c.log(c.exp(-(u + t * v) / t))))


SIGNED = SumOnIntegers(
    SCALE,
    law=around_zero,
    of=lambda c, t, k: (1 - ratio_of(t, c)) / 2,
    size=lambda c, t: (1 + ratio_of(t, c)) / 2,
    closed=lambda c, t: (1 + ratio_of(t, c)) / 2,
)


@entered(
    "canonne2020/signed",
    says="With a fair sign for a geometric size, and −0 drawn again, each z is kept with probability "
    "(1 − e^(−1/t))·e^(−|z|/t)/2, and a trial with probability (1 + e^(−1/t))/2.",
    states=SIGNED,
)
def signed() -> Verdict:
    """The shares of all z add up to (1 + r)/2."""

    def half(c: Any, *_: Any) -> Any:
        return c.number(1) / 2

    return holds(summed(SIGNED, half, half, 0, 1))


FIRST_KEPT = AtMost(
    Real("t", least=1),
    left=lambda c, t: 1 - c.exp(c.number(-1)),
    right=lambda c, t: (1 - c.exp(c.number(-1))) / (t * (1 - c.exp(-1 / t))),
)


@entered(
    "canonne2020/uniform-kept",
    says="A uniform U below t, kept with probability e^(−U/t), is kept with probability "
    "(1 − 1/e)/(t·(1 − e^(−1/t))) ≥ 1 − 1/e.",
    states=FIRST_KEPT,
)
def uniform_kept() -> Verdict:
    """t·(1 − e^{−1/t}) ≤ 1."""
    return holds(owed(FIRST_KEPT))


def acceptance(c: Any, s: Any, t: Any, k: Any) -> Any:
    """ln of the probability by which a draw k is kept."""
    return log_acceptance(k, s, t, c)


def height(c: Any, s: Any, t: Any) -> Any:
    """−s/(2t²), ln of what stands before."""
    return -s / (2 * t * t)


REJECTED = Equal(
    SQUARE,
    SCALE,
    Integer("k"),
    left=lambda c, s, t, k: Geometric(0, ratio_of(t, c), c).log_weight(k) + acceptance(c, s, t, k),
    right=lambda c, s, t, k: DiscreteGaussian(0, s, c).log_weight(k) + height(c, s, t),
)
KEPT_AT_MOST_1 = AtMost(
    SQUARE, SCALE, Integer("k"), left=lambda c, s, t, k: c.exp(acceptance(c, s, t, k)), right=1
)


@entered(
    "canonne2020/rejection",
    says="A draw k of the discrete Laplace law with e^(−|k|/t) that is kept with probability "
    "e^(−(|k| − σ²/t)²/(2σ²)) ≤ 1 has the law of the discrete Gaussian, for every t > 0.",
    states=[REJECTED, KEPT_AT_MOST_1],
)
def rejection() -> Verdict:
    """−|k|/t − (|k| − s/t)²/(2s) = −k²/(2s) − s/(2t²), and the last term does not hang on k."""
    return holds(solver.proves(REJECTED), owed(KEPT_AT_MOST_1))


def _law(c: Any, s: Any, t: Any) -> Any:
    return Geometric(0, ratio_of(t, c), c)


def _root(c: Any, s: Any, t: Any) -> Any:
    return c.sqrt(2 * c.pi * s) * c.exp(height(c, s, t))


KEPT_WEIGHTS = SumOnIntegers(SQUARE, SCALE, law=_law, exponent=acceptance, relation=">=", closed=_root)
DRAWN_WEIGHTS = SumOnIntegers(
    SQUARE, SCALE, law=_law, relation="<=", closed=lambda c, s, t: weights_total(ratio_of(t, c))
)
KEPT = OnIntegers(
    SQUARE,
    SCALE,
    law=_law,
    exponent=acceptance,
    relation=">=",
    closed=lambda c, s, t: _root(c, s, t) / weights_total(ratio_of(t, c)),
)


def _kept() -> Evidence:
    def square(c: Any, s: Any, t: Any) -> Any:
        return s

    beside = near_integral(KEPT_WEIGHTS, square, 0, height)
    above = beside_integral(KEPT_WEIGHTS, square, 0, height, *map(solver.owed, beside))

    def part(c: Any, s: Any, t: Any, *_: Any) -> Any:
        return 1 / (1 - ratio_of(t, c))

    below = summed(DRAWN_WEIGHTS, part, part, 0, part)
    _, _, *rest = above_and_below(KEPT, KEPT_WEIGHTS, DRAWN_WEIGHTS)
    return quotient(KEPT, KEPT_WEIGHTS, DRAWN_WEIGHTS, above, below, *map(owed, rest))


@entered(
    "canonne2020/trials",
    says="A trial is kept with probability at least √(2πσ²)·e^(−σ²/(2t²))·(1 − e^(−1/t))/(1 + e^(−1/t)), so "
    "that 1 divided by it bounds the expected number of trials.",
    states=KEPT,
)
def trials() -> Verdict:
    """The weights that are kept have a sum of at least e^{−s/(2t²)}·√(2πs); all have (1 + r)/(1 − r)."""
    return holds(_kept())


AT_FLOOR = AtMost(
    Real("σ", above=0),
    Integer("t", least=1),
    left=lambda c, sd, t: c.exp(sd * sd / (2 * t * t)),
    right=lambda c, sd, t: c.exp(c.number(1) / 2),
    given=[given(lambda c, sd, t: sd, "<=", lambda c, sd, t: t)],
)


@entered(
    "canonne2020/at-floor",
    says="With t = ⌊σ⌋ + 1 > σ the factor e^(σ²/(2t²)) in the expected number of trials is at most √e.",
    states=AT_FLOOR,
)
def at_floor() -> Verdict:
    """σ ≤ t."""
    return holds(solver.proves(AT_FLOOR))
