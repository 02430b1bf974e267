"""Integrals by the fundamental theorem of calculus."""

from typing import Any

import sympy

from establish.proofs_check.engine.methods.symbolic import symbol_of
from establish.proofs_check.engine.rules.calculus import formula_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, IntegralFromZero, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import SYM


def antiderivatives(statement: IntegralFromZero) -> tuple[Comparison, ...]:
    """What `antiderivative` owes: in every piece the closed form has the slope as its derivative; the pieces
    meet, and start in order; the first is 0 at 0; the slope is at least 0.
    """
    parameters, conditions = statement.domain.variables, statement.domain.conditions
    closed = [statement.first, *(formula for _, formula in statement.later)]
    starts: list[Formula] = [lambda c, *v: c.number(0), *(start for start, _ in statement.later)]

    def domain(*more: Any) -> Domain:
        return Domain((*parameters, *more), conditions)

    owed = [
        Comparison(domain(Real("x", above=0)), 0, "<=", statement.slope),
        Comparison(domain(), lambda c, *v: statement.first(c, *v, c.number(0)), "==", 0),
    ]
    anywhere = [sympy.Symbol(f"v{k}", real=True) for k in range(len(statement.variables))]
    for k, formula in enumerate(closed):
        if SYM.number(formula(SYM, *anywhere)).has(sympy.sign):
            raise RuleError(f"antiderivative: a sign is not continuous: {statement.text}")
        bounds = {"below": starts[k + 1]} if k + 1 < len(closed) else {}
        x = Real("x", above=starts[k], **bounds)
        symbols = [symbol_of(v) for v in (*parameters, Real("x", above=0))]
        slope = sympy.diff(SYM.number(formula(SYM, *symbols)), symbols[-1])
        owed.append(Comparison(domain(x), statement.slope, "==", formula_of(slope, symbols)))
        if k:
            owed.append(Comparison(domain(), starts[k - 1], "<=", starts[k]))
            owed.append(
                Comparison(
                    domain(),
                    lambda c, *v, f=closed[k - 1], s=starts[k]: f(c, *v, s(c, *v)),
                    "==",
                    lambda c, *v, f=formula, s=starts[k]: f(c, *v, s(c, *v)),
                )
            )
    return tuple(owed)


@rule
def antiderivative(statement: IntegralFromZero, *evidence: Evidence) -> Evidence:
    """The closed form is continuous: formulas of the worlds are, where they have values, and the pieces
    meet. Its derivative is the slope at all x > 0 but a few, so that its increase from e > 0 to x is the
    integral between them. The slope is at least 0; so as e → 0 these integrals tend to the one from 0, and
    the closed form at e to its value at 0, which is 0.
    """
    return derived(statement, antiderivatives(statement), evidence, "antiderivative")
