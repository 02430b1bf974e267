"""Which guarantee implies which: by what formula and theorem, or why not."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from establish.proofs_check.api.conversion_values import (
    Ends,
    ends,
    first_below,
    order_for_delta,
    order_for_epsilon,
)
from establish.proofs_check.engine import ledger
from establish.spec import privacy_conversions as formulas
from establish.spec.arithmetic import EXACT
from establish.spec.gaussian import privacy_curve

SYMBOLS = {"epsilon": "ε", "delta": "δ", "mu": "μ", "rho": "ρ", "renyi": "Rényi divergence"}
DEFINITION = "the definition"
RANDOMIZED = "randomized response attains it"
NORMAL = "normal noise attains it"

FLAWED = (
    "a mechanism that reveals the data with probability δ satisfies (ε, δ), and no {to}: its privacy loss "
    "is infinite with that probability"
)
UNBOUNDED = "normal noise satisfies {given}, and its privacy loss is unbounded"
ONE_ORDER = (
    "a mechanism with this Rényi divergence may have an infinite one at larger orders, and then satisfies no "
    "{to}"
)
NO_FORMULA = (
    "√(2ρ), which is right for normal noise, is too small for others: randomized response at ε = 1 satisfies "
    "ρ = 0.4622 and needs μ = 1.232, which is more than √(2ρ) = 0.9615. No formula that is right for all "
    "mechanisms is known here"
)


class Guarantee(NamedTuple):
    """kind: "approximate" (ε, δ), "mu", "rho" or "renyi". second: δ, or the order."""

    kind: str
    value: Fraction
    second: Fraction = Fraction(0)

    def __str__(self) -> str:
        if self.kind == "approximate":
            return f"(ε = {self.value}, δ = {self.second})" if self.second else f"pure ε = {self.value}"
        if self.kind == "renyi":
            return f"Rényi divergence {self.value} at order {self.second}"
        return f"{'μ' if self.kind == 'mu' else 'ρ'} = {self.value}"

    def named(self) -> dict[str, str]:
        """The numbers by the names of their options."""
        first, second = {"approximate": ("epsilon", "delta"), "renyi": ("renyi", "order")}.get(
            self.kind, (self.kind, "")
        )
        return {first: str(self.value)} | ({second: str(self.second)} if second else {})


class Found(NamedTuple):
    """ends: around the value. by: the theorem. attained: by what, where no smaller value is right; or "".

    order: the Rényi order that was chosen, where one was. derived: whether the specification says why. claim:
    the id of one that settles the inequality of the theorem; "" where none does.
    """

    ends: Ends
    by: str
    attained: str = ""
    order: Fraction | None = None
    derived: bool = True
    claim: str = ""

    @property
    def evidence(self) -> str:
        """In words."""
        if self.by == DEFINITION:
            return "nothing is to be shown"
        cited = "cited, and derived in establish.spec.privacy_conversions" if self.derived else "cited"
        known = ledger.recorded().get(self.claim)
        if known is None:
            return f"{cited}; no claim of the register settles it"
        return f"{cited}; claim {self.claim} is about its inequality: {known.verdict} ({known.evidence})"


class NoConversionError(Exception):
    """Why nothing follows, in one sentence."""


Route = Callable[[Guarantee, Fraction], Found]
"""From a guarantee, and the δ, ε or order at which the other is asked; 0 where there is none."""


def converted(given: Guarantee, to: str, at: Fraction) -> Found:
    """What ``given`` implies. to: "epsilon" (at a δ), "delta" (at an ε), "mu", "rho", "renyi" (at an order).

    Raises NoConversionError where nothing follows.
    """
    return ROUTES[given.kind, to](given, at)


def _flawed(to: str) -> Route:
    """From (ε, δ) with δ > 0 nothing follows; pure ε has a route of its own."""

    def route(given: Guarantee, at: Fraction) -> Found:
        if given.second:
            raise NoConversionError(FLAWED.format(to=SYMBOLS[to]))
        return _PURE[to](given.value, at)

    return route


def _approximate_to_epsilon(given: Guarantee, at: Fraction) -> Found:
    epsilon, delta = given.value, given.second
    if at < delta:
        raise NoConversionError(
            f"a mechanism that reveals the data with probability {delta} satisfies {given}, and at "
            f"δ = {at} no ε"
        )
    if at == delta:
        return _by_definition(epsilon, _worst(given))
    found = ends(lambda c: formulas.randomized_response_epsilon(at, epsilon, delta, c))
    return Found(found, KAIROUZ, _worst(given))


def _approximate_to_delta(given: Guarantee, at: Fraction) -> Found:
    epsilon, delta = given.value, given.second
    if at >= epsilon:
        return _by_definition(delta, _worst(given))
    found = ends(lambda c: formulas.randomized_response_delta(at, epsilon, delta, c))
    return Found(found, KAIROUZ, _worst(given))


def _by_definition(value: Fraction, attained: str) -> Found:
    return Found((value, value), DEFINITION, attained)


def _worst(given: Guarantee) -> str:
    return f"{RANDOMIZED}, after revealing the data with probability δ" if given.second else RANDOMIZED


def _gaussian_to_epsilon(given: Guarantee, at: Fraction) -> Found:
    if at == 0:
        raise NoConversionError(UNBOUNDED.format(given=given))
    found = first_below(lambda x, c: privacy_curve(x, c.number(given.value), c), at, given.value)
    return Found(found, CURVE, NORMAL, derived=False)


def _gaussian_to_delta(given: Guarantee, at: Fraction) -> Found:
    found = ends(lambda c: privacy_curve(c.number(at), c.number(given.value), c))
    return Found(found, CURVE, NORMAL, derived=False)


def _gaussian_to_concentrated(given: Guarantee, at: Fraction) -> Found:
    return Found(ends(lambda c: formulas.gaussian_to_concentrated(given.value, c)), BLACKWELL, NORMAL)


def _gaussian_to_renyi(given: Guarantee, at: Fraction) -> Found:
    rho = formulas.gaussian_to_concentrated
    found = ends(lambda c: formulas.concentrated_to_renyi(at, rho(given.value, c), c))
    return Found(found, BLACKWELL, NORMAL)


def _concentrated_to_renyi(given: Guarantee, at: Fraction) -> Found:
    return _by_definition(formulas.concentrated_to_renyi(at, given.value, EXACT), NORMAL)


def _concentrated_to_epsilon(given: Guarantee, at: Fraction) -> Found:
    if at == 0:
        raise NoConversionError(UNBOUNDED.format(given=given))
    order = order_for_epsilon(at, given.value)
    found = ends(lambda c: formulas.renyi_to_epsilon(at, order, order * given.value, c))
    return Found(found, CANONNE, order=order, claim=SHARE)


def _concentrated_to_delta(given: Guarantee, at: Fraction) -> Found:
    order = order_for_delta(at, given.value)
    found = ends(lambda c: formulas.renyi_to_delta(at, order, order * given.value, c))
    return Found(found, CANONNE, order=order, claim=SHARE)


def _renyi_to_epsilon(given: Guarantee, at: Fraction) -> Found:
    if at == 0:
        raise NoConversionError(
            "a mechanism with this Rényi divergence may have an unbounded privacy loss, and then no pure ε"
        )
    return Found(
        ends(lambda c: formulas.renyi_to_epsilon(at, given.second, given.value, c)), CANONNE, claim=SHARE
    )


def _renyi_to_delta(given: Guarantee, at: Fraction) -> Found:
    return Found(
        ends(lambda c: formulas.renyi_to_delta(at, given.second, given.value, c)), CANONNE, claim=SHARE
    )


def _renyi_to_renyi(given: Guarantee, at: Fraction) -> Found:
    if at > given.second:
        raise NoConversionError(
            f"a mechanism may have this Rényi divergence at order {given.second}, and an infinite one at "
            f"order {at}"
        )
    if at == given.second:
        return _by_definition(given.value, NORMAL)
    return Found((given.value, given.value), "van Erven and Harremoës 2014, Theorem 3", derived=False)


def _refused(why: str, to: str) -> Route:
    def route(given: Guarantee, at: Fraction) -> Found:
        raise NoConversionError(why.format(given=given, to=SYMBOLS[to]))

    return route


KAIROUZ = "Kairouz, Oh and Viswanath 2015"
CURVE = "Dong, Roth and Su 2022, Corollary 2.13; Balle and Wang 2018, Theorem 8"
BLACKWELL = "Dong, Roth and Su 2022, Appendix B; Bun and Steinke 2016, Proposition 1.6"
SHARE = "establish/greatest-share"
CANONNE = "Canonne, Kamath and Steinke 2020, Proposition 12"

_PURE: dict[str, Callable[[Fraction, Fraction], Found]] = {
    "mu": lambda epsilon, at: Found(
        ends(lambda c: formulas.pure_to_gaussian(epsilon, c)), "Liu, Sun, Jiang and Kong 2022", RANDOMIZED
    ),
    "rho": lambda epsilon, at: Found(
        ends(lambda c: formulas.pure_to_concentrated(epsilon, c)),
        "randomized response is the worst case; less than ε²/2 of Bun and Steinke 2016, Proposition 1.4",
        RANDOMIZED,
        claim="establish/pure-is-within-rho",
    ),
    "renyi": lambda epsilon, at: Found(
        ends(lambda c: formulas.pure_to_renyi(at, epsilon, c)),
        "Steinke 2024, Sharp RDP & zCDP from Pure DP, Theorem 4",
        RANDOMIZED,
    ),
}

ROUTES: dict[tuple[str, str], Route] = {
    ("approximate", "epsilon"): _approximate_to_epsilon,
    ("approximate", "delta"): _approximate_to_delta,
    ("approximate", "mu"): _flawed("mu"),
    ("approximate", "rho"): _flawed("rho"),
    ("approximate", "renyi"): _flawed("renyi"),
    ("mu", "epsilon"): _gaussian_to_epsilon,
    ("mu", "delta"): _gaussian_to_delta,
    ("mu", "mu"): lambda given, at: _by_definition(given.value, NORMAL),
    ("mu", "rho"): _gaussian_to_concentrated,
    ("mu", "renyi"): _gaussian_to_renyi,
    ("rho", "epsilon"): _concentrated_to_epsilon,
    ("rho", "delta"): _concentrated_to_delta,
    ("rho", "mu"): _refused(NO_FORMULA, "mu"),
    ("rho", "rho"): lambda given, at: _by_definition(given.value, NORMAL),
    ("rho", "renyi"): _concentrated_to_renyi,
    ("renyi", "epsilon"): _renyi_to_epsilon,
    ("renyi", "delta"): _renyi_to_delta,
    ("renyi", "mu"): _refused(ONE_ORDER, "mu"),
    ("renyi", "rho"): _refused(ONE_ORDER, "rho"),
    ("renyi", "renyi"): _renyi_to_renyi,
}
