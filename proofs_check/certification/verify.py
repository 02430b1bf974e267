"""Whether what a release claims still holds, for somebody who has its record and this package."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from establish.impl.certificate import CertificateError, certificate_of, digest_of
from establish.impl.sidecar import FROM_ENTROPY
from establish.proofs_check.certification.certify import settled, true


@dataclass(frozen=True)
class Finding:
    """One thing that was verified, in words, and whether it holds."""

    says: str
    holds: bool

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def verify_release(record: Mapping[str, Any], folder: Path) -> list[Finding]:
    """What can be verified from the outside about a release.

    record: the content of the sidecar. folder: where the tables lie. The claims are settled now, from
    the cache where their content is unchanged.
    """
    try:
        uses = record.get("answers", [record])
        ids = tuple(dict.fromkeys(entry["claim"] for use in uses for entry in use["rests_on"]))
        stamps = {str(use["mechanism"]): record["certificates"][use["mechanism"]] for use in uses}
        needed = {
            name: {e["claim"] for use in uses if use["mechanism"] == name for e in use["rests_on"]}
            for name in stamps
        }
        tables = dict(record["tables"])
    except (KeyError, TypeError, AttributeError, ValueError):
        return [Finding("the record names its tables, code and claims", False)]
    return [
        *(_table(folder / Path(name).name, digest) for name, digest in tables.items()),
        *(finding for name in stamps for finding in _code(name, stamps[name], needed[name])),
        *_claims(ids),
        Finding(f"the noise was drawn from {FROM_ENTROPY}", record.get("seed") == FROM_ENTROPY),
    ]


def _table(table: Path, digest: str) -> Finding:
    try:
        same = hashlib.sha256(table.read_bytes()).hexdigest() == digest
    except OSError:
        return Finding(f"{table.name} is not beside its record", False)
    return Finding(f"{table.name} is the table that was written", same)


def _code(mechanism: str, stamp: Mapping[str, Any], ids: set[str]) -> list[Finding]:
    if stamp.get("status") != "current":
        return [Finding(f"the code of {mechanism} was certified when it ran", False)]
    changed = [name for name, digest in stamp["sources"].items() if digest_of(name) != digest]
    same = f"{mechanism}: the {len(stamp['sources'])} files that ran are the ones installed here"
    findings = [Finding(same + (f", except {', '.join(changed)}" if changed else ""), not changed)]
    try:
        certificate = certificate_of(mechanism)
    except CertificateError as error:
        return [*findings, Finding(str(error), False)]
    known = certificate.identity == stamp["identity"]
    covered = ids <= certificate.claims.keys()
    return [
        *findings,
        Finding(
            f"{mechanism}: certificate {stamp['identity'][:16]}… is the one carried here", known
        ),
        Finding(f"{mechanism}: its certificate covers the claims that the record names", covered),
    ]


def _claims(ids: tuple[str, ...]) -> list[Finding]:
    if not ids:
        return [Finding("it rests on at least one claim", False)]
    try:
        verdicts = settled(ids)
    except CertificateError as error:
        return [Finding(str(error), False)]
    return [Finding(f"{claim} {verdict}", true(verdict)) for claim, verdict in verdicts.items()]
