"""Whole-Staircase: the exact privacy loss of a staircase law on whole numbers, and its errors."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from establish import Every, Evidence, Verdict, claim, exhaustive, holds, rules, solver, symbolic
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.papers.ours.both_neighbors import private
from establish.spec.arithmetic import ARB, MP, Number, World, enclosing
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism, mean_errors

PLACE = "A staircase law on whole numbers"

PRIVATE = private("Whole-Staircase", WholeStaircaseMechanism)


def _logarithms(c: World, *v: Number) -> None:
    """That ln(1+α) < α, by the square root, and ln(1 + 1/m) by its inverse."""
    alpha, m = v
    root = c.sqrt(1 + alpha)
    c.log(root * root)
    c.log(m / (m + 1))


@shared
def _read() -> tuple[Evidence, ...]:
    """What is read of the law: its ladder and its tails."""
    return (
        *map(symbolic.proves, (*rules.pieces_meet(), *rules.tails_meet())),
        *map(solver.proves, rules.cuts_rise()),
    )


def _private_evidence(statement: Satisfies) -> Evidence:
    cell, gaps, late, grown = rules.whole_steps()
    return rules.on_whole_scale(
        statement,
        solver.proves(rules.whole_level(statement)),
        *map(solver.proves, (cell, gaps, grown)),
        solver.proves(late, _logarithms),
        *map(solver.proves, rules.whole_ladder()),
        *_read(),
    )


@claim(
    "establish/whole-staircase",
    where=PLACE,
    says="The staircase law on whole numbers around φ(n), φ the growth scale of whole numbers, is (α, ε)-ER-"
    "EE private for establishment attributes, and weakly so with worker attributes.",
    states=PRIVATE,
)
def whole_staircase_is_private() -> Verdict:
    """A neighbor moves φ(n) by at most 1, and whatever s is drawn, that adds one step at most between s and
    the center, or takes one away: steps end where Λ says, at low(t − k) and high(t + k), which never fall.
    """
    return holds(
        *map(_private_evidence, PRIVATE),
        condition="α ≥ 1/1000 and ln(1+α) < ε ≤ 50, wherever the mechanism is defined",
    )


Case = tuple[str, str, int]
"""α, ε and a count."""

SETTINGS = (("1/10", "2"), ("1/5", "4"), ("1/20", "1"), ("1/3", "3/2"), ("5/2", "6"))


def _counts() -> Iterator[Case]:
    for alpha, epsilon in SETTINGS:
        yield from ((alpha, epsilon, n) for n in range(ceil(2 / Fraction(alpha))))


def _differs_by(case: Case, more: int) -> Iterator[Number]:
    """By what the loss of events {output ≤ o}, o < n, between n + 1 and n differs from ε + ``more``."""
    alpha, epsilon, n = Fraction(case[0]), Fraction(case[1]), case[2]
    made = WholeStaircaseMechanism(alpha, epsilon)
    small, large = (made.output((count,), ARB) for count in (n, n + 1))
    for o in {n - 1, (n - 1) // 2, -1, -9}:
        yield ARB.log(small.tails(o)[0] / large.tails(o)[0]) - ARB.number(epsilon + more)


def _loses_epsilon(case: Case) -> bool:
    """To 40 digits."""
    with enclosing(400):
        return all(abs(x) < ARB.number(10) ** -40 for x in _differs_by(case, 0))


def _loses_more(case: Case) -> bool:
    with enclosing(400):
        return all(abs(x) < ARB.number(10) ** -40 for x in _differs_by(case, 1))


ATTAINED = Every("α, ε and a count below 2/α", _counts, _loses_epsilon, wrong=_loses_more)
"""One more worker loses ε at the events {output ≤ o}, o < n."""


@claim(
    "establish/whole-staircase-attained",
    where=PLACE,
    says="Between n and n + 1 workers, n < 2/α, events lose exactly ε.",
    states=ATTAINED,
    tight=ATTAINED,
)
def whole_staircase_loses_epsilon() -> Verdict:
    """One more worker is one more step, whole, below every output that is less than n."""
    return holds(
        exhaustive.each(ATTAINED, f"(α, ε) = {', '.join(f'({a}, {e})' for a, e in SETTINGS)}"), value="ε"
    )


def _errors() -> Iterator[Case]:
    yield from (("1/10", "2", n) for n in (0, 20, 31))
    yield from (("1/5", "4", n) for n in (1, 9, 70))


def _sums(case: Case, shift: int = 0) -> bool:
    """Both sums of tails, output by output, as far as they matter to 8 digits."""
    n = case[2]
    made = WholeStaircaseMechanism(case[0], case[1])
    law = made.output((n + shift,))
    below = sum((law.tails(o)[0] for o in range(n)), MP.number(0))
    above, o, tail = MP.number(0), n, MP.number(1)
    while tail * (o + 1) > above * MP.number(10) ** -10:
        tail = law.tails(o)[1]
        above, o = above + tail, o + 1
    stated = mean_errors(made, n)
    tiny = MP.number(10) ** -40
    return all(
        abs(x - y) < y * MP.number(10) ** -8 + tiny for x, y in zip((above, below), stated, strict=True)
    )


def _of_another_count(case: Case) -> bool:
    return _sums(case, 1)


ERRORS = Every("α, ε and a count", _errors, _sums, wrong=_of_another_count)


@claim(
    "establish/whole-staircase-errors",
    where=PLACE,
    says="What the specification adds up step by step is E(out − n)⁺ and E(n − out)⁺, negative outputs raised"
    " to 0.",
    states=ERRORS,
)
def errors_of_whole_staircase() -> Verdict:
    """By parts: the sums of P(out > o) over o ≥ n, and of P(out ≤ o) over 0 ≤ o < n."""
    return holds(
        exhaustive.each(ERRORS, "0, 20 and 31 workers at (1/10, 2), and 1, 9 and 70 at (1/5, 4); to 8 digits")
    )
