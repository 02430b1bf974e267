"""Definition 8.3 and Theorem 8.4: admissible noise, and what its two halves add up to."""

from fractions import Fraction

import sympy
import z3

from establish import Evidence, Verdict, claim, exact, fails, holds, holds_loosely, solver, symbolic
from establish.proofs_check.engine.rules import slide_and_dilation, slide_then_dilate
from establish.proofs_check.engine.statements import AtMost, Below, Comparison, Equal, Real, Smoothed, given
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.haney2017.heavy_tailed.admissible import (
    DILATES,
    SLIDES,
    admissibility_evidence,
)
from establish.proofs_check.papers.haney2017.laplace import slide_costs_its_length
from establish.spec.arithmetic import EXACT, SYM, Number, World
from establish.spec.distributions import laplace
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.mechanisms import smooth_gamma
from establish.spec.relations.growth import largest_growth_real

CHANCES = ("P(M(x) ∈ S)", "P(Z ∈ (S − q(y))/(S(x)/a))", "P(M(y) ∈ S)")
"""Before the slide, after it, and after the dilation."""


def _two_steps(total: Formula) -> Comparison:
    """Equations 35 to 37 for any event, with δ/2 lost in the slide and in the dilation."""
    chances = (Real(name, least=0, most=1) for name in CHANCES)
    return AtMost(
        Real("c_1", least=1),
        Real("c_2", least=1),
        Real("δ", least=0, below=1),
        *chances,
        left=lambda c, first, second, delta, p0, p1, p2: p0,
        right=lambda c, first, second, delta, p0, p1, p2: first * second * p2 + total(c, first, delta),
        given=[
            given(
                lambda c, first, second, delta, p0, p1, p2: p0,
                "<=",
                lambda c, first, second, delta, p0, p1, p2: first * p1 + delta / 2,
            ),
            given(
                lambda c, first, second, delta, p0, p1, p2: p1,
                "<=",
                lambda c, first, second, delta, p0, p1, p2: second * p2 + delta / 2,
            ),
        ],
    )


ADDS_UP = _two_steps(lambda c, first, delta: delta)
MULTIPLIED = _two_steps(lambda c, first, delta: (1 + first) * delta / 2)
"""What equations 35 to 37 conclude from their two steps, and what follows."""


def _leaves(c: World, half: Number, z: Number) -> Number:
    """P(Z > z) for the density ∝ 2^(−|z|) on [−half, half], z ≥ 0."""
    end = c.power(c.number(2), -half)
    return c.maximum(c.power(c.number(2), -z) - end, c.number(0)) / (2 * (1 - end))


def _above(c: World, half: Number, q: Number, scale: Number, o: Number) -> Number:
    """P(q + scale·Z > o)."""
    z = (o - q) / scale
    return _leaves(c, half, z) if z >= 0 else 1 - _leaves(c, half, -z)


ON_INTERVALS = AtMost(
    Real("B", above=0),
    Real("a", above=0, below=lambda c, half: half),
    Real("e^b", least=1),
    Real("c_1", least=lambda c, half, a, *_: c.power(c.number(2), a)),
    Real("c_2", least=lambda c, half, a, grows, *_: c.power(c.number(2), half * (1 - 1 / grows))),
    Real("δ", least=lambda c, half, a, *_: 2 * _leaves(c, half, half - a), below=1),
    Real("S(y)", above=0),
    Real("S(x)", least=lambda c, *v: v[6] / v[2], most=lambda c, *v: v[6] * v[2]),
    Real("q(y)"),
    Real("q(x)"),
    Real("o"),
    left=lambda c, half, a, grows, c1, c2, delta, sy, sx, qy, qx, o: _above(c, half, qx, sx / a, o),
    right=lambda c, half, a, grows, c1, c2, delta, sy, sx, qy, qx, o: (
        c1 * c2 * _above(c, half, qy, sy / a, o) + delta
    ),
    given=[
        given(lambda c, *v: v[2], "<=", lambda c, *v: v[4]),
        given(lambda c, *v: 4 * _leaves(c, v[0], v[0] / v[2]), "<=", lambda c, *v: v[5]),
        given(lambda c, *v: c.absolute(v[9] - v[8]), "<=", lambda c, *v: v[6]),
        given(lambda c, *v: c.absolute(v[9] - v[8]), "<=", lambda c, *v: v[7]),
    ],
)
"""Equations 35 to 37 for outputs above o, q(x) + (S(x)/a)·Z > o against the same of y, where Z has the
density ∝ 2^(−|z|) on [−B, B]. A slide by at most a costs at most 2^a where it stays inside, and leaves with
probability P(Z > B − a) ≤ δ/2; a dilation by at most e^b costs at most 2^(B − B/e^b) or e^b, and leaves with
probability 2·P(Z > B/e^b) ≤ δ/2. So this law is (a, b)-admissible.
"""


DILATED_DENSITY = Equal(
    Real("γ", above=1),
    Real("λ"),
    Real("z"),
    left=lambda c, gamma, log_factor, z: HeavyTailed(c.number(0), c.exp(-log_factor), gamma, c).log_density(
        z
    ),
    right=lambda c, gamma, log_factor, z: (
        log_factor + HeavyTailed(c.number(0), c.number(1), gamma, c).log_density(c.exp(log_factor) * z)
    ),
)
"""Z ∈ e^λ·S is an event of e^(−λ)·Z, which has the density e^λ·h(e^λ·z)."""

LAPLACE_IS_LOUDER = Below(
    Real("λ", above=0),
    Real("ε2", least=0),
    Real("z", least=lambda c, log_factor, level: (level + log_factor + 1) / (c.exp(log_factor) - 1)),
    left=lambda c, log_factor, level, z: level,
    right=lambda c, log_factor, level, z: (
        laplace.log_density(z, c.number(0), c.number(1), c)
        - log_factor
        - laplace.log_density(c.exp(log_factor) * z, c.number(0), c.number(1), c)
    ),
)
"""With δ = 0 the Laplace law meets the second half for no λ > 0 and no ε2."""


@claim(
    "haney2017/def-8.3",
    where="Section 8.2, Definition 8.3",
    says="Definition 8.3 tells laws apart: at δ = 0 the density ∝ 1/(1+|z|^γ) is admissible for γ > 1, "
    "and the Laplace law is not, at any b > 0.",
    states=(DILATED_DENSITY, SLIDES, DILATES, LAPLACE_IS_LOUDER),
    scope="δ = 0; that some law is admissible and another is not",
    origin="ours",
)
def admissibility_is_well_formed() -> Verdict:
    """With δ = 0 the inequalities on events are inequalities on densities: Z ∈ S+Δ has density h(z+Δ) at
    z ∈ S, and Z ∈ e^λ·S has density e^λ·h(e^λ·z). The definition separates laws: 1/(1+|z|^γ) meets it for
    γ > 1, the Laplace law does not for δ = 0 and any b > 0 (its loss (e^λ−1)·|z| − λ
    has no bound). At ε1 = ε2 = ε/2 it is the definition of Nissim, Raskhodnikova and Smith.
    """
    return holds(
        symbolic.proves(DILATED_DENSITY), *admissibility_evidence(), solver.proves(LAPLACE_IS_LOUDER)
    )


SMOOTHED = Smoothed(level=lambda c, first, second: first * second, slide=lambda c, a, b: a)
"""Theorem 8.4 with δ = 0, as ε1 + ε2 ≤ ε."""


def _split_logarithms(c: World, a: Number, b: Number, sx: Number, sy: Number) -> None:
    for product in (c.exp(b) * sy, c.exp(b) * sx, sx / sy):
        c.log(product)


def smoothed_evidence() -> Evidence:
    """The slide is at most a, the dilation at most b, and their costs multiply."""
    positive, short, up, down, same, costs = slide_and_dilation(SMOOTHED)
    return slide_then_dilate(
        SMOOTHED,
        solver.owed(positive),
        solver.proves(short),
        solver.proves(up, _split_logarithms),
        solver.proves(down, _split_logarithms),
        symbolic.proves(same),
        solver.proves(costs),
    )


@claim(
    "haney2017/thm-8.4-delta0",
    where="Section 8.2, Theorem 8.4",
    says="With δ = 0, an (a, b)-admissible Z and a b-smooth upper bound S on the local sensitivity, "
    "q(x) + (S(x)/a)·Z is (α, ε)-ER-EE private.",
    states=SMOOTHED,
    scope="any symmetric neighbor relation, strong and weak α-neighbors among them",
)
def smooth_noise_is_private() -> Verdict:
    """Let x, y be neighbors. {M(x) ∈ T} is {Z ∈ A} for A = (T−q(x))·a/S(x). Sliding by
    Δ = (q(x)−q(y))·a/S(x), with |Δ| ≤ a because |q(x)−q(y)| ≤ LS(x) ≤ S(x), and dilating by
    e^λ = S(x)/S(y), with |λ| ≤ b because S is b-smooth, turn A into the event of M(y). The two bounds
    multiply to e^(ε1+ε2) ≤ e^ε. Where S(x) = 0 no neighbor has another answer.
    """
    return holds(smoothed_evidence())


def _noise_of_output(divisor: int) -> Comparison:
    """The Z of the output q + (S/a)·Z, read off with α (0) or a (1) in place of the divisor."""
    return Equal(
        Real("q"),
        Real("S", above=0),
        Real("a", above=0),
        Real("α", above=0),
        Real("Z"),
        left=lambda c, q, s, a, alpha, z: (q + s / a * z - q) / (s / (alpha, a)[divisor]),
        right=lambda c, q, s, a, alpha, z: z,
    )


BY_ALPHA, BY_SLIDE = map(_noise_of_output, (0, 1))


@claim(
    "haney2017/thm-8.4-delta-positive",
    where="Appendix B, proof of Theorem 8.4, equations 34 to 37",
    says="M(x) ∈ S means Z ∈ (S − q(x))/(S(x)/α); with δ/2 lost in the slide and δ/2 in the dilation, the "
    "mechanism is (α, ε, δ)-ER-EE private.",
    states=(BY_ALPHA, ADDS_UP, ON_INTERVALS),
    meant=BY_SLIDE,
    tight=MULTIPLIED,
)
def deltas_do_not_add_up_to_delta() -> Verdict:
    """The δ/2 of the second step is multiplied by the e^ε1 of the first: P0 ≤ e^ε1·(e^ε2·P2 + δ/2) + δ/2,
    so what follows is δ' = (1 + e^ε1)·δ/2. A mechanism that breaks δ: noise with density ∝ 2^(−|z|) on
    [−6, 6]. A slide by at most a = 3 costs at most 8 = e^ε1 where it stays inside, and leaves with
    probability (2³−1)/126 = δ/2. A dilation by at most e^b = 3/2 costs at most 2² = 4 = e^ε2 inside, and
    leaves with probability 2·(2²−1)/126 < δ/2. At α = 1/2 one establishment with 2 or 3 workers has
    S = 1 or 3/2, so the outputs are 2 + Z/3 ≤ 4 and 3 + Z/2: above 4 lies P(Z > 2) = 15/126, more than
    δ = 14/126, against 0. (The theorem is stated for δ = 0 only, but Lemma 9.2 uses it with δ > 0.)
    Equation 34 prints α for a, the admissible slide, by which the theorem divides.
    """
    delta = Fraction(2 * 7, 126)
    two, three = (largest_growth_real(workers, Fraction(1, 2)) for workers in (2, 3))
    return fails(
        exact.refuted(
            ADDS_UP, c_1=8, c_2=4, δ=delta, **dict(zip(CHANCES, map(_beyond, (2, 4, 6)), strict=True))
        ),
        exact.refuted(BY_ALPHA, q=0, S=1, a="1/5", α="1/10", Z=1),
        symbolic.proves(BY_SLIDE),
        solver.proves(MULTIPLIED),
        *_admissible_on_an_interval(),
        exact.compare(three / two, "==", Fraction(3, 2), "S at 3 workers over S at 2: e^b = 1 + α"),
        exact.refuted(
            ON_INTERVALS,
            **{"B": 6, "a": 3, "e^b": three / two, "c_1": 8, "c_2": 4, "δ": delta},
            **{"S(y)": two, "S(x)": three, "q(y)": 2, "q(x)": 3, "o": 4},
        ),
        counterexample="noise ∝ 2^(−|z|) on [−6, 6], a = 3, e^b = 1 + α = 3/2, e^ε = 8·4, δ/2 = 1/18: one "
        "establishment of 3 or 2 workers gives 3 + Z/2 or 2 + Z/3, and P(output > 4) is 5/42 > 1/9 or 0",
        value="(1 + e^ε1)·δ/2 (or (1 + e^ε2)·δ/2, dilating first)",
    )


def _beyond(start: int) -> Fraction:
    """P(Z > start) for the density ∝ 2^(−|z|) on [−6, 6]."""
    return Fraction(_leaves(EXACT, 6, start))


def _admissible_on_an_interval() -> tuple[Evidence, ...]:
    """Noise ∝ 2^(−|z|) on [−6, 6] is (3, ln(3/2))-admissible with e^ε1 = 8, e^ε2 = 4, δ/2 = 7/126."""
    z, factor = z3.Reals("z factor")
    start, u = sympy.symbols("start u", nonnegative=True)
    tail = sympy.integrate(2 ** (-u), (u, start, 6)) / (2 * sympy.integrate(2 ** (-u), (u, 0, 6)))
    widening = [factor >= 1, factor <= Fraction(3, 2), z >= 0]
    return (
        slide_costs_its_length(),
        *(symbolic.identity(tail.subs(start, k), SYM.number(_beyond(k)), f"P(Z > {k})") for k in (2, 3, 4)),
        exact.compare(_beyond(3), "==", Fraction(7, 126), "a slide by 3 leaves the interval with"),
        exact.compare(2 * _beyond(4), "<", Fraction(7, 126), "a dilation by 3/2 leaves it with"),
        solver.for_all(
            widening,
            z3.And(z3.Implies(factor * z <= 6, (factor - 1) * z <= 2), z3.Implies(factor * z > 6, z > 4)),
            "a dilation by 1 to 3/2 moves |z| by at most 2 inside, and out of it only from |z| > 4",
        ),
        solver.for_all(
            widening,
            z3.And(z / factor <= z, factor < 4),
            "by 1/factor it moves inward, where the density is no less: it costs at most 3/2 < 4",
        ),
    )


_SHARES = (Real("α", above=0), Real("ε", above=lambda c, alpha: 10 * c.log(1 + alpha)), Real("x", least=0))


def _error_by(slide: Formula) -> Formula:
    """The expected error of Algorithm 2 for a count whose largest establishment has x workers."""
    return lambda c, alpha, epsilon, x: smooth_gamma.mean_absolute_error(
        x, alpha, slide(alpha, epsilon, c), c
    )


_FLEXIBLE, _EQUAL = map(_error_by, (smooth_gamma.published_slide, lambda alpha, epsilon, c: epsilon / 2 / 5))

FLEXIBLE = Below(*_SHARES, left=_FLEXIBLE, right=_EQUAL)
"""Wherever equal shares ε/2 for slides and dilations leave some of the dilations' unused, e^(ε/10) > 1+α,
Algorithm 2 with ε2 = 5·ln(1+α) has the smaller error.
"""


SHARE_OF_THE_ERROR = Equal(
    *_SHARES,
    left=_FLEXIBLE,
    right=lambda c, alpha, epsilon, x: (
        epsilon / 2 / (epsilon - 5 * c.log(1 + alpha)) * _EQUAL(c, alpha, epsilon, x)
    ),
)


@claim(
    "haney2017/def-8.3-flexible",
    where="Section 8.2, before Definition 8.3",
    says="The flexible split of the budget results in better error than equal shares for slides "
    "and dilations.",
    states=FLEXIBLE,
    tight=SHARE_OF_THE_ERROR,
)
def less_budget_for_dilations_is_less_noise() -> Verdict:
    """Equal shares need e^(ε/10) ≥ 1+α and slide by ε/10. With ε2 = 5·ln(1+α) < ε/2 the slide is (ε −
    5·ln(1+α))/5, which is more; the error is the same at ε = 10·ln(1+α), and for smaller ε only the
    flexible split is allowed at all.
    """
    return holds_loosely(
        solver.proves(FLEXIBLE, lambda c, alpha, epsilon, x: c.log(1 / (1 + alpha))),
        symbolic.proves(SHARE_OF_THE_ERROR),
        value="(ε/2)/(ε − 5·ln(1+α)) times the error of equal shares",
    )
