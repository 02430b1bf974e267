"""Polynomial statements over all real numbers, decided by z3 (nonlinear real arithmetic)."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from establish.proofs_check.engine.verdicts import Evidence, Grade

TIMEOUT_MS = 20_000
"""How long z3 may think about one statement before it counts as undecided."""


def for_all(assumptions: Sequence[z3.BoolRef], conclusion: z3.BoolRef, says: str) -> Evidence:
    """Evidence that the conclusion holds at every real point where the assumptions do.

    Proved when z3 finds the negation unsatisfiable. Refuted by a model, re-checked by substitution.
    Undecided on a time-out. Assumptions that contradict each other prove nothing: undecided.
    """
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*assumptions)
    if solver.check() != z3.sat:
        return Evidence(says, None, Grade.PROOF, "solver", "the assumptions are not satisfiable")
    solver.add(z3.Not(conclusion))
    answer = solver.check()
    if answer == z3.unsat:
        return Evidence(says, True, Grade.PROOF, "solver")
    if answer == z3.sat:
        model = solver.model()
        statement = z3.And(*assumptions, z3.Not(conclusion))
        if z3.is_true(z3.simplify(model.eval(statement, model_completion=True))):
            point = ", ".join(f"{d.name()} = {model[d]}" for d in model.decls())
            return Evidence(says, False, Grade.PROOF, "solver", point)
    return Evidence(says, None, Grade.PROOF, "solver")
