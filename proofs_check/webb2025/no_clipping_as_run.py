"""Section 6.2: the pnc-mechanism as it runs, with the repairs that it needs."""

from __future__ import annotations

import z3

from establish.proofs_check.methods import solver
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Evidence, Verdict, holds
from establish.proofs_check.webb2025.no_clipping import clipped_values_stay_within
from establish.proofs_check.webb2025.psi_mechanism import (
    shifted_normals,
    sums_move_no_more_than_records,
)


def more_noise_costs_no_more() -> Evidence:
    """A shift of at most Δ is at most μ standard deviations s, when s ≥ Δ/μ."""
    shift, reach, mu, sd = z3.Reals("shift Delta mu s")
    return solver.for_all(
        [shift >= 0, shift <= reach, mu > 0, sd > 0, sd * mu >= reach],
        shift <= mu * sd,
        "noise of standard deviation Δ/μ or more",
    )


@claim(
    "webb2025/def-6.8-corrected",
    where="Section 6.2, Definition 6.8, as corrected",
    says="With max(ψ(0), ·) for max(0, ·), any bounds that are functions of released answers, and noise of "
    "standard deviation Δ/μ or more, the pnc-mechanism satisfies μ-GEDP for every neighbor function.",
)
def any_released_bounds_and_more_noise_are_private() -> Verdict:
    """The bounds are constants, since they come from answers with their own budget: whether they hold,
    or were rounded up, does not matter. One establishment changes, in one group; its clipped values differ
    by at most Δ, and so does the group's sum (Theorem 6.9). That is at most μ standard deviations.
    """
    return holds(
        *sums_move_no_more_than_records(),
        clipped_values_stay_within(own=False),
        *shifted_normals(),
        more_noise_costs_no_more(),
        condition="the bounds being given",
    )
