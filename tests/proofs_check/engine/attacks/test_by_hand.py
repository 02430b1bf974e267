"""What a check does by hand, or to what its claim says, settles nothing."""

from fractions import Fraction as F
from types import SimpleNamespace

import pytest

from establish import AtMost, Every, Integer, Real, StatementError, computed, exact, exhaustive, rules, solver
from establish.proofs_check.engine import register
from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.register import RegisterError, claim
from establish.proofs_check.engine.rules import RuleError, derived
from establish.proofs_check.engine.rules.rule import by_certificate, rule
from establish.proofs_check.engine.settlement import settle
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Grade,
    Outcome,
    UnsettledError,
    Verdict,
    fails,
    holds,
)

X = Real("x", least=0)
TRUE = AtMost(X, left=lambda c, x: -x, right=0)
FALSE = AtMost(X, left=F(1, 10**90), right=lambda c, x: (x * x - 2) ** 2)
"""It is false at √2 alone and next to it, where no adversary looks."""

CUBE = AtMost(X, left=lambda c, x: x * x * x - 3 * x * x, right=10**9)


def settled(check, *statements):
    return settle(check, Stated(statements)).verdict


def test_the_adversary_does_not_see_what_is_false_here():
    assert not FALSE.counterexample(120)[1]


@pytest.mark.parametrize("evidence", [(), (solver.proves(FALSE),)])
@pytest.mark.parametrize("outcome", [Outcome.HOLDS, Outcome.HOLDS_LOOSELY, Outcome.FAILS])
def test_a_verdict_that_is_made_by_hand_needs_evidence_all_the_same(outcome, evidence):
    assert settled(lambda: Verdict(outcome, evidence), FALSE).outcome is Outcome.UNSETTLED
    with pytest.raises(UnsettledError):
        Verdict(outcome, evidence)


def test_what_is_shown_is_neither_ill_posed_nor_a_misprint():
    shown = solver.proves(TRUE)
    for outcome in (Outcome.ILL_POSED, Outcome.MISPRINT):
        found = settled(lambda outcome=outcome: Verdict(outcome, (shown,), counterexample="x = 1"), TRUE)
        assert found.outcome is Outcome.UNSETTLED
        assert "the opposite" in found.condition


def test_what_is_shown_does_not_fail_and_what_is_refuted_does_not_hold():
    shown = settled(lambda: fails(solver.proves(TRUE), counterexample="x = 1"), TRUE)
    refuted = settled(lambda: holds(exact.refuted(CUBE, x=10**9)), CUBE)
    assert shown.outcome is refuted.outcome is Outcome.UNSETTLED
    assert "the opposite" in shown.condition
    assert "the opposite" in refuted.condition


def test_one_of_two_statements_may_fail():
    two = (TRUE, AtMost(X, left=lambda c, x: x, right=0))
    verdict = settled(lambda: fails(exact.refuted(two[1], x=1), counterexample="x = 1"), *two)
    assert verdict.outcome is Outcome.FAILS


BY_HAND = {
    "a rule that is named": lambda: derived(FALSE, [TRUE], [solver.proves(TRUE)], "chain"),
    "a certificate that was not checked": lambda: by_certificate(FALSE, True, "by_amounts"),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_only_a_rule_draws_its_conclusion(name):
    with pytest.raises(RuleError, match="only the rule itself"):
        BY_HAND[name]()


def test_a_rule_of_ones_own_is_none():
    def obvious(statement, *evidence):
        """It is clear."""

    with pytest.raises(RuleError, match="no rule of the engine"):
        rule(obvious)


class _Says(type(TRUE)):
    """A statement that says of itself that it is another one, and where it is defined."""

    __module__ = type(TRUE).__module__

    @property
    def sentence(self):
        return TRUE.sentence


@pytest.mark.parametrize("kind", [type(TRUE), Statement])
def test_no_method_is_given_a_kind_of_ones_own(kind):
    with pytest.raises(TypeError, match="no kind of statement of the engine"):
        type("Lies", (kind,), {"identity": FALSE.identity})


class _Believed(Evidence):
    """Evidence that does not look at its parts."""

    def __post_init__(self):
        pass


BELIEVED = _Believed(FALSE.text, True, Grade.PROOF, "solver", decides=FALSE.text, identity=FALSE.identity)
ALIKE = SimpleNamespace(**vars(BELIEVED))
"""What has all that evidence has."""


@pytest.mark.parametrize("piece", [BELIEVED, ALIKE])
def test_what_only_looks_like_evidence_is_none(piece):
    for attempt in (holds, lambda one: rules.chain(FALSE, (FALSE.right,), one)):
        with pytest.raises(TypeError, match="is not evidence"):
            attempt(piece)


class _Stands(Verdict):
    """A verdict that stands without evidence."""

    def __post_init__(self):
        pass


def test_what_only_looks_like_a_verdict_is_none():
    found = settle(lambda: _Stands(Outcome.HOLDS, (solver.proves(FALSE),)), Stated((FALSE,)))
    assert found.verdict.outcome is Outcome.UNSETTLED
    assert "not a Verdict" in found.verdict.condition


def test_a_kind_of_statement_is_one_of_the_engine(monkeypatch):
    monkeypatch.setattr(register, "_claims", {})
    mine = _Says(FALSE.domain, FALSE.left, FALSE.relation, FALSE.right)
    with pytest.raises(RegisterError, match="no kind of the engine"):
        claim("me/own", where="1", says="It is small.", states=mine)


CASES = [1, 2, 3, 9]
TABLE = [1, 2, 9]
LIMIT = 5


def _shorter():
    CASES.pop()
    return holds(exhaustive.each(LISTED, "the list"))


def _higher():
    global LIMIT
    LIMIT = 100
    return holds(exhaustive.each(LIMITED, "0 to 9"))


def _lower():
    TABLE[2] = 3
    return holds(exhaustive.proves(TABLED))


LISTED = Every("n", lambda: CASES, lambda n: n < 5)
LIMITED = Every("n", lambda: range(10), lambda n: n < LIMIT)
TABLED = AtMost(Integer("n", least=0, most=2), left=computed(lambda c, n: TABLE[n]), right=5)


@pytest.mark.parametrize(
    ("check", "statement"),
    [(_shorter, LISTED), (_higher, LIMITED), (_lower, TABLED)],
    ids=["a list", "a global", "a table"],
)
def test_a_check_does_not_change_what_its_claim_says(check, statement):
    verdict = settled(check, statement)
    assert verdict.outcome is Outcome.UNSETTLED
    assert "something else than before" in verdict.condition


NO_TRUTH = {
    "a pair": lambda n: (n < 5, "n is small"),
    "a text": lambda n: n < 5 or "n is large",
    "a generator": lambda n: (k < 5 for k in range(n)),
    "a method that is not called": lambda n: n.bit_length,
    "a number": lambda n: n - 20,
}


@pytest.mark.parametrize("name", NO_TRUTH)
def test_a_predicate_without_a_truth_value_is_not_true(name):
    statement = Every("n", lambda: range(1, 10), NO_TRUTH[name])
    with pytest.raises(StatementError, match="neither True nor False"):
        exhaustive.each(statement, "1 to 9")


@pytest.mark.parametrize("holds_at", [lambda n: 2 + 2 == 4, lambda n: all(k < 5 for k in range(5))])
def test_a_predicate_looks_at_its_case(holds_at):
    with pytest.raises(StatementError, match="never looks at its case"):
        Every("n", lambda: range(1, 10), holds_at)


@pytest.mark.parametrize("holds_at", [lambda n: hash(n) != 3, lambda n: id(n) % 7 != 9])
def test_a_predicate_says_the_same_in_every_process(holds_at):
    with pytest.raises(StatementError, match="says the same whenever"):
        Every("n", lambda: ("a", "b"), holds_at)
