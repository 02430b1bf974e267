"""The record of what Coq's kernel accepted, and whether it still speaks of the present text.

The record travels with the package. Reading it needs no Coq: the formulas of spec/ are printed again, and
their hashes and those of the proof files are compared with the recorded ones.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from establish.proofs_check.formal.accepted import FormalEntry, Theorem
from establish.proofs_check.formal.bound import Said, all_bound
from establish.proofs_check.formal.formulas import MODULE, definitions, digest
from establish.proofs_check.formal.theorems import HERE, Subject, sources, subjects

RECORD = HERE / "record.json"


def formal_record(claim_id: str, said: Said | None = None, repeats: str = "") -> FormalEntry | None:
    """The entry of a claim, or None when its sentence has no proof or anything behind it has changed.

    said: what the claim says now; when given, it must be what its theorems were compared with. repeats: the
    claim that it repeats, whose theorems are about it too where it is bound to them by itself.
    """
    subject = _subjects().get(repeats or claim_id)
    if subject is None or "sentence" not in subject.covers:
        return None
    bound = all_bound().get(claim_id)
    if said is not None and (bound is None or bound.lost(said, compared_with(subject))):
        return None
    found = current(subject)
    if found is None or bound is None:
        return found
    return replace(found, outcome=bound.outcome, value=bound.value)


def lost(claim_id: str, said: Said, repeats: str = "") -> str:
    """Why a claim that was formal is not, and what helps; empty for one that is, or that never was."""
    subject, bound = _subjects().get(repeats or claim_id), all_bound().get(claim_id)
    if subject is None or bound is None or "sentence" not in subject.covers:
        return ""
    if found := differences(subject):
        return f"formal lost: {'; '.join(found[:3])}; run make formal"
    if found := bound.lost(said, compared_with(subject)):
        again = f"compare it with its theorems again, then run establish formal --bind {claim_id}"
        return f"formal lost: {'; '.join(found[:3])}; {again}"
    return ""


def current(subject: Subject) -> FormalEntry | None:
    """The entry of a subject, also of one whose theorems are only part of its claim; None as above."""
    record = _recorded()
    if record is None or differences(subject):
        return None
    return FormalEntry(
        subject.claim,
        tuple(_theorem(record, name) for name in subject.theorems),
        subject.covers,
        subject.tried,
        subject.rest,
        f"coqc {record['coq']}",
        record["date"],
    )


def differences(subject: Subject) -> list[str]:
    """What keeps the record from speaking about the present text; nothing when it is current."""
    record = _recorded()
    if record is None:
        return ["there is no record"]
    found = [f"{name} is not recorded" for name in subject.theorems if name not in record["theorems"]]
    texts, formulas = _sources(), _definitions()
    needed = set().union(*(closure(stem, texts) for stem in subject.files if stem in texts))
    found += [f"{stem}.v is missing" for stem in subject.files if stem not in texts]
    for stem in sorted(needed - {MODULE}):
        if record["files"].get(stem) != digest(texts[stem]):
            found.append(f"{stem}.v has changed")
    for name in sorted(formulas_in(needed, texts, set(formulas) | set(record["definitions"]))):
        now = formulas.get(name)
        if now is None or record["definitions"].get(name) != digest(now):
            found.append(f"the formula {name} has changed")
    return found


def theorems_say(subject: Subject, texts: Mapping[str, str], *written: str) -> str:
    """A digest of the theorems' names, of what is written about them, and of the files that they rest on,
    without comments and proofs.
    """
    needed = set().union(*(closure(stem, texts) for stem in subject.files))
    bare = (_bare(texts[stem]) for stem in sorted(needed & set(texts)))
    return digest("\n".join([*subject.theorems, *written, *bare]))[:16]


def compared_with(subject: Subject) -> str:
    """What is compared with a claim: its theorems, and what of the verdict they are said to prove."""
    return theorems_say(subject, _sources(), *subject.covers)


@cache
def _bare(text: str) -> str:
    """Definitions and statements of a file of Coq. What ends with Defined is no proof but a definition."""
    without = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
    opaque = r"\bProof\.((?!\b(Proof|Defined|Admitted|Abort)\.).)*?\bQed\."
    return " ".join(re.sub(opaque, "", without, flags=re.DOTALL).split())


def closure(stem: str, texts: Mapping[str, str]) -> set[str]:
    """``stem`` and the files of ours that it rests on, the generated one among them."""
    seen: set[str] = set()
    todo = [stem]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += _required(texts.get(name, ""))
    return seen


@cache
def _required(text: str) -> tuple[str, ...]:
    """The files of ours that a file names at its top."""
    lines = re.findall(r"From Establish Require (?:Import |Export )?([\w\s]+)\.", text)
    return tuple(word for line in lines for word in line.split())


def formulas_in(stems: set[str], texts: dict[str, str], names: set[str]) -> set[str]:
    """The formulas whose names occur in these files."""
    return names & set().union(*(_words(texts.get(stem, "")) for stem in stems))


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


def _theorem(record: dict[str, Any], name: str) -> Theorem:
    entry = record["theorems"][name]
    return Theorem(name, entry["statement"], tuple(record["assumptions"][entry["assumptions"]]))


@cache
def _recorded() -> dict[str, Any] | None:
    if not RECORD.is_file():
        return None
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return found


@cache
def _subjects() -> dict[str, Subject]:
    return {subject.claim: subject for subject in subjects()}


@cache
def _sources() -> dict[str, str]:
    return sources()


@cache
def _definitions() -> dict[str, str]:
    return definitions()


def forget() -> None:
    """Read everything again at the next question; for tests, and after a build."""
    for reader in (_recorded, _subjects, _sources, _definitions, all_bound):
        reader.cache_clear()
