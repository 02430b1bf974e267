"""What Coq says about compiled theorems: closed statements and the axioms that they rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import dedent

from establish.proofs_check.formal.coq import LIBRARY, CoqError, Workshop

_MARK = r"^tt\n\s+: unit$"
"""What Coq answers to ``Check tt.``, which stands between the answers."""


def statements_and_assumptions(
    workshop: Workshop, theorems: Iterable[str]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """For each ``file.name`` its closed statement and its axioms.

    Raises CoqError when a theorem does not exist.
    """
    names = list(theorems)
    found = {}
    for stem in dict.fromkeys(name.partition(".")[0] for name in names):
        of_file = [name for name in names if name.partition(".")[0] == stem]
        answer = workshop.answers("questions", _questions(workshop.sources[stem], stem, of_file))
        parts = re.split(_MARK, answer, flags=re.MULTILINE)[1:]
        for name, (check, assumptions) in zip(
            of_file, zip(parts[::2], parts[1::2], strict=True), strict=True
        ):
            found[name] = (_statement(name, check), _axioms(assumptions))
    return found


def _questions(text: str, stem: str, names: list[str]) -> str:
    """Queries under the imports and scopes of the file itself, so that statements print as written."""
    header = re.findall(r"^(?:From|Import|Open Scope|Local Open Scope) .*$", text, re.M)
    lines = [
        *header,
        f"From {LIBRARY} Require Import {stem}.",
        "Set Printing Width 100.",
        "Set Printing Depth 1000.",
    ]
    for name in names:
        full = f"{stem}.{name.partition('.')[2]}"
        lines += ["Check tt.", f"Check @{full}."]
        lines += ["Check tt.", f"Print Assumptions {full}."]
    return "\n".join(lines) + "\n"


def _statement(name: str, answer: str) -> str:
    """The type in ``name : type``. Raises CoqError when there is none."""
    head, colon, rest = answer.strip().partition(":")
    if not colon or not head.strip().endswith(name.partition(".")[2]):
        raise CoqError(f"Coq does not print the statement of {name}: {answer}")
    return dedent(f" {rest}" if rest.startswith(" ") else rest).strip()


def _axioms(answer: str) -> tuple[str, ...]:
    """The names of the axioms; none for a theorem that is closed under the global context."""
    if "Closed under the global context" in answer:
        return ()
    found = re.findall(r"^([^\s:]+)\s*:", answer.partition("Axioms:")[2], re.MULTILINE)
    if not found:
        raise CoqError(f"Coq does not print axioms: {answer}")
    return tuple(sorted(found))
