"""Lemma 8.6 and its proof: admissibility of the density proportional to 1/(1+|z|^γ)."""

import sympy

from establish import AtMost, Evidence, Moment, Real, Verdict, claim, given, holds_loosely, ill_posed, rules
from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.rules.calculus import slope_and_end, slope_obligations
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import (
    Bounded,
    Comparison,
    Indistinguishability,
    Indistinguishable,
)
from establish.proofs_check.engine.statements.statement import Formula
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions import heavy_tailed
from establish.spec.distributions.heavy_tailed import HeavyTailed

ABOVE_1, ABOVE_0 = Real("γ", above=1), Real("γ", above=0)
EXCESS = Real("g", above=0)
"""γ − 1."""


SLIDING = AtMost(
    ABOVE_1,
    Real("z"),
    Real("Δ"),
    left=lambda c, gamma, z, step: heavy_tailed.slide_loss(z, step, gamma, c),
    right=lambda c, gamma, z, step: heavy_tailed.sliding_constant(gamma, c) * c.absolute(step),
)
"""What a slide costs at most."""

DILATION = AtMost(
    ABOVE_1,
    Real("λ"),
    Real("z"),
    left=lambda c, gamma, log_factor, z: heavy_tailed.dilation_loss(z, log_factor, gamma, c),
    right=lambda c, gamma, log_factor, z: heavy_tailed.dilation_constant(gamma, c) * c.absolute(log_factor),
)
"""What a dilation costs at most."""


def slid(c: World, gamma: Number, _: Number, step: Number) -> HeavyTailed:
    """The law of Z − Δ: P(Z ∈ S + Δ) is the probability of S."""
    return HeavyTailed(-step, c.number(1), gamma, c)


def dilated(c: World, gamma: Number, _: Number, log_factor: Number) -> HeavyTailed:
    """The law of e^(−λ)·Z: P(Z ∈ e^λ·S) is the probability of S."""
    return HeavyTailed(c.number(0), c.exp(-log_factor), gamma, c)


def admissible(budget: str, by: str, law: Formula) -> Indistinguishability:
    return Indistinguishable(
        ABOVE_1,
        Real(budget, above=0),
        Real(by),
        first=lambda c, gamma, *_: HeavyTailed(c.number(0), c.number(1), gamma, c),
        second=law,
        level=lambda c, gamma, epsilon, _: epsilon,
        given=[
            given(
                lambda c, gamma, epsilon, move: c.absolute(move),
                "<=",
                lambda c, gamma, epsilon, move: epsilon / (1 + gamma),
            )
        ],
    )


SLIDES, DILATES = admissible("ε1", "Δ", slid), admissible("ε2", "λ", dilated)
"""Lemma 8.6 for γ > 1: the two halves of Definition 8.3 with δ = 0."""


def _weighted_mean() -> tuple[Comparison, Evidence]:
    """(g/(1+g))·ln(T/g) ≤ ln((1+T)/(1+g)): the logarithm of a weighted mean of 1 and T/g."""
    statement = AtMost(
        EXCESS,
        Real("T", above=0),
        left=lambda c, g, t: g / (1 + g) * (c.log(t) - c.log(g)),
        right=lambda c, g, t: c.log((1 + t) / (1 + g)),
    )

    def parts(c: World, g: Number, t: Number) -> None:
        mean = (1 + t) / (1 + g)
        for part in (1 / mean, t / g / mean, t / g, mean):
            c.log(part)

    return statement, solver.proves(statement, parts)


def _log_slope() -> tuple[Comparison, Evidence]:
    """ln(γ·u^γ) ≤ ln((γ−1)^(1−1/γ)·(1+u^γ)·u): the slope of ln(1+u^γ), by the mean at T = u^γ."""
    mean, shown = _weighted_mean()
    statement = AtMost(
        EXCESS,
        Real("u", above=0),
        left=lambda c, g, u: c.log(1 + g) + (1 + g) * c.log(u),
        right=lambda c, g, u: g / (1 + g) * c.log(g) + c.log(1 + c.power(u, 1 + g)) + c.log(u),
    )
    at = {"g": lambda c, g, u: g, "T": lambda c, g, u: c.power(u, 1 + g)}

    def split(c: World, g: Number, u: Number) -> Number:
        return c.log((1 + c.power(u, 1 + g)) / (1 + g))

    return statement, rules.instances(statement, [(mean, at)], shown, hints=[split])


def _slide_up() -> tuple[Comparison, Evidence]:
    """The cost of a slide Δ ≥ 0 from z ≥ 0, by its slope in Δ."""
    bound, shown = _log_slope()
    statement = AtMost(
        EXCESS,
        Real("z", least=0),
        Real("Δ", least=0),
        left=lambda c, g, z, step: heavy_tailed.slide_loss(z, step, 1 + g, c),
        right=lambda c, g, z, step: heavy_tailed.sliding_constant(1 + g, c) * step,
    )
    start, slope = slope_obligations(statement, "Δ")
    at = {"g": lambda c, g, z, step: g, "u": lambda c, g, z, step: z + step}

    def products(c: World, g: Number, z: Number, step: Number) -> None:
        power = c.power(z + step, 1 + g)
        c.log((1 + g) * power)
        c.log(c.power(g, g / (1 + g)) * ((1 + power) * (z + step)))

    rises = rules.instances(slope, [(bound, at)], shown, hints=[products])
    return statement, slope_and_end(statement, "Δ", solver.proves(start), rises)


def _falls() -> tuple[Comparison, Evidence]:
    """The density is no higher at y than at x when |x| ≤ |y|."""
    statement = AtMost(
        ABOVE_1,
        Real("x"),
        Real("y"),
        left=lambda c, gamma, x, y: heavy_tailed.log_kernel(y, gamma, c),
        right=lambda c, gamma, x, y: heavy_tailed.log_kernel(x, gamma, c),
        given=[given(lambda c, gamma, x, y: c.absolute(x), "<=", lambda c, gamma, x, y: c.absolute(y))],
    )
    return statement, solver.proves(statement)


@shared
def sliding_evidence() -> tuple[Evidence]:
    """|z+Δ| ≤ |z| + |Δ|, so the slide |Δ| upwards from |z| costs the most."""
    in_excess, shown = _slide_up()
    up = AtMost(
        ABOVE_1,
        *in_excess.domain.variables[1:],
        left=SLIDING.left,
        right=lambda c, gamma, z, step: heavy_tailed.sliding_constant(gamma, c) * step,
    )
    shift: dict[str, Formula] = {
        "g": lambda c, gamma, z, step: gamma - 1,
        "z": lambda c, gamma, z, step: z,
        "Δ": lambda c, gamma, z, step: step,
    }
    inside = obligations(up, in_excess, shift)[1:]
    shown = rules.substitute(up, in_excess, shift, shown, *map(solver.proves, inside))
    falls, fallen = _falls()
    same: Formula = lambda c, gamma, z, step: gamma  # noqa: E731 (one value of several)
    size: Formula = lambda c, gamma, z, step: c.absolute(z)  # noqa: E731
    far: Formula = lambda c, gamma, z, step: c.absolute(z) + c.absolute(step)  # noqa: E731
    told = [
        (up, {"γ": same, "z": size, "Δ": lambda c, gamma, z, step: c.absolute(step)}),
        (falls, {"γ": same, "x": size, "y": lambda c, gamma, z, step: z}),
        (falls, {"γ": same, "x": lambda c, gamma, z, step: z + step, "y": far}),
    ]
    return (rules.instances(SLIDING, told, shown, fallen, fallen, order=False),)


def _dilation_of_a_power() -> tuple[Comparison, Evidence]:
    """ln((1+e^(λγ)·W)/(1+W)) lies between 0 and λγ."""
    statement = AtMost(
        ABOVE_1,
        Real("λ"),
        Real("W", least=0),
        left=lambda c, gamma, log_factor, w: (
            c.log(1 + c.exp(gamma * log_factor) * w) - c.log(1 + w) - log_factor
        ),
        right=lambda c, gamma, log_factor, w: (
            heavy_tailed.dilation_constant(gamma, c) * c.absolute(log_factor)
        ),
    )

    def parts(c: World, gamma: Number, log_factor: Number, w: Number) -> None:
        factor = c.exp(gamma * log_factor)
        c.log(factor * (1 + w))
        c.log(factor)
        c.exp(0 * log_factor)

    return statement, solver.proves(statement, parts)


@shared
def dilation_evidence() -> tuple[Evidence]:
    """The cost in terms of W = |z|^γ."""
    of_a_power, shown = _dilation_of_a_power()
    values: dict[str, Formula] = {
        "γ": lambda c, gamma, log_factor, z: gamma,
        "λ": lambda c, gamma, log_factor, z: log_factor,
        "W": lambda c, gamma, log_factor, z: c.power(c.absolute(z), gamma),
    }
    inside = obligations(DILATION, of_a_power, values)[1:]
    return (rules.substitute(DILATION, of_a_power, values, shown, *map(solver.proves, inside)),)


@shared
def admissibility_evidence(
    slides: Indistinguishability = SLIDES, dilates: Indistinguishability = DILATES
) -> tuple[Evidence, Evidence]:
    """Both halves, as 1+γ is at least each of the exact constants."""
    slide, dilation = rules.log_ratio(slides), rules.log_ratio(dilates)

    def constant(c: World, gamma: Number, *_: Number) -> None:
        c.log(gamma - 1)
        heavy_tailed.sliding_constant(gamma, c)

    def scales(c: World, _: Number, __: Number, log_factor: Number, ___: Number) -> None:
        up, down = c.exp(log_factor), c.exp(-log_factor)
        for part in (up * down, up, down, c.number(1)):
            c.log(part)

    at: dict[str, Formula] = {
        "γ": lambda c, gamma, epsilon, move, o: gamma,
        "z": lambda c, gamma, epsilon, move, o: o,
    }
    moved: Formula = lambda c, gamma, epsilon, move, o: move  # noqa: E731 (one value of several)
    cost = rules.instances(slide, [(SLIDING, {**at, "Δ": moved})], *sliding_evidence(), hints=[constant])
    stretched = rules.instances(
        dilation, [(DILATION, {**at, "λ": moved})], *dilation_evidence(), hints=[scales]
    )
    return rules.at_every_output(slides, cost), rules.at_every_output(dilates, stretched)


PRINTED_SLIDES = AtMost(
    ABOVE_0,
    Real("z"),
    Real("Δ"),
    left=lambda c, gamma, z, step: heavy_tailed.slide_loss(z, step, gamma, c),
    right=lambda c, gamma, z, step: (1 + gamma) * c.absolute(step),
)
"""The printed cost of a slide, for every γ > 0, as the ratio of h(z) ∝ 1/(1+|z|^γ)."""


IN_THE_PROOF = admissible("ε1", "λ", dilated), admissible("ε2", "Δ", slid)
"""Its names of the budgets."""


@claim(
    "haney2017/lemma-8.6",
    where="Section 8.2, Lemma 8.6, and its proof in Appendix B",
    says="The density ∝ 1/(1+|z|^γ) is (ε1/(1+γ), ε2/(1+γ))-admissible for every γ > 0; the proof bounds "
    "dilation by ε1 for |λ| ≤ ε1/(γ+1), and sliding by ε2 for |Δ| ≤ ε2/(γ+1).",
    states=PRINTED_SLIDES,
    meant=(SLIDES, DILATES, *IN_THE_PROOF),
)
def heavy_tailed_noise_is_admissible() -> Verdict:
    """For γ ≤ 1 there is no such law: 1/(1+z^γ) ≥ 1/(2z) for z ≥ 1, and ∫ dz/(2z) diverges. For γ < 1 the
    ratio of the kernel fails too: at γ = 1/2, ln((1+√Δ)/1) exceeds (1+γ)·Δ at Δ = 1/16. For γ > 1 the
    statement is true with room: sliding costs (γ−1)^(1−1/γ) and dilation max(1, γ−1) per unit, both
    less than 1+γ. Definition 8.3 and the lemma call the budget of slides ε1 and that of dilations ε2; the
    proof exchanges the names. Each is the bound of what it is divided for.
    """
    dilates, slides = IN_THE_PROOF
    return ill_posed(
        exact.refuted(PRINTED_SLIDES, γ="1/2", z=0, Δ="1/16"),
        *admissibility_evidence(),
        *admissibility_evidence(slides, dilates),
        condition="γ > 1; then it holds loosely",
        counterexample="γ = 1/2, z = 0, Δ = 1/16: ln(1 + 1/4) = 0.223... > 3/2·1/16; at γ = 1 there is no "
        "distribution, as ∫ dz/(1+|z|) = ∞",
        value="for γ > 1: (ε1/(γ−1)^(1−1/γ), ε2/max(1, γ−1))-admissible",
    )


@claim(
    "haney2017/lemma-8.6-above-1",
    where="Section 8.2, Lemma 8.6",
    says="For γ > 1 the density is (ε1/(1+γ), ε2/(1+γ))-admissible.",
    states=(SLIDES, DILATES),
    origin="implied",
)
def printed_constants_are_loose() -> Verdict:
    """The exact constants: h(z) ≤ e^(s·|Δ|)·h(z+Δ) for all z and Δ exactly when s ≥ (γ−1)^(1−1/γ), and
    h(z) ≤ e^(d·|λ|)·e^λ·h(e^λ·z) exactly when d ≥ max(1, γ−1). Lemma 8.6 charges 1+γ for both. With z^γ = T
    the slope of ln(1+z^γ) is at most its value at T = γ−1, as the logarithm of a mean of 1 and T/(γ−1)
    is at least the mean of their logarithms. (1+e^(λγ)·T)/(1+T) lies between 1 and e^(λγ), which it
    approaches as T grows.
    """
    return holds_loosely(*admissibility_evidence(), value="sliding (γ−1)^(1−1/γ), dilation max(1, γ−1)")


NORMALIZED = Moment(
    ABOVE_1,
    law=lambda c, gamma: HeavyTailed(c.number(0), c.number(1), gamma, c),
    of=lambda c, z: c.number(1) + 0 * z,
    closed=lambda c, gamma: c.number(1) + 0 * gamma,
    breaks=[lambda c, gamma, end=end: c.number(end) for end in (-1, 0, 1)],
)


FINITE_MASS = Bounded(
    Real("T", least=0), left=lambda c, end: c.log(1 + end), by=lambda c, end: c.number(1) + 0 * end
)
"""At γ = 1 the kernel has the mass ∫ dz/(1+z) = ln(1+T) on [0, T], which has to be bounded for there to
be a law.
"""


@claim(
    "haney2017/lemma-8.6-normalizer",
    where="Section 8.2, Lemma 8.6",
    says="h is determined by h(z) ∝ 1/(1+|z|^γ), for every γ > 0.",
    states=FINITE_MASS,
    meant=NORMALIZED,
    origin="implied",
)
def normalizer_of_the_density() -> Verdict:
    """∫ dz/(1+|z|^γ) = (2π/γ)/sin(π/γ) for γ > 1: with x = z^γ and s = 1/γ the half-line gives s·∫
    x^(s−1)/(1+x) dx = s·π/sin(πs). At γ = 4 it is π/√2, which sympy integrates directly. For γ ≤ 1 the
    mass is infinite, as at γ = 1, and there is no such law.
    """
    far: dict[str, Formula] = {"T": lambda c, limit: c.exp(limit)}

    def split(c: World, limit: Number) -> None:
        c.log(c.exp(limit))

    beyond, *inside = rules.exceeding(FINITE_MASS, far)
    gamma = 1 + sympy.Symbol("g", positive=True)
    z, x = sympy.symbols("z x", positive=True)
    s = 1 / gamma
    return ill_posed(
        rules.no_constant(FINITE_MASS, far, solver.proves(beyond, split), *map(solver.owed, inside)),
        symbolic.identity(
            sympy.powsimp(s * (z**gamma) ** (s - 1) * sympy.diff(z**gamma, z)),
            1,
            "s·x^(s−1)·dx/dz at x = z^γ, s = 1/γ, for every γ > 1",
        ),
        symbolic.identity(
            2
            * s
            * sympy.integrate(x ** (s - 1) / (1 + x), (x, 0, sympy.oo))
            * heavy_tailed.normalizer(gamma, SYM),
            1,
            "the density at every γ > 1 integrates to",
        ),
        value="γ·sin(π/γ)/(2π); √2/π at γ = 4",
        condition="γ > 1",
        counterexample="γ = 1: ∫ dz/(1+|z|) = ∞, so no multiple of 1/(1+|z|) is a density",
    )
