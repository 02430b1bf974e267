"""Formulas as MathML: read back, they are the same trees; nothing of a name is markup."""

import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.proofs_check.terms.mathml import MOST, sentence_mathml, term_mathml
from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.trees import (
    FUNCTIONS,
    OPERATIONS,
    UNDEFINED,
    Program,
    Prop,
    below,
    lift,
    node,
    variable,
    where,
)

X, Y = variable("x"), variable("y_1")
RELATION = {"<": "<", "≤": "<=", "=": "==", "≠": "!="}
FUNCTION = {
    "ln": "log",
    "sin": "sin",
    "erf": "erf",
    "erfinv": "erfinv",
    "lnΓ": "log_gamma",
    "ψ": "psi",
    "ψinv": "psi_inverse",
    "sgn": "sign",
    "max": "maximum",
    "I": "beta_share",
}


def read(element):
    """The tree of one element."""
    match element.tag:
        case "mn":
            return lift(Fraction(element.text.replace("−", "-")))
        case "mi":
            return node("pi") if element.text == "π" else variable(element.text)
        case "msub":
            return variable("_".join(part.text for part in element))
        case "mtext":
            assert element.text == "undefined"
            return UNDEFINED
        case "mfrac":
            top, bottom = map(read, element)
            whole = {child.tag for child in element} == {"mn"}
            return lift(top.data / bottom.data) if whole else node("/", top, bottom)
        case "msqrt":
            return node("sqrt", read_row(element))
        case "msup":
            base, exponent = element
            e = base.get("mathvariant") == "normal"
            return node("exp", read(exponent)) if e else node("^", read(base), read(exponent))
    assert element.tag == "mrow"
    return read_kept(list(element)) if kept(element) else read_row(element)


def kept(row) -> bool:
    """Whether a row is drawn with a sign around it that tells it from what stands beside it."""
    return row[0].tag == "mo" and row[0].text in ("|", "{")


def read_kept(parts):
    if parts[0].text == "|":
        return node("absolute", read_row(parts[1:-1]))
    (then, condition), (other, rest) = ([cell[0] for cell in row] for row in parts[1])
    assert ("".join(rest.itertext()), condition[0].text) == ("otherwise", "if\u00a0")
    return where(read_prop(condition[1]), read(then), read(other))


def read_row(parts):
    """What a reader sees in a line, who does not see how elements nest: the usual precedence decides."""
    signs = list(line_of(parts))
    found = read_sum(signs)
    assert signs == []
    return found


def line_of(parts):
    for part in parts:
        if part.tag == "mrow" and not kept(part):
            yield from line_of(part)
        else:
            yield part


def comes(signs, *wanted) -> str:
    """The next sign, taken away, where it is one of these."""
    if signs and signs[0].tag == "mo" and signs[0].text in wanted:
        return signs.pop(0).text
    return ""


def read_sum(signs):
    found = node("negative", read_product(signs)) if comes(signs, "−") else read_product(signs)
    while sign := comes(signs, "+", "−"):
        found = node({"+": "+", "−": "-"}[sign], found, read_product(signs))
    return found


def read_product(signs):
    found = read_factor(signs)
    while comes(signs, "·"):
        found = node("*", found, read_factor(signs))
    return found


def read_factor(signs):
    if left := comes(signs, "(", "⌊"):
        found = read_sum(signs)
        assert comes(signs, {"(": ")", "⌊": "⌋"}[left])
        return node("floor", found) if left == "⌊" else found
    first = signs.pop(0)
    if first.tag == "mi" and comes(signs, "("):
        found = [read_sum(signs)]
        while comes(signs, ","):
            found.append(read_sum(signs))
        assert comes(signs, ")")
        return node(FUNCTION[first.text], *found)
    return read(first)


def read_prop(row):
    left, sign, right = row
    return Prop(read(left), RELATION[sign.text], read(right))


def flat(element) -> str:
    """All signs of a formula in a line: what a reader sees who does not look at how elements nest."""
    match element.tag:
        case "mfrac" | "msup" | "msub":
            return f"{element.tag}[{'|'.join(map(flat, element))}]"
        case "msqrt" | "mtd" | "mtr":
            return f"{element.tag}[{''.join(map(flat, element))}]"
    if element.get("mathvariant"):
        return "upright[e]"
    return (element.text or "") + "".join(map(flat, element))


def operated(inner):
    made = [st.tuples(*[inner] * many).map(lambda a, op=op: node(op, *a)) for op, many in SHAPES.items()]
    relation = st.sampled_from(sorted(RELATION.values()))
    return st.one_of(
        *made, st.builds(lambda a, r, b, t, o: where(Prop(a, r, b), t, o), inner, relation, *[inner] * 3)
    )


SHAPES = {op: many for op, many in {**OPERATIONS, **FUNCTIONS}.items() if many}
NUMBERS = st.fractions(-9, 9, max_denominator=9).map(lift)
TERMS = st.recursive(
    st.one_of(NUMBERS, st.sampled_from([X, Y, variable("e"), node("pi"), UNDEFINED])), operated, max_leaves=12
)


def divided(term):
    """Whether a tree has a quotient of two whole numbers, which prints as the fraction that it is."""
    if term.op == "/" and all(t.op == "number" and t.data.denominator == 1 for t in term.args):
        return True
    return any(map(divided, below(term)))


def simple():
    """One tree of every operation and function over variables and numbers, and these."""
    leaves = [X, lift(2), lift(-3), lift(Fraction(1, 2)), lift(Fraction(-1, 2)), node("pi"), UNDEFINED]
    yield from leaves
    for op, many in SHAPES.items():
        yield node(op, *[X, Y, X][:many])
    yield from (where(Prop(X, relation, Y), X, Y) for relation in RELATION.values())


@pytest.mark.parametrize("op", [*SHAPES, "where"])
def test_whatever_stands_below_an_operation_reads_as_the_same_tree(op):
    many = SHAPES.get(op, 4)
    for place, inner in product(range(many), simple()):
        args = [inner if n == place else Y for n in range(many)]
        term = where(Prop(args[0], "<=", args[1]), *args[2:]) if op == "where" else node(op, *args)
        (top,) = ET.fromstring(term_mathml(term))
        assert read(top) is term, f"{inner!r} at {place} of {op}"


@given(TERMS.filter(lambda term: not divided(term)))
def test_what_is_printed_reads_as_the_same_tree(term):
    (top,) = ET.fromstring(term_mathml(term))
    assert read(top) is term


@pytest.mark.parametrize(
    ("term", "seen"),
    [
        (X - (Y + 1), "x−(msub[y|1]+1)"),
        (X - Y - 1, "x−msub[y|1]−1"),
        ((X + 1) * -Y, "(x+1)·(−msub[y|1])"),
        (-(X * Y), "−x·msub[y|1]"),
        ((-X) ** 2, "msup[(−x)|2]"),
        (lift(Fraction(1, 2)) ** X, "msup[(mfrac[1|2])|x]"),
        (lift(-1) * X, "(−1)·x"),
        ((X**2) ** 3, "msup[(msup[x|2])|3]"),
        (X ** (Y + 1), "msup[x|msub[y|1]+1]"),
        (X * (Y / 2), "x·mfrac[msub[y|1]|2]"),
        (X * (Y * 2), "x·(msub[y|1]·2)"),
    ],
)
def test_parentheses_stand_where_they_are_needed(term, seen):
    assert flat(ET.fromstring(term_mathml(term))) == seen


def test_every_operation_and_function_prints():
    for op, many in {**OPERATIONS, **FUNCTIONS}.items():
        assert ET.fromstring(term_mathml(node(op, *[X, Y, lift(2)][:many]))) is not None
    program = Program("0" * 64, test_every_operation_and_function_prints)
    assert "test_every_operation" in term_mathml(node("computed", X, data=program))


def test_names_are_escaped_and_relations_are_no_markup():
    evil = variable('<script>alert("&")</script>_<b>')
    given_, conclusion = sentence_mathml(Sentence((evil,), (Prop(lift(0), "<", evil),), Prop(evil, "<=", X)))
    for text in (*given_, conclusion):
        assert "<script" not in text
        assert "<b>" not in text
        assert '<script>alert("&")</script>' in "".join(ET.fromstring(text).itertext())


def test_what_nobody_reads_is_not_printed():
    long = X
    for _ in range(60):
        long = long * long + 1  # 2^60 nodes, each kept once
    assert term_mathml(long) is None
    assert sentence_mathml(Sentence((X,), (), Prop(long, "<", X))) is None
    short = X
    for _ in range((MOST - 1) // 2):
        short = short + 1
    assert term_mathml(short) is not None
