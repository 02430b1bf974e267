"""The rule of calculus: a function whose slope is at least 0 is least at its low end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from establish.proofs_check.recheck.goals import Goal, goals
from establish.proofs_check.recheck.quotients import Open
from establish.proofs_check.recheck.sentences import (
    NODES,
    Prop,
    Sentence,
    Term,
    below,
    number,
    put,
    put_in,
    term,
    variable,
)


def slope_and_end(
    sentence: Sentence, premises: Sequence[Sentence], data: Mapping[str, Any]
) -> Iterator[Goal]:
    """right − left is least at the low end of a variable where its slope is at least 0 between the ends; it
    is continuous as none of its parts jumps and all are defined.
    """
    end, slope = premises
    left, relation, right = sentence.conclusion
    jumps = {"sign", "floor", "where", "undefined", "computed"}
    if relation not in ("<", "<=") or jumps & {NODES[one][0] for one in below(left, right)}:
        raise Open("a side may jump")
    terms = [variable(i, f) for i, f in enumerate(sentence.fields)]
    for place, own in enumerate(terms):
        lows = [p for p in sentence.given if p.right == own and p.relation in ("<", "<=")]
        if len(lows) != 1 or sentence.fields[place] != "ℝ" or own in below(lows[0].left):
            continue
        others = [p for p in sentence.given if own in below(p.left, p.right)]
        if not all(_bounds(own, p) for p in others):
            continue  # not an interval
        rest = [
            variable(i, f) for i, f in enumerate((*sentence.fields[:place], *sentence.fields[place + 1 :]))
        ]
        values = [*rest[:place], 0, *rest[place:]]
        values[place] = put(lows[0].left, [*rest[:place], own, *rest[place:]])
        at_end = {put_in(p, values) for p in sentence.given if p not in others}
        if put_in(sentence.conclusion, values) != end.conclusion or not set(end.given) <= at_end:
            continue
        inner = {Prop(p.left, "<", p.right) if p in others else p for p in sentence.given}
        rises = slope.conclusion.relation in ("<", "<=") and slope.conclusion.left == number(0)
        if slope.fields != sentence.fields or not set(slope.given) <= inner or not rises:
            continue
        rise = term("-", derivative(right, own), derivative(left, own))
        equal = Prop(rise, "==", slope.conclusion.right)
        yield from goals(Sentence(sentence.fields, tuple(sorted(inner)), equal))
        return
    raise Open("the end or the slope is of another sentence")


def _bounds(own: Term, prop: Prop) -> bool:
    """Whether a proposition is a bound of a variable: it stands alone on one side, and not on the other."""
    sides = [own in below(side) for side in (prop.left, prop.right)]
    return prop.relation in ("<", "<=") and own in (prop.left, prop.right) and sides.count(True) == 1


def derivative(root: Term, by: Term) -> Term:
    """The slope of a term in a variable, wherever all its parts have one. Raises Open for others."""
    found: dict[Term, Term] = {}
    one, two = number(1), number(2)
    for at in below(root):
        op, _, parts = NODES[at]
        slopes = [found[part] for part in parts]
        if at == by:
            found[at] = one
        elif all(slope == number(0) for slope in slopes):
            found[at] = number(0)
        elif op in ("+", "-", "negative"):
            found[at] = term(op, *slopes)
        elif op == "*":
            found[at] = term("+", term("*", slopes[0], parts[1]), term("*", parts[0], slopes[1]))
        elif op == "/":
            over = term("-", term("*", slopes[0], parts[1]), term("*", parts[0], slopes[1]))
            found[at] = term("/", over, term("^", parts[1], two))
        elif op == "^" and slopes[1] == number(0):
            lower = term("^", parts[0], term("-", parts[1], one))
            if NODES[parts[1]][0] == "number":
                lower = term("^", parts[0], number(NODES[parts[1]][1] - 1))
            found[at] = term("*", term("*", parts[1], lower), slopes[0])
        elif op == "exp":
            found[at] = term("*", at, slopes[0])
        elif op == "log":
            found[at] = term("/", slopes[0], parts[0])
        elif op == "sqrt":
            found[at] = term("/", slopes[0], term("*", two, at))
        else:
            raise Open(f"the slope of {op} is not known here")
    return found[root]
