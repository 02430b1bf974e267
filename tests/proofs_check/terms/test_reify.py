"""A tree is the formula, whatever the code keeps of one run for the next."""

from functools import lru_cache

import pytest

from establish.proofs_check.terms.reify import reify
from establish.proofs_check.terms.trees import NotATerm, variable

X = variable("x")


@lru_cache
def _step_kept(x, c):
    """A branch in a function with a cache."""
    return c.number(1) if x >= 0 else c.number(0)


@lru_cache
def _sign_kept(x):
    return 1 if x >= 0 else -1


def _kept_within():
    """A function with a cache that no module knows."""
    kept = lru_cache(lambda x: 1 if x >= 0 else -1)
    return lambda c, x: c.number(kept(x))


def _kept_by_hand():
    found = {}

    def sign(c, x):
        if (c, x) not in found:
            found[c, x] = 1 if x >= 0 else -1
        return c.number(found[c, x])

    return sign


@pytest.mark.parametrize(
    "formula", [lambda c, x: _step_kept(x, c), lambda c, x: c.number(_sign_kept(x)), _kept_within()]
)
def test_a_branch_in_a_function_with_a_cache_is_asked_on_both_sides(formula):
    tree = reify(formula, X)
    assert tree.op == "where"
    assert tree.args[1] is not tree.args[2]
    assert reify(formula, X) is tree


def test_a_variable_is_no_key_of_a_table_that_is_kept_by_hand():
    with pytest.raises(NotATerm, match="no key of a table"):
        reify(_kept_by_hand(), X)
