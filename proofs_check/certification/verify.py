"""Whether what a release claims still holds, for somebody who has its record and this package."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from establish.impl.certificate import CertificateError, certificate_of, digest_of
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

    record: the content of the sidecar. folder: where the table lies. The claims are settled now, from
    the cache where their content is unchanged.
    """
    parts = record.get("queries", [record])
    findings = [finding for part in parts for finding in _of_part(part, folder)]
    if record.get("seed") != "operating-system entropy":
        findings.append(Finding("the noise was seeded: it is reproducible, not secret", False))
    return findings


def _of_part(part: Mapping[str, Any], folder: Path) -> list[Finding]:
    try:
        ids = tuple(entry["claim"] for entry in part["rests_on"])
        table, digest = str(part["table"]), part["table_sha256"]
        stamp, mechanism = part["certificate"], str(part["mechanism"])
    except (KeyError, TypeError):
        return [Finding("the record names its table, code and claims", False)]
    return [
        _table(folder / Path(table).name, digest),
        *_code(mechanism, stamp, ids),
        *_claims(ids),
    ]


def _table(table: Path, digest: str) -> Finding:
    try:
        same = hashlib.sha256(table.read_bytes()).hexdigest() == digest
    except OSError:
        return Finding(f"{table.name} is not beside its record", False)
    return Finding(f"{table.name} is the table that was written", same)


def _code(mechanism: str, stamp: Mapping[str, Any], ids: tuple[str, ...]) -> list[Finding]:
    if stamp.get("status") != "current":
        return [Finding(f"the code of {mechanism} was certified when it ran", False)]
    changed = [name for name, digest in stamp["sources"].items() if digest_of(name) != digest]
    same = f"the {len(stamp['sources'])} files that made it are the ones installed here"
    findings = [Finding(same + (f", except {', '.join(changed)}" if changed else ""), not changed)]
    try:
        certificate = certificate_of(mechanism)
    except CertificateError as error:
        return [*findings, Finding(str(error), False)]
    known = certificate.identity == stamp["identity"]
    covered = set(ids) <= certificate.claims.keys()
    return [
        *findings,
        Finding(f"its certificate {stamp['identity'][:16]}… is the one carried here", known),
        Finding(f"the certificate covers the {len(ids)} claims that it names", covered),
    ]


def _claims(ids: tuple[str, ...]) -> list[Finding]:
    if not ids:
        return [Finding("it rests on at least one claim", False)]
    try:
        verdicts = settled(ids)
    except CertificateError as error:
        return [Finding(str(error), False)]
    return [Finding(f"{claim} {verdict}", true(verdict)) for claim, verdict in verdicts.items()]
