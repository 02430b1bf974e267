"""False and undefined sentences, written as slips are: none of them is ever rechecked."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.proofs_check.engine.statements.domain import Domain, as_tree
from establish.proofs_check.engine.statements.domain import given as where
from establish.proofs_check.engine.statements.variables import Integer, Rational, Real, Variable
from establish.proofs_check.export.identities import Found
from establish.proofs_check.recheck.checking import recheck
from establish.proofs_check.recheck.goals import decide, goals
from establish.proofs_check.recheck.quotients import Open
from establish.proofs_check.recheck.sentences import Prop, Sentence, digest, number, parsed, term, variable
from establish.proofs_check.recheck.values import lies_in, truth
from establish.proofs_check.terms.sentence import Sentence as Said
from establish.proofs_check.terms.sentence import prop

X, Y, Z = Real("x"), Real("y"), Real("z")
ABOVE, LEAST = Real("x", above=0), Real("x", least=0)


def said(variables: tuple[Variable, ...], left: Any, relation: str, right: Any, *conditions: Any) -> Any:
    """A sentence as it is printed."""
    domain = Domain(variables, conditions)
    sides = [as_tree(f, domain.terms).term for f in (left, right)]
    return Said(domain.terms, domain.given, prop(sides[0], relation, sides[1])).data


def shown(data: Any) -> bool:
    """Whether the checker shows all that a sentence owes, with all identities that can be found for it."""
    found = Found()
    try:
        for place, goal in enumerate(goals(parsed(data))):
            decide(goal, f"{place}:", found.close)
    except (Open, ArithmeticError, ValueError):
        return False
    return True


FALSE: dict[str, Any] = {
    "e^ln x is x for all x": said((X,), lambda c, x: c.exp(c.log(x)), "==", lambda c, x: x),
    "ln e^x is x, and so is ln x of e^x": said((X,), lambda c, x: c.log(c.exp(x)), "==", lambda c, x: x + 1),
    "ln x² is 2 ln x for all x": said((X,), lambda c, x: c.log(x * x), "==", lambda c, x: 2 * c.log(x)),
    "√x² is x for all x": said((X,), lambda c, x: c.sqrt(x * x), "==", lambda c, x: x),
    "√x·√x is x for all x": said((X,), lambda c, x: c.sqrt(x) * c.sqrt(x), "==", lambda c, x: x),
    "√xy is √x·√y for all x, y": said(
        (X, Y), lambda c, x, y: c.sqrt(x * y), "==", lambda c, x, y: c.sqrt(x) * c.sqrt(y)
    ),
    "x/x is 1 for x ≥ 0": said((LEAST,), lambda c, x: x / x, "==", lambda c, x: c.number(1)),
    "1/x falls for all x": said(
        (X, Real("y", above=lambda c, x: x)), lambda c, x, y: 1 / y, "<=", lambda c, x, y: 1 / x
    ),
    "0 is below |x|": said((X,), lambda c, x: c.number(0), "<", lambda c, x: c.absolute(x)),
    "0 is below x²": said((X,), lambda c, x: c.number(0), "<", lambda c, x: x * x),
    "0 is below (x − y)²": said((X, Y), lambda c, x, y: c.number(0), "<", lambda c, x, y: (x - y) ** 2),
    "x is below x at a closed end": said(
        (Real("x", least=0, most=1),), lambda c, x: x * (1 - x), "<", lambda c, x: x
    ),
    "x is below 1 at a closed end": said(
        (Real("x", least=0, most=1),), lambda c, x: x, "<", lambda c, x: c.number(1)
    ),
    "x² is at most x": said((LEAST,), lambda c, x: x * x, "<=", lambda c, x: x),
    "e^x is at most 1 + x": said((X,), lambda c, x: c.exp(x), "<=", lambda c, x: 1 + x),
    "e^x is above 1 + x everywhere": said((X,), lambda c, x: 1 + x, "<", lambda c, x: c.exp(x)),
    "ln x is below x − 1": said((ABOVE,), lambda c, x: c.log(x), "<", lambda c, x: x - 1),
    "ln x is at least x − 1": said((ABOVE,), lambda c, x: x - 1, "<=", lambda c, x: c.log(x)),
    "e^(x + y) is e^x + e^y": said(
        (X, Y), lambda c, x, y: c.exp(x + y), "==", lambda c, x, y: c.exp(x) + c.exp(y)
    ),
    "e^(x/2) squared is e^(2x)": said((X,), lambda c, x: c.exp(x / 2) ** 2, "==", lambda c, x: c.exp(2 * x)),
    "e^(x²) is (e^x)²": said((X,), lambda c, x: c.exp(x * x), "==", lambda c, x: c.exp(x) ** 2),
    "ln(x + y) is ln x + ln y": said(
        (ABOVE, Real("y", above=0)), lambda c, x, y: c.log(x + y), "==", lambda c, x, y: c.log(x) + c.log(y)
    ),
    "the larger is the first": said((X, Y), lambda c, x, y: c.maximum(x, y), "==", lambda c, x, y: x),
    "the larger is below the sum": said(
        (LEAST, Real("y", least=0)), lambda c, x, y: c.maximum(x, y), "<", lambda c, x, y: x + y
    ),
    "a sign is never 0": said((X,), lambda c, x: c.sign(x) ** 2, "==", lambda c, x: c.number(1)),
    "floor x is x for rational x": said(
        (Rational("x"),), lambda c, x: c.sign(x - c.absolute(x)), "==", lambda c, x: c.number(0)
    ),
    "a whole x above 0 is above 1": said(
        (Integer("x", above=0),), lambda c, x: c.number(1), "<", lambda c, x: x
    ),
    "a branch has one side": said((X,), lambda c, x: x if x <= 1 else 2 - x, "==", lambda c, x: x),
    "a guard is never reached": said((X,), lambda c, x: x if x > 0 else 1 / (x - x), "<=", lambda c, x: x),
    "√x·√x on the side that is not taken makes x ≥ 0": said(
        (X, Real("y", least=0)),
        lambda c, x, y: c.number(0),
        "<=",
        lambda c, x, y: c.sqrt(x) * c.sqrt(x) if x >= y else x,
    ),
    "x^y is above 0 for x ≥ 0": said(
        (LEAST, Real("y", above=0)), lambda c, x, y: c.number(0), "<", lambda c, x, y: c.power(x, y)
    ),
    "0^0 is told for real powers": said(
        (LEAST, Real("y", least=0)), lambda c, x, y: c.power(x, y), "==", lambda c, x, y: c.power(x, y)
    ),
    "(x²)^(1/2) is x": said((X,), lambda c, x: c.power(x * x, Fraction(1, 2)), "==", lambda c, x: x),
    "(x³)^(1/3) is x for all x": said((X,), lambda c, x: c.power(x**3, Fraction(1, 3)), "==", lambda c, x: x),
    "x ≤ y gives x² ≤ y²": said(
        (X, Y),
        lambda c, x, y: x * x,
        "<=",
        lambda c, x, y: y * y,
        where(lambda c, x, y: x, "<=", lambda c, x, y: y),
    ),
    "xy ≥ 0 gives x ≥ 0": said(
        (X, Y), lambda c, x, y: c.number(0), "<=", lambda c, x, y: x, where(lambda c, x, y: x * y, ">=", 0)
    ),
    "x ≠ 0 gives x > 0": said(
        (X,), lambda c, x: c.number(0), "<", lambda c, x: x, where(lambda c, x: x, "!=", 0)
    ),
    "x² = 1 gives x = 1": said(
        (X,), lambda c, x: x, "==", lambda c, x: c.number(1), where(lambda c, x: x * x, "==", 1)
    ),
    "1/x ≤ 1 gives x ≥ 1": said(
        (X,), lambda c, x: c.number(1), "<=", lambda c, x: x, where(lambda c, x: 1 / x, "<=", 1)
    ),
    "π is 22/7": said((), lambda c: c.pi, "==", lambda c: c.number(Fraction(22, 7))),
    "π is above 22/7": said((), lambda c: c.number(Fraction(22, 7)), "<=", lambda c: c.pi),
    "√2 is 1.4142135": said(
        (), lambda c: c.sqrt(c.number(2)), "==", lambda c: c.number(Fraction("1.4142135"))
    ),
    "√2·√3 is √5": said(
        (), lambda c: c.sqrt(c.number(2)) * c.sqrt(c.number(3)), "==", lambda c: c.sqrt(c.number(5))
    ),
    "ln 6 is ln 2 · ln 3": said(
        (), lambda c: c.log(c.number(6)), "==", lambda c: c.log(c.number(2)) * c.log(c.number(3))
    ),
    "sin is at most x − 1": said((X,), lambda c, x: c.sin(x), "<=", lambda c, x: x - 1),
    "erf is even": said((X,), lambda c, x: c.erf(x), "==", lambda c, x: c.erf(-x)),
    "Γ grows": said((ABOVE,), lambda c, x: c.log_gamma(x), "<=", lambda c, x: c.log_gamma(x + 1)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_falsehood_is_not_shown(name):
    assert not shown(FALSE[name])


@pytest.mark.parametrize("name", FALSE)
def test_a_falsehood_that_a_file_calls_proved_is_refused_or_believed(name, tmp_path):
    data = FALSE[name]
    step = {"digest": digest(data), "by": "solver", "from": [], "sentence": data, "at": None}
    proof = {"version": 1, "claim": "a/b", "verdict": "holds", "decides": [digest(data)], "steps": [step]}
    (tmp_path / "a.json").write_text(json.dumps(proof), "utf-8")
    report = recheck(tmp_path / "a.json")
    assert report.refused or report.believed == ("solver",) or "solver" in report.believed[0]


FIELDS = ("ℝ", "ℝ")
ONES = [variable(0, "ℝ"), variable(1, "ℝ")]
LEAVES = st.one_of(st.sampled_from(ONES), st.sampled_from([-2, -1, 0, 1, 2, 3, Fraction(1, 2)]).map(number))


def _inner(parts: Any) -> Any:
    unary = st.builds(term, st.sampled_from(["negative", "absolute", "sign", "exp", "log", "sqrt"]), parts)
    binary = st.builds(term, st.sampled_from([*"+-*/", "maximum"]), parts, parts)
    power = st.builds(
        lambda a, n: term("^", a, number(n)),
        parts,
        st.sampled_from([-1, 2, 3, Fraction(1, 2), Fraction(3, 2)]),
    )
    branch = st.builds(
        lambda r, a, b, c, d: term("where", a, b, c, d, data=r), st.sampled_from(["<", "<="]), *[parts] * 4
    )
    return st.one_of(unary, binary, power, branch)


TERMS = st.recursive(LEAVES, _inner, max_leaves=6)
BOUNDS = st.sampled_from(
    [
        (),
        (Prop(number(0), "<", ONES[0]),),
        (Prop(number(0), "<=", ONES[0]), Prop(ONES[0], "<=", number(1))),
        (Prop(number(0), "<", ONES[0]), Prop(ONES[0], "<", ONES[1])),
        (Prop(number(1), "<=", ONES[0]), Prop(number(0), "<", ONES[1])),
        (Prop(ONES[0], "<=", number(0)), Prop(ONES[1], "!=", number(0))),
        (Prop(number(-1), "<", ONES[0]), Prop(ONES[0], "<", number(2)), Prop(ONES[0], "<=", ONES[1])),
    ]
)
CONCLUSIONS = st.builds(Prop, TERMS, st.sampled_from(["<", "<=", "==", "!="]), TERMS)
VALUES = [
    Fraction(s) for s in ["-7/2", "-2", "-1", "-1/3", "0", "1/5", "1/2", "1", "3/2", "2", "3", "17/4", "100"]
]


@settings(max_examples=250, deadline=None, derandomize=True, database=None)
@given(bounds=BOUNDS, conclusion=CONCLUSIONS)
def test_what_is_shown_is_true_and_defined_at_points(bounds, conclusion):
    sentence = Sentence(FIELDS, bounds, conclusion)
    try:
        for goal in goals(sentence):
            decide(goal, "0:", lambda *_: False)
    except (Open, ArithmeticError, ValueError):
        return
    for x in VALUES:
        for y in VALUES:
            if lies_in((x, y), sentence):
                assert truth(conclusion, (x, y)) is not False
