"""A verdict is never stronger than the evidence that it was built from."""

import pytest

from establish import AtMost, Real, exact
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Grade,
    Outcome,
    UnsettledError,
    Verdict,
    fails,
    holds,
    holds_loosely,
    ill_posed,
    misprint,
    not_checkable,
)

pytestmark = pytest.mark.usefixtures("made_by_hand")


def piece(established: bool | None, grade: Grade = Grade.PROOF, method: str = "sum") -> Evidence:
    scope = "" if grade in (Grade.PROOF, Grade.ENCLOSURE) else f"{grade} scope"
    return Evidence("1 < 2", established, grade, method, witness="x = 1", scope=scope)


BUILDERS = {
    Outcome.HOLDS: lambda *e: holds(*e),
    Outcome.HOLDS_LOOSELY: lambda *e: holds_loosely(*e, value="1"),
    Outcome.FAILS: lambda *e: fails(*e, counterexample="2 > 1"),
    Outcome.ILL_POSED: lambda *e: ill_posed(*e, condition="x > 0"),
    Outcome.MISPRINT: lambda *e: misprint(
        *e, reading="≤ for <", reading_is=Outcome.HOLDS, counterexample="1 = 1"
    ),
}
every_builder = pytest.mark.parametrize("outcome", BUILDERS)


@every_builder
def test_established_evidence_gives_the_verdict(outcome):
    assert BUILDERS[outcome](piece(True)).outcome is outcome


@every_builder
@pytest.mark.parametrize(("state", "word"), [(False, "refuted"), (None, "not decided")])
def test_one_refuted_or_undecided_piece_unsettles_the_claim(outcome, state, word):
    for pieces in ([piece(state)], [piece(True), piece(state)], [piece(state), piece(True)]):
        with pytest.raises(UnsettledError, match=f"{word} at x = 1 \\(sum\\): 1 < 2"):
            BUILDERS[outcome](*pieces)


def test_a_counterexample_that_is_none_is_told_as_a_point_where_the_statement_is_true():
    statement = AtMost(Real("x", least=0), left=lambda c, x: -x, right=1)
    with pytest.raises(UnsettledError) as none:
        fails(exact.refuted(statement, x=2), counterexample="x = 2")
    assert str(none.value) == f"true at x = 2: -2 < 1 (exact arithmetic): {statement.text}"


@every_builder
def test_no_verdict_without_evidence(outcome):
    with pytest.raises(UnsettledError, match=f"no evidence was given for {outcome}"):
        BUILDERS[outcome]()


def test_what_is_truthy_but_not_true_does_not_establish():
    with pytest.raises(UnsettledError):
        holds(Evidence("1 < 2", 1, Grade.STEPS, "sum"))


@pytest.mark.parametrize("weaker", [*Grade][1:])
@pytest.mark.parametrize("stronger", [*Grade][1:])
def test_the_weakest_grade_wins_in_any_order(stronger, weaker):
    # strongest first, by definition
    order = ["proof", "steps", "enclosure", "exhaustive", "statistical"]
    weakest = max(stronger, weaker, key=order.index)
    assert holds(piece(True, stronger), piece(True, weaker)).grade is weakest
    assert holds(piece(True, weaker), piece(True, stronger)).grade is weakest


@pytest.mark.parametrize("grade", [Grade.EXHAUSTIVE, Grade.STATISTICAL])
def test_bounded_evidence_must_state_its_scope(grade):
    with pytest.raises(ValueError, match="must state its scope"):
        Evidence("1 < 2", True, grade, "count")


@pytest.mark.parametrize("grade", [Grade.STEPS, Grade.ENCLOSURE])
def test_unbounded_evidence_needs_no_scope(grade):
    assert Evidence("1 < 2", True, grade, "count").scope == ""


def test_the_condition_repeats_every_scope_once():
    verdict = holds(piece(True, Grade.EXHAUSTIVE), piece(True, Grade.EXHAUSTIVE), condition="n > 0")
    assert verdict.condition == "n > 0; exhaustive scope"


def test_methods_are_named_once_in_order():
    pieces = [piece(True, method=name) for name in ("solver", "enclosure", "solver")]
    assert holds(*pieces).method == "solver + enclosure"


def test_a_misprint_names_the_reading_that_is_meant_and_its_verdict():
    assert BUILDERS[Outcome.MISPRINT](piece(True)).condition == "read: ≤ for < (holds)"


def test_not_checkable_has_no_grade():
    verdict = not_checkable("the confidential data")
    assert verdict == Verdict(Outcome.NOT_CHECKABLE, (), condition="the confidential data")
    assert verdict.grade is None
