"""What stands around a claim: what it reads, which claims it rests on, and what rests on it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from establish.impl.certificate import LOCK, text_of_lock
from establish.proofs_check.engine import register
from establish.proofs_check.engine.ours import home, module_of, name_of, path_of, sources
from establish.proofs_check.engine.reads import Definition, Reached, Reading, walk
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.written import written
from establish.proofs_check.outputs.claims import InFiles


@dataclass(frozen=True)
class References:
    """Of one claim: definitions of ``spec/`` that it reads, claims it rests on, what rests on it.

    used_by: ids of claims, and places in ``spec/`` and ``impl/`` with what is there.
    """

    reads: tuple[Definition, ...] = ()
    rests_on: tuple[str, ...] = ()
    used_by: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Lists of dicts and strings, which `from_json` reads."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> References:
        """What `to_json` wrote. Raises KeyError or TypeError when ``data`` is something else."""
        reads = tuple(Definition(**each) for each in data["reads"])
        return References(reads, tuple(data["rests_on"]), tuple(data["used_by"]))


def reached_by(claims: Mapping[str, Claim]) -> dict[str, Reached]:
    """What the check of each of ``claims`` reaches, by id."""
    reading = Reading()
    starts = {id: _start(entry) for id, entry in claims.items()}
    found = {start: reading.reached(*start) for start in dict.fromkeys(starts.values())}
    return {id: found[start] for id, start in starts.items()}


def references(claims: Mapping[str, Claim], reached: Mapping[str, Reached]) -> dict[str, References]:
    """What stands around each of ``claims``, by id, where their checks reach that.

    A claim rests on the one that it repeats, and on those whose check or id its own check reaches.
    """
    checks = _checks(claims.values())
    on = {id: _rests_on(entry, reached[id], checks, claims) for id, entry in claims.items()}
    used_by: dict[str, list[str]] = {id: [] for id in claims}
    for id, others in on.items():
        for other in others:
            used_by.setdefault(other, []).append(id)
    for id, place in (*_certified(), *_named("spec"), *_named("impl")):
        if id in used_by and place not in used_by[id]:
            used_by[id].append(place)
    # What rests on a statement rests on it wherever it is repeated.
    for id, entry in claims.items():
        uses = used_by.get(entry.same_as, [])
        used_by[id] += [use for use in uses if use != id and use not in used_by[id]]
    return {id: References(reached[id].definitions, on[id], tuple(used_by[id])) for id in claims}


def rests_on(entry: Claim, ids: Collection[str]) -> tuple[str, ...]:
    """The claims among ``ids`` that ``entry`` rests on. Of the papers what its check reaches is imported."""
    reached = Reading().reached(*_start(entry))
    papers = home("proofs_check") / "papers"
    for file in {file for file, _ in reached.functions if papers in file.parents}:
        import_module(module_of(file))
    return _rests_on(entry, reached, _checks(register.registered()), ids)


def _start(entry: Claim) -> tuple[Path, int]:
    at = written(entry.check)
    return path_of(at.file), at.line


def _checks(entries: Iterable[Claim]) -> Mapping[tuple[Path, int], list[str]]:
    """The claims that are settled by a check, by its file and first line."""
    found: dict[tuple[Path, int], list[str]] = {}
    for entry in entries:
        if not entry.same_as:
            found.setdefault(_start(entry), []).append(entry.id)
    return found


def _rests_on(
    entry: Claim, reached: Reached, checks: Mapping[tuple[Path, int], list[str]], ids: Collection[str]
) -> tuple[str, ...]:
    if entry.same_as:
        return (entry.same_as,)
    own = _start(entry)
    called = [id for at in reached.functions & checks.keys() if at != own for id in checks[at]]
    named = [text for text in reached.texts if text in ids]
    return tuple(id for id in ids if id in {*called, *named} and id != entry.id)


def _certified() -> Iterator[tuple[str, str]]:
    """(claim, mechanism and its certificate) for every certificate that is carried here."""
    classes = dict(mechanism_classes())
    text = text_of_lock(home("impl"))
    entries = json.loads(text)["mechanisms"] if text else {}
    for name, entry in entries.items():
        at = f" ({classes[name]})" if name in classes else ""
        for id in entry["claims"]:
            yield id, f"mechanism {name}{at}, certificate {name_of(home('impl') / LOCK)}"


@cache
def mechanism_classes() -> tuple[tuple[str, str], ...]:
    """(name, file and line) of every class of ``impl/`` that gives itself a name."""
    return tuple(
        (name, f"{name_of(file)}:{node.lineno}")
        for file, tree in _trees("impl", ("name",))
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for name in _own_name(node.body)
    )


def _own_name(body: Iterable[ast.stmt]) -> Iterator[str]:
    for line in body:
        targets = line.targets if isinstance(line, ast.Assign) else []
        if isinstance(line, ast.AnnAssign):
            targets = [line.target]
        value = getattr(line, "value", None)
        named = any(isinstance(target, ast.Name) and target.id == "name" for target in targets)
        if named and isinstance(value, ast.Constant):
            yield str(value.value)


@cache
def _named(floor: str) -> tuple[tuple[str, str], ...]:
    """(text, file and line with what is there) for every text of a floor that could be a claim's id."""
    return tuple(
        (node.value, f"{name_of(file)}:{node.lineno}  {getattr(top, 'name', '')}".rstrip())
        for file, tree in _trees(floor, [f"{source}/" for source in register.SOURCES])
        for top in tree.body
        for node in walk(top)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "/" in node.value
    )


def _trees(floor: str, words: Iterable[str]) -> Iterator[tuple[Path, ast.Module]]:
    """The files of a floor in which one of the words stands."""
    for file in sources(floor):
        text = file.read_text("utf-8")
        if any(word in text for word in words):
            yield file, ast.parse(text)


def mentioned(text: str, ids: Container[str]) -> list[str]:
    """The claims among ``ids`` that a text names, each once, in their order."""
    words = (word.rstrip(".") for word in re.findall(r"[\w.+-]+(?:/[\w.+-]+)+", text))
    return list(dict.fromkeys(word for word in words if word in ids))


def in_files(claim: Claim, around: References) -> InFiles:
    """Where the claim is written, what it reads and rests on, and what rests on it, for machines."""
    name, _, line = claim.place.rpartition(":")
    return {
        "file": name,
        "line": int(line),
        "reads": [{"name": one.name, "file": one.file, "line": one.line} for one in around.reads],
        "rests_on": list(around.rests_on),
        "used_by": list(around.used_by),
    }
