"""The joint cost of an identity answer and a sum: its error rates are those of a likelihood ratio."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

from establish import Every, Verdict, claim, exhaustive, holds
from establish.spec.arithmetic import MP
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.identity_then_sum import REACH, IdentityThenSum
from establish.spec.neighbor_functions.functions import identity, root

Case = tuple[int, Fraction, Fraction]


def _cases() -> Iterator[Case]:
    yield from product((0, 1), map(Fraction, ("-2", "0", "3/2")), map(Fraction, ("-1", "0", "2/3")))


def _rates_are_of_a_likelihood_ratio(case: Case) -> bool:
    """Where L > t, one rate changes with t by e^t times what the other does; far below t both are whole."""
    place, z, t = case
    psi = (root(), identity())[place]
    law = IdentityThenSum(psi, Fraction(1, 2), "7/10", "6/10", 6)
    x, y = Fraction(9), Fraction(11)
    at, step = MP.number(z), Fraction(1, 10**12)
    low, high = (law.rate_densities(at, t + sign * step, x, y, MP) for sign in (-1, 1))
    changes = [b - a for a, b in zip(low, high, strict=True)]
    tiny = MP.number(10) ** -30
    ratio = bool(abs(changes[1] - MP.exp(MP.number(t)) * changes[0]) < tiny)
    d = law.identity_shift(x, y, MP)
    whole = law.rate_densities(at, Fraction(-1000), x, y, MP)
    means = [MP.exp(Gaussian(m, MP.number(1), MP).log_density(at)) for m in (MP.number(0), d)]
    far = all(abs(a - b) < tiny for a, b in zip(whole, means, strict=True))
    none = max(law.rate_densities(at, Fraction(1000), x, y, MP)) < tiny
    return ratio and bool(far) and bool(none) and bool(changes[0] < 0)


RATES = Every("ψ, z and t", _cases, _rates_are_of_a_likelihood_ratio)

Pair = tuple[int, Fraction, Fraction, Fraction]
"""ψ, two values and t."""


def _pairs() -> Iterator[Pair]:
    values = tuple(map(Fraction, ("9", "11", "14")))
    yield from (
        (place, x, y, t)
        for place, x, y, t in product((0, 1), values, values, (Fraction(0), Fraction(2, 3)))
        if x != y
    )


def _is_cut_where_it_bends(case: Pair) -> bool:
    """Where the bound passes a value, or ψ of it passes ψ(0) or ψ(0) + γ, and where L = t for m = 0."""
    number, x, y, t = case
    psi = (root(), identity())[number]
    law = IdentityThenSum(psi, Fraction(1, 2), "7/10", "6/10", Fraction(3, 2))
    start, low = psi.value(MP.number(x), MP), psi.at_zero(MP)
    sd, margin, d = MP.number(law.sd), MP.number(law.margin), law.identity_shift(x, y, MP)
    bounds = [start, psi.value(MP.number(y), MP), low, low + MP.number(law.gamma)]
    bends = [(bound - start) / sd - margin for bound in bounds]
    bends.append(MP.number(t) / d + d / 2)
    cuts, tiny = law.kinks(t, x, y), MP.number(10) ** -30
    return all(before - after < tiny for before, after in pairwise(cuts)) and all(
        any(abs(cut - z) < tiny for cut in cuts)
        for z in (-REACH, *(z for z in bends if abs(z) <= REACH), REACH)
    )


CUTS = Every("ψ, two values and t", _pairs, _is_cut_where_it_bends)


@claim(
    "establish/rates-are-of-a-likelihood-ratio",
    where="Joint cost of an answer by establishment and a sum",
    says="The two error rates of the event that the loss exceeds t change with t in the ratio e^t, and are "
    "the two laws of the identity answer when t is far below.",
    states=RATES,
)
def rates_are_those_of_a_likelihood_ratio() -> Verdict:
    """L is the log likelihood ratio of the two laws: its density under one is e^t times that under the other.
    Differences of 2·10⁻¹² in t, at 50 digits.
    """
    return holds(exhaustive.each(RATES, "ψ = √x and x, values 9 and 11, nine points z and t"))


@claim(
    "establish/rates-are-cut-where-they-bend",
    where="Joint cost of an answer by establishment and a sum",
    says="Among the places at which the error rates are integrated piece by piece are those where the bound "
    "passes either value or leaves the first γ, and where the loss is t with no sum.",
    states=CUTS,
)
def rates_are_cut_where_they_bend() -> Verdict:
    """What the sum adds depends on the bound by a maximum and two minima, with corners where they change."""
    return holds(exhaustive.each(CUTS, "ψ = √x and x, six pairs of values, t = 0 and 2/3"))
