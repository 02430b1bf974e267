"""Statements of order, and largest values: a constant that is enough, or points at which none is."""

from collections.abc import Mapping
from dataclasses import replace

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.rules.substitution import within
from establish.proofs_check.engine.statements import Comparison, Formula, Integer, Maximum, OfOrder
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.verdicts import Evidence


@rule
def with_constant(statement: OfOrder, constant: Formula, *evidence: Evidence) -> Evidence:
    """The inequality with one constant, at every point of the domain, is what the statement asks for."""
    return derived(statement, [statement.by(constant)], evidence, "with_constant")


def exceeding(statement: OfOrder, path: Mapping[str, Formula]) -> tuple[Comparison, ...]:
    """What `no_constant` owes: for every whole C ≥ 1 the point of the path lies in the domain, right is at
    least 0 there, and left exceeds C times right.

    Raises RuleError where a variable of the statement is whole or rational and the path is not.
    """
    general = statement.bounded
    inner = [path[name] for name in general.domain.names]

    def at(formula: Formula) -> Formula:
        return lambda c, constant: formula(c, *(g(c, constant) for g in inner))

    right = at(general.right)
    domain = Domain((Integer("C", least=1),))
    larger = Comparison(domain, lambda c, k: k * right(c, k), "<", at(general.left))
    signed = replace(larger, left=0, relation="<=", right=right)
    return (larger, signed, *within(larger, general, inner))


@rule
def no_constant(statement: OfOrder, path: Mapping[str, Formula], *evidence: Evidence) -> Evidence:
    """Let K be any constant, and C ≥ 1 a whole number of at least K. At the point of the path for C, left
    exceeds C times right, which is at least K times right, as right is at least 0 there (owed): so K is not
    enough. This refutes the statement.
    """
    found = derived(statement, exceeding(statement, path), evidence, "no_constant")
    return replace(found, says=f"no constant is enough: {statement.text}", refutes=True)


def rising(statement: Maximum, following: Formula) -> tuple[Comparison, ...]:
    """What `no_maximum` owes: the formula is larger at ``following``, which lies in the domain.

    Raises RuleError where the last variable is whole or rational, and ``following`` is not.
    """
    shape = statement.shape
    inner: list[Formula] = [
        lambda c, *v, place=place: v[place] for place in range(len(shape.domain.variables) - 1)
    ]
    inner.append(following)
    right = shape.right
    larger = replace(shape, left=right, relation="<", right=lambda c, *v: right(c, *v[:-1], following(c, *v)))
    return (larger, *within(larger, shape, inner))


@rule
def no_maximum(statement: Maximum, following: Formula, *evidence: Evidence) -> Evidence:
    """If the formula is larger at another value of the variable than at any given one, no value is the
    largest, as there is a value (the domain is not empty). This refutes the statement.
    """
    found = derived(statement, rising(statement, following), evidence, "no_maximum")
    return replace(found, says=f"there is no largest value: {statement.text}", refutes=True)
