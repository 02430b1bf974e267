"""The register of claims: each printed statement once, beside the check that settles it."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType

from establish.proofs_check.engine.garbage import all_stays
from establish.proofs_check.engine.grades import UNSTATED, Stated
from establish.proofs_check.engine.ours import home, is_own, module_of, name_of
from establish.proofs_check.engine.statements.statement import KINDS, Statement
from establish.proofs_check.engine.verdicts import Verdict
from establish.proofs_check.engine.written import Deferred, written

SOURCES = (
    "haney2017",
    "haney2016_slides",
    "foote2019",
    "schmutte2020_slides",
    "webb2025",
    "canonne2020",
    "seeman2024",
    "finley2024",
    "establish",
)
"""The first halves of claim ids: the papers and talks, and ``establish`` for claims of our own."""

Check = Callable[[], Verdict]


@dataclass(frozen=True)
class Claim:
    """One checkable statement of one source.

    id: ``source/label``. location: where it is printed. statement: in our words.
    same_as: the id of the claim that it repeats, if it does.
    thorough: its check takes long, so that it is checked only when that is asked for. stated: its
    statement objects. origin: ``printed`` by the source, ``implied`` (one named step from what is printed,
    without an assumption of ours), ``corrected`` (the reading that is meant), ``unread`` (said to be in the
    source, whose text nobody here had), or ``ours``. scope: neighbors, query class and universe, where the
    objects do not tell. entered: file and line where one that repeats another stands.
    """

    id: str
    location: str
    statement: str
    check: Check
    same_as: str = ""
    thorough: bool = False
    stated: Stated = UNSTATED
    origin: str = "printed"
    scope: str = ""
    entered: str = ""

    @property
    def source(self) -> str:
        return self.id.partition("/")[0]

    @property
    def module(self) -> str:
        """The module whose content, with what it imports, decides the verdict."""
        return written(self.check).module

    @property
    def derivation(self) -> str:
        """Our derivation: the docstring of the check."""
        return written(self.check).derivation

    @property
    def quantified(self) -> tuple[str, ...]:
        """The texts of its statement objects, with quantifiers and domains."""
        if isinstance(self.check, Deferred):
            return self.check.quantified
        return tuple(statement.text for statement in self.stated.all)

    @property
    def place(self) -> str:
        """File and line of the claim: ``proofs_check/papers/haney2017/admissible.py:41``."""
        return self.entered or self.checked_at

    @property
    def checked_at(self) -> str:
        """File and line of its check, which one that repeats another shares with that."""
        at = written(self.check)
        return f"{at.file}:{at.line}"


class RegisterError(Exception):
    """A claim is registered twice, has a malformed id, or an argument that it cannot have."""


_claims: dict[str, Claim] = {}

_PART = r"(?!\.+(?:/|$))[^\s/\\*?\[\]]+"
_ID = re.compile(rf"{_PART}(?:/{_PART})+")
"""Ids name files and stand in patterns: no part of one is a folder or holds what patterns read."""


def _enter(entry: Claim) -> None:
    """Raises RegisterError for an id that is taken or malformed, and for words that are no text."""
    if not (isinstance(entry.id, str) and _ID.fullmatch(entry.id)):
        raise RegisterError(
            f"claim id {entry.id!r} must read source/label, without spaces, *, ?, [, ], \\ and parts "
            "that are empty or dots"
        )
    for name, words in (("where", entry.location), ("says", entry.statement)):
        if not (isinstance(words, str) and words.strip()):
            raise RegisterError(f"claim {entry.id}: {name} = {words!r} must be a text, and not empty")
    if not isinstance(entry.scope, str):
        raise RegisterError(f"claim {entry.id}: scope = {entry.scope!r} must be a text")
    if entry.id in _claims:
        raise RegisterError(f"claim {entry.id} is registered twice")
    _claims[entry.id] = entry


ORIGINS = ("printed", "implied", "corrected", "unread", "ours")
"""Who says what a claim states: the source's text, the reading of it that is meant, or we; ``unread`` where
it is known to be in the source, whose text nobody here had.
"""

Objects = Statement | Sequence[Statement]


def claim(
    id: str,
    *,
    where: str,
    says: str,
    states: Objects = (),
    tight: Objects = (),
    meant: Objects = (),
    origin: str = "",
    scope: str = "",
    thorough: bool = False,
) -> Callable[[Check], Check]:
    """Register the decorated check as the one that settles claim ``id``.

    The check takes no argument and returns a Verdict; its docstring is the derivation that
    ``establish show`` prints. states: the objects that the printed sentence is, of which ``says`` is a
    paraphrase; tight: that the value given is tight; meant: the statement under the condition that was
    missing, or the reading of a misprint. Without objects the grade is ``steps`` at most. origin: one of
    ORIGINS, ``ours`` for the source ``establish`` and ``printed`` otherwise. A ``thorough`` check takes
    long, a simulation for instance: ``establish check`` leaves it out unless --thorough or the exact id
    asks for it. Raises RegisterError when ``id`` is taken or malformed, the origin is not known, or another
    argument or the check is not what it must be.
    """
    origin = origin or ("ours" if str(id).startswith("establish/") else "printed")
    if origin not in ORIGINS:
        raise RegisterError(f"claim {id}: origin = {origin!r} is not one of {', '.join(ORIGINS)}")
    if not isinstance(thorough, bool):
        raise RegisterError(f"claim {id}: thorough = {thorough!r} must be True or False")
    stated = Stated(
        _objects(id, "states", states), _objects(id, "tight", tight), _objects(id, "meant", meant)
    )

    def enter(check: Check) -> Check:
        if not isinstance(check.func if isinstance(check, partial) else check, FunctionType):
            raise RegisterError(f"claim {id}: @claim decorates a function, not {check!r}")
        _enter(Claim(id, where, says, check, thorough=thorough, stated=stated, origin=origin, scope=scope))
        return check

    return enter


def _objects(id: str, name: str, given: Objects) -> tuple[Statement, ...]:
    """The statements that the argument ``name`` gives. Raises RegisterError for anything else."""
    found = (given,) if isinstance(given, Statement) else given
    if not (isinstance(found, Sequence) and all(isinstance(each, Statement) for each in found)):
        raise RegisterError(
            f"claim {id}: {name} = {given!r} must be a statement, such as AtMost(...), or a list of them"
        )
    for kind in map(type, found):
        home = kind.__module__ if kind.__module__.startswith(KINDS) else ""
        if getattr(sys.modules.get(home), kind.__name__, None) is not kind:
            raise RegisterError(f"claim {id}: {name} is a {kind.__qualname__}, no kind of the engine's own")
    return tuple(found)


def repeats(id: str, *, where: str, says: str, same_as: str, origin: str = "printed") -> None:
    """Register a statement that repeats the claim ``same_as`` of another source.

    origin: one of ORIGINS, by the text of this source. Raises RegisterError when there is no such claim,
    nor in a paper, or the origin is not known.
    """
    if origin not in ORIGINS:
        raise RegisterError(f"claim {id}: origin = {origin!r} is not one of {', '.join(ORIGINS)}")
    known = isinstance(same_as, str)
    first = (_claims.get(same_as) or alone(same_as) or claims().get(same_as)) if known else None
    if first is None:
        raise RegisterError(f"claim {id} repeats {same_as}, which is not registered")
    caller = sys._getframe(1)
    _enter(
        replace(
            first,
            id=id,
            location=where,
            statement=says,
            same_as=first.same_as or same_as,
            origin=origin,
            entered=f"{name_of(Path(caller.f_code.co_filename))}:{caller.f_lineno}",
        )
    )


def imported(entry: Claim) -> Claim:
    """``entry`` with its check and objects: the module of one that the index gave is imported."""
    if not isinstance(entry.check, Deferred):
        return entry
    importlib.import_module(entry.module)
    return _claims[entry.check.id]


def alone(id: str) -> Claim | None:
    """The claim ``id`` with no other paper imported than those that its module imports; None where the files
    of its source do not tell which of them that is.
    """
    if id not in _claims and id.partition("/")[0] in SOURCES:
        with all_stays():
            for file in may_register(id):
                importlib.import_module(module_of(file))
                if id in _claims:
                    break
    return _claims.get(id)


def may_register(id: str) -> Iterator[Path]:
    """The files that may register ``id`` by the words in them, the likeliest first."""
    source, _, label = id.partition("/")
    folder = home("proofs_check") / "papers" / ("ours" if source == "establish" else source)
    texts = {file: file.read_text("utf-8") for file in sorted(folder.rglob("*.py"))}
    for words in _names_in_files(source, label):
        yield from [file for file, text in texts.items() if words in text][:_CANDIDATES]


def _names_in_files(source: str, label: str) -> Iterator[str]:
    """How a file may write an id: whole, or its beginning where a family has the rest from a table."""
    yield f'"{source}/{label}"'
    yield f'"{label}"'
    parts = re.split(r"(?<=[/-])", label)
    for count in range(len(parts) - 1, 0, -1):
        beginning = "".join(parts[:count])
        yield f'"{source}/{beginning}'
        yield f'"{beginning}'


_CANDIDATES = 3
"""How many files of one source are imported at most as they hold the same words."""


def registered() -> Collection[Claim]:
    """What the modules that are imported by now registered, in no order."""
    return _claims.values()


def is_empty() -> bool:
    """Whether no module that registers a claim was imported yet."""
    return not _claims


def reading_order(entry: Claim) -> tuple[int, list[tuple[int, str]]]:
    """Source, then place with its numbers read as numbers, then label: the same on every machine."""
    order = SOURCES.index(entry.source) if entry.source in SOURCES else len(SOURCES)
    return order, _with_numbers(f"{entry.location} {entry.id}")


@cache
def _with_numbers(text: str) -> list[tuple[int, str]]:
    words = re.findall(r"\d+|\D+", text)
    return [(int(w), "") if w.isdigit() else (-1, w) for w in words]


@cache
def paper_modules() -> list[str]:
    """The modules that register the claims of the sources, those that others repeat first."""
    home = importlib.import_module("establish.proofs_check.papers")
    order = {f"{home.__name__}.{source}": place for place, source in enumerate(SOURCES)}
    papers = sorted(
        pkgutil.iter_modules(home.__path__, f"{home.__name__}."),
        key=lambda paper: order.get(paper.name, len(order)),
    )
    return [
        module.name
        for paper in papers
        for module in pkgutil.walk_packages(importlib.import_module(paper.name).__path__, f"{paper.name}.")
    ]


def claims() -> dict[str, Claim]:
    """Every registered claim by id, in reading order."""
    with all_stays():
        for module in paper_modules():
            importlib.import_module(module)
    return {entry.id: entry for entry in sorted(_claims.values(), key=reading_order)}


USERS = "establish_user_"
"""How the names of modules begin that are files of a user's own."""


_helpers: set[str] = set()
"""The modules of their own that files of users have imported."""


@contextmanager
def _anew() -> Iterator[None]:
    """Within, modules of a user's own are imported as they are written now, and not as they were before."""
    for name in _helpers & sys.modules.keys():
        del sys.modules[name]
    before, writes = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # it is known by the second in which its source was written
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        _helpers.update(name for name in sys.modules.keys() - before if is_own(name))


def claims_of_file(path: Path, sources: Container[str] = ()) -> dict[str, Claim]:
    """The claims that a reviewer's own Python file registers.

    The file is executed, and no paper is imported that it does not import. sources: the ids of what comes
    with the project. Raises RegisterError when the file registers none, or one of ``sources``; what it
    raises passes on.
    """
    before = set(_claims)
    spec = spec_from_file_location(f"{USERS}{path.stem}", path)
    if spec is None or spec.loader is None:
        raise RegisterError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    with _anew():
        spec.loader.exec_module(module)
    new = {id: entry for id, entry in _claims.items() if id not in before}
    if any(id in sources for id in new):
        claims()  # refuses an id that the file took before its paper was imported
    own = {id: entry for id, entry in new.items() if id not in sources}
    if not own:
        raise RegisterError(f"{path} registers no claim: decorate a check with @claim")
    return own
