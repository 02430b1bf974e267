"""The joint law of an identity answer and the pnc answer whose noise it sets (Webb et al. 2025, 6.2).

For an establishment alone in its group, so that both ways to clip are one. With standard normal Z and W,
the identity answer is ω = ψ(x) + sZ, s = γ/μ_a; it sets the bound u, and the pnc answer is
min(x, u) + (Δ(u)/μ_b)·W. Under another value y, Z moves by d and W by m(Z), at most μ_b: the log likelihood
ratio of y to x is L = dZ − d²/2 + mW − m²/2, and the events L > t are the best ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions import gaussian
from establish.spec.distributions.gaussian import log_density
from establish.spec.gaussian import composed
from establish.spec.mechanisms.probably_no_clipping import sensitivity, upper_bound
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.parameters import Rational, exact, positive

REACH = 12
"""Noise beyond this many standard deviations is left out in MP; its probability is below 4e-33."""


DEGREE = 4
"""Of the Gauss–Legendre rule of mpmath between two kinks: 24 points."""


@dataclass(frozen=True)
class IdentityThenSum:
    """psi, gamma > 0; the budgets mu_identity and mu_sum, > 0; margin: τ̂ of Theorem 6.7, any rational.

    The pnc answer has the corrected sensitivity. Raises ParameterError outside of the domain.
    """

    psi: NeighborFunction
    gamma: Rational
    mu_identity: Rational
    mu_sum: Rational
    margin: Rational

    def __post_init__(self) -> None:
        for name in ("gamma", "mu_identity", "mu_sum"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        object.__setattr__(self, "margin", exact("margin", self.margin))

    @property
    def sd(self) -> Fraction:
        """s = γ/μ_a."""
        return Fraction(self.gamma) / Fraction(self.mu_identity)

    def stated(self, c: World = MP) -> Number:
        """√(μ_a² + μ_b²), the cost by adaptive composition."""
        return composed([self.mu_identity, self.mu_sum], c)

    def identity_shift(self, x: Rational, y: Rational, c: World) -> Number:
        """d = (ψ(y) − ψ(x))/s."""
        return (self._psi(y, c) - self._psi(x, c)) / c.number(self.sd)

    def sum_shift(self, z: Number, x: Rational, y: Rational, c: World) -> Number:
        """m = μ_b·|min(x, u) − min(y, u)|/Δ(u), and 0 for a bound u below x and y; given Z = z."""
        low, high = (c.number(value) for value in sorted((x, y)))
        answer = self._psi(x, c) + c.number(self.sd) * z
        bound = upper_bound(self.psi, answer, c.number(self.sd), c.number(self.margin), c)
        change = c.maximum(c.number(0), -c.maximum(-bound, -high) - low)
        if change == 0:
            return c.number(0)
        noise = sensitivity(self.psi, bound, c.number(self.gamma), c)
        return c.number(self.mu_sum) * change / noise

    def rate_densities(
        self, z: Number, t: Rational, x: Rational, y: Rational, c: World
    ) -> tuple[Number, Number]:
        """What Z near z adds to P(L > t), under x and under y, per unit of z."""
        d, m = self.identity_shift(x, y, c), self.sum_shift(z, x, y, c)
        excess = d * z - d * d / 2 - c.number(t)
        under = []
        for mean, sign in ((c.number(0), -1), (d, 1)):
            density = c.exp(log_density(z, mean, c.number(1), c))
            if m == 0:
                under.append(density * (1 + c.sign(excess)) / 2)
            else:
                under.append(density * gaussian.cdf((excess + sign * m * m / 2) / m, c))
        return under[0], under[1]

    def kinks(self, t: Rational, x: Rational, y: Rational) -> list[Number]:
        """The z, in order, between which the densities are smooth, from −REACH to REACH, in MP."""
        c, sd = MP, MP.number(self.sd)
        d, start = self.identity_shift(x, y, c), self._psi(x, c)
        places = [c.number(0) - c.number(self.margin), d - c.number(self.margin)]
        if self.psi.real_at_zero:
            lowest = self.psi.at_zero(c)
            places += [
                (lowest + rise - start) / sd - c.number(self.margin)
                for rise in (c.number(0), c.number(self.gamma))
            ]
        if d != 0:
            places.append((c.number(t) + d * d / 2) / d)
        ends = [c.number(k) for k in range(-REACH, REACH + 1, 2)]
        return sorted({z for z in (*places, *ends) if -REACH <= z <= REACH})

    def rates(self, t: Rational, x: Rational, y: Rational) -> tuple[Number, Number]:
        """P(L > t) for the value x and for the value y, in MP by quadrature to about ten digits.

        x, y > 0, or ≥ 0 where ψ(0) is real.
        """

        def both(z: Number) -> Number:
            return MP.mp.mpc(*self.rate_densities(z, t, x, y, MP))

        points = self.kinks(t, x, y)
        found = MP.mp.quad(both, points, method="gauss-legendre", maxdegree=DEGREE)
        return found.real, found.imag

    def attained(self, t: Rational, x: Rational, y: Rational) -> Number:
        """Φ⁻¹ of the two rates, their difference: the least μ for which the event L > t is allowed."""
        under_x, under_y = self.rates(t, x, y)
        return gaussian.quantile(under_y, MP) - gaussian.quantile(under_x, MP)

    def _psi(self, x: Rational, c: World) -> Number:
        return self.psi.at_zero(c) if x == 0 else self.psi.value(c.number(x), c)
