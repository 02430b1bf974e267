"""What a sentence owes: that each of its parts is defined, and its conclusion; and how each is decided.

A goal is decided by signs of normal forms, under both sides of each branch and at each closed end of a
variable; or by what the file has beside it, which is asked where signs do not decide.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import Any, NamedTuple

from establish.proofs_check.recheck.forms import Forms
from establish.proofs_check.recheck.quotients import Ends, Finer, Form, Open, Poly, Split
from establish.proofs_check.recheck.sentences import (
    NODES,
    Prop,
    Sentence,
    Term,
    below,
    number,
    put_in,
    variable,
)
from establish.proofs_check.recheck.values import truth

DEEP = 12
"""How many times one goal may be split."""

NEVER = Prop(number(0), "<", number(0))


class Goal(NamedTuple):
    """At every point that meets what is given: one of the propositions."""

    fields: tuple[str, ...]
    given: tuple[Prop, ...]
    either: tuple[Prop, ...]


def whole(one: Term) -> bool:
    """Whether a term shows that its value is an integer."""
    op, data, parts = NODES[one]
    if op == "number":
        return bool(data.denominator == 1)
    if op == "variable":
        return bool(data[1] == "ℤ")
    if op in ("+", "-", "*", "negative", "absolute", "maximum"):
        return all(map(whole, parts))
    return op in ("floor", "sign")


def needs(one: Term) -> list[tuple[Prop, ...]]:
    """What a node needs of its parts to have a value: each entry says one of these."""
    op, _, a = NODES[one]
    zero = number(0)
    match op:
        case "log" | "log_gamma":
            return [(Prop(zero, "<", a[0]),)]
        case "sqrt" | "psi":
            return [(Prop(zero, "<=", a[0]),)]
        case "/":
            return [(Prop(a[1], "!=", zero),)]
        case "erfinv":
            return [(Prop(number(-1), "<", a[0]),), (Prop(a[0], "<", number(1)),)]
        case "beta_share":
            return [
                (Prop(zero, "<=", a[0]),),
                (Prop(a[0], "<=", number(1)),),
                (Prop(zero, "<", a[1]),),
                (Prop(zero, "<", a[2]),),
            ]
        case "undefined":
            return [(NEVER,)]
        case "^" if NODES[a[1]][0] == "number" and whole(a[1]) and NODES[a[1]][1] >= 0:
            return []
        case "^" if whole(a[1]):
            return [(Prop(a[0], "!=", zero), Prop(zero, "<=", a[1]))]
        case "^":
            positive = Prop(zero, "<", a[0])
            return [(positive, Prop(a[0], "==", zero)), (positive, Prop(zero, "<", a[1]))]
        case "psi_inverse" | "computed":
            raise Open(f"{op} is not defined here")
    return []


def defined(root: Term, under: tuple[Prop, ...], seen: set[Any]) -> Iterator[tuple[tuple[Prop, ...], Any]]:
    """What a term owes to be defined, parts first, each under the sides of branches on which it stands."""
    pending: list[tuple[Term, tuple[Prop, ...], bool]] = [(root, under, False)]
    while pending:
        one, under, ready = pending.pop()
        op, data, parts = NODES[one]
        if ready:
            yield from ((under, need) for need in needs(one))
        elif (one, under) not in seen:
            seen.add((one, under))
            pending.append((one, under, True))
            if op == "where":
                side = Prop(parts[0], data, parts[1])
                pending += [(parts[3], (*under, side.negated), False), (parts[2], (*under, side), False)]
                parts = parts[:2]
            pending += [(part, under, False) for part in reversed(parts)]


def goals(sentence: Sentence) -> Iterator[Goal]:
    """All that a sentence owes, the conclusion last."""
    done: tuple[Prop, ...] = ()
    seen: set[Any] = set()
    for prop in (*sentence.given, sentence.conclusion):
        for side in (prop.left, prop.right):
            for under, need in defined(side, (), seen):
                yield Goal(sentence.fields, (*done, *under), need)
        done = (*done, prop)
    yield Goal(sentence.fields, sentence.given, (sentence.conclusion,))


Known = Sequence[tuple[Poly, bool]]
"""Polynomials that are above 0, or at least that."""

Close = Callable[[str, Callable[[], Known]], bool]
"""Whether polynomials contradict each other, by the path of the goal of which this is owed."""


def decide(goal: Goal, path: str, close: Close) -> None:
    """Returns where the goal is true. Raises Open where this is not shown.

    close: asked where signs alone do not decide.
    """
    if any(truth(prop, (Fraction(0),) * len(goal.fields)) for prop in goal.either if _plain(prop)):
        return
    *others, last = _joined(goal.either)
    for place, prop in enumerate(others):
        try:
            return _decide(goal.fields, goal.given, prop, f"{path}{place}", close)
        except Open:
            continue
    return _decide(goal.fields, (*goal.given, *(prop.negated for prop in others)), last, path, close)


def _joined(either: tuple[Prop, ...]) -> tuple[Prop, ...]:
    """a < b or b = a as a ≤ b."""
    if len(either) == 2 and either[1] == Prop(either[0].right, "==", either[0].left):
        return (Prop(either[0].left, "<=", either[0].right),)
    return either


def _plain(prop: Prop) -> bool:
    return all(NODES[one][0] not in ("variable", "computed") for one in below(prop.left, prop.right))


def _decide(fields: Sequence[str], given: Sequence[Prop], prop: Prop, path: str, close: Close) -> None:
    if len(path.partition(":")[2]) > DEEP:
        raise Open("it is split too often")
    if prop in given:
        return
    for i, one in enumerate(given):  # a variable that is given has its value
        op, data, _ = NODES[one.left]
        if one.relation == "==" and op == "variable" and one.left not in below(one.right):
            values = [variable(j, f) for j, f in enumerate(fields)]
            values[data[0]] = one.right
            rest = [put_in(p, values) for j, p in enumerate(given) if j != i]
            return _decide(fields, rest, put_in(prop, values), path, close)
    try:
        known, _ = _formed(tuple(fields), tuple(given), prop)
    except Ends as end:
        at = given[end.place]
        kept = [*given[: end.place], *given[end.place + 1 :]]
        _decide(fields, [*kept, Prop(at.left, "==", at.right)], prop, path + "=", close)
        strict = Prop(at.left, "<", at.right)
        return _decide(fields, [strict if p == at else p for p in given], prop, path + "<", close)
    except Split as branch:
        _decide(fields, [*given, branch.prop], prop, path + "t", close)
        return _decide(fields, [*given, branch.prop.negated], prop, path + "f", close)
    if known.truth(prop) is True or any(known.truth(one) is False for one in known.left):
        return None
    for word in ("", "u"):
        if close(path + word, partial(hypotheses, fields, given, prop, not word)):
            return None
    raise Open(path)


@lru_cache(256)
def _started(fields: tuple[str, ...], given: tuple[Prop, ...]) -> Forms:
    return Forms(fields, given, {})


def _formed(
    fields: tuple[str, ...], given: tuple[Prop, ...], prop: Prop, new: bool = False, boxed: bool = True
) -> tuple[Forms, Form]:
    """The normal forms of a question, and right − left. Raises Open, Split or Ends. new: not those of another
    question with the same that is given. boxed: as of `Forms`.
    """
    finer: dict[Any, int] = {}
    for _ in range(DEEP):
        try:
            forms = Forms(fields, given, finer, boxed) if new or finer else _started(fields, given)
            return forms, forms.gap(prop)
        except Finer as more:
            finer[more.key] = lcm(finer.get(more.key, 1), more.parts)
    raise Open("its exponents have no common part")


def hypotheses(fields: Sequence[str], given: Sequence[Prop], prop: Prop, boxed: bool) -> Known:
    """Polynomials that are above 0, or at least that, if the proposition is false where all else is true."""
    try:
        forms, gap = _formed(tuple(fields), tuple(given), prop, True, boxed)
    except (Split, Ends):
        raise Open("it is split otherwise") from None
    under = forms.sign(gap.d)
    p = gap.n * gap.d if not under else gap.n if under > 0 else -gap.n
    if prop.relation == "==":
        raise Open("no equation is shown by an identity of hypotheses")
    false = [(p, False), (-p, False)] if prop.relation == "!=" else [(-p, prop.relation == "<=")]
    return [*false, *forms.facts, *forms.told()]
