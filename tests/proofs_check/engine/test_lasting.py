"""A formula, or a law, that may answer otherwise the next time is refused: it could prove anything."""

import itertools
import types
from fractions import Fraction
from functools import partial

import pytest

from establish import AtMost, AuditError, Real, StatementError, dp
from establish.proofs_check.audit.white.white_box import certify
from establish.proofs_check.engine.statements.lasting import what_varies
from establish.spec.distributions.laplace import Laplace

calls = 0
ASKED = [0]
TABLE = {1: 2}
FIXED = types.MappingProxyType(TABLE)
NUMBERS = itertools.count()


def counting(c, x):
    global calls
    calls += 1
    return x if calls == 2 else 0


def by_item(c, x):
    ASKED[0] += 1
    return x


def by_method(c, x):
    ASKED.append(x)
    return x


def by_another_name(c, x):
    asked = ASKED
    asked += [x]
    return x


def by_attribute(c, x):
    by_attribute.calls = x
    return x


def by_default(c, x, seen=[]):  # noqa: B006  # the fault that is planted
    seen.append(x)
    return x


def by_a_helper(c, x):
    return counting(c, x)


def by_a_function_within(c, x):
    def change():
        TABLE.update({1: x})

    change()
    return x


def by_drawing(c, x):
    return next(NUMBERS)


def by_globals(c, x):
    globals()["calls"] = x
    return x


def kept(seen, c, x):
    seen[0] = x
    return x


def enclosed():
    asked = 0

    def formula(c, x):
        nonlocal asked
        asked += 1
        return x

    return formula


CHANGING = {
    counting: "changes calls",
    by_item: "ASKED, which by_item may change",
    by_method: "ASKED, which by_method may change by append",
    by_another_name: "ASKED, which by_another_name may change",
    by_attribute: "changes calls",
    by_default: "which by_default may change by append",
    by_a_helper: "changes calls",
    by_a_function_within: "TABLE, which by_a_function_within may change by update",
    by_drawing: "draws from NUMBERS",
    by_globals: "calls globals",
    partial(kept, ASKED): "which kept may change",
    enclosed(): "changes asked",
}


@pytest.mark.parametrize(("formula", "message"), CHANGING.items())
def test_a_formula_that_changes_what_it_reads_is_refused(formula, message):
    with pytest.raises(StatementError, match=f"whenever it is asked, but .*{message}"):
        AtMost(Real("x", least=0), left=formula, right=1)


def lasting(c, x):
    made = [FIXED[1]]
    made.append(ASKED[0])
    total = 0
    for each in made:
        total += each

    def add():
        nonlocal total
        total += TABLE[1]

    add()
    return total


def test_what_a_function_made_itself_it_may_change():
    assert not what_varies(lambda c, x: ASKED[0] + TABLE[1] + x)
    assert "ASKED" in what_varies(lasting)  # it is not told from the list that it made
    assert not what_varies(partial(kept, (1,)))


@pytest.mark.parametrize(
    "formula",
    [
        lambda c, x: [[pytest for _ in range(1)] for _ in range(1)] and x,
        lambda c, x, source=pytest: x,
        type("Callable", (), {"__call__": lambda self, c, x: x})(),
    ],
)
def test_what_stands_deep_or_in_a_default_is_read_too(formula):
    with pytest.raises(StatementError, match=r"reads only establish\.spec"):
        AtMost(Real("x", least=0), left=formula, right=1)


def importing(c, x):
    import time  # the fault that is planted

    return x + int(time.time() * 0)


def test_a_formula_imports_nothing_of_others():
    with pytest.raises(StatementError, match=r"reads only establish\.spec, not time"):
        AtMost(Real("x", least=0), left=importing, right=1)


class Counting:
    """Its laws differ by how often they were asked for."""

    def __init__(self):
        self.asked = []

    def law(self, n, c):
        self.asked.append(n)
        return Laplace(c.number(0 if len(self.asked) < 100 else n), c.number(Fraction(1, 10)), c)


class Named(Counting):
    def law(self, n, c):
        return self.after(n, c)

    def after(self, n, c):
        self.at = n
        return Laplace(c.number(n), c.number(1), c)


@pytest.mark.parametrize(
    ("mechanism", "message"), [(Counting(), "asked, which law may change"), (Named(), "changes at")]
)
def test_a_law_that_may_change_is_not_certified(mechanism, message):
    with pytest.raises(AuditError, match=message):
        certify(mechanism, dp(1), pairs=[(0, 1)])
