"""Privacy of admissible noise: a slide and then a dilation lead from one answer to the other."""

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, Condition, Domain, Real
from establish.proofs_check.engine.statements.smooth_noise import LEVELS, SmoothNoise
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import Number, World


def slide_and_dilation(statement: SmoothNoise) -> tuple[Comparison, ...]:
    """What `slide_then_dilate` owes: that the slide is positive and admissible, the dilation too (in
    both directions), that they lead to the other answer, and that their costs multiply to the level.
    """
    slide, level = statement.slide, statement.level
    noise = (Real("a", above=0), Real("b", least=0))
    positive = Comparison(Domain(noise), lambda c, a, b: c.number(0), "<", slide)
    short = Comparison(
        Domain((*noise, Real("S(x)", above=0), Real("‖q(x)−q(y)‖", least=0, most=lambda c, *v: v[2]))),
        lambda c, a, b, s, gap: gap * slide(c, a, b) / s,
        "<=",
        lambda c, a, b, s, gap: a,
    )

    def grown(c: World, a: Number, b: Number, first: Number, *_: Number) -> Number:
        return c.exp(b) * first

    smooth = Domain(
        (*noise, Real("S(x)", above=0), Real("S(y)", above=0, most=grown)),
        (Condition(lambda c, a, b, sx, sy: sx, "<=", lambda c, a, b, sx, sy: c.exp(b) * sy),),
    )
    up, down = (
        Comparison(smooth, ratio, "<=", lambda c, a, b, sx, sy: b)
        for ratio in (lambda c, a, b, sx, sy: c.log(sx / sy), lambda c, a, b, sx, sy: -c.log(sx / sy))
    )
    answers = (*noise, Real("S(x)", above=0), Real("S(y)", above=0), *map(Real, ("q(x)", "q(y)", "o")))

    def moved(c: World, a: Number, b: Number, *v: Number) -> Number:
        sx, sy, qx, qy, o = v
        unit = slide(c, a, b) / sx
        return ((o - qx) * unit + (qx - qy) * unit) * (sx / sy)

    same = Comparison(
        Domain(answers), moved, "==", lambda c, a, b, sx, sy, qx, qy, o: (o - qy) * (slide(c, a, b) / sy)
    )
    chances = (
        *LEVELS,
        Real("P_2", least=0),
        Real("P_1", least=0, most=lambda c, first, second, p2: second * p2),
        Real("P_0", least=0, most=lambda c, first, second, p2, p1: first * p1),
    )
    costs = Comparison(
        Domain(chances),
        lambda c, first, second, p2, p1, p0: p0,
        "<=",
        lambda c, first, second, p2, p1, p0: level(c, first, second) * p2,
    )
    return positive, short, up, down, same, costs


@rule
def slide_then_dilate(statement: SmoothNoise, *evidence: Evidence) -> Evidence:
    """The answer at x lies in T when Z lies in A = (T − q(x))·u with u = slide/S(x). Slide A by Δ =
    (q(x) − q(y))·u and dilate it by e^λ = S(x)/S(y): that is the event of the answer at y, coordinate
    by coordinate. With slide > 0, Δ is no longer than a, and |λ| is at most b: so P_0 ≤ c_1·P_1 and P_1
    ≤ c_2·P_2 for the probabilities of A before, between and after, and P_0 ≤ level·P_2. Where S(x) = 0
    both S(y) ≤ e^b·0 and |q(x) − q(y)| are 0: the answers are equal.
    """
    return derived(statement, slide_and_dilation(statement), evidence, "slide_then_dilate")
