"""Statements that are false or undefined, written to mislead: what must come of each."""

from collections.abc import Callable
from typing import Any

import pytest

from establish import Evidence, RuleError, StatementError

REFUSALS = (StatementError, RuleError, TypeError, ArithmeticError)
"""What refuses a statement or an obligation, always with a reason."""


@pytest.fixture
def believed() -> Callable[[Callable[[], Evidence]], bool]:
    """Whether an attempt gives evidence that shows its statement; a refusal must say why."""

    def outcome(attempt: Callable[[], Any]) -> bool:
        try:
            found = attempt()
        except REFUSALS as refused:
            return not str(refused)  # a refusal without a reason is as bad
        return bool(found.established is True)

    return outcome
