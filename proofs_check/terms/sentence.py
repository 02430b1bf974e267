"""For all values of some variables that meet some propositions, a proposition: named by its digest."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from establish.proofs_check.terms.trees import (
    DEEPEST,
    FIELDS,
    FUNCTIONS,
    OPERATIONS,
    RELATIONS,
    NotATerm,
    Prop,
    Term,
    below,
    lift,
    node,
    parts,
    variable,
)

REVERSED = {">": "<", ">=": "<="}
"""Relations that are said from the right."""


def prop(left: Term, relation: str, right: Term) -> Prop:
    """``left relation right``, for > and ≥ too."""
    if relation in REVERSED:
        return Prop(right, REVERSED[relation], left)
    return Prop(left, relation, right)


@dataclass(frozen=True, eq=False)
class Sentence:
    """For all values of the variables that meet ``given``: the conclusion. This is all that it says."""

    variables: tuple[Term, ...]
    given: tuple[Prop, ...]
    conclusion: Prop

    @cached_property
    def data(self) -> dict[str, Any]:
        """As JSON, without the names of the variables: what the digest is of, and what `parsed` reads."""
        props = (*self.given, self.conclusion)
        order = parts([*self.variables, *(side for p in props for side in (p.left, p.right))])
        place = {id(term): i for i, term in enumerate(order)}
        names = {id(term): i for i, term in enumerate(self.variables)}

        def told(term: Term) -> list[Any]:
            if term.op == "number":
                return ["number", str(term.data)]
            if term.op == "variable":
                if id(term) not in names:
                    raise NotATerm(f"{term.data[0]} is no variable of the sentence")
                return ["variable", names[id(term)], term.data[1]]
            if term.op == "computed":
                return ["computed", term.data.digest, *(place[id(t)] for t in term.args)]
            if term.op == "where":
                return ["where", term.args[0].relation, *(place[id(t)] for t in below(term))]
            return [term.op, *(place[id(t)] for t in term.args)]

        said = [[place[id(p.left)], p.relation, place[id(p.right)]] for p in props]
        return {"nodes": [told(t) for t in order], "given": said[:-1], "conclusion": said[-1]}

    @cached_property
    def printed(self) -> str:
        """One line, which `parsed` reads back."""
        return json.dumps(self.data, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.printed.encode()).hexdigest()


def parsed(text: str, names: Sequence[str] = ()) -> Sentence:
    """The sentence that was printed, its variables called by ``names``, or x0, x1 and so on.

    Raises NotATerm for a text that is cut, reordered, of another version or otherwise no sentence.
    """
    try:
        data = json.loads(text)
        nodes, given, conclusion = data["nodes"], data["given"], data["conclusion"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise NotATerm(
            "this is no printed sentence: it must be JSON with nodes, given and conclusion"
        ) from None
    if set(data) != {"nodes", "given", "conclusion"} or not isinstance(nodes, list) or len(nodes) > DEEPEST:
        raise NotATerm(f"a sentence has nodes (at most {DEEPEST}), given and conclusion, and nothing else")
    made: list[Term] = []
    own: dict[int, Term] = {}
    try:
        for each in nodes:
            made.append(_node(each, made, own, names))
        props = [_prop(each, made) for each in (*given, conclusion)]
    except (ValueError, TypeError, KeyError, IndexError, ZeroDivisionError, AttributeError) as error:
        raise NotATerm(f"node {len(made)} of the sentence cannot be read: {error}") from None
    if sorted(own) != list(range(len(own))):
        raise NotATerm("the variables of a sentence are numbered from 0")
    found = Sentence(tuple(own[i] for i in range(len(own))), tuple(props[:-1]), props[-1])
    if found.printed != json.dumps(data, separators=(",", ":")):
        raise NotATerm("the nodes of the sentence are not in the order in which it is printed")
    return found


def _node(each: Any, made: list[Term], own: dict[int, Term], names: Sequence[str]) -> Term:
    op, *more = each
    if op == "number":
        (text,) = more
        return lift(Fraction(text))
    if op == "variable":
        place, field = more
        if field not in FIELDS or not isinstance(place, int) or place < 0:
            raise NotATerm(f"a variable is numbered and over one of {', '.join(FIELDS)}, not {more}")
        own[place] = variable(names[place] if names else f"x{place}", field)
        return own[place]
    if op == "computed":
        raise NotATerm(
            "a formula that a program computes is named by the digest of its code, and not printed"
        )
    if op == "where":
        a, b, then, other = (_at(i, made) for i in more[1:])
        if more[0] not in RELATIONS:
            raise NotATerm(f"there is no relation {more[0]!r}")
        return node("where", Prop(a, more[0], b), then, other)
    if {**OPERATIONS, **FUNCTIONS, "undefined": 0}.get(op) != len(more):
        raise NotATerm(f"there is no {op!r} of {len(more)}")
    return node(op, *(_at(i, made) for i in more))


def _at(place: Any, made: list[Term]) -> Term:
    if type(place) is not int or not 0 <= place < len(made):
        raise NotATerm(f"a part must stand before, and {place!r} does not")
    return made[place]


def _prop(each: Any, made: list[Term]) -> Prop:
    a, relation, b = each
    if relation not in RELATIONS:
        raise NotATerm(f"there is no relation {relation!r}")
    return Prop(_at(a, made), relation, _at(b, made))
