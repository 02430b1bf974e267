"""The staircase law with steps of width 1: flat from −r1 to r2, and lower by e^(−ε) in each further step.

With r1 = r2 it is the law of Geng and Viswanath 2014 (The optimal mechanism in differential privacy).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.quantile import require_share
from establish.spec.growth_scale import ends, united


def height(down: Number, up: Number, epsilon: Number, c: World) -> Number:
    """The density on the flat: 1/(r1 + r2 + 2·q/(1−q)), q = e^(−ε)."""
    return 1 / (c.number(down) + c.number(up) + 2 * ratio(epsilon, c))


def ratio(epsilon: Number, c: World) -> Number:
    """q/(1−q) = 1/(e^ε − 1), the mass of all steps on one side, in units of the flat's height."""
    return 1 / (c.exp(c.number(epsilon)) - 1)


def step_log_density(k: Number, down: Number, up: Number, epsilon: Number, c: World) -> Number:
    """ln of the density on step k, of which the flat is step 0."""
    return c.log(height(down, up, epsilon, c)) - c.number(epsilon) * k


@dataclass(frozen=True)
class Staircase:
    """center + W in the world c, for rational r1, r2 ≥ 0 (``down``, ``up``) and ε > 0. No atoms."""

    center: Number
    down: Fraction
    up: Fraction
    epsilon: Fraction
    c: World = MP

    def _steps(self, w: Number) -> tuple[int, ...]:
        """How many steps lie between the flat and w: one number, or the first and the last of a ball's."""
        found = sorted(max(0, ceil(end - self.up), ceil(-self.down - end)) for end in (*ends(w), *_inner(w)))
        return tuple(range(found[0], found[-1] + 1))

    def log_density(self, x: Number) -> Number:
        steps = self._steps(self.c.number(x) - self.center)
        return united(step_log_density(k, self.down, self.up, self.epsilon, self.c) for k in steps)

    def cdf(self, x: Number) -> Number:
        """P(X ≤ x); of a ball, the ball between the values at its ends."""
        low, high = (self._cdf(end) for end in ends(self.c.number(x) - self.center))
        return low if self.c is MP else low.union(high)

    def _cdf(self, w: Fraction) -> Number:
        c = self.c
        flat, steps = height(self.down, self.up, self.epsilon, c), ratio(self.epsilon, c)
        if -self.down <= w <= self.up:
            return flat * (steps + c.number(w + self.down))
        k, side = (ceil(w - self.up), self.up) if w > self.up else (ceil(-self.down - w), self.down)
        beyond = steps + c.number(side + k - abs(w))  # in units of the height of step k
        tail = flat * c.exp(-c.number(self.epsilon) * k) * beyond
        return 1 - tail if w > self.up else tail

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly."""
        require_share(p)
        c = self.c
        flat, steps = height(self.down, self.up, self.epsilon, c), ratio(self.epsilon, c)
        below = p <= Fraction(1, 2)
        tail, side = c.number(p if below else 1 - p) / flat, self.down if below else self.up
        k = 0
        while tail < steps * c.exp(-c.number(self.epsilon) * k):
            k += 1
        distance = c.number(side + k) + steps - tail * c.exp(c.number(self.epsilon) * k)
        return self.center - distance if below else self.center + distance


def _inner(w: Number) -> tuple[Fraction, ...]:
    """0, where a ball straddles it: there lies the flat."""
    low, high = ends(w)
    return (Fraction(0),) if low < 0 < high else ()
