"""The smooth sensitivity mechanism for percentiles (Foote et al. 2019, Section 4.2).

P + S·Z/a with Z of density √2/π/(1+z⁴), S the β-smooth sensitivity of the percentile P with public end
points, and neighbors that change the earnings of one individual. β = ε_x/4; the printed slide is ε/16
with the total budget ε = Σ ε_x, and ε_x/16 is meant (the constants of Nissim, Raskhodnikova and Smith
2007 at exponent 4). Where the rank (N+1)·X/100 is not whole, of which the paper says nothing, P lies on the
line between the two order statistics around it, and S is that percentile's own smooth sensitivity.
"""

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.heavy_tailed import GAMMA, HeavyTailed
from establish.spec.earnings.order_sensitivity import Ends, Exact, sample_percentile
from establish.spec.earnings.rank_sensitivity import smooth_bound
from establish.spec.parameters import ParameterError, Rational, positive, probability

SMOOTHNESS = Fraction(1, 4)
"""β/ε_x as printed."""

SLIDE = Fraction(1, 16)
"""The printed factor of the budget in the noise scale S/(ε/16)."""


def loss_rate(numerator: Number, denominator: Number, slide: Number, dilation: Number, c: World) -> Number:
    """4z³(slide + dilation·z)/(1+z⁴) − dilation at z = numerator/denominator.

    The derivative in t of ln h(z) − ln(e^(λt)·h(z_t)) along z_t' = slide + dilation·z_t, h ∝ 1/(1+z⁴):
    the privacy loss, per unit of a small budget, between neighbors whose outputs differ by that flow.
    Written without division so that z = ∞ (denominator 0) is a point like any other.
    """
    n3, n4 = c.power(numerator, 3), c.power(numerator, 4)
    rising = GAMMA * n3 * (slide * denominator + dilation * numerator)
    return rising / (c.power(denominator, 4) + n4) - dilation


class SmoothPercentileMechanism:
    """One percentile with budget ε_x > 0, as corrected: noise scale 16·S/ε_x, β = ε_x/4.

    share: X/100 in (0, 1). ends: the public range of earnings. Privacy loss less than 0.83·ε_x when the
    earnings of one individual change. Raises ParameterError outside that domain.
    """

    def __init__(self, share: Rational, epsilon: Rational, ends: Ends) -> None:
        self.share = probability("share", share)
        self.epsilon = positive("epsilon", epsilon)
        self.ends = ends
        if not ends[0] < ends[1]:
            raise ParameterError(f"ends = {ends} is not allowed: the lower end is below the upper")

    @property
    def beta(self) -> Fraction:
        """β, the smoothness of the sensitivity."""
        return SMOOTHNESS * self.epsilon

    @property
    def slide(self) -> Fraction:
        """a: the noise scale is S/a."""
        return SLIDE * self.epsilon

    def output(self, earnings: Sequence[Exact], c: World = MP) -> HeavyTailed:
        """The law of the release; earnings sorted, in the public range.

        Raises ParameterError for an empty list, and for earnings outside the range or out of order.
        """
        if not earnings:
            raise ParameterError("earnings must be one or more")
        if list(earnings) != sorted(earnings):
            raise ParameterError("earnings must be sorted")
        if any(not self.ends[0] <= value <= self.ends[1] for value in earnings):
            raise ParameterError(f"earnings must lie in {self.ends}")
        sensitivity = smooth_bound(earnings, self.share, self.ends, self.beta, c)
        center = c.number(sample_percentile(earnings, self.share, self.ends))
        return HeavyTailed(center, sensitivity / c.number(self.slide), GAMMA, c)
