"""Words beside evidence count for nothing: what the engine makes decides, and a record alone is formal."""

from dataclasses import replace

import pytest

from establish import AtMost, Evidence, Grade, Real, aside, exact, holds, holds_loosely, solver
from establish.proofs_check.engine.grades import Stated, graded

SMALL = AtMost(Real("x", least=0, most=1), left=lambda c, x: x, right=2)
TIGHT = AtMost(Real("x", least=0, most=1), left=lambda c, x: 2 * x, right=2)


@pytest.mark.parametrize(
    "given",
    [
        {"grade": Grade.PROOF},
        {"grade": Grade.PROOF, "decides": SMALL.text},
        {"grade": Grade.ENCLOSURE, "decides": SMALL.text},
        {"grade": Grade.STATISTICAL, "scope": "1e-9", "decides": SMALL.text},
        {"grade": Grade.STEPS, "decides": SMALL.text, "refutes": True},
        {"grade": Grade.FORMAL},
        {"grade": Grade.FORMAL, "decides": SMALL.text},
    ],
)
def test_evidence_that_is_made_by_hand_decides_nothing(given):
    with pytest.raises(TypeError, match=r"made by hand|no evidence is formal"):
        Evidence("it is so", True, method="solver", **given)


@pytest.mark.parametrize(
    "changes", [{"decides": TIGHT.text}, {"grade": Grade.PROOF}, {"established": True}, {"refutes": True}]
)
def test_evidence_of_a_method_is_not_made_into_another(changes):
    with pytest.raises(TypeError, match="made by hand"):
        replace(solver.proves(SMALL), **changes)


def test_a_detail_beside_a_verdict_stays_what_it_is():
    assert aside(solver.proves(SMALL)).decides == SMALL.text


def test_steps_that_are_made_by_hand_are_steps():
    piece = Evidence("as everybody knows", True, Grade.STEPS, "prose")
    assert graded(holds(piece), Stated((SMALL,))).statement == Grade.STEPS


@pytest.mark.parametrize(
    ("value", "grade"),
    [("2", Grade.PROOF), ("1/7", Grade.STEPS), ("2 at most, 0.25 on average", Grade.STEPS)],
)
def test_a_number_that_the_tight_object_does_not_have_is_graded_as_typed(value, grade):
    verdict = holds_loosely(solver.proves(SMALL), solver.proves(TIGHT), value=value)
    assert graded(verdict, Stated((SMALL,), tight=(TIGHT,))).value == grade


SHARE = AtMost(Real("x", least=0, most=1), left=lambda c, x: x / 3, right=lambda c, x: c.number(1) / 3)


@pytest.mark.parametrize(
    ("value", "told"),
    [("1/3", True), ("0.333", True), ("at most 0.3333", True), ("0.334", False), ("33", False)],
)
def test_a_decimal_is_told_by_the_fraction_that_it_rounds(value, told):
    verdict = holds_loosely(solver.proves(SMALL), solver.proves(SHARE), value=value)
    found = graded(verdict, Stated((SMALL,), tight=(SHARE,))).value
    assert found == (Grade.PROOF if told else Grade.STEPS)


def test_a_refutation_is_not_made_from_a_proof():
    false = AtMost(Real("x", least=0), left=lambda c, x: x, right=2)
    found = exact.refuted(false, x=3)
    assert (found.established, found.decides) == (True, false.text)
    with pytest.raises(TypeError, match="made by hand"):
        replace(found, says="false at x = 1")
