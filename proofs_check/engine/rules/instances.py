"""A statement from others at chosen values of their variables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from establish.proofs_check.engine.methods.reading import Reading, relation
from establish.proofs_check.engine.methods.solver import domain_of, entailed
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Formula
from establish.proofs_check.engine.verdicts import Evidence

Instance = tuple[Comparison, Mapping[str, Formula]]
"""A statement, and a formula for the value of each of its variables."""


def _instance(general: Comparison, values: Mapping[str, Formula], c: Reading, terms: Any) -> Any:
    """The general statement at its values: where they lie in its domain, its conclusion is true."""
    variables = general.domain.variables
    if set(values) != set(general.domain.names):
        raise RuleError(f"instances: give a value to each of {', '.join(general.domain.names)}")
    if any(variable.field != "ℝ" for variable in variables):
        raise RuleError("instances: the general statement must be about real numbers")
    inner = [c.number(values[name](c, *terms)) for name in general.domain.names]
    inside = [z3.BoolVal(True)]
    for place, variable in enumerate(variables):
        for bound, word in (
            (variable.low, ">" if variable.low_open else ">="),
            (variable.high, "<" if variable.high_open else "<="),
        ):
            if bound is not None:
                end = bound(c, *inner[:place]) if callable(bound) else Fraction(bound)
                inside.append(relation(inner[place], word, end, c))
    for k in general.domain.conditions:
        inside.append(relation(k.left(c, *inner), k.relation, k.right(c, *inner), c))
    sides = general.left(c, *inner), general.right(c, *inner)
    return z3.Implies(z3.And(*inside), relation(sides[0], general.relation, sides[1], c))


@rule
def instances(
    statement: Comparison,
    general: Sequence[Instance],
    *evidence: Evidence,
    hints: Sequence[Formula] = (),
    order: bool = True,
) -> Evidence:
    """What is true of all points of a domain is true at the values given, wherever these lie in that domain:
    the solver is told so, and decides that the statement follows at every point of its own domain, read over
    the reals. The general statements are owed. As for `solver.proves`, the domain of the statement holds a
    point, and hints are further terms of which the solver is told the same; without ``order`` it is not
    told that functions increase.
    """
    c = Reading()
    bounds, terms = domain_of(statement, c)
    told = [_instance(one, values, c, terms) for one, values in general]
    for hint in hints:
        hint(c, *terms)
    sides = statement.left(c, *terms), statement.right(c, *terms)
    conclusion = relation(sides[0], statement.relation, sides[1], c)
    found = entailed(bounds, conclusion, statement.text, [*told, *c.facts(order=order)])
    given = {f"{i} {name}": v[name] for i, (one, v) in enumerate(general) for name in one.domain.names}
    result = derived(statement, [one for one, _ in general], evidence, "instances + solver", given=given)
    if found.established:
        return result
    return replace(result, established=None, witness=f"the solver does not derive {statement.text}")
