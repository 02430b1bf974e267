"""What a release under one definition counts under another."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, ParameterError, Verdict, claim, exhaustive, holds
from establish.proofs_check.papers.ours.composition.cases import DEFINITIONS, PLACE
from establish.spec.composition import (
    Approximate,
    Attribute,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    counted,
)

_GAMMAS = tuple(map(Fraction, ("1/10", "1/3", "1/2", "1", "3/2", "2")))

Conversion = tuple[Gedp, Gedp]


def _conversions() -> Iterator[Conversion]:
    for psi, made, kept in product(("sqrt", "log", "identity"), _GAMMAS, _GAMMAS):
        first, second = (Gedp.of([Attribute.of("jobs", psi, gamma)]) for gamma in (made, kept))
        yield first, second
    for made, kept, other in product(_GAMMAS[1:4], repeat=3):
        yield (
            Gedp.of([Attribute.of("jobs", "sqrt", made), Attribute.of("wages", "log", 1, 1)]),
            Gedp.of([Attribute.of("jobs", "sqrt", kept), Attribute.of("wages", "log", other, 1)]),
        )


def _is_counted_over_the_least_steps(case: Conversion) -> bool:
    """Whether the loss is n·μ for the least n ≥ 1 whose n steps reach every neighbor of the other."""
    made, kept = case
    reached = 1
    while any(kept.by_name[a.name].gamma > reached * a.gamma for a in made.attributes):
        reached += 1
    mu = Fraction(2, 7)
    return counted(Gaussian(mu**2), made, kept) == Gaussian((reached * mu) ** 2)


def _is_counted_as_it_is(case: Conversion) -> bool:
    loss = Gaussian(Fraction(1))
    return counted(loss, *case) == loss


OVER_STEPS = Every(
    "pair of distance parameters", _conversions, _is_counted_over_the_least_steps, wrong=_is_counted_as_it_is
)


def _definition_pairs() -> Iterator[
    tuple[DifferentialPrivacy | ErEe | Gedp, DifferentialPrivacy | ErEe | Gedp]
]:
    more = (ErEe.of("strong-er-ee", 1), Gedp.of([Attribute.of("jobs", "sqrt", 1, "3/8")]))
    yield from product((*DEFINITIONS, *more), repeat=2)


def _is_counted_where_it_is_proved(
    case: tuple[DifferentialPrivacy | ErEe | Gedp, DifferentialPrivacy | ErEe | Gedp],
) -> bool:
    made, kept = case
    mu = Gaussian(Fraction(1, 4))
    loss = mu if isinstance(made, Gedp) else Approximate(Fraction(1, 3), Fraction(1, 9))
    same_psi = (
        isinstance(made, Gedp)
        and isinstance(kept, Gedp)
        and [(a.name, a.psi, a.shift) for a in made.attributes]
        == [(a.name, a.psi, a.shift) for a in kept.attributes]
    )
    strong_as_weak = (
        isinstance(made, ErEe)
        and isinstance(kept, ErEe)
        and made.alpha == kept.alpha
        and made.name == "strong-er-ee"
    )
    try:
        found = counted(loss, made, kept)
    except ParameterError:
        return not (made == kept or same_psi or strong_as_weak)
    return found == loss if not same_psi else isinstance(found, Gaussian)


PROVED = Every("pair of definitions", _definition_pairs, _is_counted_where_it_is_proved)


@claim(
    "establish/counted-where-it-is-proved",
    where=PLACE,
    says="A release made for other distances γ is charged n·μ for the least whole n ≥ 1 whose n steps reach "
    "every neighbor that the budget is kept for; a strong release counts as weak at the same α; between all "
    "other definitions nothing is counted.",
    states=(OVER_STEPS, PROVED),
)
def other_definitions_are_counted_where_it_is_proved() -> Verdict:
    """n steps of γ reach the distance nγ because ψ is continuous (webb2025/rem-5.8), in all attributes at
    once. An attribute that only one of the two protects, or each by another ψ, is refused.
    """
    return holds(
        exhaustive.each(OVER_STEPS, "six distances, one attribute of each ψ, and two attributes"),
        exhaustive.each(PROVED, "every pair of twelve definitions"),
        value="⌈γ_kept/γ_made⌉·μ, the largest of the attributes",
    )
