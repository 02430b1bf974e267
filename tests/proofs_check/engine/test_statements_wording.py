"""How predicates and universes are said: formulas from their source, and never two functions alike."""

from collections import defaultdict
from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.statements import EveryCase
from establish.proofs_check.engine.statements.wording import said

LIMIT = 3


def _adds_up(case):
    """Whether the parts add up. More is not said."""
    total = sum(case)
    return total == LIMIT


def _no_words(case):
    total = sum(case)
    return total == LIMIT


def _single(case):
    """The first part is smaller."""
    return case[0] < case[1]


def at_most(limit):
    return lambda x: x <= limit


TABLE = {8: {52: 2}}

SAID = {
    "product": (lambda: product(range(3), repeat=2), "{0, …, 2}^2"),
    "times": (lambda: product(range(1, LIMIT), (0, 1)), "{1, …, LIMIT − 1} × (0, 1)"),
    "every": (lambda d: all(abs(x - d) <= 2 for x in range(4)), "for every x in {0, …, 3}: |x − d| ≤ 2"),
    "some": (lambda d: any(x > 1 for x in d if x), "for some x in d with x: x > 1"),
    "sum": (lambda d: sum(x * 2 for x in d) == len(d), "Σ x·2 over x in d = |d|"),
    "case": (lambda case: case[0] + 1 != case[-1], "case₁ + 1 ≠ case[−1]"),
    "not in": (lambda x: not x in (1, 2) and x, "x ∉ (1, 2) and x"),  # noqa: E713
    "share": (lambda x: x**2 < Fraction(-1, 3), "x^2 < −1/3"),
    "parentheses": (lambda a, b: (a + b) * 2 - (a - b) // 3, "(a + b)·2 − ⌊(a − b)/3⌋"),
    "method": (lambda d: d.index(4) is None, "index(4) of d is nothing"),
    "held": (at_most(7), "x ≤ limit [limit = 7]"),
    "words": (_adds_up, "Whether the parts add up. More is not said (adds up in test_statements_wording.py)"),
    "name": (_no_words, "no words in test_statements_wording.py"),
    "one expression": (
        _single,
        "case₁ < case₂ (The first part is smaller; single in test_statements_wording.py)",
    ),
    "a key of a table": (lambda place: TABLE[8][52] < place[0], "TABLE[8][52] < place₁"),
    "fixed": (partial(lambda a, b: a < b, 2), "a < b at 2"),
}


@pytest.mark.parametrize("name", SAID)
def test_a_function_is_said_in_words_and_formulas(name):
    function, words = SAID[name]
    assert said(function) == words


def test_two_lambdas_of_one_line_are_told_apart():
    first, second = (lambda x: x < 1), (lambda x: x > 1)  # fmt: skip
    assert (said(first), said(second)) == ("x < 1", "x > 1")


def test_no_statement_prints_python_and_no_two_of_a_claim_are_said_alike():
    for entry in claims().values():
        alike = defaultdict(set)
        for statement in entry.stated.all:
            text = statement.text
            if isinstance(statement, EveryCase):
                alike[text].add(id(statement))
            assert not any(word in text for word in ("lambda", "def ", "return ", "__", " at 0x")), text
        assert all(len(objects) == 1 for objects in alike.values()), entry.id
