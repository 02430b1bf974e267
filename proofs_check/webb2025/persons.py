"""Section 5.4.2: what protects a person inside an establishment."""

from __future__ import annotations

import z3

from establish.proofs_check.methods import exact, solver
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Verdict, aside, holds
from establish.proofs_check.webb2025.four_points import (
    concave_steps_shrink,
    inverse_of_concave_is_convex,
)
from establish.spec.neighbor_functions.intervals import (
    rational_root_interval,
)


@claim(
    "webb2025/sec5.4.2-one",
    where="Section 5.4.2",
    says="Individuals are protected at least as strongly as establishments with one employee.",
)
def company_of_others_only_widens_the_interval() -> Verdict:
    """Let a person contribute x to a total y ≥ x. The proof of Theorem 5.3(3) gives more than the length:
    U(y) − y ≥ U(x) − x and y − L(y) ≥ x − L(x). So the interval around x lies inside the interval around
    y shifted by x − y, and whatever x is confused with alone it is confused with inside y.
    """
    x, y, up_x, up_y, down_x, down_y, z = z3.Reals("x y up_x up_y down_x down_y z")
    alone, among = rational_root_interval(4, 1), rational_root_interval(100, 1)
    return holds(
        inverse_of_concave_is_convex(),
        *concave_steps_shrink(),
        solver.for_all(
            [
                y >= x,
                up_y - y >= up_x - x,
                y - down_y >= x - down_x,
                down_x <= z,
                z <= up_x,
            ],
            z3.And(down_y <= y + z - x, y + z - x <= up_y),
            "a value close to x, put in the place of x, leaves the total close to y",
        ),
        aside(exact.compare(alone[1] - 4, "<=", among[1] - 100, "√, γ = 1: up from 4 and 100")),
        aside(exact.compare(4 - alone[0], "<=", 100 - among[0], "√, γ = 1: down from 4 and 100")),
        condition="a person who works at one establishment",
    )


@claim(
    "webb2025/sec5.4.2-recenter",
    where="Section 5.4.2",
    says="A person's values are as hard to tell from any others in the establishment's intervals shifted by "
    "C^p − C^e as N(0,1) from N(μ,1); with kγ in place of γ, from N(kμ,1).",
)
def shifted_interval_is_closeness_of_the_totals() -> Verdict:
    """If the person's value p becomes q inside I(e) − e + p, the total becomes e + q − p inside I(e): close
    by the equivalence after Definition 5.2, so the datasets are neighbors. Inside the interval for kγ, ψ
    moves by at most kγ; cut this into k equal steps, each at most γ, through totals that exist because ψ is
    continuous, all attributes at once. k neighbor steps cost kμ.
    """
    low, high, e, p, q = z3.Reals("low high e p q")
    start, stop, gamma, k, j = z3.Reals("start stop gamma k j")
    step = (stop - start) / k
    return holds(
        solver.for_all(
            [low - e + p <= q, q <= high - e + p],
            z3.And(low <= e + q - p, e + q - p <= high),
            "the total lies in the interval around e",
        ),
        solver.for_all(
            [k >= 1, gamma >= 0, stop - start <= k * gamma, start - stop <= k * gamma],
            z3.And(step <= gamma, -step <= gamma, start + k * step == stop),
            "k equal steps of ψ, each at most γ, reach the end",
        ),
        solver.for_all(
            [k >= 1, j >= 0, j <= k, start >= 0, stop >= 0],
            start + j * step >= 0,
            "every total on the way is in the range of ψ (ψ(0) taken as 0)",
        ),
        condition="totals may take every nonnegative real value, and the person works at one establishment",
    )
