"""Proofs that were written to be wrong: what does not follow is never rechecked, and no name hides it."""

import json
from copy import deepcopy

import pytest

from establish import AtMost, Below, Compares, Integer, Real
from establish.proofs_check.engine.statements.domain import given
from establish.proofs_check.recheck.checking import VERSION

ABOVE, ALL, X = Real("x", least=0), Real("x"), Real("x", above=0)


def step(statement, by, *premises, at=(), **more):
    told = {"sentence": deepcopy(statement.sentence.data), "at": list(at) or None} | more
    return {"digest": statement.identity, "by": by, "from": list(premises)} | told


def proof(*steps, **more):
    last = {"version": VERSION, "claim": "paper/one", "verdict": "holds"}
    return last | {"decides": [steps[-1]["digest"]], "steps": list(steps)} | more


def case(statement, left, relation, right):
    return statement.where(given(left, relation, right))


N = Integer("n")
NOT_ONE = Below(N, left=0, right=lambda c, n: (n - 1) ** 2)
HALVES = [case(NOT_ONE, lambda c, n: n, "<=", "1/2"), case(NOT_ONE, lambda c, n: n, ">=", "3/2")]

GAP = AtMost(
    ABOVE, left=0, right=lambda c, x: x * x - 2 * x, given=[given(lambda c, x: x, "<=", lambda c, x: x * x)]
)
GAP_END = AtMost(left=0, right=lambda c: c.number(0) * 0 - 2 * c.number(0))
GAP_RISES = AtMost(
    X, left=0, right=lambda c, x: x + x - 2 + 0 * x, given=[given(lambda c, x: x, "<", lambda c, x: x * x)]
)

FAR = (given(lambda c, x: c.exp(x), "<=", 5), given(lambda c, x: x**3, ">", 0))
GROWS = Below(ALL, left=lambda c, x: c.exp(x) * c.exp(x), right=lambda c, x: c.exp(2 * x), given=FAR)

LOGS = (given(lambda c, x: c.log(x), "<=", 5), given(lambda c, x: (1 - x) ** 3, ">", 0))
TURNS = AtMost(X, left=lambda c, x: c.log(x**2), right=lambda c, x: -2 * c.log(x), given=LOGS)
AT_ONCE = AtMost(X, left=lambda c, x: -2 * c.log(x), right=lambda c, x: c.log(x**2), given=LOGS)


FALLS = AtMost(ABOVE, left=lambda c, x: x, right=lambda c, x: -x)
FALLS_END = AtMost(left=0, right=lambda c: -c.number(0))
NOT_FLAT = Compares(X, left=0, relation="!=", right=lambda c, x: -c.number(1) - 1 + 0 * x)

WRONG = {
    "cases that leave out a whole number between halves": proof(
        *(step(one, "solver", at=[at]) for one, at in zip(HALVES, ("0", "2"), strict=True)),
        step(NOT_ONE, "whole_number", 0, 1, at=["0"]),
    ),
    "a slope that is not 0": proof(
        step(FALLS_END, "exact arithmetic"),
        step(NOT_FLAT, "solver"),
        step(FALLS, "slope_and_end", 0, 1, at=["0"]),
    ),
    "a domain in two parts": proof(
        step(GAP_END, "exact arithmetic"),
        step(GAP_RISES, "solver"),
        step(GAP, "slope_and_end", 0, 1, at=["0"]),
    ),
    "a generator that is two numbers, by exp": proof(step(GROWS, "solver", at=["1"])),
    "a generator that is two numbers, by ln": proof(step(AT_ONCE, "solver", at=["1/2"])),
    "and the other way": proof(step(TURNS, "solver", at=["1/2"])),
}


UNDEFINED = AtMost(ALL, left=0, right=lambda c, x: c.sqrt(x) * c.sqrt(x))
NEGATIVE = AtMost(ALL, left=0, right=lambda c, x: x)


def test_nothing_is_learned_from_a_step_that_may_be_undefined(checked):
    """√x·√x is x wherever it is defined, which says nothing of x elsewhere."""
    steps = step(UNDEFINED, "solver", at=["1"]), step(NEGATIVE, "solver", at=["1"])
    assert checked(proof(*steps)).believed == ("solver",)
    assert checked(proof(steps[0])).believed == ("solver (definedness)",)
    assert checked(proof(steps[1])).believed == ("solver",)


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_follow_is_not_rechecked(name, checked):
    report = checked(WRONG[name])
    assert report.refused or report.believed, report


FALSE = AtMost(ABOVE, left=lambda c, x: x * x, right=lambda c, x: x)
PRIVATE = {"digest": "a", "kind": "Private", "from": []}

NAMES = [
    "",
    " ",
    "solver\npaper/two: rechecked",
    "\r",
    "_",
    "exact\u2028",
    "x" * 300,
    None,
    1,
    True,
    ["solver"],
    {},
]


@pytest.mark.parametrize("name", NAMES)
def test_a_word_without_a_name_carries_no_step(name, checked):
    assert checked(proof(step(FALSE, name, at=["0"]))).refused
    assert checked(proof(PRIVATE | {"by": name})).refused
    assert checked(proof(PRIVATE | {"by": name, "refutes": True}, verdict="fails")).refused


@pytest.mark.parametrize("name", ["", "one\npaper/two: rechecked", None, 7, ["a"], "x" * 300])
def test_a_claim_has_a_name_of_one_line(name, checked):
    report = checked(proof(step(FALSE, "solver", at=["0"]), claim=name))
    assert report.refused
    assert "\n" not in report.claim + report.refused


@pytest.mark.parametrize("decides", [[5], [None], [["a"]], [True, "a"], "a", {}])
def test_what_is_decided_are_digests(decides, checked):
    assert checked(proof(PRIVATE | {"by": "pointwise"}, decides=decides)).refused


def test_an_entry_that_stands_twice_is_refused(checked):
    text = json.dumps(proof(step(FALSE, "solver", at=["0"])))
    for entry in ('"verdict": "holds"', '"version": 1', '"by": "solver"', '"from": []'):
        assert "stands twice" in checked(text.replace(entry, f"{entry}, {entry}")).refused


@pytest.mark.parametrize(
    "number", ["1e99999999", "1E5", "0x10", " 1", "1_0", "٣", "1/", "/2", "1/0", "+1", "1.5", 1]
)
def test_a_number_is_digits_over_digits(number, checked):
    data = proof(step(FALSE, "solver", at=["0"]))
    data["steps"][0]["at"] = [number]
    assert "is no rational" in checked(data).refused
    data = proof(step(FALSE, "solver", at=["0"]))
    data["steps"][0]["sentence"]["nodes"].append(["number", number])
    assert "is no rational" in checked(data).refused


def test_a_false_statement_with_a_word_is_believed_by_its_name_alone(checked):
    report = checked(proof(step(FALSE, "solver", at=["0"])))
    assert report.believed == ("solver",), report
    assert checked(proof(step(FALSE, "a rule of mine", at=["1"]))).believed == ("a rule of mine",)
