"""Where a tree is defined: what each of its nodes needs, under the branches on which it stands."""

from collections.abc import Iterator
from typing import Any

from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.trees import NEVER, Prop, Term, lift

Need = tuple[tuple[Prop, ...], tuple[Prop, ...]]
"""Under these propositions, one of those must hold."""


def whole(term: Term) -> bool:
    """Whether the tree shows that its value is an integer."""
    match term.op:
        case "number":
            return bool(term.data.denominator == 1)
        case "variable":
            return bool(term.data[1] == "ℤ")
        case "floor" | "sign":
            return True
        case "^":
            return all(map(whole, term.args)) and term.args[1].op == "number" and term.args[1].data >= 0
        case "+" | "-" | "*" | "negative" | "absolute" | "maximum":
            return all(map(whole, term.args))
    return False


def needs(term: Term) -> list[tuple[Prop, ...]]:
    """What must hold of the arguments of one node for it to have a value: each entry a disjunction."""
    zero, a = lift(0), term.args
    match term.op:
        case "log" | "log_gamma":
            return [(a[0] > 0,)]
        case "sqrt" | "psi":
            return [(a[0] >= 0,)]
        case "/":
            return [(a[1] != 0,)]
        case "erfinv":
            return [(a[0] > -1,), (a[0] < 1,)]
        case "beta_share":
            return [(a[0] >= 0,), (a[0] <= 1,), (a[1] > 0,), (a[2] > 0,)]
        case "undefined":
            return [(NEVER,)]
        case "^" if whole(a[1]):
            return [] if a[1].op == "number" and a[1].data >= 0 else [(a[0] != 0, a[1] >= zero)]
        case "^":
            return [(a[0] > 0, a[0] == 0), (a[0] > 0, a[1] > 0)]
    return []


def owed(term: Term, under: tuple[Prop, ...] = (), seen: set[Any] | None = None) -> Iterator[Need]:
    """All that a tree owes, parts first, each under the sides of the branches on which it stands."""
    seen = set() if seen is None else seen
    mark = (id(term), tuple(p.key for p in under))
    if mark in seen:
        return
    seen.add(mark)
    if term.op == "where":
        prop, then, other = term.args
        yield from owed(prop.left, under, seen)
        yield from owed(prop.right, under, seen)
        yield from owed(then, (*under, prop), seen)
        yield from owed(other, (*under, prop.negated()), seen)
        return
    for part in term.args:
        yield from owed(part, under, seen)
    for need in needs(term):
        if not any(p.known for p in need):
            yield under, tuple(p for p in need if p.known is None) or (NEVER,)


def obligations(sentence: Sentence) -> list[Sentence]:
    """What a sentence owes, each once: its bounds and conditions are defined under those before them, and its
    conclusion under all of them.
    """
    found: dict[str, Sentence] = {}
    done: tuple[Prop, ...] = ()
    for prop in (*sentence.given, sentence.conclusion):
        for side in (prop.left, prop.right):
            for under, need in owed(side):
                given = (*done, *under, *(p.negated() for p in need[:-1]))
                one = Sentence(sentence.variables, given, need[-1])
                found[one.digest] = one
        done = (*done, prop)
    return list(found.values())
