"""Grades are computed from what the evidence decides: no author writes one."""

from dataclasses import replace

import pytest

from establish import Evidence, Grade, Outcome, fails, holds, holds_loosely, ill_posed, misprint
from establish.proofs_check.engine.grades import Stated, graded
from establish.proofs_check.engine.methods import exact, solver
from establish.proofs_check.engine.settlement import Settlement, settle
from establish.proofs_check.engine.statements import AtMost, Equal, Real

SQUARE = AtMost(Real("x"), left=lambda c, x: 2 * x, right=lambda c, x: x * x + 1)
FALSE = AtMost(Real("x"), left=lambda c, x: 2 * x, right=lambda c, x: x * x)
MEANT = AtMost(Real("x", least=2), left=lambda c, x: 2 * x, right=lambda c, x: x * x)
LOOSE = Equal(left=lambda c: c.number(2) * 1, right=2)
PIECE = Evidence("a lemma", True, Grade.STEPS, "solver")


def test_a_claim_without_an_object_is_steps_at_most():
    found = graded(holds(PIECE), Stated())
    assert (found.statement, found.prose != "") == (Grade.STEPS, True)
    weaker = replace(PIECE, grade=Grade.STATISTICAL, scope="1e-9")
    assert graded(holds(weaker), Stated()).statement == Grade.STATISTICAL


def test_a_proof_of_the_object_itself_is_a_proof():
    assert graded(holds(solver.proves(SQUARE)), Stated((SQUARE,))).statement == Grade.PROOF


def test_a_proof_of_another_object_is_prose():
    found = graded(holds(solver.proves(SQUARE)), Stated((MEANT,)))
    assert found.statement == Grade.STEPS
    assert MEANT.text in found.prose


def test_all_parts_of_a_sentence_must_be_decided():
    both = Stated((SQUARE, MEANT))
    assert graded(holds(solver.proves(SQUARE)), both).statement == Grade.STEPS
    evidence = solver.proves(SQUARE), solver.proves(MEANT)
    assert graded(holds(*evidence), both).statement == Grade.PROOF


def test_a_refutation_is_a_point_of_the_printed_object():
    at_one = exact.refuted(FALSE, x=1)
    assert graded(fails(at_one, counterexample="x = 1"), Stated((FALSE,))).statement == Grade.PROOF
    assert graded(fails(PIECE, counterexample="x = 1"), Stated((FALSE,))).statement == Grade.STEPS
    assert graded(fails(at_one, counterexample="x = 1"), Stated((MEANT,))).statement == Grade.STEPS


def test_value_and_condition_have_grades_of_their_own():
    verdict = ill_posed(exact.refuted(FALSE, x=1), solver.proves(MEANT), condition="x ≥ 2")
    found = graded(verdict, Stated((FALSE,), meant=(MEANT,)))
    assert (found.statement, found.value, found.condition) == (Grade.PROOF, None, Grade.PROOF)
    assert graded(verdict, Stated((FALSE,))).condition == Grade.STEPS
    loose = holds_loosely(solver.proves(SQUARE), exact.decided(LOOSE), value="2")
    assert graded(loose, Stated((SQUARE,), tight=(LOOSE,))).value == Grade.PROOF
    assert graded(loose, Stated((SQUARE,))).value == Grade.STEPS


@pytest.mark.usefixtures("made_by_hand")
def test_evidence_of_a_refutation_does_not_show_the_statement():
    pretending = replace(exact.refuted(FALSE, x=1), refutes=True)
    assert graded(holds(pretending), Stated((FALSE,))).statement == Grade.STEPS


@pytest.mark.usefixtures("made_by_hand")
def test_the_adversary_unsettles_a_false_verdict_whatever_its_evidence_says():
    lie = Evidence(FALSE.text, True, Grade.PROOF, "solver", decides=FALSE.text)
    found = settle(lambda: holds(lie), Stated((FALSE,)))
    assert found.verdict.outcome is Outcome.UNSETTLED
    assert "the adversary refutes" in found.verdict.condition
    assert "x = 1" in found.verdict.condition


SHOWN = solver.proves(SQUARE)


@pytest.mark.parametrize(
    ("verdict", "printed"),
    [
        (holds(SHOWN), (MEANT,)),
        (holds(SHOWN), (SQUARE, MEANT)),
        (fails(SHOWN, counterexample="x = 1"), (FALSE,)),
        (ill_posed(SHOWN, condition="x ≥ 2", counterexample="x = 1"), (FALSE,)),
    ],
)
def test_an_object_that_no_evidence_decides_unsettles_its_claim(verdict, printed):
    found = settle(lambda: verdict, Stated(printed))
    assert (found.verdict.outcome, found.grades.statement) == (Outcome.UNSETTLED, None)
    assert settle(lambda: verdict).grades.statement == Grade.STEPS


@pytest.mark.parametrize("reading_is", [Outcome.HOLDS, Outcome.HOLDS_LOOSELY])
def test_the_adversary_meets_what_is_meant_as_well(reading_is):
    verdict = misprint(
        exact.refuted(FALSE, x=1), PIECE, reading="another", reading_is=reading_is, counterexample="x = 1"
    )
    found = settle(lambda: verdict, Stated((FALSE,), meant=(FALSE,)))
    assert found.verdict.outcome is Outcome.UNSETTLED


def test_what_was_searched_and_which_neighbor_was_found_is_kept():
    found = settle(lambda: holds(solver.proves(SQUARE)), Stated((SQUARE,)))
    (search,) = found.searches
    assert search.sees
    assert "simple points" in search.tried
    assert Settlement.from_json(found.to_json()) == found
