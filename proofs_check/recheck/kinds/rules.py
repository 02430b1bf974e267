"""Rules of logic and order: each gives the goals that are left; Open is raised for other premises."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from establish.proofs_check.recheck.goals import Goal, goals, whole
from establish.proofs_check.recheck.quotients import Open
from establish.proofs_check.recheck.sentences import (
    NODES,
    Prop,
    Refused,
    Sentence,
    Term,
    parsed,
    put_in,
    term,
)


def _alike(sentence: Sentence, premises: Sequence[Sentence]) -> None:
    for one in premises:
        if one.fields != sentence.fields or not set(one.given) <= set(sentence.given):
            raise Open("a premise is about other points")


def chain(sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]) -> Iterator[Goal]:
    """From a ≤ b and b ≤ c follows a ≤ c, and a < c where one of them is strict."""
    _alike(sentence, premises)
    links = [one.conclusion for one in premises]
    ends = (links[0].left, links[-1].right) == (sentence.conclusion.left, sentence.conclusion.right)
    joined = all(a.right == b.left for a, b in itertools.pairwise(links))
    ordered = all(link.relation in ("<", "<=", "==") for link in links)
    strict = sentence.conclusion.relation == "<=" or any(link.relation == "<" for link in links)
    if not (ends and joined and ordered and strict and sentence.conclusion.relation in ("<", "<=")):
        raise Open("the links do not join")
    yield from ()


def by_gap(sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]) -> Iterator[Goal]:
    """left ≤ right where right − left is a gap of at least 0; left < right where it is above 0."""
    _alike(sentence, premises)
    equal, least = (one.conclusion for one in premises)
    left, relation, right = sentence.conclusion
    gap = Prop(term("-", right, left), "==", least.right)
    zero = NODES[least.left][:2] == ("number", 0)
    if equal != gap or not zero or relation not in ("<", "<=") or least.relation != relation:
        raise Open("the gap is another")
    yield from ()


def increasing(sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]) -> Iterator[Goal]:
    """exp increases, ln above 0, the square from 0 on."""
    _alike(sentence, premises)
    moved = premises[0].conclusion
    left, relation, right = sentence.conclusion
    if relation not in ("<", "<=") or moved.relation != relation:
        raise Open("the relation is another")
    zero = term("number", data=Fraction(0))
    for op, word in (("exp", ""), ("log", "<"), ("*", "<=")):
        under = [term(op, side, side) if op == "*" else term(op, side) for side in (left, right)]
        if under == [moved.left, moved.right]:
            for side in (left, right) if word else ():
                yield Goal(sentence.fields, sentence.given, (Prop(zero, word, side),))
            return
    raise Open("the function is another")


def cover(sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]) -> Iterator[Goal]:
    """What is true in cases that leave no point out is true."""
    cases = [[p for p in one.given if p not in sentence.given] for one in premises]
    if any(one.fields != sentence.fields or one.conclusion != sentence.conclusion for one in premises):
        raise Open("a case is of another sentence")
    picks: list[tuple[Prop, ...]] = [()]
    for case in cases:
        picks = [(*pick, one) for pick in picks for one in case][:64]
    if any(not set(one.given) <= {*sentence.given, *case} for one, case in zip(premises, cases, strict=True)):
        raise Open("a case assumes more")
    if not picks or len(picks) == 64:
        raise Open("too many cases")
    for pick in picks:  # no point is outside of all: one of any choice of conditions is met
        if not _whole_sides(pick):
            yield Goal(sentence.fields, sentence.given, pick)


def _whole_sides(pick: Sequence[Prop]) -> bool:
    """Whether they say t ≤ k or k + 1 ≤ t of a whole t."""
    for low, high in itertools.permutations(pick, 2):
        bounds = [NODES[side] for side in (low.right, high.left)]
        said = low.left == high.right and low.relation == high.relation == "<=" and whole(low.left)
        numbers = bounds[0][0] == bounds[1][0] == "number"
        if said and numbers and ceil(bounds[1][1]) <= floor(bounds[0][1]) + 1:
            return True
    return False


def substitute(sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]) -> Iterator[Goal]:
    """What is true of all points of a domain is true at values that lie in it."""
    general, values = premises[0], _values(data, sentence)
    yield from _have_values(sentence, values)
    if len(values) != len(general.fields):
        raise Open("a value is missing")
    for field, value in zip(general.fields, values, strict=True):
        if field != "ℝ" and not _of_kind(value, field):
            raise Open("a value is not seen to be whole, or rational")
    for prop in general.given:
        yield Goal(sentence.fields, sentence.given, (put_in(prop, values),))
    moved = put_in(general.conclusion, values)
    if moved == sentence.conclusion:
        return
    if moved.relation != sentence.conclusion.relation:
        raise Open("the relation is another")
    for one, two in zip((moved.left, moved.right), sentence.conclusion[::2], strict=True):
        yield Goal(sentence.fields, sentence.given, (Prop(one, "==", two),))


def instances(sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]) -> Iterator[Goal]:
    """What is true of all points of a domain is true at values that lie in it, and is then given."""
    values, told = _values(data, sentence), list(sentence.given)
    yield from _have_values(sentence, values)
    for general in premises:
        own, values = values[: len(general.fields)], values[len(general.fields) :]
        if len(own) < len(general.fields) or {*general.fields} - {"ℝ"}:
            raise Open("a value is missing, or is to be of a kind")
        for prop in general.given:
            yield Goal(sentence.fields, sentence.given, (put_in(prop, own),))
        told.append(put_in(general.conclusion, own))
    yield Goal(sentence.fields, tuple(told), (sentence.conclusion,))


def _have_values(sentence: Sentence, values: Sequence[Term]) -> Iterator[Goal]:
    """That formulas are defined at every point of the domain of a sentence."""
    for one in values:
        yield from goals(Sentence(sentence.fields, sentence.given, Prop(one, "==", one)))


def _of_kind(value: int, field: str) -> bool:
    """Whether a term is whole, or rational, by its nodes."""
    op, held, parts = NODES[value]
    if op == "number":
        return field == "ℚ" or bool(held.denominator == 1)
    if op == "variable":
        return held[1] in ("ℤ", field)
    if op == "/":
        return field == "ℚ" and all(_of_kind(p, field) for p in parts)
    if op in ("+", "-", "*", "negative", "absolute", "maximum"):
        return all(_of_kind(p, field) for p in parts)
    return op in ("floor", "sign")


def _values(data: Mapping[str, Any], sentence: Sentence) -> list[int]:
    """The values that a rule was given, each printed as a sentence value = value over the same variables."""
    found = []
    for one in data.get("values", []):
        read = parsed(one)
        if read.fields != sentence.fields or read.given or read.conclusion.left != read.conclusion.right:
            raise Refused("a value is a formula of the variables of its sentence")
        found.append(read.conclusion.left)
    return found
