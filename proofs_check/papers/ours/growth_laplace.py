"""Growth-Laplace: the growth scale of counts, and the exact privacy loss of Laplace noise on it."""

from establish import Equal, Evidence, Moment, Real, Verdict, claim, holds, solver, symbolic
from establish.proofs_check.engine.rules import growth_noise, growth_steps, on_growth_scale
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.papers.ours.both_neighbors import private
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace
from establish.spec.growth_scale import inverse_piece, piece
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism

PLACE = "Noise on the growth scale"


PRIVATE = private("Growth-Laplace", GrowthLaplaceMechanism)


def step_evidence(statement: Satisfies) -> tuple[Evidence, ...]:
    """That no piece rises by more than 1, or falls, as `on_growth_scale` owes it."""
    count = len(statement.domain.variables)

    def logarithms(c: World, *v: Number) -> None:
        x, y, rest, j = v[count:]
        growth = 1 + c.number(v[0])
        c.log(growth * (v[0] * (x + rest + j)))
        c.log(growth * (v[0] * (x + rest + (j + 1))))
        c.log(v[0] * (y + rest + j))
        c.log(c.number(1))

    return tuple(solver.proves(owed, logarithms) for owed in growth_steps(statement))


def _private_evidence(statement: Satisfies) -> Evidence:
    return on_growth_scale(statement, *step_evidence(statement), *map(solver.proves, growth_noise(statement)))


BY_SHARE = Equal(
    Real("α", above=0),
    Real("x", least=lambda c, alpha: 1 / alpha),
    left=lambda c, alpha, x: piece((1 + alpha) * x, 0, alpha, c),
    right=lambda c, alpha, x: piece(x, 0, alpha, c) + 1,
)
BY_ONE = Equal(
    Real("α", above=0),
    Real("x", least=0),
    Real("j", least=0),
    left=lambda c, alpha, x, j: piece(x + 1, j, alpha, c),
    right=lambda c, alpha, x, j: piece(x, j + 1, alpha, c) + 1,
)
"""The largest growth is one step, from every count: by a share from 1/α on, by one worker below."""

REACHED = Equal(
    Real("ε", above=0),
    Real("w", most=0),
    left=lambda c, epsilon, w: (
        laplace.log_density(w, c.number(0), 1 / epsilon, c)
        - laplace.log_density(w, c.number(1), 1 / epsilon, c)
    ),
    right=lambda c, epsilon, w: epsilon,
)
"""One step costs ε at every output up to the smaller count."""


@claim(
    "establish/growth-laplace",
    where=PLACE,
    says="φ⁻¹(φ(n) + W) with W ~ Laplace(1/ε) and the growth scale φ is (α, ε)-ER-EE private for "
    "establishment attributes, and weakly so with worker attributes, for all α, ε > 0.",
    states=PRIVATE,
    tight=(BY_SHARE, BY_ONE, REACHED),
)
def growth_laplace_is_private() -> Verdict:
    """φ(x) is the largest of ln(α(x+j))/ln(1+α) − j over whole j ≥ 0. If y ≤ (1+α)x, then y + j ≤ (1+α)(x+j):
    each piece rises by at most 1. If y ≤ x + 1, piece j at y is at most piece j + 1 at x, plus 1. So φ rises
    by at most 1 from a dataset to its larger neighbor, whatever the other establishments of the cell add, and
    never falls: the loss is that of Laplace noise with scale 1/ε under a slide by at most 1. The largest
    growth from any size is a slide by exactly 1, at which all outputs up to the smaller count lose ε.
    Rounding, and setting negative outputs to 0, is a function of the output.
    """
    return holds(
        *map(_private_evidence, PRIVATE),
        solver.proves(BY_SHARE, lambda c, alpha, x: c.log((1 + alpha) * (alpha * x))),
        solver.proves(BY_ONE, lambda c, alpha, x, j: c.log(alpha * (x + (j + 1)))),
        solver.proves(REACHED),
        value="total privacy loss ε, at every size",
    )


INVERSE = Equal(
    Real("α", above=0),
    Real("y"),
    Real("j", least=0),
    left=lambda c, alpha, y, j: piece(inverse_piece(y, j, alpha, c), j, alpha, c),
    right=lambda c, alpha, y, j: y,
)
"""The inverse pieces are inverse to the pieces."""


def _outcome(c: World, count: Number, x: Number) -> Number:
    """n·e^x, which is the output at the noise x = W·ln(1+α), for n and n·e^x of at least 1/α."""
    return count * c.exp(x)


ABOVE = Moment(
    Real("λ", above=0, below=1),
    Real("n", above=0),
    law=lambda c, scale, count: Laplace(c.number(0), scale, c),
    of=lambda c, scale, count, x: _outcome(c, count, c.maximum(x, c.number(0))) - count,
    closed=lambda c, scale, count: count * scale / (1 - scale) / 2,
    breaks=[lambda c, *_: c.number(0)],
    depends=True,
)
"""The part of the error above the count, where the count is at least 1/α: λ = ln(1+α)/ε."""

FIRST_PIECE = Equal(
    Real("α", above=0),
    Real("n", least=lambda c, alpha: 1 / alpha),
    Real("w", least=0),
    left=lambda c, alpha, count, w: inverse_piece(piece(count, 0, alpha, c) + w, 0, alpha, c),
    right=lambda c, alpha, count, w: count * c.exp(w * c.log(1 + c.number(alpha))),
)
"""Such an output is n·(1+α)^W."""


@claim(
    "establish/growth-laplace-error",
    where=PLACE,
    says="For a count n ≥ 1/α, Growth-Laplace has E(out − n)⁺ = n·λ/(2(1−λ)) with λ = ln(1+α)/ε < 1.",
    states=(FIRST_PIECE, INVERSE, ABOVE),
    tight=ABOVE,
)
def error_of_growth_laplace_above_the_count() -> Verdict:
    """From 1/α on the growth scale is the logarithm to the base 1+α, so an output above such a count is
    n·(1+α)^W. What lies below the count ends at 0, after rounding at the latest, and is integrated joint by
    joint in the specification.
    """
    return holds(
        symbolic.proves(FIRST_PIECE),
        symbolic.proves(INVERSE),
        symbolic.integrates(ABOVE),
        value="n·λ/(2(1−λ))",
    )
