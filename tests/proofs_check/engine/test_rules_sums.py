"""Sums under a constraint on another sum: what its price shows."""

from dataclasses import replace

import pytest

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules import RuleError, at_a_price, priced, term_by_term
from establish.proofs_check.engine.statements import AtMost, EverySum, Real, StatementError


def squares(under):
    """Σ 2ab ≤ Σ 2b²: true of families with Σ a² ≤ Σ b², not of every term of them."""
    return EverySum(
        AtMost(
            Real("m", least=1),
            Real("a", least=0),
            Real("b", least=0),
            left=lambda c, m, a, b: 2 * m * a * b,
            right=lambda c, m, a, b: 2 * m * b * b,
        ),
        shared=["m"],
        under=under,
    )


SMALLER = (lambda c, m, a, b: a * a, lambda c, m, a, b: b * b)


def test_a_constraint_on_one_sum_has_a_price_in_the_other():
    statement = squares(SMALLER)
    assert not statement.search().refuted
    assert not term_by_term(statement, solver.proves(statement.term)).established
    owed = priced(statement, lambda c, m: m)
    assert at_a_price(statement, lambda c, m: m, *map(solver.proves, owed)).established
    assert statement.at({"m": 1, "terms": [(1, 2), (2, 1)]}).value
    with pytest.raises(StatementError, match="outside the domain"):
        statement.at({"m": 1, "terms": [(3, 2), (2, 1)]})
    assert squares(None).search().refuted


@pytest.mark.parametrize("price", [lambda c, m: m / 2, lambda c, m: -m, lambda c, m: 2 * m])
def test_a_price_that_is_too_low_or_too_high_is_not_enough(price):
    statement = squares(SMALLER)
    owed = [solver.proves(one) for one in priced(statement, price)]
    assert not at_a_price(statement, price, *owed).established


def test_a_negative_price_is_not_enough_where_every_term_would_do():
    statement = squares(tuple(reversed(SMALLER)))
    owed = [solver.proves(one) for one in priced(statement, lambda c, m: -m)]
    assert owed[0].established
    assert statement.search().refuted
    assert not at_a_price(statement, lambda c, m: -m, *owed).established


@pytest.mark.parametrize("under", [None, SMALLER])
def test_a_price_is_of_a_constraint_and_an_inequality(under):
    statement = squares(under)
    if under:
        statement = replace(statement, term=replace(statement.term, relation="=="))
    with pytest.raises(RuleError, match="needs ≤ under a constraint"):
        at_a_price(statement, lambda c, m: m)
