"""Lemma 8.6 and its proof: admissibility of the density proportional to 1/(1+|z|^γ)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy
import z3

from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import at_every_output, instances, log_ratio, substitute
from establish.proofs_check.engine.rules.calculus import slope_and_end, slope_obligations
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.statements import (
    AtMost,
    Comparison,
    Equal,
    Indistinguishability,
    Indistinguishable,
    Moment,
    Real,
    given,
)
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    fails,
    holds,
    holds_loosely,
    ill_posed,
    misprint,
)
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.distributions import heavy_tailed
from establish.spec.distributions.heavy_tailed import HeavyTailed

ABOVE_1, ABOVE_0 = Real("γ", above=1), Real("γ", above=0)
EXCESS = Real("g", above=0)
"""γ − 1."""


def _slide(c: World, gamma: Number, z: Number, step: Number) -> Number:
    """ln h(z) − ln h(z + Δ)."""
    return heavy_tailed.log_kernel(z, gamma, c) - heavy_tailed.log_kernel(z + step, gamma, c)


def _dilation(c: World, gamma: Number, log_factor: Number, z: Number) -> Number:
    """ln h(z) − ln(e^λ·h(e^λ·z))."""
    moved = heavy_tailed.log_kernel(c.exp(log_factor) * z, gamma, c)
    return heavy_tailed.log_kernel(z, gamma, c) - (log_factor + moved)


SLIDING = AtMost(
    ABOVE_1,
    Real("z"),
    Real("Δ"),
    left=_slide,
    right=lambda c, gamma, z, step: heavy_tailed.sliding_constant(gamma, c) * c.absolute(step),
)
"""What a slide costs at most."""

DILATION = AtMost(
    ABOVE_1,
    Real("λ"),
    Real("z"),
    left=_dilation,
    right=lambda c, gamma, log_factor, z: (
        heavy_tailed.dilation_constant(gamma, c) * c.absolute(log_factor)
    ),
)
"""What a dilation costs at most."""


def _slid(c: World, gamma: Number, _: Number, step: Number) -> HeavyTailed:
    """The law of Z − Δ: P(Z ∈ S + Δ) is the probability of S."""
    return HeavyTailed(-step, c.number(1), gamma, c)


def _dilated(c: World, gamma: Number, _: Number, log_factor: Number) -> HeavyTailed:
    """The law of e^(−λ)·Z: P(Z ∈ e^λ·S) is the probability of S."""
    return HeavyTailed(c.number(0), c.exp(-log_factor), gamma, c)


def _admissible(budget: str, by: str, law: Formula) -> Indistinguishability:
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


SLIDES, DILATES = _admissible("ε1", "Δ", _slid), _admissible("ε2", "λ", _dilated)
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
    """ln(γ·u^γ) ≤ ln((γ−1)^(1−1/γ)·(1+u^γ)·u): the slope of ln(1+u^γ) times u·(1+u^γ), by the mean at T = u^γ."""
    mean, shown = _weighted_mean()
    statement = AtMost(
        EXCESS,
        Real("u", above=0),
        left=lambda c, g, u: c.log(1 + g) + (1 + g) * c.log(u),
        right=lambda c, g, u: (
            g / (1 + g) * c.log(g) + c.log(1 + c.power(u, 1 + g)) + c.log(u)
        ),
    )
    at = {"g": lambda c, g, u: g, "T": lambda c, g, u: c.power(u, 1 + g)}

    def split(c: World, g: Number, u: Number) -> Number:
        return c.log((1 + c.power(u, 1 + g)) / (1 + g))

    return statement, instances(statement, [(mean, at)], shown, hints=[split])


def _slide_up() -> tuple[Comparison, Evidence]:
    """The cost of a slide Δ ≥ 0 from z ≥ 0, by its slope in Δ."""
    bound, shown = _log_slope()
    statement = AtMost(
        EXCESS,
        Real("z", least=0),
        Real("Δ", least=0),
        left=lambda c, g, z, step: _slide(c, 1 + g, z, step),
        right=lambda c, g, z, step: heavy_tailed.sliding_constant(1 + g, c) * step,
    )
    start, slope = slope_obligations(statement, "Δ")
    at = {"g": lambda c, g, z, step: g, "u": lambda c, g, z, step: z + step}

    def products(c: World, g: Number, z: Number, step: Number) -> None:
        power = c.power(z + step, 1 + g)
        c.log((1 + g) * power)
        c.log(c.power(g, g / (1 + g)) * ((1 + power) * (z + step)))

    rises = instances(slope, [(bound, at)], shown, hints=[products])
    return statement, slope_and_end(statement, "Δ", solver.proves(start), rises)


def sliding_evidence() -> Evidence:
    """|z+Δ| ≤ |z| + |Δ|, so the slide |Δ| upwards from |z| costs the most."""
    up, shown = _slide_up()
    at = {
        "g": lambda c, gamma, z, step: gamma - 1,
        "z": lambda c, gamma, z, step: c.absolute(z),
        "Δ": lambda c, gamma, z, step: c.absolute(step),
    }

    def kernels(c: World, gamma: Number, z: Number, step: Number) -> None:
        for x in (z, z + step, c.absolute(z) + c.absolute(step)):
            c.log(c.absolute(x))
            heavy_tailed.log_kernel(x, gamma, c)

    return instances(SLIDING, [(up, at)], shown, hints=[kernels])


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


def dilation_evidence() -> Evidence:
    """The cost in terms of W = |z|^γ."""
    of_a_power, shown = _dilation_of_a_power()
    values: dict[str, Formula] = {
        "γ": lambda c, gamma, log_factor, z: gamma,
        "λ": lambda c, gamma, log_factor, z: log_factor,
        "W": lambda c, gamma, log_factor, z: c.power(c.absolute(z), gamma),
    }
    inside = obligations(DILATION, of_a_power, values)[1:]
    return substitute(DILATION, of_a_power, values, shown, *map(solver.proves, inside))


def admissibility_evidence() -> tuple[Evidence, Evidence]:
    """Both halves, as 1+γ is at least each of the exact constants."""
    slide, dilation = log_ratio(SLIDES), log_ratio(DILATES)

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
    slid = instances(slide, [(SLIDING, {**at, "Δ": moved})], sliding_evidence(), hints=[constant])
    dilated = instances(dilation, [(DILATION, {**at, "λ": moved})], dilation_evidence(), hints=[scales])
    return at_every_output(SLIDES, slid), at_every_output(DILATES, dilated)


PRINTED_SLIDES = AtMost(
    ABOVE_0,
    Real("z"),
    Real("Δ"),
    left=_slide,
    right=lambda c, gamma, z, step: (1 + gamma) * c.absolute(step),
)
"""The printed cost of a slide, for every γ > 0, as the ratio of h(z) ∝ 1/(1+|z|^γ)."""


@claim(
    "haney2017/lemma-8.6",
    where="Section 8.2, Lemma 8.6",
    says="The density ∝ 1/(1+|z|^γ) is (ε1/(1+γ), ε2/(1+γ))-admissible for every γ > 0.",
    states=PRINTED_SLIDES,
    meant=(SLIDES, DILATES),
)
def heavy_tailed_noise_is_admissible() -> Verdict:
    """For γ ≤ 1 there is no such law: 1/(1+z^γ) ≥ 1/(2z) for z ≥ 1, and ∫ dz/(2z) diverges. For γ < 1 the
    ratio of the kernel fails too: at γ = 1/2, ln((1+√Δ)/1) exceeds (1+γ)·Δ at Δ = 1/16. For γ > 1 the
    statement is true with room: sliding costs (γ−1)^(1−1/γ) and dilation max(1, γ−1) per unit, both
    less than 1+γ.
    """
    return ill_posed(
        exact.refuted(PRINTED_SLIDES, γ="1/2", z=0, Δ="1/16"),
        *admissibility_evidence(),
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
)
def printed_constants_are_loose() -> Verdict:
    """The exact constants: h(z) ≤ e^(s·|Δ|)·h(z+Δ) for all z and Δ exactly when s ≥ (γ−1)^(1−1/γ), and
    h(z) ≤ e^(d·|λ|)·e^λ·h(e^λ·z) exactly when d ≥ max(1, γ−1). Lemma 8.6 charges 1+γ for both. With z^γ = T
    the slope of ln(1+z^γ) is at most its value at T = γ−1, as the logarithm of a mean of 1 and T/(γ−1)
    is at least the mean of their logarithms. (1+e^(λγ)·T)/(1+T) lies between 1 and e^(λγ), which it
    approaches as T grows.
    """
    return holds_loosely(
        *admissibility_evidence(),
        sliding_evidence(),
        dilation_evidence(),
        value="sliding (γ−1)^(1−1/γ), dilation max(1, γ−1)",
    )


def _slide_at_4(constant: Formula) -> Comparison:
    return AtMost(
        Real("z"),
        Real("Δ"),
        left=lambda c, z, step: _slide(c, 4, z, step),
        right=lambda c, z, step: constant(c) * c.absolute(step),
    )


SLIDING_4 = _slide_at_4(lambda c: heavy_tailed.sliding_constant(4, c))
SLIDING_4_PRINTED = _slide_at_4(lambda c: c.number(5))
SLIDING_4_LEAST = AtMost(
    Real("Δ", above=0, most=1),
    left=lambda c, step: (heavy_tailed.sliding_constant(4, c) - 5 * step) * step,
    right=lambda c, step: _slide(c, 4, c.power(c.number(3), Fraction(1, 4)) - step, step),
)
"""Near z⁴ = 3 a short slide costs 3^(3/4) per unit, but for a part that vanishes with its length."""


def sliding_at_4_evidence() -> Evidence:
    """The slope of ln(1+z⁴), 4z³/(1+z⁴), is at most 3^(3/4); the kernel is even."""
    up = replace(
        SLIDING_4,
        domain=Domain((Real("z"), Real("Δ", least=0))),
        right=lambda c, z, step: heavy_tailed.sliding_constant(4, c) * step,
    )
    shown = slope_and_end(up, "Δ", *map(solver.proves, slope_obligations(up, "Δ")))
    forward: dict[str, Formula] = {"z": lambda c, z, step: z, "Δ": lambda c, z, step: step}
    mirrored: dict[str, Formula] = {"z": lambda c, z, step: -z, "Δ": lambda c, z, step: -step}
    return instances(SLIDING_4, [(up, forward), (up, mirrored)], shown)


@claim(
    "haney2017/lemma-8.6-sliding-4",
    where="Section 8.2, Lemma 8.6 at γ = 4",
    says="Sliding by Δ costs at most 5·|Δ| at γ = 4.",
    states=SLIDING_4_PRINTED,
    tight=(SLIDING_4, SLIDING_4_LEAST),
)
def sliding_constant_of_algorithm_2() -> Verdict:
    """(γ−1)^(1−1/γ) at γ = 4 is 3^(3/4), the slope of ln(1+z⁴) at z⁴ = 3: near it no smaller one will do."""
    shown = sliding_at_4_evidence()
    same: dict[str, Formula] = {"z": lambda c, z, step: z, "Δ": lambda c, z, step: step}
    rises = map(solver.proves, slope_obligations(SLIDING_4_LEAST, "Δ"))
    with enclosing():
        tight = digits(heavy_tailed.sliding_constant(4, ARB))
    return holds_loosely(
        instances(SLIDING_4_PRINTED, [(SLIDING_4, same)], shown),
        shown,
        slope_and_end(SLIDING_4_LEAST, "Δ", *rises),
        value=tight,
    )


def _dilation_at_4(constant: int) -> Comparison:
    return AtMost(
        Real("λ"),
        Real("z"),
        left=lambda c, log_factor, z: _dilation(c, 4, log_factor, z),
        right=lambda c, log_factor, z: c.number(constant) * c.absolute(log_factor),
    )


DILATION_4, DILATION_4_PRINTED = _dilation_at_4(3), _dilation_at_4(5)
DILATION_4_LEAST = AtMost(
    Real("λ", above=0),
    Real("z", above=0),
    left=lambda c, log_factor, z: 3 * log_factor - 1 / c.power(z, 4),
    right=lambda c, log_factor, z: _dilation(c, 4, log_factor, z),
)
"""Far out a dilation costs 3·λ, but for a part that vanishes."""


@claim(
    "haney2017/lemma-8.6-dilation-4",
    where="Section 8.2, Lemma 8.6 at γ = 4",
    says="Dilation by e^λ costs at most 5·|λ| at γ = 4.",
    states=DILATION_4_PRINTED,
    tight=(DILATION_4, DILATION_4_LEAST),
)
def dilation_constant_of_algorithm_2() -> Verdict:
    """max(1, γ−1) at γ = 4 is 3, approached as z grows and λ > 0, never reached."""

    def parts(c: World, log_factor: Number, z: Number) -> None:
        factor, power = c.exp(log_factor), c.power(z, 4)
        fourth = factor * factor * factor * factor
        for part in (factor, fourth, fourth * (1 + power), c.number(1), fourth * power):
            c.log(part)
        c.log((1 + power) / power)

    return holds_loosely(
        *(solver.proves(one, parts) for one in (DILATION_4_PRINTED, DILATION_4, DILATION_4_LEAST)),
        value="3",
    )


NORMALIZED = Moment(
    ABOVE_1,
    law=lambda c, gamma: HeavyTailed(c.number(0), c.number(1), gamma, c),
    of=lambda c, z: c.number(1) + 0 * z,
    closed=lambda c, gamma: c.number(1) + 0 * gamma,
    breaks=[lambda c, gamma: c.number(0)],
)


def _moment_at_4(order: int, closed: Formula) -> Expectation:
    return Moment(
        law=lambda c: HeavyTailed(c.number(0), c.number(1), 4, c),
        of=lambda c, z: c.power(c.absolute(z), order),
        closed=closed,
        breaks=[lambda c: c.number(0)],
    )


MEAN_4 = _moment_at_4(1, lambda c: 1 / c.sqrt(c.number(2)))
VARIANCE_4 = _moment_at_4(2, lambda c: c.number(1))


@claim(
    "haney2017/lemma-8.6-normalizer",
    where="Section 8.2, Lemma 8.6",
    says="h is determined by h(z) ∝ 1/(1+|z|^γ).",
    states=NORMALIZED,
)
def normalizer_of_the_density() -> Verdict:
    """∫ dz/(1+|z|^γ) = (2π/γ)/sin(π/γ) for γ > 1: with x = z^γ and s = 1/γ the half-line gives
    s·∫ x^(s−1)/(1+x) dx = s·π/sin(πs). At γ = 4 it is π/√2, which sympy integrates directly.
    """
    gamma = 1 + sympy.Symbol("g", positive=True)
    z, x = sympy.symbols("z x", positive=True)
    s = 1 / gamma
    return holds(
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
    )


def _ratio(c: World, gamma: Number, log_factor: Number, z: Number) -> Number:
    """The printed right side of equation 38."""
    factor = c.exp(log_factor)
    moved = 1 + c.power(factor * c.absolute(z), gamma)
    return c.log(factor * moved / (1 + c.power(c.absolute(z), gamma)))


def _turned(c: World, gamma: Number, log_factor: Number, z: Number) -> Number:
    factor = c.exp(log_factor)
    moved = 1 + c.power(factor * c.absolute(z), gamma)
    return c.log(factor * (1 + c.power(c.absolute(z), gamma)) / moved)


DILATED = (Real("γ", above=0), Real("λ"), Real("z", above=0))
EQ_38, EQ_38_TURNED = (
    Equal(*DILATED, left=lambda c, *v: -_dilation(c, *v), right=right)
    for right in (_ratio, _turned)
)


@claim(
    "haney2017/eq-38",
    where="Appendix B, proof of Lemma 8.6, equation 38",
    says="ln(e^λ·h(e^λz)/h(z)) = ln(e^λ·(1+(e^λ|z|)^γ)/(1+|z|^γ)).",
    states=EQ_38,
    meant=EQ_38_TURNED,
    scope="z > 0: both sides depend on |z| only",
)
def dilation_ratio_is_upside_down() -> Verdict:
    """h is a reciprocal, so the ratio is e^λ·(1+|z|^γ)/(1+(e^λ|z|)^γ); the printed fraction is inverted.
    At e^λ = 2, z = 1, γ = 4 the left side is ln(4/17) and the right side ln 17.
    """
    return misprint(
        exact.refuted(EQ_38, γ=4, λ=1, z=1),
        symbolic.proves(EQ_38_TURNED),
        reading="ln(e^λ·(1+|z|^γ)/(1+(e^λ|z|)^γ))",
        reading_is=Outcome.HOLDS,
        counterexample="λ = 1, z = 1, γ = 4: the ratio is 2e/(1+e⁴) = 0.097..., and the printed one "
        "e·(1+e⁴)/2 = 75.5...",
    )


EQ_39_FIRST = AtMost(
    *DILATED,
    left=_ratio,
    right=lambda c, gamma, log_factor, z: c.log(
        c.power(c.exp(log_factor) * z, gamma) / c.power(z, gamma)
    ),
)
EQ_39_SECOND = AtMost(
    *DILATED,
    left=EQ_39_FIRST.right,
    right=lambda c, gamma, log_factor, z: log_factor * (gamma + 1),
)


@claim(
    "haney2017/eq-39",
    where="Appendix B, proof of Lemma 8.6, equation 39",
    says="ln(e^λ·(1+(e^λ|z|)^γ)/(1+|z|^γ)) ≤ ln((e^λ|z|)^γ/|z|^γ) ≤ λ(γ+1).",
    states=(EQ_39_FIRST, EQ_39_SECOND),
    scope="z > 0: both sides depend on |z| only",
)
def dilation_steps_do_not_chain() -> Verdict:
    """The middle term is λγ. At λ = 1, z = 1, γ = 4 the first term is ln 75.5... and the middle 4, so the first
    step is false. For λ < 0 the second is false too: λγ ≤ λ(γ+1) needs λ ≥ 0. The bound itself is true for
    the reading of equation 38 that is meant, since max(1, γ−1)·|λ| ≤ (γ+1)·|λ|.
    """
    return fails(
        exact.refuted(EQ_39_FIRST, γ=4, λ=1, z=1),
        exact.refuted(EQ_39_SECOND, γ=4, λ=-1, z=1),
        dilation_evidence(),
        counterexample="λ = 1, z = 1, γ = 4: ln(e·(1+e⁴)/2) = 4.32... > 4; and λ = −1: −4 > −5",
        value="the ratio that is meant lies within e^(±max(1, γ−1)·|λ|)",
    )


PROOF_BUDGETS = AtMost(
    ABOVE_1,
    Real("ε1", above=0),
    Real("ε2", above=0),
    Real("λ"),
    Real("z"),
    left=lambda c, gamma, first, second, log_factor, z: _dilation(c, gamma, log_factor, z),
    right=lambda c, gamma, first, second, log_factor, z: second,
    given=[
        given(
            lambda c, gamma, first, second, log_factor, z: c.absolute(log_factor),
            "<=",
            lambda c, gamma, first, second, log_factor, z: first / (gamma + 1),
        )
    ],
)


@claim(
    "haney2017/lemma-8.6-proof-budgets",
    where="Appendix B, proof of Lemma 8.6",
    says="The proof bounds dilation by ε1 for |λ| ≤ ε1/(γ+1), and sliding by ε2.",
    states=PROOF_BUDGETS,
    meant=(SLIDES, DILATES),
)
def budgets_are_swapped_in_the_proof() -> Verdict:
    """Definition 8.3 and Lemma 8.6 charge sliding to ε1 and dilation to ε2. Read literally, with the
    proof's |λ| ≤ ε1/(γ+1), dilation would cost up to (γ−1)·ε1/(γ+1), above ε2 when ε2 is small.
    """
    return misprint(
        exact.refuted(PROOF_BUDGETS, γ=4, ε1=1, ε2="1/10", λ="1/5", z=10),
        *admissibility_evidence(),
        reading="ε1 and ε2 exchanged in the proof",
        reading_is=Outcome.HOLDS_LOOSELY,
        counterexample="γ = 4, ε1 = 1, ε2 = 1/10, λ = 1/5, z = 10: the loss is 0.599... > 1/10",
    )


@claim(
    "haney2017/sec8.2-gamma4",
    where="Section 8.2",
    says="γ = 4 makes the mean and the variance of the noise finite.",
    states=(MEAN_4, VARIANCE_4),
)
def algorithm_2_noise_has_a_variance() -> Verdict:
    """E|Z|^k is finite exactly when k+1 < γ. At γ = 4: E|Z| = 1/√2 and E Z² = 1. At γ = 3 the integrand of
    E Z² is at least 1/(2z) beyond z = 1, so 4 is the least integer that gives a variance.
    """
    v = z3.Real("z")
    return holds(
        symbolic.integrates(MEAN_4),
        symbolic.integrates(VARIANCE_4),
        *(
            symbolic.identity(
                heavy_tailed.absolute_moment(k, 4, SYM), SYM.number(closed), f"E|Z|^{k} in general"
            )
            for k, closed in ((1, 1 / sympy.sqrt(2)), (2, 1))
        ),
        solver.for_all(
            [v >= 1], v * v / (1 + v * v * v) >= 1 / (2 * v), "at γ = 3, z²/(1+z³) ≥ 1/(2z), z ≥ 1"
        ),
        value="E|Z| = 1/√2, Var Z = 1; γ = 4 is the least such integer",
    )
