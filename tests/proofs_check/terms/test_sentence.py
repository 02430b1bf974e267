"""A sentence is named by its digest, printed as JSON, and read by what rechecks under the same name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.proofs_check.engine.statements import AtMost, Below, Equal, Integer, Real
from establish.proofs_check.engine.statements import given as where
from establish.proofs_check.recheck.sentences import NODES, Refused, digest, parsed
from establish.proofs_check.terms.sentence import Sentence, prop
from establish.proofs_check.terms.trees import FUNCTIONS, RELATIONS, Prop, below, lift, node, variable

VARIABLES = (variable("x0"), variable("x1", "ℤ"), variable("x2", "ℚ"))
LEAVES = st.one_of(st.sampled_from(VARIABLES), st.fractions(max_denominator=99).map(lift))


def _inner(parts):
    unary = st.builds(
        lambda f, a: node(f, a), st.sampled_from(sorted(f for f, n in FUNCTIONS.items() if n == 1)), parts
    )
    binary = st.builds(lambda op, a, b: node(op, a, b), st.sampled_from([*"+-*/^", "maximum"]), parts, parts)
    branch = st.builds(
        lambda r, a, b, c, d: node("where", Prop(a, r, b), c, d),
        st.sampled_from(sorted(RELATIONS)),
        *[parts] * 4,
    )
    return st.one_of(unary, binary, branch, st.just(node("pi")), st.just(node("undefined")))


TERMS = st.recursive(LEAVES, _inner, max_leaves=12)
PROPS = st.builds(lambda a, r, b: Prop(a, r, b), TERMS, st.sampled_from(sorted(RELATIONS)), TERMS)
SENTENCES = st.builds(lambda g, p: Sentence(VARIABLES, tuple(g), p), st.lists(PROPS, max_size=3), PROPS)


def _written(term):
    """A term as nested tuples, a variable by its place."""
    data = term.args[0].relation if term.op == "where" else term.data
    data = (int(data[0][1:]), data[1]) if term.op == "variable" else data
    return term.op, data, tuple(map(_written, below(term)))


def _read(place):
    op, data, parts = NODES[place]
    return op, data, tuple(map(_read, parts))


@given(SENTENCES)
def test_what_is_printed_is_read_under_the_same_name(sentence):
    again = parsed(sentence.data)
    assert digest(sentence.data) == sentence.digest
    assert again.fields == ("ℝ", "ℤ", "ℚ")
    said, found = ((*one.given, one.conclusion) for one in (sentence, again))
    assert [(_read(p.left), p.relation, _read(p.right)) for p in found] == [
        (_written(p.left), p.relation, _written(p.right)) for p in said
    ]


@given(SENTENCES, SENTENCES)
def test_two_sentences_have_one_digest_only_where_they_are_the_same(one, other):
    same = one.conclusion.key == other.conclusion.key and [p.key for p in one.given] == [
        p.key for p in other.given
    ]
    assert (one.digest == other.digest) == same


def test_the_names_of_variables_are_no_part_of_what_is_said():
    one, other = (
        AtMost(Real(n, above=0), left=lambda c, x: c.log(x), right=lambda c, x: x - 1) for n in "xy"
    )
    assert one.identity == other.identity
    assert one.text != other.text


BASE = AtMost(Real("x", above=0), left=lambda c, x: c.log(x), right=lambda c, x: x - 1)
OTHERS = {
    "a strict relation": Below(Real("x", above=0), left=lambda c, x: c.log(x), right=lambda c, x: x - 1),
    "an identity": Equal(Real("x", above=0), left=lambda c, x: c.log(x), right=lambda c, x: x - 1),
    "a closed end": AtMost(Real("x", least=0), left=lambda c, x: c.log(1 + x), right=lambda c, x: x - 1),
    "another end": AtMost(Real("x", above=1), left=lambda c, x: c.log(x), right=lambda c, x: x - 1),
    "a second end": AtMost(Real("x", above=0, most=9), left=lambda c, x: c.log(x), right=lambda c, x: x - 1),
    "whole numbers": AtMost(Integer("x", above=0), left=lambda c, x: c.log(x), right=lambda c, x: x - 1),
    "another constant": AtMost(Real("x", above=0), left=lambda c, x: c.log(x), right=lambda c, x: x - 2),
    "a point less": AtMost(
        Real("x", above=0), left=lambda c, x: c.log(x) if x != 7777 else c.number(0), right=lambda c, x: x - 1
    ),
    "a condition": AtMost(
        *[Real("x", above=0)],
        left=lambda c, x: c.log(x),
        right=lambda c, x: x - 1,
        given=[where(lambda c, x: x, "<", 5)],
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_statement_has_another_identity(name):
    assert OTHERS[name].identity != BASE.identity


def test_the_same_statement_written_twice_is_one():
    def left(c, x):
        """ln x, by another function."""
        return c.log(x)

    again = AtMost(Real("x", above=0), left=left, right=lambda c, x: x - c.number(1))
    assert again.identity == BASE.identity


def test_greater_is_less_from_the_right():
    assert prop(lift(1), ">=", lift(2)).key == Prop(lift(2), "<=", lift(1)).key


DATA = json.loads(json.dumps(BASE.sentence.data))


def _edited(**changes):
    return {**DATA, **changes}


BAD = {
    "nothing": {},
    "a list": [1, 2],
    "another version": _edited(version=2),
    "reordered nodes": _edited(nodes=DATA["nodes"][::-1]),
    "a circle": _edited(nodes=[["+", 0, 0], *DATA["nodes"][1:]]),
    "a part that is not there": _edited(conclusion=[99, "<", 0]),
    "a part from behind": _edited(conclusion=[-1, "<", 0]),
    "a part that is a truth": _edited(conclusion=[True, "<", 0]),
    "no such relation": _edited(conclusion=[0, "~", 1]),
    "no such function": _edited(nodes=[["tan", 0], *DATA["nodes"]]),
    "too many arguments": _edited(nodes=[*DATA["nodes"], ["log", 0, 0]]),
    "a float": _edited(nodes=[["number", 0.5], *DATA["nodes"]]),
    "a division by 0": _edited(nodes=[["number", "1/0"], *DATA["nodes"]]),
    "no such field": _edited(nodes=[["variable", 0, "ℂ"], *DATA["nodes"][1:]]),
    "a variable left out": _edited(nodes=[["variable", 1, "ℝ"], *DATA["nodes"][1:]]),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_printed_sentence_is_refused_in_one_line(name):
    with pytest.raises(Refused) as refused:
        parsed(BAD[name])
    assert "\n" not in str(refused.value)
