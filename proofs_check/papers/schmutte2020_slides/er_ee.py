"""Slides on ER-EE privacy: what differs from Haney et al. 2017, or adds to it."""

from fractions import Fraction

import z3

from establish import Outcome, Verdict, aside, claim, exact, fails, holds, holds_loosely, ill_posed, misprint
from establish.proofs_check.engine.methods import exhaustive, solver
from establish.proofs_check.engine.rules import PAIR
from establish.proofs_check.engine.statements import AtMost, Equal, Printed, Real
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.papers.haney2017 import composition, marginals
from establish.proofs_check.papers.haney2017.growth import bound, grows
from establish.proofs_check.papers.haney2017.smooth_sensitivity import (
    HIRED,
    IN_STEPS,
    NO_BOUND,
    smooth_sensitivity_is_infinite_below_the_growth_rate,
)
from establish.spec.arithmetic import Number, World
from establish.spec.indistinguishability import Distribution, hockey_stick
from establish.spec.relations.growth import largest_after, may_grow
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import SizeUniverse
from establish.spec.sensitivity import local_sensitivity

TENTH = Fraction(1, 10)


@claim(
    "schmutte2020_slides/composition-eree",
    where="Slides, New privacy concept",
    says="(α, ε)-ER-EE privacy satisfies sequential and parallel composition in ε.",
    states=(PAIR, composition.OF_ESTABLISHMENTS[0], marginals.OF_WORKERS),
    meant=(PAIR, *composition.OF_ESTABLISHMENTS),
)
def parallel_over_establishments_only() -> Verdict:
    """Sequential composition holds (haney2017/thm-7.3), and parallel composition over distinct establishments
    (haney2017/thm-7.4). Over distinct workers of one establishment it fails under strong neighbors, the
    only ones on the slides: one establishment may grow in every part at once (haney2017/thm-7.5-strong).
    """
    return ill_posed(
        *composition.sequential_composition().evidence,
        *composition.parallel_composition_over_establishments().evidence,
        *marginals.parallel_composition_over_workers_fails().evidence,
        condition="parallel over distinct establishments",
        counterexample="α = 1, one man and one woman become two and two; each count released at ε: 2ε",
        value="ε1 + ε2 in sequence, max over establishments, 2ε for two parts of one workforce",
    )


SHARE_OF_LARGEST = Equal(
    Real("α", above=0),
    Real("x", least=0),
    Real("y", least=0),
    left=lambda c, alpha, x, y: c.maximum(largest_after(x, alpha, c) - x, largest_after(y, alpha, c) - y),
    right=lambda c, alpha, x, y: c.maximum(alpha * x, alpha * y),
)
"""The most by which an establishment of x workers, or any other, of y, and with it the count, may grow."""


@claim(
    "schmutte2020_slides/delta-q",
    where="Slides, Application, Sensitivity",
    says="A count of employment has sensitivity max_e αx_e.",
    states=SHARE_OF_LARGEST,
)
def one_hire_is_always_possible() -> Verdict:
    """αx_e is what the largest establishment may grow by if that is at least one worker; one hire is always a
    neighbor. So at the observed data it is max_e max(⌊αx_e⌋, 1) (on real sizes max(αx_e, 1)). It is a
    local sensitivity: it depends on the data, and the supremum over all data is infinite.
    """
    alpha, x, k = z3.Reals("alpha x k")
    relation = Strong(SizeUniverse(2, 22), TENTH)
    small = [(a, b) for a in range(1, 21, 4) for b in range(0, 21, 5)]
    return fails(
        exact.refuted(SHARE_OF_LARGEST, α=TENTH, x=5, y=1),
        solver.for_all(
            [alpha > 0, x >= 0, k >= 0, grows(x, x + k, alpha)],
            k <= bound(x, alpha),
            "growth is at most max(αx, 1)",
        ),
        aside(
            exhaustive.for_all(
                small,
                lambda d: local_sensitivity(sum, relation, d) == max(max(n // 10, 1) for n in d),
                "the local sensitivity is max_e max(⌊αx_e⌋, 1)",
                "α = 1/10, two establishments of up to 20 workers in a universe of 22",
            )
        ),
        counterexample="α = 1/10, 5 and 1 workers: hiring one changes the count by 1 > 1/2",
        value="max_e max(⌊αx_e⌋, 1) at the observed data, ∞ over all data",
    )


OF_ONE_WORKER, WITHOUT_HIRES = (
    Equal(
        Real("α", above=0),
        left=lambda c, alpha, growth=growth: c.log(growth(c, alpha)),
        right=lambda c, alpha: 1 + alpha,
    )
    for growth in (lambda c, alpha: largest_after(c.number(1), alpha, c), lambda c, alpha: 1 + alpha)
)
"""The largest change of the logarithm on counts from 1, and that of growth by a share, against 1 + α."""

NO_LARGER_CHANGE = AtMost(
    Real("α", above=0),
    Real("x", least=1),
    left=lambda c, alpha, x: largest_after(x, alpha, c) / x,
    right=lambda c, alpha, x: largest_after(c.number(1), alpha, c),
)
"""No count from 1 grows by a larger factor than 1 does."""


@claim(
    "schmutte2020_slides/log-sens",
    where="Slides, Application",
    says="The logarithm of the count has sensitivity 1+α.",
    states=(OF_ONE_WORKER, WITHOUT_HIRES),
    tight=NO_LARGER_CHANGE,
)
def log_sensitivity_lacks_its_logarithm() -> Verdict:
    """If all establishments grow by a share α, ln q changes by ln(1+α): the slide prints 1+α without its
    logarithm. That reading fails too (haney2017/sec8.1-log-sens): from 1 to 2 the logarithm changes by ln 2,
    from an empty cell it is undefined. As printed, 1+α is not a value that is attained on positive counts:
    there the largest change is max(ln 2, ln(1+α)) < 1+α.
    """
    return misprint(
        exact.refuted(OF_ONE_WORKER, α=TENTH),
        exact.refuted(WITHOUT_HIRES, α=TENTH),
        solver.proves(NO_LARGER_CHANGE),
        reading="ln(1+α), which is haney2017/sec8.1-log-sens",
        reading_is=Outcome.FAILS,
        counterexample="α = 1/10: ln 11 − ln 10 = 0.0953..., ln 2 − ln 1 = 0.693..., 1+α = 1.1",
        value="∞ with empty cells; max(ln 2, ln(1+α)) on counts from 1; ln(1+α) for ln(n + 1/α)",
    )


def _bound(c: World, alpha: Number, x: Number) -> Number:
    """S = max(αx, 1), x workers being at the largest establishment."""
    return c.maximum(alpha * x, c.number(1))


def _neighbor(name: str) -> Variable:
    return Real(name, least=lambda c, alpha, x: x, most=lambda c, alpha, x: largest_after(x, alpha, c))


ABOVE_LOCAL = AtMost(
    Real("α", above=0),
    Real("x", least=0),
    _neighbor("y"),
    left=lambda c, alpha, x, y: y - x,
    right=lambda c, alpha, x, y: _bound(c, alpha, x),
)
"""What one establishment may grow by."""

BY_SHARE, BY_EXPONENT = (
    AtMost(
        Real("α", above=0),
        Real("x", least=0),
        _neighbor("y"),
        left=lambda c, alpha, x, y: _bound(c, alpha, y),
        right=lambda c, alpha, x, y, factor=factor: factor(c, alpha) * _bound(c, alpha, x),
    )
    for factor in (lambda c, alpha: 1 + alpha, lambda c, alpha: c.exp(alpha))
)
"""How much S grows at most between neighbors, by 1 + α and so by e^α."""

NO_LARGER = AtMost(
    *BY_SHARE.domain.variables,
    left=lambda c, alpha, x, y: _bound(c, alpha, x),
    right=lambda c, alpha, x, y: _bound(c, alpha, y),
)
"""At the smaller one of two neighbors S is not the larger."""


@claim(
    "schmutte2020_slides/smooth-e-alpha",
    where="Slides, Other Mechanisms",
    says="There is a function S with S(D) ≥ LS_q(D) and S(D) ≤ e^α·S(D') for all neighbors D, D'.",
    states=(ABOVE_LOCAL, BY_EXPONENT, NO_LARGER),
    tight=(BY_SHARE, HIRED, IN_STEPS, NO_BOUND),
)
def printed_exponent_is_loose() -> Verdict:
    """The smoothing parameter is b in Definition 8.2, a part of the privacy budget; the slide puts α, the
    share of growth, in its place. It happens to be usable: S = max(αx_v, 1) has S(D) ≤ (1+α)·S(D'), and
    1+α ≤ e^α for every α ≥ 0. It is loose: b = ln(1+α) < α is enough, and the least (below it the local
    sensitivity outgrows e^(bj)). A mechanism that pays for dilations by e^α needs a larger ε than one that
    pays for 1+α (for the noise 1/(1+z⁴), 3α against 3·ln(1+α)).
    """
    return holds_loosely(
        *map(solver.proves, (ABOVE_LOCAL, BY_EXPONENT, NO_LARGER, BY_SHARE)),
        *smooth_sensitivity_is_infinite_below_the_growth_rate().evidence,
        value="1 + α in place of e^α, and no smaller factor",
    )


NOISE_BETWEEN_NEIGHBORS, NOISE_OF_ONE = (
    AtMost(
        Real("α", above=0),
        Real("x", least=0),
        Real("y", least=lambda c, alpha, x: x, most=lambda c, alpha, x: largest_after(x, alpha, c)),
        left=lambda c, alpha, x, y, least=least: c.maximum(alpha * y, c.number(least)),
        right=lambda c, alpha, x, y, least=least: (1 + alpha) * c.maximum(alpha * x, c.number(least)),
    )
    for least in (0, 1)
)
"""Between neighbors the scale αx, and max(αx, 1), grows by 1 + α at most, for which the mechanisms pay."""


@claim(
    "schmutte2020_slides/noise-scale",
    where="Slides, Other Mechanisms, tl;dr",
    says="Noise may be proportional to max_e αx_e over all employers in D.",
    states=NOISE_BETWEEN_NEIGHBORS,
    tight=NOISE_OF_ONE,
    origin="implied",
)
def noise_must_not_vanish_at_empty_establishments() -> Verdict:
    """With no employee at any establishment the noise is 0, and one hire gives it a positive scale: the exact
    output 0 has probability 1 in the one case, 0 in the other. And αx_e is not smooth: from 0 to 1 it grows
    by an infinite factor, and also without empty establishments it doubles from 1 to 2, more than the
    1+α that the mechanisms pay for. With max(αx_e, 1) it works.
    """
    empty: Distribution = {"output 0": Fraction(1)}
    hired: Distribution = {"output 0": Fraction(0), "another output": Fraction(1)}
    return fails(
        exact.refuted(NOISE_BETWEEN_NEIGHBORS, α=TENTH, x=0, y=1),
        solver.proves(NOISE_OF_ONE),
        exact.compare(int(may_grow(0, 1, TENTH)), "==", 1, "0 and 1 workers are neighbors"),
        exact.compare(hockey_stick(empty, hired, 10**6), "==", 1, "least δ at e^ε = 10⁶, by the output 0"),
        aside(exact.compare(2 * TENTH, ">", (1 + TENTH) * TENTH, "αx at 2 workers against (1+α)·αx at 1")),
        counterexample="α = 1/10, one establishment: 0 workers give the output 0 with probability 1, "
        "1 worker gives it with probability 0",
        value="max(αx_e, 1)",
    )


JOBS, ESTABLISHMENTS = Fraction("10.9") * 10**6, Fraction(527_000)
"""The sample by Section 10 of Haney et al. 2017."""

SAMPLE_SIZE = (
    Printed(lambda c: c.number(JOBS / 10**6), "11"),
    Printed(lambda c: c.number(ESTABLISHMENTS / 10**3), "527"),
)


@claim(
    "schmutte2020_slides/data-size",
    where="Slides, Data",
    says="The data are 11 million jobs at 527 thousand employers.",
    states=SAMPLE_SIZE,
    tight=SAMPLE_SIZE,
    origin="ours",
)
def sample_size_is_rounded() -> Verdict:
    """Haney et al., Section 10: 10.9 million jobs in about 527,000 establishments. 11 million is that rounded
    to a million, 20.9 jobs per establishment rather than 20.7. Establishments, not employers, are counted: an
    employer may have several.
    """
    return holds(
        *map(exact.decided, SAMPLE_SIZE),
        value="10.9 million jobs, about 527,000 establishments",
        condition="compared with the text of Haney et al. 2017; establishments are meant",
    )
