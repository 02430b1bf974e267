"""Lemma 9.1: is the Laplace law admissible, as Algorithm 3 assumes?"""

from fractions import Fraction

import sympy

from establish import Equal, Moment, Real, Verdict, claim, enclosure, exact, fails, holds, solver, symbolic
from establish.proofs_check.engine.rules import at_every_output, log_ratio
from establish.proofs_check.engine.statements import Indistinguishability, Indistinguishable, given
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.haney2017.laplace import slide_costs_its_length
from establish.spec.arithmetic import SYM
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace


def _moved(by: str, second: Formula, most: Formula) -> Indistinguishability:
    """One half of Definition 8.3 for Laplace(1) at ε1 = ε2 = ε/2, each with δ/2."""
    return Indistinguishable(
        Real("ε", above=0),
        Real("δ", above=0, below=1),
        Real(by),
        first=lambda c, *_: Laplace(c.number(0), c.number(1), c),
        second=second,
        level=lambda c, epsilon, delta, move: epsilon / 2,
        delta=lambda c, epsilon, delta, move: delta / 2,
        given=[given(lambda c, epsilon, delta, move: c.absolute(move), "<=", most)],
    )


SLIDES = _moved(
    "Δ",
    lambda c, epsilon, delta, move: Laplace(-move, c.number(1), c),
    lambda c, epsilon, delta, move: epsilon / 2,
)
DILATES = _moved(
    "λ",
    lambda c, epsilon, delta, move: Laplace(c.number(0), c.exp(-move), c),
    lambda c, epsilon, delta, move: -epsilon / (2 * c.log(delta)),
)
SLIDING = Indistinguishable(
    Real("ε", above=0),
    Real("Δ"),
    first=lambda c, epsilon, move: Laplace(c.number(0), c.number(1), c),
    second=lambda c, epsilon, move: Laplace(-move, c.number(1), c),
    level=lambda c, epsilon, move: epsilon / 2,
    given=[given(lambda c, epsilon, move: c.absolute(move), "<=", lambda c, epsilon, move: epsilon / 2)],
)
"""Slides cost no δ at all."""


@claim(
    "haney2017/lemma-9.1",
    where="Section 9, Lemma 9.1",
    says="Laplace(1) is (ε/2, ε/(2·ln(1/δ)))-admissible.",
    states=(SLIDES, DILATES),
)
def laplace_admissibility_fails() -> Verdict:
    """Sliding is right: it costs exactly |Δ|. Dilation by e^λ, λ > 0, compares Laplace(1) with
    Laplace(e^−λ): the loss (e^λ−1)·|z| − λ exceeds ε/2 beyond z₁ = (ε/2+λ)/(e^λ−1), and the excess is
    e^(−z₁)·(1 − e^−λ), to be at most δ/2. At e^λ = 2 and ε = 2·ln 8 it is exactly 1/32, while
    λ ≤ ε/(2·ln(1/δ)) allows δ = e⁻³, whose half is 0.0249. The lemma names no split of ε; that of [38]
    is ε1 = ε2 = ε/2. No other one helps: at S = {z ≤ 0} a slide by ε/2 needs 1/2 ≤ e^ε1·e^(−ε/2)/2 + δ/2,
    which leaves e^ε2 ≤ e^(ε/2)/(1−δ).
    """
    # event |Z| > ln 16: the tails 1/16 and (1/16)², and e^(ε/2) = 8
    tail = Fraction(1, 16)
    excess = tail - 8 * tail**2
    scale = sympy.Symbol("scale", positive=True)
    beyond = 2 * (1 - laplace.cdf(sympy.log(16), 0, scale, SYM))
    return fails(
        exact.refuted(DILATES, ε=6, δ="1/40", λ="4/5", o=3),
        symbolic.identity(beyond.subs(scale, 1), sympy.Rational(1, 16), "P(|Z| > ln 16)"),
        symbolic.identity(
            beyond.subs(scale, sympy.Rational(1, 2)),
            sympy.Rational(1, 256),
            "P(|Z| > ln 16) when Z is dilated: P(Z ∈ 2·S)",
        ),
        symbolic.identity(
            sympy.log(8) / sympy.log(sympy.exp(3)), sympy.log(2), "b = ε/(2·ln(1/δ)) at δ = e⁻³"
        ),
        exact.compare(excess, "==", Fraction(1, 32), "1/16 − 8·(1/256)"),
        symbolic.identity(
            laplace.dilation_excess(sympy.log(2), sympy.log(8), SYM),
            sympy.Rational(1, 32),
            "the largest excess at e^λ = 2, e^(ε/2) = 8, by its closed form",
        ),
        enclosure.compare(
            enclosure.rational(excess), ">", lambda c: c.exp(c.number(-3)) / 2, "the excess against δ/2"
        ),
        symbolic.identity(
            laplace.cdf(-sympy.log(8), 0, 1, SYM),
            sympy.Rational(1, 16),
            "P(Z ≤ −ε/2) = e^(−ε/2)/2: the event {z ≤ 0} after a slide",
        ),
        enclosure.compare(
            lambda c: c.number(tail) - 8 / (1 - c.exp(c.number(-3))) * c.number(tail**2),
            ">",
            lambda c: c.exp(c.number(-3)) / 2,
            "1/16 − e^(ε/2)/(1−δ)·(1/256), with the most that any split leaves for ε2, against δ/2",
        ),
        counterexample="ε = 6, δ = 1/40, λ = 4/5, o = 3 for the densities; for an event ε = 2·ln 8, δ = e⁻³, "
        "λ = ln 2, S = {|z| > ln 16}: P(Z∈S) = 1/16, P(Z∈2S) = 1/256, "
        "1/16 − 8/256 = 1/32 > δ/2 = 0.02489...",
        value="dilation by e^λ, λ > 0: δ/2 = e^(−(ε/2+λ)/(e^λ−1))·(1 − e^−λ)",
    )


@claim(
    "haney2017/lemma-9.1-sliding",
    where="Section 9, Lemma 9.1",
    says="Slides of Laplace(1) by at most ε/2 cost at most ε/2.",
    states=SLIDING,
    origin="implied",
)
def sliding_a_laplace_law_costs_the_slide() -> Verdict:
    """|z+Δ| − |z| ≤ |Δ|, with equality for z of the sign of Δ."""
    return holds(
        at_every_output(SLIDING, solver.proves(log_ratio(SLIDING))), slide_costs_its_length(), value="1"
    )


NORMALIZED = Moment(
    law=lambda c: Laplace(c.number(0), c.number(1), c),
    of=lambda c, z: c.number(1) + 0 * z,
    closed=lambda c: c.number(1),
    breaks=[lambda c: c.number(0)],
)
DENSITY = Equal(
    Real("z"),
    left=lambda c, z: c.exp(laplace.log_density(z, c.number(0), c.number(1), c)),
    right=lambda c, z: c.exp(-c.absolute(z)) / 2,
)


@claim(
    "haney2017/lemma-9.1-density",
    where="Section 9, Lemma 9.1",
    says="h(z) ∝ ½·e^(−|z|) is the Laplace distribution.",
    states=(NORMALIZED, DENSITY),
    origin="implied",
)
def laplace_density_is_normalized() -> Verdict:
    """½·e^(−|z|) integrates to 1, so the proportionality is an equality."""
    return holds(symbolic.integrates(NORMALIZED), symbolic.proves(DENSITY))
