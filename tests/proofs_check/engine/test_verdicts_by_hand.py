"""Words beside evidence count for nothing: what the engine makes decides, and a record alone is formal."""

from dataclasses import replace
from itertools import product

import pytest

from establish import AtMost, Evidence, Grade, Real, aside, exact, holds, solver
from establish.proofs_check.engine.grades import Stated, graded

SMALL = AtMost(Real("x", least=0, most=1), left=lambda c, x: x, right=2)
TIGHT = AtMost(Real("x", least=0, most=1), left=lambda c, x: 2 * x, right=2)


@pytest.mark.parametrize(
    "given",
    [
        {"grade": Grade.PROOF},
        {"grade": Grade.FORMAL},
        {"grade": Grade.STEPS, "decides": SMALL.text, "refutes": True},
        *(
            {"grade": grade, "scope": "all", "decides": SMALL.text, "identity": identity}
            for grade, identity in product(Grade, ("", SMALL.identity))
        ),
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


def test_a_refutation_is_not_made_from_a_proof():
    false = AtMost(Real("x", least=0), left=lambda c, x: x, right=2)
    found = exact.refuted(false, x=3)
    assert (found.established, found.decides) == (True, false.text)
    with pytest.raises(TypeError, match="made by hand"):
        replace(found, says="false at x = 1")
