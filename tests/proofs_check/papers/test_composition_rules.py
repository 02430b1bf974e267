"""Every composition rule rests on claims that hold, and none on one that does not."""

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.verdicts import Outcome
from establish.spec.composition import RULES

TRUE = {Outcome.HOLDS, Outcome.HOLDS_LOOSELY}
RESTS_ON = sorted({claim for rule in RULES.values() for claim in rule.rests_on})
INSTEAD_OF = sorted({claim for rule in RULES.values() for claim in rule.instead_of})


@pytest.mark.parametrize("claim", RESTS_ON)
def test_what_a_rule_rests_on_holds(claim):
    assert ledger.recorded()[claim].verdict in TRUE


@pytest.mark.parametrize("claim", INSTEAD_OF)
def test_what_a_rule_does_not_use_does_not_hold_as_printed(claim):
    assert ledger.recorded()[claim].verdict not in TRUE


def test_every_rule_rests_on_something():
    assert all(rule.rests_on for rule in RULES.values())
