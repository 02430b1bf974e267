"""Inequalities between sums: term by term, and under a constraint on another sum."""

from dataclasses import replace

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Formula, Sums
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import Number, World


@rule
def term_by_term(statement: Sums, *evidence: Evidence) -> Evidence:
    """Inequalities, and equations, may be added: what is true of every term is true of the sums,
    whatever their number is, by induction on it.
    """
    return derived(statement, [statement.term], evidence, "term_by_term")


def priced(statement: Sums, price: Formula) -> tuple[Comparison, Comparison]:
    """What `at_a_price` owes: every term with what it costs, and a price of at least 0.

    price: of the world and the shared variables.
    """
    if statement.under is None or statement.term.relation != "<=":
        raise RuleError(f"at_a_price: needs ≤ under a constraint, not {statement.text}")
    term, shared, (first, second) = statement.term, statement.shared, statement.under

    def of(c: World, *x: Number) -> Number:
        return price(c, *x[:shared])

    def dearer(c: World, *x: Number) -> Number:
        return term.left(c, *x) + of(c, *x) * (second(c, *x) - first(c, *x))

    return replace(term, left=dearer), replace(term, left=0, right=of)


@rule
def at_a_price(statement: Sums, price: Formula, *evidence: Evidence) -> Evidence:
    """If left + p·(b − a) ≤ right for every term, with one p ≥ 0 for all of them, then Σ left ≤ Σ right −
    p·(Σ b − Σ a), whatever the number of terms is. That is at most Σ right where Σ a ≤ Σ b.
    """
    return derived(statement, priced(statement, price), evidence, "at_a_price")
