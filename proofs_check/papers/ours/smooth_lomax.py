"""Smooth Lomax: its exact privacy loss, and its error."""

from fractions import Fraction

from establish import AtMost, Below, Equal, Evidence, Moment, Real, Verdict, claim, given, holds, rules
from establish.proofs_check.engine.methods import solver, symbolic
from establish.proofs_check.engine.rules.calculus import slope_obligations
from establish.proofs_check.engine.rules.instances import Instance
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison, Condition, Satisfies
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.ours.both_neighbors import private
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import laplace, lomax
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms import smooth_lomax
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism

PLACE = "Smooth Lomax"

PRIVATE = private("Smooth Lomax", SmoothLomaxMechanism)

_LAW = Real("p", above=1), Real("θ", above=0)
_MOVE = Real("d", least=0), Real("m", least=1), Real("w")


FARTHER = AtMost(
    Real("θ", above=0),
    *_MOVE,
    left=lambda c, width, d, m, w: lomax.log_size(w, width, c),
    right=lambda c, width, d, m, w: lomax.log_size(m * w + d, width, c) + c.log(1 + d / width / m),
)
"""1 + |w|/θ ≤ (1 + |m·w+d|/θ)·(1 + d/(mθ)), with equality at m·w + d = 0."""

NEARER = AtMost(
    Real("θ", above=0),
    *_MOVE,
    Real("k", least=lambda c, width, d, m, w: c.maximum(m, 1 + d / width)),
    left=lambda c, width, d, m, w, k: lomax.log_size(m * w + d, width, c),
    right=lambda c, width, d, m, w, k: c.log(k) + lomax.log_size(w, width, c),
)
"""1 + |m·w+d|/θ ≤ k·(1 + |w|/θ) for every k of at least m and 1 + d/θ."""


def _center(c: World, power: Number, share: Number, m: Number) -> Number:
    """ln m + p·ln(1 + a/m): the loss at the center of the larger law, a = d/θ."""
    return c.log(m) + power * c.log(1 + share / m)


FALLS = AtMost(
    Real("p", above=1),
    Real("a", least=0),
    Real("m", least=1, most=lambda c, power, share: (power - 1) * share),
    left=_center,
    right=lambda c, power, share, m: power * c.log(1 + share),
)
"""Up to m = (p−1)·a the loss at the center is at most that of m = 1."""

RISES = AtMost(
    Real("p", above=1),
    Real("a", least=0),
    Real("m", least=lambda c, power, share: c.maximum(1, (power - 1) * share)),
    Real("g", least=lambda c, power, share, m: m),
    left=lambda c, power, share, m, growth: _center(c, power, share, m),
    right=lambda c, power, share, m, growth: _center(c, power, share, growth),
)
"""From there on it is at most that of every larger g."""


def _calibrated() -> list[Condition]:
    return [
        given(
            lambda c, p, width, g, epsilon, *_: p * c.log(1 + 1 / width),
            "<=",
            lambda c, p, width, g, epsilon, *_: epsilon,
        ),
        given(
            lambda c, p, width, g, epsilon, *_: c.log(g) + p * c.log(1 + 1 / width / g),
            "<=",
            lambda c, p, width, g, epsilon, *_: epsilon,
        ),
        given(
            lambda c, p, width, g, epsilon, *_: (p - 1) * c.log(g),
            "<=",
            lambda c, p, width, g, epsilon, *_: epsilon,
        ),
    ]


def _direction(sign: int) -> Comparison:
    """sign·(ln p − ln q) ≤ ε at the output m·w + d, where the three conditions hold."""

    def loss(c: World, p: Number, width: Number, g: Number, epsilon: Number, *move: Number) -> Number:
        d, m, w = move
        gap = p * (lomax.log_size(w, width, c) - lomax.log_size(m * w + d, width, c)) + c.log(m)
        return gap if sign > 0 else -gap

    return AtMost(
        *_LAW,
        Real("g", above=1),
        Real("ε", above=0),
        Real("d", least=0, most=1),
        Real("m", least=1, most=lambda c, p, width, g, *_: g),
        Real("w"),
        left=loss,
        right=lambda c, p, width, g, epsilon, *_: epsilon,
        given=_calibrated(),
    )


TO_LARGER, TO_SMALLER = _direction(1), _direction(-1)

MOVED_FARTHER = AtMost(
    *_LAW,
    *_MOVE,
    Real("k", least=lambda c, p, width, d, m, w: c.maximum(m, 1 + d / width)),
    left=lambda c, p, width, d, m, w, k: (
        p * (lomax.log_size(m * w + d, width, c) - lomax.log_size(w, width, c))
    ),
    right=lambda c, p, width, d, m, w, k: p * c.log(k),
)
LESS_STRETCHED = AtMost(
    Real("p", above=1),
    Real("m", least=1),
    Real("g", least=lambda c, p, m: m),
    left=lambda c, p, m, g: (p - 1) * c.log(m),
    right=lambda c, p, m, g: (p - 1) * c.log(g),
)
LESS_SLID = AtMost(
    *_LAW,
    Real("d", least=0, most=1),
    left=lambda c, p, width, d: p * c.log(1 + d / width),
    right=lambda c, p, width, d: p * c.log(1 + 1 / width),
)

SLIDE = AtMost(
    Real("p", above=1),
    Real("ε", above=0),
    Real("θ", least=lambda c, p, epsilon: smooth_lomax.slide_width(p, epsilon, c)),
    left=lambda c, p, epsilon, width: p * c.log(1 + 1 / width),
    right=lambda c, p, epsilon, width: epsilon,
)
STRETCH = AtMost(
    Real("p", above=1),
    Real("g", above=1),
    Real("ε", above=lambda c, p, g: c.log(g)),
    Real("θ", least=lambda c, p, g, epsilon: smooth_lomax.stretch_width(p, g, epsilon, c)),
    left=lambda c, p, g, epsilon, width: c.log(g) + p * c.log(1 + 1 / width / g),
    right=lambda c, p, g, epsilon, width: epsilon,
)
"""The two widths are wide enough."""


LEAST_SLIDE = Equal(
    *SLIDE.domain.variables[:-1],
    left=lambda c, p, epsilon: p * c.log(1 + 1 / smooth_lomax.slide_width(p, epsilon, c)),
    right=lambda c, p, epsilon: epsilon,
)
LEAST_STRETCH = Equal(
    *STRETCH.domain.variables[:-1],
    left=lambda c, p, g, epsilon: (
        c.log(g) + p * c.log(1 + 1 / smooth_lomax.stretch_width(p, g, epsilon, c) / g)
    ),
    right=lambda c, p, g, epsilon: epsilon,
)
"""And they are the least."""


def _value(place: int) -> Formula:
    return lambda c, *v: v[place]


def _calculus(statement: Comparison, name: str) -> Evidence:
    return rules.slope_and_end(statement, name, *map(solver.proves, slope_obligations(statement, name)))


def _share(c: World, p: Number, width: Number, g: Number, epsilon: Number, d: Number, *_: Number) -> Number:
    return d / width


def _logarithms(
    c: World, p: Number, width: Number, g: Number, epsilon: Number, d: Number, *_: Number
) -> None:
    for part in (1 / width, d / width, 1 / width / g, d / width / g):
        c.log(1 + part)


def _general() -> tuple[Evidence, Evidence]:
    """Both directions, for every law of this shape that the three conditions allow."""
    law = {"p": _value(0), "θ": _value(1)}
    move = {"θ": _value(1), "d": _value(4), "m": _value(5), "w": _value(6)}
    shown = [
        solver.proves(
            FARTHER,
            lambda c, width, d, m, w: c.log((1 + c.absolute(m * w + d) / width) * (1 + d / width / m)),
        ),
        _calculus(FALLS, "m"),
        _calculus(RISES, "g"),
    ]
    at_center: dict[str, Formula] = {"p": _value(0), "a": _share, "m": _value(5)}
    larger = rules.instances(
        TO_LARGER,
        [(FARTHER, move), (FALLS, at_center), (RISES, {**at_center, "g": _value(2)})],
        *shown,
        hints=[_logarithms],
    )
    return larger, _to_smaller(law, move)


def _to_smaller(law: dict[str, Formula], move: dict[str, Formula]) -> Evidence:
    """The second direction, where the slide stretches 1 + |w|/θ by more than m, and where by less."""
    nearer = solver.proves(NEARER, lambda c, width, d, m, w, k: c.log(k * (1 + c.absolute(w) / width)))
    names = MOVED_FARTHER.domain.names
    at: dict[str, Formula] = {name: _value(i) for i, name in enumerate(names) if i}
    shown = [
        rules.instances(MOVED_FARTHER, [(NEARER, at)], nearer),
        solver.proves(LESS_STRETCHED),
        solver.proves(LESS_SLID),
    ]

    def far(c: World, p: Number, width: Number, g: Number, epsilon: Number, d: Number, *_: Number) -> Number:
        return 1 + d / width

    power, m = {"p": _value(0)}, _value(5)
    used: dict[str, list[Instance]] = {
        ">=": [(MOVED_FARTHER, {**law, **move, "k": m}), (LESS_STRETCHED, {**power, "m": m, "g": _value(2)})],
        "<=": [
            (MOVED_FARTHER, {**law, **move, "k": far}),
            (LESS_STRETCHED, {**power, "m": lambda c, *v: c.number(1) + 0 * v[0], "g": m}),
            (LESS_SLID, {**law, "d": _value(4)}),
        ],
    }
    cases = {word: given(m, word, far) for word in used}
    return rules.cover(
        TO_SMALLER,
        [[case] for case in cases.values()],
        *(
            rules.instances(TO_SMALLER.where(case), used[word], *shown, order=False)
            for word, case in cases.items()
        ),
    )


@shared
def _general_evidence() -> tuple[Evidence, ...]:
    return (
        *_general(),
        *(
            solver.proves(one, lambda c, p, epsilon, *_: c.log(c.exp(epsilon / p)))
            for one in (SLIDE, LEAST_SLIDE)
        ),
        *(
            solver.proves(one, lambda c, p, g, epsilon, *_: c.log(c.exp((epsilon - c.log(g)) / p)))
            for one in (STRETCH, LEAST_STRETCH)
        ),
    )


def _parameters() -> dict[str, Formula]:
    """The law's parameters as the mechanism has them, at α, ε and what comes after."""
    return {
        "p": lambda c, alpha, epsilon, *_: smooth_lomax.power(alpha, epsilon, c),
        "θ": lambda c, alpha, epsilon, *_: smooth_lomax.width(alpha, epsilon, c),
        "g": lambda c, alpha, epsilon, *_: 1 + c.number(alpha),
        "ε": lambda c, alpha, epsilon, *_: c.number(epsilon),
    }


def _slide(c: World, *_: Number) -> Number:
    return c.number(1)


def _stretch(c: World, alpha: Number, *_: Number) -> Number:
    return 1 + c.number(alpha)


@shared
def _owed() -> tuple[Evidence, ...]:
    """What `smooth` owes for strong neighbors; for weak ones it owes the same."""
    chosen = _parameters()
    move = {name: _value(i + 2) for i, name in enumerate(("d", "m", "w"))}
    used: list[Instance] = [
        (SLIDE, {name: chosen[name] for name in SLIDE.domain.names}),
        (STRETCH, {name: chosen[name] for name in STRETCH.domain.names}),
    ]
    return (
        *map(solver.proves, rules.neighboring_laws(PRIVATE.strong, _slide, _stretch)),
        *(
            rules.instances(owed, [(general, {**chosen, **move}), *used], *_general_evidence())
            for owed, general in zip(
                rules.losses(PRIVATE.strong, _slide, _stretch), (TO_LARGER, TO_SMALLER), strict=True
            )
        ),
    )


def private_evidence(statement: Satisfies) -> Evidence:
    """Privacy at ε, from what holds for every law that the three conditions allow."""
    return rules.smooth(statement, _slide, _stretch, *_owed())


def _reached(count: Formula, relation: str) -> Comparison:
    """ln p − ln q = ε at the smaller count, for one establishment that grows from it by 1, S = 1."""

    def loss(c: World, alpha: Number, epsilon: Number) -> Number:
        made, before = (SmoothLomaxMechanism(alpha, epsilon), count(c, alpha))
        p, q = (made.cell_law(n, n, c).log_density(before) for n in (before, before + 1))
        return p - q

    def slide(c: World, alpha: Number, epsilon: Number) -> Number:
        return smooth_lomax.slide_width(smooth_lomax.power(alpha, epsilon, c), epsilon, c)

    def stretch(c: World, alpha: Number, epsilon: Number) -> Number:
        power = smooth_lomax.power(alpha, epsilon, c)
        return smooth_lomax.stretch_width(power, 1 + alpha, epsilon, c)

    return Equal(
        Real("α", above=0, most=1),
        Real("ε", above=lambda c, alpha: c.log(1 + alpha)),
        left=loss,
        right=lambda c, alpha, epsilon: epsilon,
        given=[given(slide, relation, stretch)],
    )


BY_ONE = _reached(lambda c, alpha: 0 * alpha, ">=")
BY_SHARE = _reached(lambda c, alpha: 1 / c.number(alpha), "<=")
"""An empty cell that hires one worker, or 1/α workers of whom there is one more: one of the two loses ε."""


def _reached_evidence() -> tuple[Evidence, ...]:
    chosen = _parameters()

    def logarithms(c: World, alpha: Number, epsilon: Number) -> None:
        width, growth = smooth_lomax.width(alpha, epsilon, c), 1 + alpha
        for part in (1 + 1 / width, 1 + 1 / width / growth, c.number(1), growth):
            c.log(part)

    return tuple(
        rules.instances(
            reached,
            [(general, {name: chosen[name] for name in general.domain.names})],
            *_general_evidence(),
            hints=[logarithms],
        )
        for reached, general in ((BY_ONE, LEAST_SLIDE), (BY_SHARE, LEAST_STRETCH))
    )


@claim(
    "establish/smooth-lomax",
    where=PLACE,
    says="n + S·Z with density of Z proportional to (1 + |z|/θ)^(−p), p = 1 + ε/ln(1+α) and the least θ that "
    "is wide enough, is (α, ε)-ER-EE private for establishment attributes, and weakly so with worker "
    "attributes, for ε > ln(1+α).",
    states=PRIVATE,
    tight=(BY_ONE, BY_SHARE),
)
def smooth_lomax_is_private() -> Verdict:
    """In units of the smaller dataset's S the larger one's noise has its center d further up and m times the
    scale, 0 ≤ d ≤ 1 ≤ m ≤ 1+α. Towards the larger dataset the loss at an output is at most that at the larger
    center, ln m + p·ln(1 + d/(mθ)), which falls and then rises with m; towards the smaller one at most
    p·ln(1 + d/θ) − ln m or (p−1)·ln m. Each of p·ln(1+1/θ), ln(1+α) + p·ln(1 + 1/((1+α)θ)) and
    (p−1)·ln(1+α) is at most ε. The last is approached at far outputs, and one of the others is attained.
    """
    return holds(
        *map(private_evidence, PRIVATE),
        *_reached_evidence(),
        value="total privacy loss ε",
        condition="ε > ln(1+α); attained at a count for α ≤ 1",
    )


_NOISE = Real("s", above=0), Real("θ", above=0)


def _power(c: World, scale: Number) -> Number:
    """p = 1 + 1/s: ln(1 + |Z|/θ) is the absolute value of a Laplace law with scale s."""
    return 1 + 1 / c.number(scale)


def _distance(c: World, scale: Number, width: Number, x: Number) -> Number:
    """|Z| as a function of that law's outcome."""
    return width * (c.exp(c.absolute(x)) - 1)


LAW = Equal(
    *_NOISE,
    Real("x", least=0),
    left=lambda c, scale, width, x: (
        lomax.log_density(_distance(c, scale, width, x), _power(c, scale), width, c) + c.log(width * c.exp(x))
    ),
    right=lambda c, scale, width, x: laplace.log_density(x, c.number(0), scale, c),
)
"""The density of Z at θ·(e^x − 1), times the slope of that, is the density of the Laplace law at x ≥ 0. Both
laws are symmetric, so Z is the sign of a Laplace law times θ·(e^|x| − 1).
"""


def _moment(k: int, closed: Formula, below: Fraction) -> Expectation:
    return Moment(
        Real("s", above=0, below=below),
        Real("θ", above=0),
        law=lambda c, scale, width: Laplace(c.number(0), scale, c),
        of=lambda c, *v: c.power(_distance(c, *v), k),
        closed=closed,
        breaks=[lambda c, *_: c.number(0)],
        depends=True,
    )


MEAN = _moment(1, lambda c, scale, width: lomax.mean_absolute(_power(c, scale), width), Fraction(1))
SQUARE = _moment(2, lambda c, scale, width: lomax.mean_square(_power(c, scale), width), Fraction(1, 2))
SYMMETRIC = Equal(
    *_LAW,
    Real("z"),
    left=lambda c, p, width, z: lomax.log_density(-z, p, width, c),
    right=lambda c, p, width, z: lomax.log_density(z, p, width, c),
)
ENOUGH = Below(
    Real("α", above=0),
    Real("ε", above=lambda c, alpha: c.log(1 + alpha)),
    left=lambda c, alpha, epsilon: c.number(2),
    right=lambda c, alpha, epsilon: smooth_lomax.power(alpha, epsilon, c),
)
"""Where the mechanism is defined the mean exists: p > 2."""


@claim(
    "establish/smooth-lomax-error",
    where=PLACE,
    says="Smooth Lomax is unbiased with E|out − n| = S·θ/(p−2), and its variance is 2S²θ²/((p−2)(p−3)) for "
    "p > 3, that is ε > 2·ln(1+α).",
    states=(LAW, SYMMETRIC, MEAN, SQUARE, ENOUGH),
    tight=MEAN,
)
def error_of_smooth_lomax() -> Verdict:
    """ln(1 + |Z|/θ) has the exponential law with rate p − 1, so E|Z| = θ·((p−1)/(p−2) − 1) for p > 2, and the
    square likewise for p > 3. The density is even and E|Z| finite, so E Z = 0. p > 2 is ε > ln(1+α), the
    mechanism's own domain.
    """

    def logarithms(c: World, scale: Number, width: Number, x: Number) -> None:
        for part in (c.exp(x), width * c.exp(x), 2 * width, 1 / scale / (2 * width), 2 * scale):
            c.log(part)
        c.log(scale * (1 / scale))

    return holds(
        solver.proves(LAW, logarithms),
        solver.proves(SYMMETRIC),
        symbolic.integrates(MEAN),
        symbolic.integrates(SQUARE),
        solver.proves(ENOUGH, lambda c, alpha, epsilon: c.log(c.number(1))),
        value="E|Z| = θ/(p−2), bias 0",
    )
