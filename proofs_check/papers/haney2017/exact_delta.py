"""Algorithm 3 at its exact δ: what the two tails hold, at the neighbor that grows most."""

from functools import partial

from establish import Evidence, Rational, Real, Verdict, claim, holds, rules, solver, symbolic
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import AtMost, Comparison, Equal, Private, Satisfies, within
from establish.proofs_check.engine.statements.statement import Formula
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms import smooth_laplace
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism


def _private(neighbors: str, queries: str) -> Satisfies:
    """(α, ε, δ)-ER-EE privacy wherever the two conditions of the specification are met."""
    return Private(
        Rational("α", above=0),
        Rational("ε", above=0),
        Rational("δ", above=0, below=1),
        name="Smooth Laplace",
        mechanism=SmoothLaplaceMechanism,
        alpha=lambda alpha, epsilon, delta: alpha,
        neighbors=neighbors,
        queries=queries,
        level=lambda c, alpha, epsilon, delta: c.number(epsilon),
        delta=lambda c, alpha, epsilon, delta: c.number(delta),
        given=within(SmoothLaplaceMechanism.domain)[::-1],
    )


STRONG, WEAK = _private("strong", "establishment"), _private("weak", "worker")


def _slide(c: World, alpha: Number, epsilon: Number, delta: Number) -> Number:
    """In units of the smaller dataset's noise the count moves by ε/2 at most."""
    return c.number(epsilon) / 2


def _stretch(c: World, alpha: Number, epsilon: Number, delta: Number) -> Number:
    return 1 + c.number(alpha)


def _upper(c: World, epsilon: Number, d: Number, m: Number) -> Number:
    """Above it ln q − ln p exceeds ε, for P = Laplace(0, 1) and Q = Laplace(d, m); −(…) at −d is the
    lower end.
    """
    return (epsilon + c.log(m) - d / m) / (1 - 1 / m)


def _high(c: World, alpha: Number, epsilon: Number, delta: Number, d: Number, m: Number) -> Number:
    return _upper(c, epsilon, d, m)


def _low(c: World, alpha: Number, epsilon: Number, delta: Number, d: Number, m: Number) -> Number:
    return -_upper(c, epsilon, -d, m)


def _exponent(c: World, epsilon: Number, d: Number, m: Number) -> Number:
    """−ln(2·Q(tail))."""
    return (epsilon - d + c.log(m)) / (m - 1)


def _tail(c: World, k: Number, m: Number) -> Number:
    """Twice what a tail contributes, for k = ε ∓ d."""
    return (1 - 1 / m) * c.exp(-((k + c.log(m)) / (m - 1)))


def _both(c: World, epsilon: Number, d: Number, m: Number) -> Number:
    return _tail(c, epsilon - d, m) / 2 + _tail(c, epsilon + d, m) / 2


def _lemma(statement: Comparison, name: str, *hints: Formula) -> Evidence:
    start, slope = rules.slope_obligations(statement, name)
    return rules.slope_and_end(statement, name, solver.proves(start), solver.proves(slope, *hints))


FROM_M_ON: tuple[Comparison, ...] = tuple(
    AtMost(Real("m", above=1), Real("R", least=lambda c, m: m), left=left, right=right)
    for left, right in (
        (lambda c, m, r: c.log(m) * (1 - 1 / r), lambda c, m, r: c.log(r) * (1 - 1 / m)),
        (lambda c, m, r: (m - 1) * c.log(r), lambda c, m, r: (r - 1) * c.log(m)),
    )
)
"""ln m lies above its chord in 1/m, and below that in m: both rise from R = m on."""

TAIL_RISES = AtMost(
    Real("k", least=0),
    Real("m", above=1),
    Real("R", least=lambda c, k, m: m),
    left=lambda c, k, m, r: _tail(c, k, m),
    right=lambda c, k, m, r: _tail(c, k, r),
)
"""A tail contributes more the more the scale is stretched."""

PAIR_RISES = AtMost(
    Real("p", above=0),
    Real("k"),
    Real("d", least=0),
    Real("T", least=lambda c, p, k, d: d),
    left=lambda c, p, k, d, t: c.exp(-((k - d) / p)) + c.exp(-((k + d) / p)),
    right=lambda c, p, k, d, t: c.exp(-((k - t) / p)) + c.exp(-((k + t) / p)),
)
"""Both tails together contribute more the farther the center is moved."""

SAME_AT_THE_END = Equal(
    Real("ε", above=0),
    Real("d"),
    Real("m", above=1),
    left=lambda c, epsilon, d, m: c.exp(epsilon) * c.exp(-_upper(c, epsilon, d, m)),
    right=lambda c, epsilon, d, m: c.exp(-_exponent(c, epsilon, d, m)) / m,
)
"""Where the loss is ε, q = e^ε·p."""


def _products(c: World, epsilon: Number, d: Number, m: Number) -> None:
    c.log(c.exp(epsilon) * c.exp(-_upper(c, epsilon, d, m)))
    c.log(c.exp(-_exponent(c, epsilon, d, m)) / m)


def _logarithms(c: World, *values: Number) -> None:
    for x in (2 * values[4], c.number(2), values[4]):
        c.log(x)


def _mass_evidence(statement: Comparison) -> Evidence:
    """The tails hold ½(1−1/m)·(e^(−(ε−d+ln m)/(m−1)) + e^(−(ε+d+ln m)/(m−1))), which is largest at m =
    1+α and then at d = ε/2: there it is δ*.
    """
    middle: tuple[Formula, ...] = (
        lambda c, alpha, epsilon, delta, d, m: _both(c, epsilon, d, m),
        lambda c, alpha, epsilon, delta, d, m: _both(c, epsilon, d, 1 + alpha),
        lambda c, alpha, epsilon, delta, d, m: _both(c, epsilon, epsilon / 2, 1 + alpha),
        lambda c, alpha, epsilon, delta, d, m: smooth_laplace.exact_delta(alpha, epsilon, c),
    )
    ends, by_stretch, by_slide, closed, allowed = rules.links(statement, *middle)
    slower = _lemma(FROM_M_ON[1], "R", lambda c, m, r: c.log(1 / m))
    rises = rules.instances(TAIL_RISES, [(FROM_M_ON[1], {"m": _second, "R": _third})], slower)
    sides: list[dict[str, Formula]] = [
        {"ε": _epsilon, "d": partial(_slid, sign), "m": _scaled} for sign in (1, -1)
    ]
    stretches: list[dict[str, Formula]] = [
        {"k": partial(_farther, sign), "m": _scaled, "R": _largest} for sign in (1, -1)
    ]
    slides = {
        "p": lambda c, alpha, epsilon, delta, d, m: alpha,
        "k": lambda c, alpha, epsilon, delta, d, m: epsilon + c.log(1 + alpha),
        "d": lambda c, alpha, epsilon, delta, d, m: d,
        "T": lambda c, alpha, epsilon, delta, d, m: epsilon / 2,
    }
    return rules.chain(
        statement,
        middle,
        rules.instances(
            ends, [(SAME_AT_THE_END, s) for s in sides], solver.proves(SAME_AT_THE_END, _products)
        ),
        rules.instances(by_stretch, [(TAIL_RISES, s) for s in stretches], rises, order=False),
        rules.instances(by_slide, [(PAIR_RISES, slides)], _lemma(PAIR_RISES, "T")),
        symbolic.signed(closed),
        solver.owed(allowed),
    )


def _epsilon(c: World, alpha: Number, epsilon: Number, *_: Number) -> Number:
    return epsilon


def _scaled(c: World, *values: Number) -> Number:
    return values[4]


def _largest(c: World, alpha: Number, *_: Number) -> Number:
    return 1 + alpha


def _slid(sign: int, c: World, *values: Number) -> Number:
    return sign * values[3]


def _farther(sign: int, c: World, alpha: Number, epsilon: Number, *values: Number) -> Number:
    return epsilon + sign * values[1]


def _second(c: World, *values: Number) -> Number:
    return values[1]


def _third(c: World, *values: Number) -> Number:
    return values[2]


@shared
def _owed() -> tuple[Evidence, ...]:
    """What `smooth_tails` owes for strong neighbors; for weak ones it owes the same."""
    other = rules.losses(STRONG, _slide, _stretch)[0]
    chord = FROM_M_ON[0]
    at: dict[str, Formula] = {
        "m": lambda c, alpha, epsilon, delta, d, m, w: m,
        "R": lambda c, alpha, epsilon, delta, d, m, w: 1 + alpha,
    }
    same, *between, mass = rules.tails(STRONG, _slide, _stretch, _low, _high)
    return (
        *map(solver.proves, rules.neighboring_laws(STRONG, _slide, _stretch)),
        rules.instances(other, [(chord, at)], _lemma(chord, "R")),
        solver.proves(same),
        *(solver.proves(one, _logarithms) for one in between),
        _mass_evidence(mass),
    )


def _privacy_evidence(statement: Satisfies) -> Evidence:
    return rules.smooth_tails(statement, _slide, _stretch, _low, _high, *_owed())


@shared
def exact_delta_evidence() -> tuple[Evidence, ...]:
    """Both parts, for strong and for weak neighbors."""
    return tuple(map(_privacy_evidence, (STRONG, WEAK)))


FARTHEST = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: _both(c, epsilon, epsilon / 2, 1 + alpha),
    right=lambda c, alpha, epsilon: smooth_laplace.exact_delta(alpha, epsilon, c),
)
"""What the two tails hold where the largest establishment grows from x ≥ 1/α to (1+α)x workers."""


OTHER_ORDER = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: (
        Laplace(c.number(0), c.number(1), c).log_density(0)
        - Laplace(epsilon / 2, 1 + alpha, c).log_density(0)
    ),
    right=lambda c, alpha, epsilon: smooth_laplace.opposite_loss(alpha, epsilon, c),
)
"""What the output of the smaller count loses to that neighbor, which the second condition bounds."""


@claim(
    "haney2017/alg-3-exact",
    where="Section 9, Algorithm 3 with its exact δ",
    says="Algorithm 3 is (α, ε, δ)-ER-EE private whenever δ*(α, ε) ≤ δ and ε/(2(1+α)) + ln(1+α) ≤ ε.",
    states=(STRONG, WEAK),
    tight=(FARTHEST, OTHER_ORDER),
    origin="ours",
)
def smooth_laplace_is_private_by_its_exact_delta() -> Verdict:
    """Neighbors shift the count by t ≤ ε/2 noise units and stretch the scale by r ≤ 1+α. From the larger
    dataset the excess over e^ε is in the two tails, and largest at the extreme neighbor, where it is
    δ*. From the smaller one the loss is at most t/r + ln r, convex in 1/r and so largest at r = 1, where
    it is ε/2, or at r = 1+α, where the second condition bounds it by ε. (Ours; it decides what the
    release allows.)
    """
    return holds(
        *exact_delta_evidence(),
        symbolic.proves(FARTHEST),
        symbolic.proves(OTHER_ORDER),
        value="δ* = (α/(2(1+α)))·(1+α)^(−1/α)·(e^(−ε/2α) + e^(−3ε/2α))",
    )
