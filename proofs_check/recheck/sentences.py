"""Sentences of an exported proof: for all values of some variables that meet what is given, a proposition.

A term is a number, the place of its node in a list that grows only: the same formula is the same number.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

ARITIES = {
    **dict.fromkeys(("+", "-", "*", "/", "^", "maximum"), 2),
    **dict.fromkeys(("log", "exp", "sqrt", "sin", "erf", "erfinv", "log_gamma", "psi", "psi_inverse"), 1),
    **dict.fromkeys(("negative", "absolute", "sign", "floor"), 1),
    **dict.fromkeys(("pi", "undefined"), 0),
    "beta_share": 3,
}
"""How many parts each operation and function has."""

RELATIONS = ("<", "<=", "==", "!=")
FIELDS = ("ℝ", "ℚ", "ℤ")
DEEPEST = 100_000
"""How many nodes one sentence may have."""

RATIONAL = re.compile(r"-?[0-9]+(?:/0*[1-9][0-9]*)?")

DIGITS = 4000
"""How many characters one number may have."""

Term = int


class Refused(Exception):
    """The proof is none; the message says why, in one line."""


class Prop(NamedTuple):
    """``left relation right``."""

    left: Term
    relation: str
    right: Term

    @property
    def negated(self) -> Prop:
        if self.relation in ("==", "!="):
            return Prop(self.left, "!=" if self.relation == "==" else "==", self.right)
        return Prop(self.right, "<=" if self.relation == "<" else "<", self.left)


class Sentence(NamedTuple):
    """fields: over what each variable ranges, in order."""

    fields: tuple[str, ...]
    given: tuple[Prop, ...]
    conclusion: Prop


NODES: list[tuple[str, Any, tuple[Term, ...]]] = []
"""Each node: its operation, what it holds (a rational, a place and a field, a relation), its parts."""

_places: dict[tuple[str, Any, tuple[Term, ...]], Term] = {}


def term(op: str, *parts: Term, data: Any = None) -> Term:
    """The one term of this operation and these parts."""
    key = (op, data, parts)
    if key not in _places:
        _places[key] = len(NODES)
        NODES.append(key)
    return _places[key]


def number(value: int | Fraction) -> Term:
    return term("number", data=Fraction(value))


def variable(place: int, field: str) -> Term:
    return term("variable", data=(place, field))


def below(*roots: Term, sides: int = 4) -> list[Term]:
    """All terms below the roots, and these, each once and after its parts; in the order of what is written,
    whatever was read before. sides: how many parts of a branch are looked at; what it compares are two.
    """
    found: dict[Term, None] = {}
    pending = [*reversed(roots)]
    while pending:
        op, _, parts = NODES[pending[-1]]
        more = [part for part in (parts[:sides] if op == "where" else parts) if part not in found]
        if more:
            pending += reversed(more)
        else:
            found[pending.pop()] = None
    return list(found)


def put(root: Term, values: Sequence[Term]) -> Term:
    """The term with values in the place of its variables."""
    known: dict[Term, Term] = {}
    for one in below(root):
        op, data, parts = NODES[one]
        known[one] = values[data[0]] if op == "variable" else term(op, *(known[p] for p in parts), data=data)
    return known[root]


def put_in(prop: Prop, values: Sequence[Term]) -> Prop:
    return Prop(put(prop.left, values), prop.relation, put(prop.right, values))


def parsed(data: Any) -> Sentence:
    """The sentence that was printed as JSON. Raises Refused."""
    if not isinstance(data, dict) or set(data) != {"nodes", "given", "conclusion"}:
        raise Refused("a sentence has nodes, given and conclusion, and nothing else")
    nodes, given, conclusion = data["nodes"], data["given"], data["conclusion"]
    if not isinstance(nodes, list) or not isinstance(given, list) or len(nodes) + len(given) > DEEPEST:
        raise Refused(f"nodes and given of a sentence are lists of at most {DEEPEST} entries")
    made: list[Term] = []
    fields: dict[int, str] = {}
    for each in nodes:
        made.append(_node(each, made, fields))
    if sorted(fields) != list(range(len(fields))):
        raise Refused("the variables of a sentence are numbered from 0")
    props = [_prop(each, made) for each in (*given, conclusion)]
    return Sentence(tuple(fields[i] for i in range(len(fields))), tuple(props[:-1]), props[-1])


def digest(data: Any) -> str:
    """What names a printed sentence."""
    text = json.dumps({key: data[key] for key in ("nodes", "given", "conclusion")}, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def rational(text: Any, longest: int = 1000) -> Fraction:
    """The rational that is written so: digits, and perhaps others below. Raises Refused."""
    if not isinstance(text, str) or len(text) > longest or not RATIONAL.fullmatch(text):
        raise Refused(f"{str(text)[:40]!r} is no rational")
    return Fraction(text)


def _node(each: Any, made: list[Term], fields: dict[int, str]) -> Term:
    match each:
        case ["number", text]:
            value = rational(text, DIGITS)
            if str(value) != text:
                raise Refused(f"the rational {text[:40]!r} is not written in lowest terms")
            return number(value)
        case ["variable", int(place), str(field)] if field in FIELDS and type(place) is int:
            if place in fields:
                raise Refused(f"variable {place} of a sentence stands twice")
            fields[place] = field
            return variable(place, field)
        case ["computed", str(name), *parts]:
            return term("computed", *_parts(parts, made), data=name)
        case ["where", str(relation), *parts] if relation in RELATIONS and len(parts) == 4:
            return term("where", *_parts(parts, made), data=relation)
        case [str(op), *parts] if ARITIES.get(op) == len(parts):
            return term(op, *_parts(parts, made))
    raise Refused(f"{str(each)[:60]} is no node of a sentence")


def _parts(places: Sequence[Any], made: list[Term]) -> Iterator[Term]:
    for place in places:
        if type(place) is not int or not 0 <= place < len(made):
            raise Refused(f"a part of a node stands before it, and {str(place)[:40]} does not")
        yield made[place]


def _prop(each: Any, made: list[Term]) -> Prop:
    match each:
        case [left, str(relation), right] if relation in RELATIONS:
            a, b = _parts((left, right), made)
            return Prop(a, relation, b)
    raise Refused(f"{str(each)[:60]} is no proposition")
