"""What protected counts cost after clamping, and after a monotone fit."""

from fractions import Fraction

from establish import Equal, Real, Verdict, aside, claim, exact, holds, symbolic
from establish.proofs_check.engine.rules import settled
from establish.proofs_check.engine.statements import Together
from establish.proofs_check.papers.ours.small_mechanisms import (
    CHANGE,
    PRESENCE,
    clamped_median,
    fitted_median,
    largest_ratio,
    private,
    protected_counts,
)

COSTS_NOTHING = Together("function", level=lambda c, first, *_: first)
"""A function of protected counts, clamping or a fit among them, is as private as they are."""

REACHED = Equal(
    Real("c", least=1),
    left=lambda c, level: (level / (1 + level)) / (1 / (1 + level)),
    right=lambda c, level: level,
)
"""A function that changes nothing loses as much: answers with c/(1+c) and 1/(1+c)."""


@claim(
    "establish/post-processing-loss",
    where="Post-processing of protected counts",
    states=COSTS_NOTHING,
    tight=REACHED,
    says="Clamping protected counts, or fitting monotone cumulative counts, and reading percentiles off adds "
    "nothing to the privacy loss.",
)
def functions_of_protected_counts_cost_nothing() -> Verdict:
    """Both are functions f of the protected counts q only. If P(q) ≤ e^ε·P'(q) for every list q, then
    P(f = y) = Σ P(q) over the q with f(q) = y is at most e^ε·P'(f = y): the bound survives every sum of
    two terms, so every sum. On the small universe the exact laws of both medians are private at e^ε =
    2, that of the counts, and at 4 when one individual's earnings change; of the counts themselves 2 is
    attained.
    """
    return holds(
        settled(COSTS_NOTHING),
        symbolic.proves(REACHED),
        exact.compare(
            largest_ratio(protected_counts, PRESENCE), "==", Fraction(2), "e^loss of the counts, exact"
        ),
        *(
            aside(private(mechanism, level, f"{name} median", relation))
            for name, mechanism in (("clamped", clamped_median), ("fitted", fitted_median))
            for level, relation in ((2, PRESENCE), (4, CHANGE))
        ),
        value="0 more",
        condition="the fit looks at nothing but the protected counts and public bins",
    )
