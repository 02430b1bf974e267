"""Evidence that decides nothing: pieces that no grade of their claim rests on.

    .venv/bin/python tests/mutants/idle_evidence.py haney2017

A piece is idle when it decides none of the claim's objects, and the objects alone give statement, value and
condition their grades: without all such pieces every grade is the same. Where one of the three is graded by
what joins the pieces, none is idle. Nor is one where a reader found the object to say less than the sentence:
there the pieces fill the gap. An idle piece may still notice an edit of spec/: try the mutants before you
leave one out.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace

from establish.proofs_check.engine.grades import Stated, graded
from establish.proofs_check.engine.readings import NOT_READ, told
from establish.proofs_check.engine.register import Claim, claims, imported
from establish.proofs_check.engine.verdicts import Evidence, Grade, Verdict

WEAK = Evidence("a weak piece", True, Grade.STATISTICAL, "planted", scope="planted")
"""Beside the others it weakens what joins them, and nothing that rests on the objects."""


def idle(verdict: Verdict, stated: Stated) -> Sequence[Evidence]:
    """The idle pieces of a verdict on these objects, in their order."""
    own = {statement.identity for statement in stated.all}
    kept = tuple(piece for piece in verdict.evidence if piece.identity in own)
    if all(piece.aside for piece in kept):
        return []
    some = [replace(verdict, evidence=evidence) for evidence in (verdict.evidence, kept, (*kept, WEAK))]
    if len({graded(each, stated) for each in some}) > 1:
        return []
    return [piece for piece in verdict.evidence if piece.identity not in own]


def _is_read(entry: Claim) -> bool:
    """Whether a reader found its object to be the sentence, or no sentence says it."""
    return told(entry).partition(":")[0] in ("same", "not printed", NOT_READ)


if __name__ == "__main__":
    for id, entry in claims().items():
        if entry.source in sys.argv[1:] and not entry.same_as and not entry.thorough and _is_read(entry):
            for piece in idle(imported(entry).check(), entry.stated):
                print(f"{id}: {'aside, ' if piece.aside else ''}{piece.says}")
