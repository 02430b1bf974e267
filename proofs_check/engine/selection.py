"""Which claims a command speaks of: patterns on ids, sources, and a reviewer's own files."""

import difflib
import os
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from establish.proofs_check.engine import ledger, register
from establish.proofs_check.engine.index import Index, current, index
from establish.proofs_check.engine.lines import line_of
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.engine.places import statement, statements
from establish.proofs_check.engine.references import References, reached_by, references, rests_on
from establish.proofs_check.engine.register import Claim, RegisterError, claims_of_file


@dataclass(frozen=True)
class Selection:
    """The chosen claims by id, and whether they are all of the register.

    ``files`` are the reviewer's own files, and ``own`` the ids that these registered: such a claim
    has no line in the ledger. ``named`` are the ids that were given in full. ``sources`` are all claims
    that come with the project: those that are ``known``, or looked up when something is asked about them.
    """

    claims: Mapping[str, Claim]
    files: tuple[Path, ...]
    own: frozenset[str]
    named: frozenset[str]
    whole: bool
    known: Index | None = None

    @cached_property
    def sources(self) -> Index:
        return index() if self.known is None else self.known

    def rests_on(self, id: str) -> tuple[str, ...]:
        """What the claim ``id`` rests on; of a claim that was found alone, without looking the others up."""
        if self.known is not None or id in self.own:
            return self.around(id).rests_on
        return rests_on(self.claims[id], ledger.recorded())

    def around(self, id: str) -> References:
        """What the claim ``id`` reads and rests on, and what rests on it."""
        return self._around_own[id] if id in self.own else self.sources.around[id]

    @cached_property
    def _around_own(self) -> Mapping[str, References]:
        own = {id: entry for id, entry in self.claims.items() if id in self.own}
        return references(own, reached_by(own))

    def to_check(self, thorough: bool) -> Mapping[str, Claim]:
        """All of them if ``thorough``; otherwise without those that take long and were not named."""
        return {
            id: entry
            for id, entry in self.claims.items()
            if thorough or not entry.thorough or id in self.named
        }


def select(patterns: Sequence[str]) -> Selection:
    """The claims that ``patterns`` name; every claim of the sources when there is no pattern.

    A pattern is an id, a source, a glob on ids, or the path of a ``.py`` file. Raises Misuse for a
    pattern that names nothing and for a file that cannot be loaded.
    """
    known = index()
    sources = known.claims
    chosen: dict[str, Claim] = {} if patterns else dict(sources)
    own: dict[str, Claim] = {}
    files = tuple(dict.fromkeys(Path(os.path.realpath(p)) for p in patterns if p.endswith(".py")))
    for pattern in patterns:
        if not pattern.endswith(".py"):
            chosen.update(_matching(pattern, sources))
    for file in files:
        own.update(_load(file, sources))
    named = frozenset(patterns).intersection(sources)
    return Selection({**chosen, **own}, files, frozenset(own), named, not patterns, known)


def find(id: str, file: Path | None = None) -> tuple[Claim, Selection]:
    """The one claim ``id``, of the sources or of ``file``. Raises Misuse when there is none."""
    selection = select([str(file)] if file else [])
    if any(entry.source == id for entry in selection.claims.values()):
        raise Misuse(f"{id} is a source: name a place in it, such as 'Lemma 8.6'; see establish list {id}")
    if id not in selection.claims:
        raise Misuse(_unknown(id, selection.claims))
    return selection.claims[id], selection


def alone(id: str) -> tuple[Claim, Selection]:
    """The one claim ``id`` of the sources, for what can be said of it without the others.

    Where no index is on disk yet, only the module of the claim is imported. Raises Misuse when there is none.
    """
    is_one = id in ledger.recorded()
    if is_one and current() is None and (entry := register.alone(id)) is not None:
        return entry, Selection({id: entry}, (), frozenset(), frozenset({id}), False)
    return find(id)


def at_place(source: str, place: str) -> tuple[list[Claim], Selection]:
    """The claims of ``source`` whose place names ``place``, such as Lemma 8.6, and the selection.

    The statement itself comes before what is said of its proof. Raises Misuse when there is none.
    """
    if not place.strip():
        raise Misuse("PLACE is empty: name a statement, such as 'Lemma 8.6'")
    selection = select([])
    sources = {entry.source: entry.source for entry in selection.claims.values()}
    if source not in sources:
        raise Misuse(f"{source} is not a source: use one of {', '.join(sources)}")
    words = r"\s+".join(map(re.escape, place.split()))
    named, asked = re.compile(rf"(?<!\w){words}(?!\w|\.\d)", re.IGNORECASE), statement(place)
    own = [entry for entry in selection.claims.values() if entry.source == source]
    found = [entry for entry in own if named.search(entry.location) or asked in statements(entry.location)]
    if not found:
        raise Misuse(f"no claim of {source} is at {place!r}; see establish list {source}")
    return sorted(found, key=lambda entry: len(entry.location)), selection


def _matching(pattern: str, known: Mapping[str, Claim]) -> dict[str, Claim]:
    found = {
        id: entry for id, entry in known.items() if pattern in (id, entry.source) or fnmatchcase(id, pattern)
    }
    if not found:
        raise Misuse(_unknown(pattern, known))
    return found


def _unknown(pattern: str, known: Mapping[str, Claim]) -> str:
    """The message for a pattern that names no claim, with what may have been meant."""
    meant: dict[str, list[str]] = {}
    for id, entry in known.items():
        for name in (id, id.partition("/")[2]):
            meant.setdefault(name, []).append(id)
        meant[entry.source] = [entry.source]
        meant[f"{entry.source}/*"] = [f"{entry.source}/*"]
    close = difflib.get_close_matches(pattern, meant, n=4, cutoff=0.5)
    nearest = list(dict.fromkeys(id for name in close for id in meant[name]))[:4]
    hint = f"the nearest: {', '.join(nearest)}" if nearest else "see establish list"
    return f"no claim matches {pattern!r}; {hint}"


def _load(file: Path, sources: Container[str]) -> Mapping[str, Claim]:
    if not file.is_file():
        raise Misuse(f"{file} is not a file")
    try:
        return claims_of_file(file, sources)
    except RegisterError as error:
        line = line_of(error, str(file))
        raise Misuse(f"{file}, line {line}: {error}" if line else str(error)) from error
    except SystemExit as error:
        raise Misuse(f"{file} cannot be loaded: it ends the program (SystemExit: {error})") from error
    except Exception as error:
        line = line_of(error, str(file))
        where = f"{file}, line {line}," if line else file
        raise Misuse(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
