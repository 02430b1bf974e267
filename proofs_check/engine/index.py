"""An index of the register on disk, so that a command need not import the papers to look a claim up.

It is made when the claims are imported, and it is good while no source file of ours, no certificate, no
formal proof or record of one, no second opinion and no version of a library changes. One that is missing,
broken or old only costs time.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from establish.impl.certificate import LOCK
from establish.proofs_check.engine import opinions, register
from establish.proofs_check.engine.cache import folder, replace_file
from establish.proofs_check.engine.fingerprint import Fingerprints, library_versions
from establish.proofs_check.engine.formal_evidence import formal_of
from establish.proofs_check.engine.garbage import all_stays
from establish.proofs_check.engine.ours import home, name_of, sources
from establish.proofs_check.engine.patience import announced
from establish.proofs_check.engine.references import References, references
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.written import Deferred, Written, written
from establish.proofs_check.formal.accepted import FormalEntry


def place() -> Path:
    """The file in the cache folder: each copy of the project, such as a checkout, has its own."""
    copy = hashlib.sha256(str(home("spec").parent).encode()).hexdigest()[:12]
    return folder() / f"index-{copy}.json"


MAKING = "Making an index of all claims, once after each change of the code (10 to 30 seconds) ..."

_TEXTS = tuple(field.name for field in fields(Claim) if field.name not in ("check", "stated"))


@dataclass(frozen=True)
class Index:
    """Every claim of the sources in reading order; what stands around each is ``around[id]``."""

    claims: Mapping[str, Claim]
    read: Mapping[str, References] | None = None

    @cached_property
    def around(self) -> Mapping[str, References]:
        """As it was read, or else from the source of the checks, which takes a while."""
        return references(self.claims) if self.read is None else self.read


def index() -> Index:
    """The register as it is. The papers are imported only when the index on disk is not good."""
    if not register.is_empty():  # imported in this process: nothing can be saved
        return Index(register.claims())
    with all_stays(), announced(MAKING):
        state = _state()
        return _read(state) or _made(state)


def current() -> Index | None:
    """The index on disk if it is good; nothing is imported, nor made."""
    return _read(_state()) if register.is_empty() else None


def hasty() -> Mapping[str, Claim]:
    """The claims by an index on disk that may be older than the files: good for where a claim stands, which
    few edits change, and for nothing else.
    """
    if not register.is_empty():
        return register.claims()
    try:
        rows = json.loads(place().read_text("utf-8"))["claims"]
        return {row["id"]: _entry(row) for row in rows}
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return index().claims


def _state() -> str:
    """sha256 over everything that the index is made from."""
    digest = hashlib.sha256(json.dumps(library_versions()).encode())
    certificates = home("impl").glob(LOCK)
    proofs = (file for file in (home("proofs_check") / "formal").iterdir() if file.is_file())
    asked = home("proofs_check").glob(f"engine/{opinions.NAME}")
    for file in (*sources(), *asked, *sorted({*certificates, *proofs})):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{name_of(file)} {content}\n".encode())
    return digest.hexdigest()


def _made(state: str) -> Index:
    made = Index(register.claims())
    fingerprints = Fingerprints()
    rows = [
        {
            **{name: getattr(entry, name) for name in _TEXTS},
            "written": asdict(written(entry.check)),
            "key": fingerprints.key(entry),
            "kernel": None if (found := formal_of(entry)) is None else asdict(found),
            "opinion": opinions.opinion_of(entry),
            "quantified": entry.quantified,
            "around": made.around[id].to_json(),
        }
        for id, entry in made.claims.items()
    ]
    replace_file(place(), json.dumps({"state": state, "claims": rows}, ensure_ascii=False))
    return made


def _read(state: str) -> Index | None:
    """The index on disk; None when there is none for ``state``."""
    try:
        data = json.loads(place().read_text("utf-8"))
        if data["state"] != state:
            return None
        entries = {row["id"]: _entry(row) for row in data["claims"]}
        around = {row["id"]: References.from_json(row["around"]) for row in data["claims"]}
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return Index(entries, around)


def _entry(row: Mapping[str, Any]) -> Claim:
    home, quantified = row["same_as"] or row["id"], tuple(row["quantified"])
    kernel = None if row["kernel"] is None else FormalEntry.from_json(row["kernel"])
    check = Deferred(home, Written(**row["written"]), row["key"], quantified, kernel, row["opinion"])
    return Claim(check=check, **{name: row[name] for name in _TEXTS})
