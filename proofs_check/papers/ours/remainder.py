"""What pnc leaves of every establishment's budget: the cost of a second answer, and what it gains."""

from typing import Any

from establish import AtMost, Equal, Evidence, Real, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import any_psi, chain
from establish.proofs_check.engine.rules.order import links
from establish.proofs_check.engine.statements import ComparisonOfPsi, EveryPsi
from establish.spec.arithmetic import Number
from establish.spec.mechanisms.probably_no_clipping import sensitivity
from establish.spec.mechanisms.remainder import cost, left, pooled, pooling, spent
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.neighbor_functions.functions import root


def _costs(real: bool) -> ComparisonOfPsi:
    """The cost, as a share of μ², of both answers for one establishment, with the bounds given."""
    low: dict[str, Any] = {"least": 0} if real else {"above": 0}
    return EveryPsi(
        Real("γ", above=0),
        Real("u*", above=0),
        Real("u", **low, most=lambda c, gamma, most: most),
        Real("x", **low),
        Real("y", **low, most=lambda c, gamma, most, u, x: x),
        left=lambda psi, c, gamma, most, u, x, y: cost(psi, gamma, (u, most), (x, y), c),
        relation="<=",
        right=1,
        given=[
            (
                lambda psi, c, gamma, most, u, x, y: psi.value(x, c) - psi.value(y, c),
                "<=",
                lambda psi, c, gamma, *_: gamma,
            )
        ],
        real=real,
    )


COSTS = _costs(True), _costs(False)


def _risen(psi: Any, gamma: Number, y: Number, c: Any) -> Number:
    return psi.inverse(psi.value(y, c) + gamma, c)


ATTAINED = EveryPsi(
    Real("γ", above=0),
    Real("y", least=0),
    Real("rise", above=0),
    left=lambda psi, c, gamma, y, rise: cost(
        psi,
        gamma,
        (_risen(psi, gamma, y, c), _risen(psi, gamma, y, c) + rise),
        (_risen(psi, gamma, y, c), y),
        c,
    ),
    relation="==",
    right=1,
)


def _within(statement: ComparisonOfPsi) -> Evidence:
    """By the concavity of ψ at the shift that takes the larger clipped value to u, which is the hint."""
    psi = Arbitrary(statement.real)

    def most_told(c: Any, gamma: Number, most: Number, u: Number, x: Number, y: Number) -> Number:
        own, largest = (sensitivity(psi, bound, gamma, c) for bound in (u, most))
        told = (psi.value(x, c) - psi.value(y, c)) / gamma
        return spent(own, largest, c) + told**2 * left(own, largest, c)

    def clipped(c: Any, gamma: Number, most: Number, u: Number, x: Number, y: Number) -> Number:
        top, bottom = -c.maximum(-x, -u), -c.maximum(-y, -u)
        for value in (top, bottom, bottom + u - top):
            c.psi(value)
        return c.psi(top + u - bottom)

    def narrower(c: Any, gamma: Number, most: Number, u: Number, x: Number, y: Number) -> Number:
        return c.psi(most - sensitivity(psi, u, gamma, c))

    whole = statement.arbitrary
    moved, told = links(whole, most_told)
    chained = chain(whole, (most_told,), solver.proves(moved, clipped), solver.proves(told, narrower))
    return any_psi(statement, chained)


@claim(
    "establish/remainder-cost",
    where="What pnc leaves of a budget",
    says="Given bounds u ≤ u*, one establishment whose value is clipped at u shifts the answer of pnc for "
    "its group and a second answer of ψ with the budget that pnc leaves to it. The squares of the two "
    "shifts, in standard deviations, add up to at most μ², and to μ² at some close values.",
    states=(*COSTS, ATTAINED),
    scope="ψ-neighbors, all bounds",
)
def both_answers_spend_one_budget() -> Verdict:
    """The clipped value moves by at most Δ(u) ≤ Δ(u*), which is (1 − KEPT)·(Δ(u)/Δ(u*))² of μ². ψ moves by at
    most γ, which is the rest. Both are attained at x = u, where ψ(u) is γ above ψ(y).
    """
    return holds(
        *map(_within, COSTS),
        any_psi(ATTAINED, solver.proves(ATTAINED.arbitrary)),
        condition="the bounds being given",
    )


NARROWER = AtMost(
    Real("γ", above=0),
    Real("u*", above=0),
    Real("u", least=0, most=lambda c, gamma, most: most),
    left=lambda c, gamma, most, u: sensitivity(root(), u, gamma, c) / sensitivity(root(), most, gamma, c),
    right=lambda c, gamma, most, u: c.sqrt(u) / c.sqrt(most),
)
"""For ψ = √ an establishment with the bound u takes at most the share u/u* of μ²."""

LEAST = AtMost(
    Real("μ_1", above=0),
    Real("μ_2", above=0),
    Real("w"),
    left=lambda c, first, second, w: pooled(first, second, pooling(first, second)),
    right=lambda c, first, second, w: pooled(first, second, w),
)
VALUE = Equal(
    Real("μ_1", above=0),
    Real("μ_2", above=0),
    left=lambda c, first, second: pooled(first, second, pooling(first, second)),
    right=lambda c, first, second: 1 / (first**2 + second**2),
)


@claim(
    "establish/remainder-gain",
    where="What pnc leaves of a budget",
    says="For ψ = √ pnc takes at most the share u/u* of μ² from an establishment with the bound u. Answers "
    "ω_1 and ω_2 of budgets μ_1 and μ_2 have the mean of least variance where their weights are as the "
    "squares of their budgets, and that variance is γ²/(μ_1² + μ_2²).",
    states=(NARROWER, LEAST, VALUE),
)
def small_establishments_gain_most() -> Verdict:
    """Δ(u) = u − max(0, √u − γ)², so that Δ(u)/√u increases with u. With budgets alike and u = u*/10 the
    standard deviation on the scale of ψ falls by 27% at least, and by up to 29% for smaller ones.
    """
    return holds(solver.proves(NARROWER), solver.proves(LEAST), solver.proves(VALUE))
