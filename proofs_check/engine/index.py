"""An index of the register on disk, so that a command need not import the papers to look a claim up.

It is good while no source file of ours, no certificate, no formal proof or record of one, no second opinion
and no version of a library changes. One that is missing, broken or old only costs time: it is made of what
`registered` keeps, and the modules are imported of which that does not tell.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import establish
from establish.impl.certificate import LOCK
from establish.proofs_check.engine import opinions, register, registered
from establish.proofs_check.engine.cache import folder, replace_file
from establish.proofs_check.engine.fingerprint import library_versions
from establish.proofs_check.engine.formal_evidence import accepted
from establish.proofs_check.engine.garbage import all_stays
from establish.proofs_check.engine.ours import home, name_of, sources
from establish.proofs_check.engine.patience import announced
from establish.proofs_check.engine.references import References, reached_by, references
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.registered import Known
from establish.proofs_check.engine.written import Deferred


def place() -> Path:
    """The file in the cache folder: each copy of the project, such as a checkout, has its own."""
    copy = hashlib.sha256(str(home("spec").parent).encode()).hexdigest()[:12]
    return folder() / f"index-{copy}.json"


def _parts() -> Path:
    """Beside it, what it is made of: that of which nothing has changed is taken over into the next one."""
    return place().with_stem(place().stem.replace("index", "parts"))


MAKING = "Making an index of all claims, once after each change of the code (2 to 30 seconds) ..."


@dataclass(frozen=True)
class Index:
    """Every claim of the sources in reading order; what stands around each is ``around[id]``."""

    claims: Mapping[str, Claim]
    read: Mapping[str, References] | None = None

    @cached_property
    def around(self) -> Mapping[str, References]:
        """As it was read, or else from the source of the checks, which takes a while."""
        return references(self.claims, reached_by(self.claims)) if self.read is None else self.read


_here: dict[str, Index] = {}
"""What this process made, by the state that it is good for: some papers are imported then."""


def index() -> Index:
    """The register as it is. The papers are imported only when the index on disk is not good."""
    if not register.is_empty():  # imported in this process, perhaps before an edit: nothing can be saved
        return (_here and _here.get(_state(_files()))) or Index(register.claims())
    with all_stays(), announced(MAKING):
        files = _files()
        return _read(_state(files)) or _made(files)


def current() -> Index | None:
    """The index on disk if it is good; nothing is imported, nor made."""
    return _read(_state(_files())) if register.is_empty() else None


def hasty() -> Mapping[str, Claim]:
    """The claims by an index on disk that may be older than the files: good for where a claim stands, which
    few edits change, and for nothing else.
    """
    if not register.is_empty():
        return index().claims
    try:
        rows = json.loads(place().read_text("utf-8"))["claims"]
        return {row["id"]: registered.from_json(row) for row in rows}
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return index().claims


def _files() -> dict[str, str]:
    """A digest of each thing that the index is made from: libraries, and files by their names."""
    certificates = home("impl").glob(LOCK)
    proofs = (file for file in (home("proofs_check") / "formal").iterdir() if file.is_file())
    asked = home("proofs_check").glob(f"engine/{opinions.NAME}")
    found = {"libraries": json.dumps(library_versions())}
    for file in (Path(establish.__file__), *sources(), *asked, *sorted({*certificates, *proofs})):
        found[name_of(file)] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def _state(files: Mapping[str, str]) -> str:
    """sha256 over all of that."""
    return hashlib.sha256(json.dumps(files).encode()).hexdigest()


def _made(files: Mapping[str, str]) -> Index:
    parts = registered.read(_parts()).with_imports(files)
    claims = {id: _with_kernel(known) for id, known in parts.claims.items()}
    made = Index(claims, references(claims, {id: known.reached for id, known in parts.claims.items()}))
    if _files() == files:  # nothing was edited meanwhile
        around = {id: each.to_json() for id, each in made.around.items()}
        rows = [{**registered.to_json(entry), "around": around[id]} for id, entry in claims.items()]
        data = {"state": _state(files), "claims": rows}
        replace_file(place(), json.dumps(data, ensure_ascii=False))
        registered.write(_parts(), parts)
        _here[_state(files)] = made
    return made


def _with_kernel(known: Known) -> Claim:
    assert isinstance(known.entry.check, Deferred)
    kernel = None if known.said is None else accepted(known.entry, known.said)
    return replace(known.entry, check=replace(known.entry.check, kernel=kernel))


def _read(state: str) -> Index | None:
    """The index on disk; None when there is none for ``state``."""
    try:
        data = json.loads(place().read_text("utf-8"))
        if data["state"] != state:
            return None
        entries = {row["id"]: registered.from_json(row) for row in data["claims"]}
        around = {row["id"]: References.from_json(row["around"]) for row in data["claims"]}
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return Index(entries, around)
