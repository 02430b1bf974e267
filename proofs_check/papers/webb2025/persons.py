"""Section 5.4.2: what protects a person inside an establishment."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import z3

from establish import AtMost, Every, Evidence, Real, Verdict, aside, claim, exact, holds, ill_posed, solver
from establish.proofs_check.engine.rules import along_gaussian_chain, any_psi, steps_of_chain
from establish.proofs_check.engine.statements import ComparisonOfPsi, EveryPsi, GaussianChains, given
from establish.proofs_check.papers.webb2025.intervals import TWENTY_THOUSAND, end, shown
from establish.spec.mechanisms.clipped_inverse import clipped_inverse
from establish.spec.neighbor_functions.functions import root
from establish.spec.neighbor_functions.intervals import rational_root_interval

HALF = Fraction(1, 2)


ONE_BY_ONE = GaussianChains("ψ-neighbors", level=lambda c, mu, d: d * mu)
"""Changes that are made one after the other cost μ each."""


@cache
def steps_add_up() -> Evidence:
    """Evidence for ONE_BY_ONE."""
    return along_gaussian_chain(ONE_BY_ONE, *map(solver.proves, steps_of_chain(ONE_BY_ONE)))


def _inside_a_total(real: bool) -> ComparisonOfPsi:
    """What a contribution x is close to alone, it is close to beside the rest of a total."""
    low = {"least" if real else "above": 0}
    return EveryPsi(
        Real("γ", least=0),
        Real("x", **low),
        Real("z", **low),
        Real("rest", least=0),
        left=lambda psi, c, gamma, x, z, rest: c.absolute(psi.value(z + rest, c) - psi.value(x + rest, c)),
        relation="<=",
        right=lambda psi, c, gamma, x, z, rest: gamma,
        given=[
            (
                lambda psi, c, gamma, x, z, rest: c.absolute(psi.value(z, c) - psi.value(x, c)),
                "<=",
                lambda psi, c, gamma, x, z, rest: gamma,
            )
        ],
        real=real,
    )


INSIDE_A_TOTAL = _inside_a_total(True), _inside_a_total(False)


@claim(
    "webb2025/sec5.4.2-one",
    where="Section 5.4.2",
    says="Individuals are protected at least as strongly as establishments with one employee.",
    states=(*INSIDE_A_TOTAL, ONE_BY_ONE),
    scope="a person who works at one establishment",
)
def company_of_others_only_widens_the_interval() -> Verdict:
    """Let a person contribute x to a total y ≥ x. The proof of Theorem 5.3(3) gives more than the length:
    U(y) − y ≥ U(x) − x and y − L(y) ≥ x − L(x). So the interval around x lies inside the interval around
    y shifted by x − y, and whatever x is confused with alone it is confused with inside y.
    """
    return holds(
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in INSIDE_A_TOTAL),
        steps_add_up(),
        condition="a person who works at one establishment",
    )


def _recentered(real: bool) -> ComparisonOfPsi:
    """A total e in which a person's p becomes q is close to e, for q in the interval of e moved by p − e."""
    low = {"least" if real else "above": 0}
    return EveryPsi(
        Real("γ", least=0),
        Real("e", **low),
        Real("p", least=0, most=lambda c, gamma, e: e),
        Real("q", least=0),
        left=lambda psi, c, gamma, e, p, q: c.absolute(psi.value(e - p + q, c) - psi.value(e, c)),
        relation="<=",
        right=lambda psi, c, gamma, e, p, q: gamma,
        given=[
            (
                lambda psi, c, gamma, e, p, q: clipped_inverse(psi, psi.value(e, c) - gamma, c) - e + p,
                "<=",
                lambda psi, c, gamma, e, p, q: q,
            ),
            (
                lambda psi, c, gamma, e, p, q: q,
                "<=",
                lambda psi, c, gamma, e, p, q: psi.inverse(psi.value(e, c) + gamma, c) - e + p,
            ),
        ],
        real=real,
    )


RECENTERED = _recentered(True), _recentered(False)


def totals_are_close() -> Iterator[Evidence]:
    """Evidence for RECENTERED."""
    return (any_psi(piece, solver.proves(piece.arbitrary)) for piece in RECENTERED)


@claim(
    "webb2025/sec5.4.2-20000",
    where="Section 5.4.2",
    says="√ with γ = 100 gives quarterly wages of $20,000 the interval [$1,715.7, $58,284.3], and X's wages "
    "are as hard to tell from any others in that range as N(0,1) from N(μ,1).",
    states=(*TWENTY_THOUSAND, *RECENTERED, ONE_BY_ONE),
    tight=TWENTY_THOUSAND,
)
def interval_of_twenty_thousand_dollars() -> Verdict:
    """(√20000 ± 100)² = 30000 ± 200·√20000 = 30000 ± 20000·√2. X is the only worker, so that the shifted
    interval is that of the total.
    """
    low, high = (end(root(), 20_000, Fraction(100), k) for k in (0, 1))
    return holds(
        *map(exact.decided, TWENTY_THOUSAND),
        *totals_are_close(),
        steps_add_up(),
        value=f"[{shown(low)}, {shown(high)}]",
    )


@claim(
    "webb2025/sec5.4.2-recenter",
    where="Section 5.4.2",
    says="A person's values are as hard to tell from any others in the establishment's intervals shifted by "
    "C^p − C^e as N(0,1) from N(μ,1).",
    states=(*RECENTERED, ONE_BY_ONE),
    scope="one attribute; the person works at one establishment",
)
def shifted_interval_is_closeness_of_the_totals() -> Verdict:
    """If the person's value p becomes q inside I(e) − e + p, the total becomes e + q − p inside I(e): close
    by the equivalence after Definition 5.2, in every attribute, so the datasets are neighbors.
    """
    low, high, e, p, q = z3.Reals("low high e p q")
    return holds(
        *totals_are_close(),
        steps_add_up(),
        solver.for_all(
            [low - e + p <= q, q <= high - e + p],
            z3.And(low <= e + q - p, e + q - p <= high),
            "the total lies in the interval around e",
        ),
        exact.compare(
            int(all(root().close(10**6, 10**6 + change, 100) for change in (-190_000, 210_000))),
            "==",
            1,
            "√, γ = 100, a total of a million: changes to both ends of the interval are close",
        ),
        aside(
            exact.compare(
                int(any(root().close(10**6, 10**6 + change, 100) for change in (-190_001, 210_001))),
                "==",
                0,
                "changes beyond them are not",
            )
        ),
        condition="the person works at one establishment",
    )


def whole_numbers_close_to_none() -> list[int]:
    """The whole numbers from 1 to 49 that are close to 0 under √ at γ = 1/2: [0, 1/4] has none."""
    return [y for y in range(1, 50) if root().close(0, y, HALF)]


def _steps(values: Sequence[int], start: int, gamma: Fraction) -> dict[int, int]:
    """How many steps between values that are close under √ lead from ``start`` to each value."""
    reached, edge, count = {start: 0}, {start}, 0
    while edge:
        count += 1
        edge = {v for v in values for u in edge if v not in reached and root().close(u, v, gamma)}
        reached |= dict.fromkeys(edge, count)
    return reached


IN_STEPS_OF_WHOLE_NUMBERS = Every(
    "person's contribution to a total of 1, ψ = √, γ = 1/2, k = 2: in [0, 4]",
    lambda: range(5),
    lambda total: _steps(range(50), 1, Fraction(1, 2)).get(total, 50) <= 2,
)
"""A total inside the interval for kγ is at most k steps away, on whole numbers."""

CUT_IN_STEPS = (
    AtMost(
        Real("γ", least=0),
        Real("k", least=1),
        Real("ψ(e)"),
        Real("ψ(e')"),
        left=lambda c, gamma, k, start, stop: c.absolute((stop - start) / k),
        right=lambda c, gamma, k, start, stop: gamma,
        given=[
            (
                given(
                    lambda c, gamma, k, start, stop: c.absolute(stop - start),
                    "<=",
                    lambda c, gamma, k, start, stop: k * gamma,
                )
            )
        ],
    ),
    AtMost(
        Real("k", least=1),
        Real("ψ(e)", least=0),
        Real("ψ(e')", least=0),
        Real("j", least=0, most=lambda c, k, *_: k),
        left=0,
        right=lambda c, k, start, stop, j: start + j * ((stop - start) / k),
    ),
)
"""k equal steps of ψ, each of at most γ, through values in the range of ψ (with ψ(0) taken as 0)."""


@claim(
    "webb2025/sec5.4.2-recenter-k",
    where="Section 5.4.2, wider intervals",
    says="A person's values are as hard to tell from any others in the shifted intervals of kγ in place of γ "
    "as N(0,1) from N(kμ,1).",
    states=IN_STEPS_OF_WHOLE_NUMBERS,
    meant=(*CUT_IN_STEPS, ONE_BY_ONE),
)
def wider_intervals_need_totals_in_between() -> Verdict:
    """Inside the interval for kγ, ψ moves by at most kγ. Cut this into k equal steps, each at most γ, through
    totals that exist because ψ is continuous, all attributes at once: k neighbor steps cost kμ. On whole
    numbers these totals may be missing, as for Remark 5.8: at γ = 1/2 under √ the one employee of an
    establishment has the shifted interval [0, 4] at k = 2, but a total of 0 is close to no other one.
    """
    return ill_posed(
        exact.refuted(IN_STEPS_OF_WHOLE_NUMBERS, case=0),
        *map(solver.proves, CUT_IN_STEPS),
        steps_add_up(),
        exact.compare(
            rational_root_interval(1, 2 * HALF)[0], "==", 0, "the interval around 1 at 2γ starts at"
        ),
        exact.compare(len(whole_numbers_close_to_none()), "==", 0, "whole numbers close to 0 at γ = 1/2"),
        condition="totals take every nonnegative real value",
        counterexample="whole numbers, ψ = √, γ = 1/2, k = 2, one employee: 'are there 0 employees?' "
        "answered exactly is 0-GEDP, and tells whether the person works there, 1 or 0 in the interval [0, 4]",
    )
