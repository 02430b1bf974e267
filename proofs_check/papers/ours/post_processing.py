"""What protected counts cost after clamping, and after a monotone fit."""

from __future__ import annotations

from fractions import Fraction

import z3

from establish.proofs_check.engine.methods import exact, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, aside, holds
from establish.proofs_check.papers.ours.small_mechanisms import (
    CHANGE,
    PRESENCE,
    clamped_median,
    fitted_median,
    largest_ratio,
    private,
    protected_counts,
)


@claim(
    "establish/post-processing-loss",
    where="Post-processing of protected counts",
    says="Clamping protected counts, or fitting monotone cumulative counts, and reading percentiles off adds "
    "nothing to the privacy loss.",
)
def functions_of_protected_counts_cost_nothing() -> Verdict:
    """Both are functions f of the protected counts q only. If P(q) ≤ e^ε·P'(q) for every list q, then
    P(f = y) = Σ P(q) over the q with f(q) = y is at most e^ε·P'(f = y): the bound survives every sum of two
    terms, so every sum. On the small universe the exact laws of both medians are private at e^ε = 2, that of
    the counts, and at 4 when one individual's earnings change; of the counts themselves 2 is attained.
    """
    p, q, p2, q2, c = z3.Reals("p q p2 q2 c")
    return holds(
        solver.for_all(
            [p >= 0, q >= 0, p2 >= 0, q2 >= 0, c >= 1, p <= c * q, p2 <= c * q2],
            p + p2 <= c * (q + q2),
            "a bound for two lists of counts bounds their sum",
        ),
        exact.compare(
            largest_ratio(protected_counts, PRESENCE),
            "==",
            Fraction(2),
            "e^loss of the counts, exact",
        ),
        *(
            aside(private(mechanism, level, f"{name} median", relation))
            for name, mechanism in (("clamped", clamped_median), ("fitted", fitted_median))
            for level, relation in ((2, PRESENCE), (4, CHANGE))
        ),
        value="0 more",
        condition="the fit looks at nothing but the protected counts and public bins",
    )
