"""From one establishment to a firm of any length."""

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import (
    Comparison,
    Domain,
    EstablishmentPrivate,
    FirmPrivate,
    Real,
)
from establish.proofs_check.engine.verdicts import Evidence


def one_more_establishment(statement: FirmPrivate) -> tuple[EstablishmentPrivate, Comparison, Comparison]:
    """What `one_by_one` owes: the statement for one establishment, 1 ≤ times(1), and times(ℓ) + 1 ≤
    times(ℓ + 1).
    """
    times = statement.times
    first = Comparison(Domain(()), 1, "<=", lambda c: times(c, c.number(1)))
    further = Comparison(
        Domain((Real("ℓ", least=1),)), lambda c, n: times(c, n) + 1, "<=", lambda c, n: times(c, n + 1)
    )
    return statement.one, first, further


@rule
def one_by_one(statement: FirmPrivate, *evidence: Evidence) -> Evidence:
    """By induction on ℓ. Change the records one after another: each step is between datasets that differ in
    one record, by close values, so that Φ⁻¹ of the probability of an event rises by at most the level of one.
    The level is at least 0, by the inequalities for D, D' and for D', D together.
    """
    return derived(statement, one_more_establishment(statement), evidence, "one_by_one")
