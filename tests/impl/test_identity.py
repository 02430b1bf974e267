"""Mechanisms are equal when what defines them is, and print it."""

import pytest

from establish import LogLaplace, ProbablyNoClipping, PsiMechanism, TruncatedLaplace, mechanism
from establish.impl.cards import of_counts
from establish.impl.earnings.bins import percentages
from establish.impl.earnings.bins_or_gaps import BinsOrGaps
from establish.impl.microdata.neighbor_functions import Logarithm, Root

PAIRS = [
    (lambda: LogLaplace("1/10", 2), lambda: LogLaplace("1/10", 1)),
    (lambda: LogLaplace("1/10", 2), lambda: LogLaplace("1/10", 2, "published")),
    (lambda: TruncatedLaplace(1, 5), lambda: TruncatedLaplace(1, 5, "at-most")),
    (lambda: PsiMechanism(Root(), 1, 2), lambda: PsiMechanism(Root(1), 1, 2)),
    (lambda: PsiMechanism(Root(), 1, 2), lambda: PsiMechanism(Logarithm(1), 1, 2)),
    (lambda: ProbablyNoClipping(Root(), 1, 2), lambda: ProbablyNoClipping(Root(), 1, 2, remainder=True)),
    (lambda: BinsOrGaps(1, percentages([50])), lambda: BinsOrGaps(1, percentages([50]), cells_given=True)),
    (lambda: BinsOrGaps(1, percentages([50])), lambda: BinsOrGaps(1, percentages([25, 50]))),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_mechanisms_are_equal_when_all_that_defines_them_is(one, other):
    assert one() == one()
    assert hash(one()) == hash(one())
    assert one() != other()
    assert one() != "a mechanism"


def test_classes_of_the_same_parameters_are_different_mechanisms():
    alike = [name for name, card in of_counts().items() if {*card.takes} <= {"alpha", "epsilon"}]
    assert len({mechanism(name, alpha="1/10", epsilon=2) for name in alike}) == len(alike)


def test_a_mechanism_prints_its_parameters_and_shows_its_errors():
    made = LogLaplace("1/10", 2)
    assert repr(made) == "LogLaplace(alpha = 1/10, epsilon = 2; tight calibration)"
    assert "E|noisy − n| = " in made._repr_html_()
    assert "<pre" in made._repr_html_()
