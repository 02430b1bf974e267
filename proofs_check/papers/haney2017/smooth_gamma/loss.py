"""Algorithm 2 at given parameters: its exact privacy loss, and the least multiple of its noise."""

from collections.abc import Callable
from fractions import Fraction

import mpmath

from establish import Evidence, Grade, Verdict, enclosure, holds_loosely
from establish.proofs_check.engine.rules import fixed, fixed_at
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.papers.haney2017.points import at_points
from establish.proofs_check.papers.haney2017.smooth_gamma.privacy import PRINTED, loose_evidence
from establish.spec.arithmetic import ARB, MP, Number, World, enclosing
from establish.spec.mechanisms import smooth_gamma

Slide = Callable[[World], Number]
"""The slide a as a formula of the world."""


def _loss(slide: Slide, alpha: Fraction, sign: int, side: int) -> enclosure.Function:
    """sign·ln(q/p) over all neighbors and outputs of one side, as a function on a box.

    Box: u in [0, 1] (the shift is u·a), r in [1, 1+α] (the ratio of scales), and s in [0, 1] with the
    output at w = side·s/(1−s) of the larger dataset's noise.
    """

    def f(c: World, u: Number, r: Number, s: Number) -> Number:
        loss = smooth_gamma.privacy_loss(side * s, 1 - s, u * slide(c), r, c)
        return sign * loss

    return f


BOX_SIDES: tuple[tuple[int, int], ...] = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""(sign, side): larger against smaller dataset or the reverse; outputs on either side of the shift."""


def _box(alpha: Fraction) -> list[enclosure.Side]:
    return [(0, 1), (1, 1 + alpha), (0, 1)]


def exact_loss(slide: Slide, alpha: Fraction) -> tuple[enclosure.Supremum, list[Evidence]]:
    """Enclose the total privacy loss of n + (S/a)·Z over all real neighbors, outputs and directions.

    The supremum is enclosed where the larger dataset is the likelier one at a far output; the evidence
    is that the other direction, and the other side, stay strictly below it.
    """
    worst = enclosure.supremum(_loss(slide, alpha, 1, 1), _box(alpha))
    others = [
        enclosure.at_most(
            _loss(slide, alpha, sign, side),
            _box(alpha),
            lambda c: worst.lower,
            f"direction {sign:+d}, side {side:+d} stays below the supremum",
        )
        for sign, side in BOX_SIDES[1:]
    ]
    return worst, others


def _published(alpha: Fraction, epsilon: Fraction, multiplier: Fraction = Fraction(1)) -> Slide:
    """The slide a of Algorithm 2 when its noise is multiplied."""
    return lambda c: smooth_gamma.published_slide(alpha, epsilon, c) / c.number(multiplier)


def _attaining_pair(alpha: Fraction, worst: enclosure.Supremum, slide: Slide) -> str:
    """The neighbors and the output of the supremum, in words."""
    share, ratio, s = worst.where
    if share != 1 or ratio != 1 + alpha:
        raise ArithmeticError(f"the supremum is not at the extreme neighbor but at {worst.where}")
    count = 1 / alpha
    w = MP.number(s) / (1 - MP.number(s))
    output = MP.number(count) + (slide(MP) + MP.number(ratio) * w) / slide(MP)
    return (
        f"one establishment, {count} and {count + 1} workers, at output {mpmath.nstr(output, 8)}: "
        f"n' − n = S = 1 and S' = {1 + alpha}"
    )


def _stated(alpha: Fraction, epsilon: Fraction) -> Satisfies:
    return fixed(PRINTED.strong, alpha, epsilon)


def _private_at(alpha: Fraction, epsilon: Fraction) -> tuple[Evidence, Evidence]:
    """The instance of what is shown for all parameters."""
    general, spent = loose_evidence()
    return fixed_at(PRINTED.strong, (alpha, epsilon), general), spent


def _exact_loss_at(alpha: Fraction, epsilon: Fraction) -> Verdict:
    """In units of the smaller dataset's noise the larger one is shifted by t ≤ a and stretched by
    r ≤ 1+α. Branch and bound over t, r, all outputs, and both directions encloses the supremum of the
    log-ratio; it lies at t = a, r = 1+α, which 1/α workers and one more attain on integers.
    """
    slide = _published(alpha, epsilon)
    worst, others = exact_loss(slide, alpha)
    with enclosing():
        value = enclosure.digits(worst.ball)
        below = worst.upper < ARB.number(epsilon)
    return holds_loosely(
        *_private_at(alpha, epsilon),
        *others,
        Evidence(
            f"the supremum over all neighbors and outputs is {value}, less than {epsilon}",
            bool(below),
            Grade.ENCLOSURE,
            "enclosure",
        ),
        value=value,
        counterexample=f"attained by {_attaining_pair(alpha, worst, slide)}",
    )


def _tight_slide_guess(alpha: Fraction, epsilon: Fraction) -> Number:
    """The slide a at which the extreme neighbors have loss ε, to 50 digits, not certified."""
    ratio = MP.number(1 + alpha)

    def equations(a: Number, w: Number) -> list[Number]:
        y = a + ratio * w
        loss = smooth_gamma.privacy_loss(w, MP.number(1), a, ratio, MP) - MP.number(epsilon)
        critical = ratio * y**3 * (1 + w**4) - w**3 * (1 + y**4)
        return [loss, critical]

    start = smooth_gamma.tight_slide(alpha, epsilon, MP)
    return MP.mp.findroot(equations, (start, MP.number(1)))[0]


def _least_multiplier_at(alpha: Fraction, epsilon: Fraction) -> Verdict:
    """The loss falls as the noise grows. At the printed multiplier it is below; the root is found to
    50 digits, and then certified: just above it no neighbor and no output exceeds ε, just below it one
    does.
    """
    root = smooth_gamma.published_slide(alpha, epsilon, MP) / _tight_slide_guess(alpha, epsilon)
    low = Fraction(int(MP.mp.floor(root * 10**17)), 10**17)
    high = low + Fraction(1, 10**17)
    private = [
        enclosure.at_most(
            _loss(_published(alpha, epsilon, high), alpha, sign, side),
            _box(alpha),
            enclosure.rational(epsilon),
            f"multiplier {float(high):.17g}: direction {sign:+d}, side {side:+d} stays below ε",
        )
        for sign, side in BOX_SIDES
    ]
    below = enclosure.supremum(_loss(_published(alpha, epsilon, low), alpha, 1, 1), _box(alpha))
    return holds_loosely(
        *_private_at(alpha, epsilon),
        *private,
        Evidence(
            f"multiplier {low}: the loss exceeds {epsilon} at {below.where}",
            bool(below.lower > ARB.number(epsilon)),
            Grade.ENCLOSURE,
            "enclosure",
        ),
        value=mpmath.nstr(root, 16),
    )


at_points(
    "alg-2-loss",
    where="Section 8.2, Algorithm 2",
    says="Algorithm 2 has total privacy loss ε.",
    check=_exact_loss_at,
    states=_stated,
    origin="implied",
)
at_points(
    "alg-2-multiplier",
    where="Section 8.2, Algorithm 2",
    says="Algorithm 2 needs 1 times its printed noise.",
    check=_least_multiplier_at,
    states=_stated,
    origin="ours",
)
