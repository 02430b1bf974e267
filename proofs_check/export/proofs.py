"""The proof of a claim as JSON: the steps from which its verdict follows, each after its premises."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from establish.proofs_check.engine.grades import POSITIVE, graded
from establish.proofs_check.engine.register import Claim, imported
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.verdicts import Evidence, Grade, Verdict
from establish.proofs_check.export.identities import Found
from establish.proofs_check.recheck.checking import VERSION, read
from establish.proofs_check.recheck.goals import Goal
from establish.proofs_check.recheck.sentences import Refused
from establish.proofs_check.recheck.steps import Step, rechecked
from establish.proofs_check.terms.formula import tree_of
from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.trees import NotATerm, Prop


def proof_of(claim: Claim) -> dict[str, Any] | None:
    """The proof of a claim, which its check makes anew; None for one whose verdict is no proof.

    Raises UnsettledError, or whatever the check raises, where it settles nothing.
    """
    known = imported(claim)
    verdict = known.check()
    if graded(verdict, known.stated).statement is not Grade.PROOF:
        return None
    wanted = {statement.identity for statement in known.stated.printed}
    refutes = verdict.outcome not in POSITIVE
    return {
        "version": VERSION,
        "claim": claim.id,
        "verdict": str(verdict.outcome),
        "decides": [statement.identity for statement in known.stated.printed],
        "steps": with_identities(steps_of(list(_deciding(verdict, wanted, refutes)))),
    }


def _deciding(verdict: Verdict, wanted: set[str], refutes: bool) -> Iterator[Evidence]:
    for piece in verdict.evidence:
        if piece.identity in wanted and piece.refutes == refutes:
            yield piece


def steps_of(pieces: Sequence[Evidence]) -> list[dict[str, Any]]:
    """The steps of some pieces of evidence, those that they were derived from before them."""
    found: list[dict[str, Any]] = []
    places: dict[tuple[str, bool], int] = {}

    def add(piece: Evidence) -> int:
        key = (piece.identity, piece.refutes)
        if key not in places:
            before = [add(premise) for premise in piece.made.premises] if piece.made else []
            found.append(_step(piece, before))
            places[key] = len(found) - 1
        return places[key]

    for piece in pieces:
        add(piece)
    return found


def _step(piece: Evidence, before: list[int]) -> dict[str, Any]:
    statement = piece.made.statement if piece.made else None
    given = piece.made.given if piece.made else {}
    step: dict[str, Any] = {"digest": piece.identity, "by": _name(piece), "from": before}
    if piece.refutes:
        step["refutes"] = True
    if not isinstance(statement, Comparison) or statement.identity != piece.identity:
        return step | {"kind": type(statement).__name__ if statement else "object"}
    step["sentence"] = statement.sentence.data
    if piece.refutes and set(given) == set(statement.domain.names):
        step["at"] = [str(Fraction(given[name])) for name in statement.domain.names]
    else:
        point = next(statement.domain.simple_points(8), None)
        step["at"] = None if point is None else list(map(str, point))
    if given and not piece.refutes:
        step["values"] = [_value(statement, value) for value in given.values()]
    return step


def _name(piece: Evidence) -> str:
    """The method or rule itself, without those of its premises."""
    return piece.method.partition(" + ")[0].partition(" at ")[0]


def _value(statement: Comparison, value: Any) -> Any:
    """A formula of the variables of a statement, printed as a sentence: value = value; None for one that is
    no tree.
    """
    terms = statement.domain.terms
    try:
        tree = tree_of(value, terms)
    except NotATerm:
        return None
    return Sentence(terms, (), Prop(tree.term, "==", tree.term)).data


class _Done(NamedTuple):
    """A step that was looked at: identities that were found for it, and the goals shown by then."""

    identities: Mapping[str, Any]
    shown: frozenset[Goal]


_done: dict[str, _Done] = {}
"""By what a step and all before it say: claims of one family share many."""


def with_identities(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps with identities for what signs do not decide, where some are found."""
    before: list[Step] = []
    keys: list[str] = []
    found = []
    for place, each in enumerate(steps):
        step, premises = read(each, place)
        own = json.dumps([each, *(keys[i] for i in premises)]).encode()
        keys.append(hashlib.sha256(own).hexdigest())
        if keys[-1] not in _done:
            known = [_done[keys[i]].shown for i in premises]
            _done[keys[-1]] = _looked_at(step, [before[i] for i in premises], set().union(*known))
        before.append(step)
        identities = _done[keys[-1]].identities
        found.append(each | {"identities": identities} if identities else each)
    return found


def _looked_at(step: Step, premises: Sequence[Step], shown: set[Goal]) -> _Done:
    found = Found()
    with suppress(Refused):  # what is wrong with a step is for the checker to say
        rechecked(step, premises, shown, found.close)
    return _Done(dict(found), frozenset(shown))
