"""Privacy of noise whose scale changes between neighbors: a slide and a dilation of one law."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.methods.symbolic import sides_of, vanishes
from establish.proofs_check.engine.rules.cells import require_cell_law
from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import both_ways, over_reals, reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, Real
from establish.proofs_check.engine.statements.privacy import BOUNDED, Satisfies
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World
from establish.spec.relations.growth import largest_after


def cell_law_of(statement: Satisfies) -> Callable[..., Any]:
    """law(c, parameters, count, largest) of the mechanism. Raises RuleError where its output is another."""
    if statement.alpha is None or BOUNDED.get((statement.neighbors, statement.queries)) != "share":
        raise RuleError(f"smooth: counts have no growth by a share in: {statement.text}")
    require_cell_law(statement.mechanism, statement.domain.names)
    return lambda c, parameters, count, largest: known(
        statement.mechanism(*parameters).cell_law(count, largest, c)
    )


def neighboring_laws(statement: Satisfies, slide: Formula, stretch: Formula) -> tuple[Comparison, ...]:
    """That the larger of two neighbors has its center 0 to ``slide`` scales of the smaller one further
    up, and 1 to ``stretch`` times its scale, which is positive.
    """
    count = len(statement.domain.variables)
    domain, moved, scale, scale_after = _neighbors(statement)

    def times(factor: Formula) -> Formula:
        return lambda c, *v: factor(c, *v[:count]) * scale(c, *v)

    return (
        Comparison(domain, 0, "<", scale),
        Comparison(domain, 0, "<=", moved),
        Comparison(domain, moved, "<=", times(slide)),
        Comparison(domain, scale, "<=", scale_after),
        Comparison(domain, scale_after, "<=", times(stretch)),
    )


def stretch_by_slide(statement: Satisfies, share: Formula) -> Comparison:
    """That the scale of the larger of two neighbors exceeds that of the smaller by at most ``share`` times
    what its center is further up.
    """
    count = len(statement.domain.variables)
    domain, moved, scale, scale_after = _neighbors(statement)
    return Comparison(
        domain,
        lambda c, *v: scale_after(c, *v) - scale(c, *v),
        "<=",
        lambda c, *v: share(c, *v[:count]) * moved(c, *v),
    )


def _neighbors(statement: Satisfies) -> tuple[Domain, Formula, Formula, Formula]:
    """Neighbors in one establishment; how far the center moves, and the scale before and after."""
    law, parameters = cell_law_of(statement), reals(statement.domain)
    alpha, count = statement.alpha, len(parameters)

    def most(c: World, *v: Any) -> Any:
        return largest_after(v[count], alpha(*v[:count]), c)  # type: ignore[misc]

    domain = over_reals(
        statement.domain,
        Real("x", least=0),
        Real("y", least=lambda c, *v: v[count], most=most),
        Real("largest", least=0),
        Real("rest", least=lambda c, *v: v[count + 2]),
    )

    def read(name: str, place: int) -> Formula:
        def value(c: World, *v: Any) -> Any:
            own, largest, rest = v[count + place], v[count + 2], v[count + 3]
            made = law(c, v[:count], own + rest, c.maximum(own, largest))
            return getattr(made, name)

        return value

    (center, after), (scale, scale_after) = (
        [read(name, place) for place in (0, 1)] for name in ("center", "scale")
    )

    def moved(c: World, *v: Any) -> Any:
        return after(c, *v) - center(c, *v)

    return domain, moved, scale, scale_after


def losses(statement: Satisfies, slide: Formula, stretch: Formula) -> tuple[Comparison, ...]:
    """ln p − ln q ≤ level in both directions, for p at center 0 with scale 1 and q at center d with scale
    m, at the output m·w + d, for all 0 ≤ d ≤ slide, 1 ≤ m ≤ stretch and w.
    """
    law, count = cell_law_of(statement), len(statement.domain.variables)
    domain = over_reals(
        statement.domain,
        Real("d", least=0, most=slide),
        Real("m", least=1, most=lambda c, *v: stretch(c, *v[:count])),
        Real("w"),
    )

    def logarithms(c: World, *v: Any) -> tuple[Any, Any]:
        d, m, w = v[count:]
        standard = replace(law(c, v[:count], 0, 0), center=c.number(0), scale=c.number(1))
        return standard.log_density(m * w + d), standard.log_density(w) - c.log(m)

    return both_ways(domain, logarithms, lambda c, *v: statement.level(c, *v[:count]))


def is_location_scale(statement: Satisfies) -> bool:
    """Whether the density of the mechanism's law at center + scale·z is that at z, over the scale, and the
    count and the largest establishment of the cell change nothing but center and scale.
    """
    law, parameters = cell_law_of(statement), reals(statement.domain)
    count = len(parameters)
    cell = Real("count", least=0), Real("largest", least=0)
    variables = (*parameters, *cell, Real("center"), Real("scale", above=0), Real("z"))

    def moved(c: World, *v: Any) -> Any:
        *sizes, center, scale, z = v[count:]
        return replace(law(c, v[:count], *sizes), center=center, scale=scale).log_density(center + scale * z)

    def standard(c: World, *v: Any) -> Any:
        made = replace(law(c, v[:count], 0, 0), center=c.number(0), scale=c.number(1))
        return made.log_density(v[-1]) - c.log(v[-2])

    left, right, _ = sides_of(Comparison(Domain(variables), moved, "==", standard))
    return vanishes(left - right)


@rule
def smooth(statement: Satisfies, slide: Formula, stretch: Formula, *evidence: Evidence) -> Evidence:
    """The law is center + scale·Z with a density, and center and scale depend on the count and on the largest
    establishment count of the cell. Neighbors differ in one establishment, whose count goes from x to a y
    that the relation bounds (Definitions 7.1 and 7.3), beside others that sum to ``rest``, the largest of
    them being any number up to it. In units of the smaller dataset's scale the larger one's law is d + m·Z
    with 0 ≤ d ≤ slide and 1 ≤ m ≤ stretch. If the log-ratio of the two densities is at most the level at
    every output m·w + d, in both directions, then so is that of the probabilities of every event, as
    integrals; pairs in the other order are the second direction. Counts are read as real numbers, which
    shows more.
    """
    if statement.delta is not None:
        raise RuleError(f"smooth: needs δ = 0: {statement.text}")
    if not is_location_scale(statement):
        raise RuleError(f"smooth: no law center + scale·Z in: {statement.text}")
    owed = (*neighboring_laws(statement, slide, stretch), *losses(statement, slide, stretch))
    return derived(statement, owed, evidence, "smooth")
