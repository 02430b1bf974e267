"""Where the pieces of a neighbor function meet: what is decided about a difference that may be 0."""

from __future__ import annotations

from collections.abc import Iterator

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.arithmetic import SYM, Number
from establish.spec.neighbor_functions.conditions import vanishes

Difference = tuple[str, Number, bool | None]
"""As it is written, the number, and what is said about it."""


def _differences() -> Iterator[Difference]:
    two, three, six = (SYM.number(n) for n in (2, 3, 6))
    nested, plain = SYM.sqrt(5 + 2 * SYM.sqrt(six)), SYM.sqrt(two) + SYM.sqrt(three)
    yield "0", SYM.number(0), True
    yield "√8 − 2√2", SYM.sqrt(SYM.number(8)) - 2 * SYM.sqrt(two), True
    yield "√(5+2√6) − √2 − √3", nested - plain, True
    yield "√(5+2√6) − √2 − √3 + 10⁻³⁰", nested - plain + 1 / SYM.number(10) ** 30, False
    yield "√2 − 3", SYM.sqrt(two) - 3, False
    yield "ln 6 − ln 2", SYM.log(six) - SYM.log(two), False
    yield "ln √(5+2√6) − ln(√2 + √3)", SYM.log(nested) - SYM.log(plain), None


def _is_decided(difference: Difference) -> bool:
    _, number, said = difference
    return vanishes(number) is said


DECIDED = Every("difference", _differences, _is_decided)


@claim(
    "establish/pieces-meet-where-they-are-shown-to",
    where="Neighbor functions in pieces",
    says="A difference between two pieces is said to be 0 where simplification or its minimal polynomial "
    "shows it, not to be 0 where a ball does, and is left undecided otherwise.",
    states=DECIDED,
)
def pieces_meet_where_they_are_shown_to() -> Verdict:
    """Roots that denest are algebraic and 0; logarithms of them are equal, too, but nothing here shows it."""
    return holds(exhaustive.each(DECIDED, "seven differences, four of them 0"))
