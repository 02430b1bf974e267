"""The least mean error over small counts: certificates show what is true, and nothing that was planted."""

from dataclasses import replace
from fractions import Fraction

import pytest

from establish.proofs_check.engine.rules import by_amounts
from establish.proofs_check.engine.rules.mean_errors import MeanCertificate, shown_by
from establish.proofs_check.engine.statements import NoSmallerMeanError, StatementError
from establish.proofs_check.limits.mean_errors import built, enclosed
from establish.spec.arithmetic import MP
from establish.spec.parameters import ParameterError

TENTH, TWO = Fraction(1, 10), Fraction(2)
SMALL = built(TENTH, TWO, 6)


def truncated_geometric(most: int) -> Fraction:
    """Its mean error over 0, …, N with outputs moved into 0, …, N, from masses that are added up: no
    mechanism has less up to 2/α workers (Ghosh, Roughgarden and Sundararajan 2012 for all losses).
    """
    q = MP.exp(-MP.number(2))
    total = MP.number(0)
    for n in range(most + 1):
        for o in range(-400, 400):
            moved = min(max(o, 0), most)
            total += abs(moved - n) * (1 - q) / (1 + q) * q ** abs(o - n)
    return Fraction(MP.mp.nstr(total / (most + 1), 30))


@pytest.mark.parametrize("most", [3, 6, 10])
def test_the_certificate_reaches_what_the_geometric_law_has(most):
    shown = shown_by(built(TENTH, TWO, most))
    assert shown is not None
    assert abs(shown - truncated_geometric(most)) < Fraction(1, 10**9)


def test_no_more_is_shown_than_there_is():
    shown = shown_by(SMALL)
    assert shown is not None
    assert by_amounts(NoSmallerMeanError("1/10", 2, 6, shown), SMALL).established is True
    more = NoSmallerMeanError("1/10", 2, 6, shown * Fraction(1001, 1000))
    assert by_amounts(more, SMALL).established is None


@pytest.mark.parametrize(
    "planted",
    [
        {**SMALL.amounts, (0, 0, 2): 1},  # 0 and 2 are no neighbors
        {**SMALL.amounts, (9, 0, 1): 1},  # no such output
        {**SMALL.amounts, (0, 0, 1): -1},
        {**SMALL.amounts, (0, 1, 1): 1},
    ],
)
def test_other_amounts_show_nothing(planted):
    assert shown_by(replace(SMALL, amounts=planted)) is None


def test_without_amounts_nothing_is_necessary():
    assert shown_by(MeanCertificate(TENTH, TWO, 6, {})) == 0


def test_a_certificate_is_of_its_parameters():
    for other in (
        NoSmallerMeanError("1/10", 2, 5, "1/100"),
        NoSmallerMeanError("1/10", 3, 6, "1/100"),
        NoSmallerMeanError("1/20", 2, 6, "1/100"),
    ):
        assert by_amounts(other, SMALL).established is None


def test_the_adversary_refutes_more_than_whole_staircase_has():
    found = enclosed(TENTH, TWO, 8)
    assert NoSmallerMeanError("1/10", 2, 8, found.lower).counterexample(10)[1] == ""
    assert NoSmallerMeanError("1/10", 2, 8, found.lower * Fraction(11, 10)).counterexample(10)[1]
    with pytest.raises(StatementError, match="a point gives low and high"):
        NoSmallerMeanError("1/10", 2, 8, found.lower).at({"low": 0})
    with pytest.raises(ParameterError, match="most = 0 is not allowed"):
        NoSmallerMeanError("1/10", 2, 0, found.lower)
