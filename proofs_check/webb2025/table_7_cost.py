"""Table 7: what its five queries cost exactly, for one establishment and for a firm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy

from establish.proofs_check.methods import symbolic
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Verdict, aside, holds, holds_loosely
from establish.proofs_check.webb2025.firms import cauchy, root_of_a_group
from establish.proofs_check.webb2025.psi_mechanism import (
    shifted_normals,
    sums_move_no_more_than_records,
)
from establish.proofs_check.webb2025.rounding import root_rounds
from establish.proofs_check.webb2025.table_7 import ROWS, TOTAL, digits
from establish.spec.arithmetic import SYM, Number
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import root


def spent(
    groups: Mapping[str, Sequence[int]], before: Sequence[Number], after: Sequence[Number]
) -> Number:
    """The exact square of the cost of the √-mechanism's answers to some queries, of all 4 attributes.

    groups: the group of each establishment by query. Values are those of each attribute, as √ sees
    them: one unit of before − after is one distance γ.
    """
    costs = [
        PsiMechanism(root(), 1, mu).query_cost(of, before, after, SYM)
        for name, of in groups.items()
        for mu in ROWS[name].budgets
    ]
    return sum((cost**2 for cost in costs), sympy.Integer(0))


@claim(
    "webb2025/tab-7-cost",
    where="Table 7, caption, the exact cost",
    says="The five queries on four attributes, all answered by the √-mechanism, cost 2.3065…, and no "
    "less.",
)
def total_is_attained_by_an_establishment_alone_in_the_state() -> Verdict:
    """An establishment that is alone in each of its groups, the whole state too, and moves by γ in every
    attribute pays each answer's μ: the square is 133/25 exactly, and more is not possible (Theorem 6.5).
    Beside others the state and county answers cost less, towards nothing as their sums grow; one that is
    alone in its industry then pays √(2·1.4925 + 1.1025) = √4.0875 = 2.0218…
    """
    others = sympy.Symbol("S", positive=True)
    alone = spent({name: [0] for name in ROWS}, [4], [9])
    industry = spent({name: [0] for name in ("I", "N5", "CN5")}, [4], [9])
    beside = spent({name: [0, 0] for name in ("S", "C")}, [4, others], [9, others])
    return holds(
        *sums_move_no_more_than_records(),
        *shifted_normals(),
        symbolic.identity(alone, sympy.Rational(133, 25), "square of the cost, alone in the state"),
        root_rounds(TOTAL, "2.31", "μ"),
        aside(
            symbolic.identity(
                sympy.limit(beside, others, sympy.oo), sympy.Integer(0), "S and C beside S → ∞"
            )
        ),
        aside(
            symbolic.identity(industry, sympy.Rational(40875, 10000), "alone in the industry only")
        ),
        value=digits([mu for row in ROWS.values() for mu in row.budgets]),
    )


@claim(
    "webb2025/tab-7-firm",
    where="Table 7, caption, with Section 5.4.1",
    says="A firm of ℓ establishments pays ℓ·2.31 for the five queries under the √-mechanism.",
)
def a_firm_pays_the_root_of_its_size() -> Verdict:
    """√ℓ·√5.32 suffices: in each query Σℓ_g = ℓ (webb2025/thm-6.5-firm). Equal establishments that are the
    whole state attain it, wherever they are. If the queries but Q1 are answered by pnc, it is
    √(1.4925ℓ + 3.8275ℓ²) (webb2025/sec6.2-total-firm): for ℓ = 4, 8.20 in place of 4.61 and of 9.23.
    """
    spread = {
        "I": [0, 1, 2, 3],
        "S": [0] * 4,
        "N5": [0, 0, 1, 1],
        "C": [0] * 4,
        "CN5": [0, 0, 1, 1],
    }
    four = spent(spread, [4] * 4, [9] * 4)
    rest = TOTAL - ROWS["I"].square
    return holds_loosely(
        cauchy(),
        root_of_a_group(),
        *shifted_normals(),
        symbolic.identity(
            four, 4 * sympy.Rational(133, 25), "square of the cost of 4 in two industries"
        ),
        aside(root_rounds(4 * TOTAL, "4.61", "a firm of 4, √-mechanism")),
        aside(root_rounds(4 * ROWS["I"].square + 16 * rest, "8.20", "a firm of 4, pnc but for Q1")),
        aside(root_rounds(16 * TOTAL, "9.23", "a firm of 4 by group privacy")),
        value="√ℓ·2.3065… under the √-mechanism",
    )
