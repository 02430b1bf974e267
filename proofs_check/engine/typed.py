"""What is typed beside an object, a value or a counterexample, compared by value with what the object says.

The formulas of a typed text are read as trees. A text is told by objects where each of its formulas has the
value of a whole formula of theirs, a side or a level, wherever both have one. Its words are not compared:
where one of them weighs a formula, as half or at least do, no object tells the text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from hashlib import sha256
from math import ceil
from typing import Any

import flint

from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.marked import marked
from establish.proofs_check.engine.statements.printed import PrintedNumber
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.terms import trees
from establish.proofs_check.terms.trees import NotATerm, Term
from establish.proofs_check.terms.values import ball, finite, values

TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<name>(?:[α-ωΑ-Ω]|[A-Za-z]+)(?:_[A-Za-z0-9]+|\d)*['′]*)|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<sign>[-−+·*/^√(),|])|(?P<mark>[\s;:.<>=≤≥±[\]{}])|(?P<other>.)"
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
FUNCTIONS = {"ln": ("log", 1), "exp": ("exp", 1), "max": ("maximum", 2), "sin": ("sin", 1), "erf": ("erf", 1)}
"""How functions are written, what trees call them, and how many arguments they have."""

WEIGHING = re.compile(
    r"\b(half|third|twice|times|dozen|percent|hundred|thousand|million|not|no|never|nor|without|unless|except"
    r"|than|instead|more|less|fewer|smaller|larger|greater|below|above|under|over|small|large"
    r"|about|nearly|almost)\b|%"
)
"""Words that make another number of the one beside them, or a bound, or the opposite."""

BOUNDING = re.compile(r"\bat (least|most)\b|\bup to\b|[<>≤≥]")
"""What makes a bound of a number, which then is no rounded one."""

POINTS, BITS = 3, 256
"""At how many points two formulas are compared, and with how many bits."""


def tells(statements: Iterable[Statement], text: str) -> bool:
    """Whether what is typed is what some of the objects tell: their words, or formulas of their values."""
    objects = list(statements)
    if text in {each.tells for each in objects} - {""}:
        return True
    if WEIGHING.search(text):
        return False
    known = [(formula, each) for each in objects for formula in _formulas_of(each)]
    found = _read(text, frozenset(name for formula, _ in known for name in _names(formula)))
    return bool(found) and all(any(_equal(*one, *other) for other in known) for one in found or ())


def elsewhere(text: str, point: Mapping[str, Any]) -> str:
    """A name to which a typed counterexample gives numbers, none of which is that of the point; or empty."""
    numbers = {_plain(name): Fraction(x) for name, x in point.items() if isinstance(x, int | Fraction)}
    reader = _Reader(text, frozenset(numbers))
    told: dict[str, list[Term]] = {}
    for place, (_, word) in enumerate(reader.tokens):
        reader.at = place
        if _plain(word) not in numbers or not reader.names_what_follows("=") or reader.continues():
            continue
        reader.at = place + 2
        with suppress(ValueError):
            found = reader.sum()
            if not any(_names(found)):
                told.setdefault(_plain(word), []).append(found)
    return next(
        (
            f"{name} = {numbers[name]}"
            for name, found in told.items()
            if not any(_equal(one, Fraction(0), trees.lift(numbers[name]), None) for one in found)
        ),
        "",
    )


def _formulas_of(statement: Statement) -> Iterator[Term]:
    """The whole formulas of a statement: its sides and bounds, its level; and its value."""
    if isinstance(statement, Comparison):
        conclusion = statement.sentence.conclusion
        if isinstance(statement, PrintedNumber):  # |value − number| is at most half a unit
            yield from (trees.lift(statement.number), *conclusion.left.args[0].args[: not statement.costly])
            return
        yield from (conclusion.left, conclusion.right)
        for prop in statement.sentence.given:
            yield from (side for side in (prop.left, prop.right) if side.op not in ("number", "variable"))
        return
    for term in marked(statement)[1]:
        try:
            yield term.tree
        except NotATerm:
            continue
    value = getattr(statement, "value", None)
    if isinstance(value, Fraction):
        yield trees.lift(value)


def _names(formula: Term) -> Iterator[str]:
    return (_plain(one.data[0]) for one in trees.parts([formula]) if one.op == "variable")


def _plain(name: str) -> str:
    """A name as it is compared: ε_1 is ε1."""
    return name.replace("_", "").replace("′", "'")


@cache
def _read(text: str, names: frozenset[str]) -> list[tuple[Term, Fraction]] | None:
    """The formulas of a text, each with half a unit of its last digit where it is a decimal number; None
    where a part of a formula cannot be read. names: words that are variables.
    """
    reader = _Reader(text, names)
    found: list[tuple[Term, Fraction]] = []
    while reader.at < len(reader.tokens):
        kind, word = reader.tokens[reader.at]
        start = reader.at
        if kind in ("word", "mark") or word in "),":
            reader.at += 1
            continue
        if kind == "name" and reader.names_what_follows():
            reader.at += 2
            continue
        try:
            formula = reader.sum()
            rounded = reader.at == start + 1 and not BOUNDING.search(text)
            found.append((formula, _half(word) if rounded else Fraction(0)))
        except ValueError:
            if word != "(":
                return None
            reader.at = start + 1  # what is in brackets is prose
    return found


def _half(written: str) -> Fraction:
    digits = len(written.partition(".")[2])
    return Fraction(1, 2 * 10**digits) if digits else Fraction(0)


class _Reader:
    """Formulas of a text, by descent. Raises ValueError where none stands."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.tokens = [
            (self._kind(found, names), found[0]) for found in TOKEN.finditer(text) if not found[0].isspace()
        ]
        self.at = 0

    def _kind(self, found: re.Match[str], names: frozenset[str]) -> str:
        kind, word = str(found.lastgroup), found[0]
        if kind != "name" or word in FUNCTIONS or _plain(word) in names:
            return kind
        prose = word.isascii() and (len(word.rstrip("'")) > 1 or word in "aAI")
        return "word" if prose and "_" not in word and not word[-1].isdigit() else kind

    def names_what_follows(self, signs: str = "=<>≤≥") -> bool:
        """Whether a name stands before a relation, as in λ = ln(1 + α)/ε."""
        return self.tokens[self.at + 1 : self.at + 2] in ([("mark", sign)] for sign in signs)

    def continues(self) -> bool:
        """Whether the token belongs to a formula that stands before it."""
        before = self.tokens[self.at - 1] if self.at else ("", "")
        return before[0] in ("number", "name", "raised") or (before[0] == "sign" and before[1] not in "(,")

    def _next(self, *signs: str) -> str:
        """The next token, if it is one of these, which is then behind."""
        kind, word = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if kind != "sign" or word not in signs:
            return ""
        self.at += 1
        return word

    def _must(self, sign: str) -> None:
        if not self._next(sign):
            raise ValueError(f"no {sign}")

    def sum(self) -> Term:
        found = -self._product() if self._next("-", "−") else self._product()
        while sign := self._next("+", "-", "−"):
            found = found + self._product() if sign == "+" else found - self._product()
        return found

    def _product(self) -> Term:
        found, divided = self._power(), False
        while True:
            if sign := self._next("·", "*", "/"):
                other, divided = self._power(), sign == "/"
                found = found / other if divided else found * other
            elif self._begins():
                if divided:
                    raise ValueError("1/2t may be 1/(2t) or t/2")
                found = found * self._power()
            else:
                return found

    def _begins(self) -> bool:
        """Whether a factor follows without a sign."""
        kind, word = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return kind == "name" or (kind == "sign" and word in "(√")

    def _power(self) -> Term:
        euler = self.tokens[self.at : self.at + 2] == [("name", "e"), ("sign", "^")]
        found = trees.lift(1) if euler else self._atom()
        self.at += euler
        if self._next("^"):
            lower = self._next("-", "−")
            raised = self._power()
            raised = -raised if lower else raised
            return trees.node("exp", raised) if euler else found**raised
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "raised":
            self.at += 1
            return found ** Fraction(self.tokens[self.at - 1][1].translate(RAISED))
        return found

    def _atom(self) -> Term:
        kind, word = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        self.at += 1
        if kind == "number":
            return trees.lift(Fraction(word))
        if word in FUNCTIONS:
            name, count = FUNCTIONS[word]
            return trees.node(name, *self._arguments(count))
        if kind == "name":
            return trees.node("pi") if word == "π" else trees.variable(_plain(word))
        if (kind, word) == ("sign", "√"):
            return trees.node("sqrt", self._atom())
        if kind == "sign" and word in "(|":
            found = self.sum()
            self._must(")" if word == "(" else "|")
            return found if word == "(" else abs(found)
        raise ValueError(f"{word!r} begins no formula")

    def _arguments(self, count: int) -> list[Term]:
        if count == 1 and (self.at >= len(self.tokens) or self.tokens[self.at][1] != "("):
            return [self._power()]
        self._must("(")
        found = [self.sum()]
        while self._next(","):
            found.append(self.sum())
        self._must(")")
        if len(found) != count:
            raise ValueError("another number of arguments")
        return found


def _equal(one: Term, half: Fraction, other: Term, statement: Statement | None) -> bool:
    """Whether two formulas have the same value at points, of the statement's domain where it has one, at
    which both have one.
    """
    met = 0
    for point in _points(statement):
        with flint.ctx.workprec(BITS):
            try:
                a, b = (values([each], _point(each, point))[0] for each in (one, other))
            except Exception:  # a program of the object computes at its own values only
                continue
            if finite(a) and finite(b):
                met += 1
                if not _near(a, b, half):
                    return False
    return met > 0


def _near(a: Any, b: Any, half: Fraction) -> bool:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return abs(a - b) <= half
    gap = abs(ball(a) - ball(b))
    return bool(gap < flint.arb(2) ** (64 - BITS) + ball(half))


Point = Callable[[str], Fraction]
"""A number for the plain name of a variable."""


def _points(statement: Statement | None) -> Sequence[Point]:
    """Points of the domain where it is known, drawn ones rather than simple ones; else drawn ones above 0."""
    domain = statement.domain if isinstance(statement, Comparison) else None
    if domain is None or not domain.names:
        return [partial(_number, k) for k in range(POINTS)]
    drawn = (
        tuple(sign * _number(k, _plain(name)) for name in domain.names)
        for k in range(POINTS)
        for sign in (1, -1)
    )
    whole = [v.field == "ℤ" for v in domain.variables]
    rounded = (tuple(Fraction(ceil(x)) if w else x for x, w in zip(at, whole, strict=True)) for at in drawn)
    inside = [at for at in rounded if domain.includes(at)]
    if len(inside) < POINTS:
        inside += domain.simple_points(4 * POINTS)
    names = list(map(_plain, domain.names))
    return [partial(_of, dict(zip(names, at, strict=True)), k % POINTS) for k, at in enumerate(inside)]


def _of(known: Mapping[str, Fraction], k: int, name: str) -> Fraction:
    return known[name] if name in known else _number(k, name)


def _point(formula: Term, point: Point) -> Mapping[int, Fraction]:
    return {id(one): point(_plain(one.data[0])) for one in trees.parts([formula]) if one.op == "variable"}


def _number(k: int, name: str) -> Fraction:
    """A number for a name: between 0 and 1 at the first point, above it at the others."""
    drawn = int.from_bytes(sha256(f"{name} {k}".encode()).digest()[:4], "big")
    return Fraction(drawn, 2**32) * (1, 3, 40)[k] + (0, 1, 1)[k]
