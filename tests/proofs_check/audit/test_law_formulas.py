"""A law is read as a formula in the count only where nothing in it asks what the count is."""

from fractions import Fraction

import pytest

from establish.proofs_check.audit import audit, dp, edge
from establish.proofs_check.audit.white.composed import split
from establish.proofs_check.audit.white.formula import agrees, law_of_count
from establish.proofs_check.audit.white.laws import NotComparableError
from establish.spec.arithmetic import ARB, EXACT, enclosing
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace


def around(center):
    """The law of a dataset of sizes with this center."""
    return lambda s, c: Laplace(c.number(center(s)), c.number(1), c)


def swallows(s):
    try:
        return -1 if sum(s) < 100 else 0
    except BaseException:
        return 0


def matches(s):
    match sum(s):
        case 100:
            return 7
        case int():
            return 0
        case _:
            return 0


ASKS = {
    "compares": lambda s: -1 if sum(s) < 100 else 0,
    "compares the dataset": lambda s: -1 if s == (100,) else 0,
    "is equal": lambda s: -1 if sum(s) == 100 else 0,
    "looks it up": lambda s: -1 if sum(s) in {100, 101} else 0,
    "takes a key": lambda s: {100: 7}.get(sum(s), 0),
    "is true": lambda s: sum(s) and 3,
    "a whole number": lambda s: int(sum(s)),
    "a text": lambda s: len(f"{sum(s)}"),
    "a remainder": lambda s: sum(s) % 100,
    "a kind": lambda s: 7 if isinstance(sum(s), int) else sum(s),
    "a kind, unseen": lambda s: 7 if type(sum(s)) is int else sum(s),
    "an attribute": lambda s: 0 if hasattr(sum(s), "bit_length") else 1,
    "how many": lambda s: sum(s) + len(s),
    "the largest": max,
    "one of them": lambda s: s[0],
    "some of them": lambda s: sum(x for i, x in enumerate(s) if i < 100),
    "each of them": lambda s: sum([x + 0 for x in s]),
    "unpacked": lambda s: sum([*s]),
    "sorted": lambda s: sum(sorted(s)),
    "mapped": lambda s: sum(map(abs, s)),
    "a float": lambda s: sum(s) * 0.5,
    "hidden by except": swallows,
    "a pattern": matches,
    "a square": lambda s: sum(s) * sum(s),
    "a share": lambda s: 1 / sum(s),
}


@pytest.mark.few(len(ASKS))
@pytest.mark.parametrize("what", ASKS)
def test_a_law_that_asks_for_the_count_is_no_formula(what):
    with pytest.raises(NotComparableError):
        law_of_count(around(ASKS[what]), True)


def test_a_scale_that_depends_on_the_count_is_no_formula():
    with pytest.raises(NotComparableError, match="its scale depends on the count"):
        law_of_count(lambda n, c: Laplace(c.number(n), c.number(n) + 1, c), False)


def test_a_formula_gives_the_law_of_every_count():
    read = law_of_count(lambda s, c: Laplace((2 * c.number(sum(s)) + 1) / 4, c.log(c.number(3)), c), True)
    assert (read.start, read.slope) == (Fraction(1, 4), Fraction(1, 2))
    assert law_of_count(lambda n, c: Laplace(n, c.number(2), c), False).at(10**9, EXACT).center == 10**9


def test_a_law_that_is_another_in_another_world_is_seen_beside_its_formula():
    def law(n, c):
        return Laplace(c.number(3 if c is ARB else n), c.number(1), c)

    with enclosing():
        assert not agrees(law, law_of_count(law, False), range(5))


@pytest.mark.parametrize("what", ["compares", "is equal", "looks it up", "hidden by except", "a pattern"])
def test_what_is_refused_as_a_formula_is_tried_count_by_count(what):
    mechanism = type("Asks", (), {"law": staticmethod(around(lambda s: 9 * ASKS[what](s)))})
    assert audit(mechanism, edge(1), seconds=300).violated


def test_the_reason_is_told_where_a_law_is_certified_in_a_range_only():
    capped = type(
        "Capped", (), {"law": staticmethod(lambda n, c: Laplace(c.number(min(n, 20_000)), c.number(1), c))}
    )
    notes = audit(capped, dp(1), seconds=300).notes
    assert any("not a formula" in note and "it compares the count" in note for note in notes)


def test_a_geometric_law_around_halves_is_certified_in_a_range_only():
    halves = type(
        "Halves", (), {"law": staticmethod(lambda n, c: Geometric(c.number(n) / 2, c.exp(-c.number(1)), c))}
    )
    notes = audit(halves, dp(1), seconds=300).notes
    assert any("its center is not a whole number" in note for note in notes)


def test_outputs_of_different_lengths_are_not_compared():
    one = around(lambda s: 1)
    with pytest.raises(NotComparableError, match="one output has 2 parts and the other 1"):
        split(lambda c: (one((), c), one((), c)), lambda c: one((), c))
