"""Formulas as MathML Core, which browsers draw without a script: one element for each node of a tree."""

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple

from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.trees import Prop, Term, below, node, parts

MOST = 300
"""A formula with more nodes is not drawn: nobody reads it."""

SUM, NEGATIVE, PRODUCT, POWER, ATOM = range(5)
"""How strongly the parts of what is printed hold together; a fraction or a power is POWER."""

SIGNS = {"<": "<", "<=": "≤", "==": "=", "!=": "≠"}
"""How relations are printed."""

NAMES = {
    "log": "ln",
    "sin": "sin",
    "erf": "erf",
    "erfinv": "erfinv",
    "log_gamma": "lnΓ",
    "psi": "ψ",
    "psi_inverse": "ψinv",
    "sign": "sgn",
    "maximum": "max",
    "beta_share": "I",
}
"""How functions with arguments in parentheses are printed; I is the regularized incomplete beta function."""

BRACKETS = {"absolute": ("|", "|"), "floor": ("⌊", "⌋")}
"""Functions that are printed as brackets."""


class Printed(NamedTuple):
    """MathML, how strongly its parts hold together, and how many nodes it has, repeated ones each time."""

    text: str
    holds: int
    nodes: int


def sentence_mathml(sentence: Sentence) -> tuple[list[str], str] | None:
    """What is given, an element for each proposition, and the conclusion; None where it is too long to read.

    The texts are safe in HTML whatever the variables are called.
    """
    props = (*sentence.given, sentence.conclusion)
    known = _printed([side for p in props for side in (p.left, p.right)])
    if sum(known[id(side)].nodes for p in props for side in (p.left, p.right)) > MOST:
        return None
    *given, conclusion = (_prop(p, known) for p in props)
    return [_math(each, "inline") for each in given], _math(conclusion, "block")


def term_mathml(term: Term) -> str | None:
    """A formula alone; None where it is too long to read."""
    found = _printed([term])[id(term)]
    return None if found.nodes > MOST else _math(found.text, "inline")


def exponential_mathml(power: Term) -> str | None:
    """e to the power of a formula."""
    return term_mathml(node("exp", power))


def _math(inner: str, display: str) -> str:
    return f'<math display="{display}">{inner}</math>'


def _printed(roots: Sequence[Term]) -> dict[int, Printed]:
    known: dict[int, Printed] = {}
    for term in parts(roots):
        inner = [known[id(part)] for part in below(term)]
        nodes = 1 + sum(part.nodes for part in inner)
        text, holds = _node(term, inner, known) if nodes <= MOST else ("", ATOM)
        known[id(term)] = Printed(text, holds, nodes)
    return known


def _node(term: Term, inner: Sequence[Printed], known: dict[int, Printed]) -> tuple[str, int]:
    match term.op:
        case "number":
            return _number(term.data)
        case "variable":
            return _name(term.data[0]), ATOM
        case "+" | "-":
            sign = {"+": "+", "-": "−"}[term.op]
            return _row(_in(inner[0], SUM), _sign(sign), _in(inner[1], PRODUCT)), SUM
        case "*":
            return _row(_in(inner[0], PRODUCT), _sign("·"), _in(inner[1], POWER)), PRODUCT
        case "/":
            return f"<mfrac>{_row(inner[0].text)}{_row(inner[1].text)}</mfrac>", POWER
        case "^":
            return f"<msup>{_in(inner[0], ATOM)}{_row(inner[1].text)}</msup>", POWER
        case "negative":
            return _row(_sign("−"), _in(inner[0], PRODUCT)), NEGATIVE
        case "exp":
            return f'<msup><mi mathvariant="normal">e</mi>{_row(inner[0].text)}</msup>', POWER
        case "sqrt":
            return f"<msqrt>{inner[0].text}</msqrt>", ATOM
        case "pi":
            return "<mi>π</mi>", ATOM
        case "undefined":
            return "<mtext>undefined</mtext>", ATOM
        case "where":
            return _cases(_prop(term.args[0], known), *(part.text for part in inner[2:])), SUM
    if term.op in BRACKETS:
        left, right = BRACKETS[term.op]
        return _row(_sign(left), inner[0].text, _sign(right)), ATOM
    name = getattr(term.data, "function", None)  # of a program
    return _applied(NAMES.get(term.op) or str(getattr(name, "__name__", "program")), inner), ATOM


def _number(value: Fraction) -> tuple[str, int]:
    top = f"<mn>{str(value.numerator).replace('-', '−')}</mn>"
    if value.denominator != 1:
        return f"<mfrac>{top}<mn>{value.denominator}</mn></mfrac>", POWER
    return top, ATOM if value >= 0 else NEGATIVE


def _name(name: str) -> str:
    """A variable; what stands behind the first low line is an index."""
    stem, _, index = name.partition("_")
    if not stem or not index:
        return f"<mi>{escape(name)}</mi>"
    return f"<msub><mi>{escape(stem)}</mi><mi>{escape(index)}</mi></msub>"


def _applied(name: str, inner: Sequence[Printed]) -> str:
    between = _sign(",")
    return _row(f"<mi>{escape(name)}</mi>", _sign("("), between.join(part.text for part in inner), _sign(")"))


def _cases(prop: str, then: str, other: str) -> str:
    rows = [(then, f"<mtext>if\u00a0</mtext>{prop}"), (other, "<mtext>otherwise</mtext>")]
    cells = "".join(f"<mtr><mtd>{value}</mtd><mtd>{_row(condition)}</mtd></mtr>" for value, condition in rows)
    return _row(_sign("{"), f"<mtable>{cells}</mtable>")


def _prop(prop: Prop, known: dict[int, Printed]) -> str:
    return _row(known[id(prop.left)].text, _sign(SIGNS[prop.relation]), known[id(prop.right)].text)


def _in(part: Printed, least: int) -> str:
    """A part where at least so strong a hold is needed, else in parentheses."""
    return part.text if part.holds >= least else _row(_sign("("), part.text, _sign(")"))


def _row(*inner: str) -> str:
    return f"<mrow>{''.join(inner)}</mrow>"


def _sign(sign: str) -> str:
    """A sign; brackets reach as far as what they hold, and no farther to be symmetric."""
    if sign in "()|⌊⌋{":
        return f'<mo symmetric="false">{sign}</mo>'
    return f"<mo>{escape(sign)}</mo>"
