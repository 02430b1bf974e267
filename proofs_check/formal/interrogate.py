"""What Coq says about compiled theorems: closed statements and the axioms that they rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import dedent

from establish.proofs_check.formal.coq import LIBRARY, CoqError, Workshop

_MARK = r"^tt\n\s+: unit$"
"""What Coq answers to ``Check tt.``, which stands between the answers."""


_COQ = """From Coq Require Import Reals List.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope."""
_MATHCOMP = """From mathcomp Require Import ssreflect ssrfun ssrbool ssralg ssrnum.
From mathcomp Require Import classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_integral.
Open Scope classical_set_scope.
Open Scope ring_scope.
Open Scope ereal_scope."""


def statements_and_assumptions(
    workshop: Workshop, theorems: Iterable[str]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """For each ``file.name`` its closed statement and its axioms.

    Raises CoqError when a theorem does not exist.
    """
    names = list(theorems)
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for header in (_COQ, _MATHCOMP):
        of_header = [name for name in names if _header(workshop, name) == header]
        if not of_header:
            continue
        answer = workshop.answers("questions", _questions(header, of_header))
        parts = re.split(_MARK, answer, flags=re.MULTILINE)[1:]
        answers = zip(parts[::2], parts[1::2], strict=True)
        for name, (check, assumptions) in zip(of_header, answers, strict=True):
            found[name] = (_statement(name, check), _axioms(assumptions))
    return {name: found[name] for name in names}


def _header(workshop: Workshop, name: str) -> str:
    """The imports under which a theorem's statement prints as it is written."""
    text = workshop.sources[name.partition(".")[0]]
    return _MATHCOMP if "From mathcomp" in text else _COQ


def _questions(header: str, names: list[str]) -> str:
    """A Coq file that asks for the statement and the axioms of each theorem."""
    stems = " ".join(dict.fromkeys(name.partition(".")[0] for name in names))
    lines = [header, f"From {LIBRARY} Require Import {stems}.", "Set Printing Width 100."]
    lines += ["Set Printing Depth 1000."]
    for name in names:
        lines += ["Check tt.", f"Check @{name}.", "Check tt.", f"Print Assumptions {name}."]
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
