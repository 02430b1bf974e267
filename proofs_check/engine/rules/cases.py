"""A statement from its cases, when the solver shows that they cover the domain."""

from collections.abc import Sequence

import z3

from establish.proofs_check.engine.methods.reading import Reading, relation
from establish.proofs_check.engine.methods.solver import EFFORT, domain_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Condition
from establish.proofs_check.engine.verdicts import Evidence


@rule
def cover(statement: Comparison, cases: Sequence[Sequence[Condition]], *evidence: Evidence) -> Evidence:
    """If at every point of the domain the conditions of some case are met, the statement follows from its
    restrictions to the cases. The solver decides that the cases cover the domain, over the reals.
    """
    if not cases:
        raise RuleError("cover: name at least one case")
    c = Reading()
    bounds, terms = domain_of(statement, c)

    def met(case: Sequence[Condition]) -> z3.BoolRef:
        sides = [(k.left(c, *terms), k.relation, k.right(c, *terms)) for k in case]
        return z3.And(*(relation(*side, c) for side in sides))

    solver = z3.Solver()
    solver.set("rlimit", EFFORT)
    left_out = z3.Not(z3.Or(*(met(case) for case in cases)))
    solver.add(*bounds, left_out, *c.facts())
    answer = solver.check()
    if answer != z3.unsat:
        where = f" at {solver.model()}" if answer == z3.sat else ""
        raise RuleError(f"cover: the cases leave out part of the domain{where}: {statement.text}")
    return derived(statement, [statement.where(*case) for case in cases], evidence, "cover")
