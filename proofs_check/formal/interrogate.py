"""What Coq says about compiled theorems: closed statements and the axioms that they rest on."""

import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from textwrap import dedent
from typing import Any

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
    workshop: Workshop, theorems: Iterable[str], workers: int
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """For each ``file.name`` its closed statement, and the axioms that it rests on at most.

    Coq looks for axioms through all that a proof uses, which takes seconds. So it is asked once for all
    theorems that are built with the same libraries: the axioms are those of any of them. Raises CoqError
    when a theorem does not exist.
    """
    names = list(dict.fromkeys(theorems))
    printed, built = (_grouped(names, partial(_header, workshop)), _grouped(names, workshop.libraries))
    with ThreadPoolExecutor(workers) as pool:
        axioms = [pool.submit(_together, workshop, group) for group in built.values()]
        shown = [pool.submit(_shown, workshop, *item) for item in printed.items()]
        statements = {name: text for one in shown for name, text in one.result().items()}
        rests = {
            name: one.result() for one, group in zip(axioms, built.values(), strict=True) for name in group
        }
    return {name: (statements[name], rests[name]) for name in names}


def _grouped(names: list[str], key: Callable[[str], Any]) -> dict[Any, list[str]]:
    """The theorems by what ``key`` says of the stem of their file."""
    groups: dict[Any, list[str]] = {}
    for name in names:
        groups.setdefault(key(name.partition(".")[0]), []).append(name)
    return groups


def _header(workshop: Workshop, stem: str) -> str:
    """The imports under which the statements of a file print as they are written."""
    return _MATHCOMP if "From mathcomp" in workshop.sources[stem] else _COQ


def _required(names: list[str]) -> str:
    stems = " ".join(dict.fromkeys(name.partition(".")[0] for name in names))
    return f"From {LIBRARY} Require Import {stems}.\n"


def _shown(workshop: Workshop, header: str, names: list[str]) -> dict[str, str]:
    """The statements of theorems that print under one header."""
    checks = "".join(f"Check tt.\nCheck @{name}.\n" for name in names)
    answer = workshop.answers(
        f"statements_{names[0].partition('.')[0]}",
        f"{header}\n{_required(names)}Set Printing Width 100.\nSet Printing Depth 1000.\n{checks}",
    )
    parts = re.split(_MARK, answer, flags=re.MULTILINE)[1:]
    return {name: _statement(name, part) for name, part in zip(names, parts, strict=True)}


def _together(workshop: Workshop, names: list[str]) -> tuple[str, ...]:
    """The axioms of theorems that are built with the same libraries."""
    proofs = ", ".join(f"@{name}" for name in [*names, names[0]])
    answer = workshop.answers(
        f"axioms_{names[0].partition('.')[0]}",
        f"{_required(names)}Definition together := ({proofs}).\nPrint Assumptions together.\n",
    )
    return _axioms(answer)


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
