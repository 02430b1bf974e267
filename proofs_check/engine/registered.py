"""What each module of the papers registers, on disk, so that after an edit few of them are imported again.

It is taken from there while no file has changed that the module reaches by its imports, nor one that the
checks reach which it repeats, nor anything by which all of it is read.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from establish.proofs_check.engine import opinions, register
from establish.proofs_check.engine.binding import said_by
from establish.proofs_check.engine.cache import replace_file
from establish.proofs_check.engine.fingerprint import SETTLES, Fingerprints
from establish.proofs_check.engine.ours import module_of, name_of, path_of
from establish.proofs_check.engine.reads import Reached
from establish.proofs_check.engine.references import reached_by
from establish.proofs_check.engine.register import Claim, RegisterError
from establish.proofs_check.engine.written import Deferred, Written, written
from establish.proofs_check.formal.accepted import FormalEntry
from establish.proofs_check.formal.bound import Said
from establish.proofs_check.formal.theorems import subjects

TEXTS = tuple(field.name for field in fields(Claim) if field.name not in ("check", "stated"))

SETTLE = (SETTLES, "establish.proofs_check.engine.binding")
"""The modules that make a settlement, and the digests of what a claim says."""

PAPERS = "proofs_check/papers/"
"""How the names of the files of papers begin."""

READS_ALL = re.compile(
    r"libraries|proofs_check/(engine/[^/]*|formal/.*|recheck/.*)|impl/cards/.*|.*[/\\]establish[/\\]__init__\.py"
)
"""The files by which all parts are read: the engine, theorems, second opinions, and public names."""


@dataclass(frozen=True)
class Known:
    """One claim, as its module tells it.

    entry: its check is deferred, and nothing is known of a kernel. said: None where no theorem is about it.
    reached: from its check, among the papers.
    """

    entry: Claim
    said: Said | None
    reached: Reached

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        said = None if self.said is None else asdict(self.said)
        return {"entry": to_json(self.entry), "said": said, "reached": self.reached.to_json()}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Known:
        """What `to_json` wrote. Raises KeyError or TypeError when ``data`` is something else."""
        said = None if data["said"] is None else Said(**data["said"])
        return Known(from_json(data["entry"]), said, Reached.from_json(data["reached"]))


@dataclass(frozen=True)
class Part:
    """The claims that one module registers, and the names of the files that they are made from."""

    claims: tuple[Known, ...]
    files: frozenset[str]


@dataclass(frozen=True)
class Parts:
    """What the papers register, by module, and every file by its name with a digest of its content."""

    files: Mapping[str, str]
    by_module: Mapping[str, Part]

    @cached_property
    def claims(self) -> dict[str, Known]:
        """All claims by id, in reading order. Raises RegisterError for one that two modules register."""
        found: dict[str, Known] = {}
        for each in sorted((each for part in self.by_module.values() for each in part.claims), key=_order):
            if each.entry.id in found:
                raise RegisterError(f"claim {each.entry.id} is registered twice")
            found[each.entry.id] = each
        return found

    def good_for(self, files: Mapping[str, str]) -> Mapping[str, Part]:
        """Those parts of which no file has another content now. With a file more or less, names may stand
        for something else.
        """
        changed = {name for name in self.files.keys() | files if self.files.get(name) != files.get(name)}
        if self.files.keys() != files.keys() or any(map(READS_ALL.fullmatch, changed)):
            return {}
        return {module: part for module, part in self.by_module.items() if not part.files & changed}

    def with_imports(self, files: Mapping[str, str]) -> Parts:
        """The parts as ``files`` are now. The modules are imported of which these do not tell."""
        good, modules = self.good_for(files), register.paper_modules()
        for name in (others := [name for name in modules if name not in good]):
            importlib.import_module(name)
        made = _told(others)
        return Parts(files, {name: made[name] if name in made else good[name] for name in modules})


def _order(known: Known) -> Any:
    return register.reading_order(known.entry)


def read(place: Path) -> Parts:
    """The parts that `write` kept there; none where there are none, or something else is there."""
    try:
        data = json.loads(place.read_text("utf-8"))
        names = list(data["files"])
        parts = {
            module: Part(tuple(map(Known.from_json, claims)), frozenset(map(names.__getitem__, files)))
            for module, (claims, files) in data["parts"].items()
        }
        return Parts(data["files"], parts)
    except (OSError, KeyError, TypeError, ValueError, AttributeError, IndexError):
        return Parts({}, {})


def write(place: Path, parts: Parts) -> None:
    """Keep the parts there."""
    number = {name: at for at, name in enumerate(parts.files)}
    rows = {
        module: [[each.to_json() for each in part.claims], sorted(map(number.__getitem__, part.files))]
        for module, part in parts.by_module.items()
    }
    replace_file(place, json.dumps({"files": parts.files, "parts": rows}, ensure_ascii=False))


def _told(modules: Collection[str]) -> dict[str, Part]:
    """The parts of these modules, which are imported."""
    fingerprints = Fingerprints()
    entries = [entry for entry in register.registered() if _registers(entry) in modules]
    reached = reached_by({entry.id: entry for entry in entries})
    with_theorems = {subject.claim for subject in subjects()}
    claims: dict[str, list[Known]] = {module: [] for module in modules}
    for entry in entries:
        said = said_by(entry) if (entry.same_as or entry.id) in with_theorems else None
        known = Known(_deferred(entry, fingerprints), said, _among_papers(reached[entry.id]))
        claims[_registers(entry)].append(known)
    return {
        module: Part(
            tuple(every),
            frozenset(map(name_of, fingerprints.reached(_modules(module, every), fingerprints.settling))),
        )
        for module, every in claims.items()
    }


def _modules(module: str, claims: Collection[Known]) -> set[str]:
    """What the claims that a module registers are made from, but for what that imports."""
    return {module, *SETTLE, *(known.entry.module for known in claims)}


def _registers(entry: Claim) -> str:
    """The module that registers a claim."""
    return module_of(path_of(entry.place.rpartition(":")[0]))


def _deferred(entry: Claim, fingerprints: Fingerprints) -> Claim:
    check = Deferred(
        entry.same_as or entry.id,
        written(entry.check),
        fingerprints.key(entry),
        entry.quantified,
        None,
        opinions.opinion_of(entry),
    )
    return Claim(check=check, **{name: getattr(entry, name) for name in TEXTS})


def _among_papers(reached: Reached) -> Reached:
    """What is asked of it: functions that may be checks, and texts that may be ids."""
    functions = frozenset(at for at in reached.functions if name_of(at[0]).startswith(PAPERS))
    return Reached(reached.definitions, functions, frozenset(text for text in reached.texts if "/" in text))


def to_json(entry: Claim) -> dict[str, Any]:
    """A claim whose check is deferred, for `from_json`."""
    assert isinstance(entry.check, Deferred)
    return {**{name: getattr(entry, name) for name in TEXTS}, "check": asdict(entry.check)}


def from_json(row: Mapping[str, Any]) -> Claim:
    """What `to_json` wrote. Raises KeyError or TypeError for something else."""
    check = {
        **row["check"],
        "written": Written(**row["check"]["written"]),
        "quantified": tuple(row["check"]["quantified"]),
        "kernel": (kernel := row["check"]["kernel"]) and FormalEntry.from_json(kernel),
    }
    return Claim(check=Deferred(**check), **{name: row[name] for name in TEXTS})
