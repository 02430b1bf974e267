"""The divergences of a pair of laws in both orders, each enclosed once, and events whose gap is large."""

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white import excess
from establish.proofs_check.audit.white.excess import Excess
from establish.proofs_check.audit.white.intervals import Either, Finding, observed
from establish.proofs_check.audit.white.pair import Pair
from establish.proofs_check.audit.white.trade_off import gap_between, probit
from establish.spec.arithmetic import ARB

TOLERANCE = Fraction(1, 10**15)
"""To about how much a divergence is enclosed, unless asked otherwise."""

STEPS = 24
"""Steps towards an event of larger gap, at most."""

GRID = 2**40
"""Such a step leads to a multiple of 1/GRID."""

GAIN = Fraction(1, 10**9)
"""A step that gains less is the last one."""

Place = tuple[int, Fraction]
"""The order of the two laws, −1 for the second one first, and an ε ≥ 0."""


class Divergences:
    """δ(ε) = sup over events of P(S) − e^ε·Q(S), for P and Q the two laws of a pair in either order."""

    def __init__(self, pair: Pair, tolerance: Fraction = TOLERANCE) -> None:
        self.tolerance = ARB.number(tolerance)
        self.orders = {1: pair, -1: pair.swapped()}
        self.known: dict[Place, Excess] = {}

    def at(self, place: Place) -> Excess:
        """Enclosed at most once. Call inside :func:`enclosing`. Raises NotComparableError."""
        if place not in self.known:
            sign, epsilon = place
            self.known[place] = excess.excess(self.orders[sign], epsilon, self.tolerance)
        return self.known[place]

    def gap(self, place: Place) -> arb:
        """A lower bound of the gap Φ⁻¹(P(S)) − Φ⁻¹(Q(S)) of the event S found there; −∞ for none."""
        found = self.at(place)
        return gap_between(found.p, found.q)

    def climb(self, place: Place) -> Place:
        """A place whose event has a gap at least as large as the one here, reached step by step.

        Let S be an event of gap g. The trade-off curve of μ = g has at Q(S) = Φ(z) the slope e^ε for
        ε = −g·z − g²/2, and its divergence there is P(S) − e^ε·Q(S). That of the laws is at least as large,
        so that the event of theirs has a gap of g or more. For ε < 0 it is the complement of the one for −ε
        in the other order.
        """
        best, gap = place, self.gap(place)
        for _ in range(STEPS):
            z = probit(self.at(best).q)
            if not (gap.is_finite() and z.is_finite()):
                break
            epsilon = Fraction(round(float(-gap * z - gap * gap / 2) * GRID), GRID)
            following = (best[0], epsilon) if epsilon >= 0 else (-best[0], -epsilon)
            if following in self.known or not self.gap(following) > gap + ARB.number(GAIN):
                break
            best, gap = following, self.gap(following)
        return best

    def widest(self) -> Place:
        """The known place whose event has the largest gap. Raises ValueError when none is known."""
        return max(self.known, key=lambda place: float(self.gap(place)))

    def widest_event(self, sign: int, places: int) -> Finding:
        """Near the known event of largest gap in this order, with ends of so many decimals.

        Raises ValueError when none is known.
        """
        known = [place for place in self.known if place[0] == sign]
        place = max(known, key=lambda one: float(self.gap(one)))
        event = Either(self.at(place).where(places))
        return observed(self.orders[1], event, sign)

    def finding(self, place: Place, shows: Callable[[Finding], bool]) -> Finding | None:
        """An event in words that certainly ``shows`` what is looked for, near the one found at a place."""
        events = self.at(place).events()
        seen = (observed(self.orders[1], event, place[0]) for event in events)
        return next((one for one in seen if shows(one)), None)
