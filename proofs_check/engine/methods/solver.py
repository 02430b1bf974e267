"""Polynomial statements over all real numbers, decided by z3 (nonlinear real arithmetic)."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import z3

from establish.proofs_check.engine.methods.definedness import where_defined
from establish.proofs_check.engine.methods.reading import Reading, relation
from establish.proofs_check.engine.statements.comparison import MAKERS, Comparison
from establish.proofs_check.engine.statements.statement import Formula, require
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made

EFFORT = 30_000_000
"""How many steps z3 may take for one statement before it counts as undecided: the same on every machine."""


def for_all(assumptions: Sequence[z3.BoolRef], conclusion: z3.BoolRef, says: str) -> Evidence:
    """Evidence that the conclusion holds at every real point where the assumptions do.

    Proved when z3 finds the negation unsatisfiable. Refuted by a model, re-checked by substitution.
    Undecided on a time-out. Assumptions that contradict each other prove nothing, and neither does one
    that is the conclusion itself: undecided.
    """
    if _solver(assumptions)[0].check() != z3.sat:
        return Evidence(says, None, Grade.PROOF, "solver", "the assumptions are not satisfiable")
    return entailed(assumptions, conclusion, says)


def _solver(assumptions: Sequence[z3.BoolRef]) -> tuple[z3.Solver, z3.BoolRef]:
    """A solver of these assumptions, and all of them together as it has them.

    Each has a context of its own: how z3 searches depends on the numbers that it has given to terms, which
    in a common one are those of all questions that were asked before.
    """
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", EFFORT)
    own = [one.translate(context) for one in assumptions]
    solver.add(*own)
    return solver, z3.And(*own, context)


def entailed(
    assumptions: Sequence[z3.BoolRef], conclusion: z3.BoolRef, says: str, told: Sequence[z3.BoolRef] = ()
) -> Evidence:
    """What the solver finds for assumptions that are known to be satisfiable, none of which may be the
    conclusion itself. told: what is known beside them, such as instances that were shown.
    """
    if any(z3.eq(one, conclusion) for one in assumptions):
        return Evidence(says, None, Grade.PROOF, "solver", "one assumption is the conclusion")
    return _searched([*assumptions, *told], conclusion, says)


def _searched(assumptions: Sequence[z3.BoolRef], conclusion: z3.BoolRef, says: str) -> Evidence:
    solver, statement = _solver([*assumptions, z3.Not(conclusion)])
    answer = solver.check()
    if answer == z3.unsat:
        return Evidence(says, True, Grade.PROOF, "solver")
    if answer == z3.sat:
        model = solver.model()
        if z3.is_true(z3.simplify(model.eval(statement, model_completion=True))):
            point = ", ".join(f"{d.name()} = {model[d]}" for d in model.decls())
            return Evidence(says, False, Grade.PROOF, "solver", point)
    return Evidence(says, None, Grade.PROOF, "solver")


def domain_of(statement: Comparison, c: Reading) -> tuple[list[z3.BoolRef], list[z3.ArithRef]]:
    """The bounds and side conditions of a statement's domain, and its variables, all over the reals."""
    domain, bounds = statement.domain, list[z3.BoolRef]()
    terms = [z3.Real(variable.name) for variable in domain.variables]
    for place, variable in enumerate(domain.variables):
        for bound, word in variable.limits:
            end = bound(c, *terms[:place]) if callable(bound) else Fraction(bound)
            bounds.append(relation(terms[place], word, end, c))
    for k in domain.conditions:
        bounds.append(relation(k.left(c, *terms), k.relation, k.right(c, *terms), c))
    return bounds, terms


def owed(statement: Comparison) -> Evidence:
    """Evidence for a condition that a rule owes, such as a sign, which the domain itself may state."""
    c = Reading()
    bounds, terms = domain_of(statement, c)
    sides = statement.left(c, *terms), statement.right(c, *terms)
    conclusion = relation(sides[0], statement.relation, sides[1], c)
    found = _searched([*bounds, *c.facts()], conclusion, statement.text)
    found = where_defined(replace(found, established=found.established or None), statement)
    return replace(found, decides=statement.text, identity=statement.identity, made=Made(statement))


def proves(statement: Comparison, *hints: Formula) -> Evidence:
    """Evidence for a statement over its whole domain, integers and rationals read as reals, which shows
    more.

    The domain is known to hold a point, and what is told of functions is true, so that the assumptions
    do not contradict each other. The solver reads the formulas of the object and its domain, nothing
    else; `Reading` says what it is told of functions that are not polynomial. Such a statement is shown
    or left undecided, never refuted. hints: further terms, such as a logarithm in the middle of a
    chain, of which it is told the same. Raises TypeError, naming the function, for one of which it is
    told nothing.
    """
    require(statement, Comparison, MAKERS)
    c = Reading()
    bounds, terms = domain_of(statement, c)
    for hint in hints:
        hint(c, *terms)
    sides = statement.left(c, *terms), statement.right(c, *terms)
    conclusion = relation(sides[0], statement.relation, sides[1], c)
    found = entailed([*bounds, *c.facts()], conclusion, statement.text)
    if found.established is False and c.opaque:
        found = replace(found, established=None, witness="")
    found = where_defined(found, statement)
    return replace(found, decides=statement.text, identity=statement.identity, made=Made(statement))


def shows(statement: Comparison, *hints: Formula) -> Evidence:
    """Evidence for what a rule owes: by the domain itself where that is enough (`owed`), or as `proves`."""
    found = owed(statement)
    return found if found.established else proves(statement, *hints)
