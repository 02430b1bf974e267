"""What a verdict rests on is named in full: the parties, the rules, and the kernel."""

import pytest

from establish import AtMost, Real, RuleError, aside, exact, holds, not_checkable, solver
from establish.proofs_check.engine import arguments
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.rules import RULES, chain, derived, links
from establish.proofs_check.engine.settlement import settle, settle_claim
from establish.proofs_check.engine.trust import METHODS, PARTIES, RULE, trusted
from establish.proofs_check.formal.accepted import FormalEntry

X = Real("x", least=0)
BOTH = AtMost(X, left=lambda c, x: x, right=lambda c, x: x + 2)
MIDDLE = (lambda c, x: x + 1,)
LOW, HIGH = links(BOTH, *MIDDLE)


def test_the_methods_are_those_of_the_parties_and_none_is_a_rule():
    assert set(METHODS.values()) <= set(PARTIES)
    assert not set(METHODS) & set(RULES)


def by_chain():
    return holds(chain(BOTH, MIDDLE, solver.proves(LOW), solver.proves(HIGH)))


def test_a_rule_and_the_methods_below_it_are_named():
    assert trusted(settle(by_chain), None) == ["reading", "Python", "prose", "z3", "Coq", "rule chain"]


def test_coq_is_trusted_for_rules_that_have_a_theorem_only(monkeypatch):
    monkeypatch.setattr(arguments, "theorems_of", lambda rule: None)
    assert "Coq" not in trusted(settle(by_chain), None)


def test_a_detail_beside_the_verdict_does_not_count():
    def check():
        return holds(exact.compare(1, "<", 2, "one"), aside(solver.proves(LOW)))

    assert trusted(settle(check), None) == ["reading", "Python", "prose"]


def test_a_kernel_takes_the_place_of_prose():
    def check():
        return holds(exact.compare(1, "<", 2, "one"))

    entry = FormalEntry("x/y", (), ("sentence",), "", "", "coqc 8.16.1", "2026-11-01")
    assert trusted(settle(check), entry) == ["reading", "Python", "Coq"]


def test_nothing_is_trusted_where_nothing_is_checked():
    assert trusted(settle(lambda: not_checkable("the data")), None) == []


def test_a_rule_whose_argument_nobody_can_read_derives_nothing():
    with pytest.raises(RuleError, match="by_magic is not a registered rule"):
        derived(LOW, [HIGH], [solver.proves(HIGH)], "by_magic")


def test_what_our_claims_rest_on_has_an_argument_that_can_be_read():
    mine = [entry for entry in claims().values() if entry.source == "schmutte2020_slides"]
    named = {party for entry in mine[::5] for party in trusted(settle_claim(entry), None)}
    assert {"reading", "Python"} <= named <= set(PARTIES) | {RULE + name for name in RULES}
