"""Whether what a release claims still holds, for somebody who has its record and this package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from establish.impl.budget.accountant import cost
from establish.impl.budget.heads import read_heads
from establish.impl.budget.ledger import entries_of
from establish.impl.budget.plan import Plan
from establish.impl.budget.queries import CountQuery, Query
from establish.impl.budget.spending import spending_of
from establish.impl.certificate import certificate_of, read_seal, signed_by
from establish.impl.definitions import digest_of
from establish.impl.lock_file import FORMAT, CertificateError, digest_of_definitions, some
from establish.impl.publish.entered import NOBODY
from establish.impl.publish.establishments import FITTED
from establish.impl.publish.sidecar import FROM_ENTROPY
from establish.impl.signing import fingerprint, is_signed
from establish.impl.tables.outputs import signature_of
from establish.impl.tables.publishing import digest_of as digest_of_output
from establish.proofs_check.certification.certify import outdated, settled
from establish.proofs_check.certification.finding import Finding
from establish.proofs_check.certification.record import UNRECORDED, Record, Stamp
from establish.proofs_check.certification.restated import (
    account_differs,
    differing,
    losses_fit,
    notes_fit,
    words_differ,
)
from establish.proofs_check.certification.shapes import establishments, shapes
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.engine.verdicts import true


def verify_release(record: Record, folder: Path, plan: Plan | None = None) -> list[Finding]:
    """What can be verified from the outside about a release.

    folder: where the tables lie. plan: tells which of them has a row for each establishment. The claims are
    settled now, from the cache where their content is unchanged.
    """
    tables = _tables(record.tables, folder)
    written = [name for name, finding in zip(record.tables, tables, strict=False) if finding.holds]
    return [
        *tables,
        *_left_out(record),
        *shapes(record, folder, written),
        *establishments(record, plan),
        *(finding for name, stamp in record.stamps.items() for finding in _code(name, stamp)),
        *_said(record),
        *_claims(record.verdicts()),
        _entered(record),
        _secret(record),
        _produced(record),
    ]


def verify_signature(record_path: Path, key: Ed25519PublicKey | None) -> Finding:
    """Whether the record as it is was signed with the private part of ``key``."""
    try:
        content, signature = record_path.read_bytes(), signature_of(record_path).read_bytes()
    except OSError:
        signature = b""
    if key is None:
        why = "pass the signer's public key with --key" if signature else "it is not signed"
        how = "--key FILE" if signature else "Ask the publisher for a record that is signed."
        return Finding(f"who wrote this record: {why}", None, how)
    return Finding(
        f"the whole record, with title, time and notes, was signed by {fingerprint(key)}",
        bool(signature) and is_signed(key, content, signature),
    )


def verify_signer(record: Record, record_path: Path, key: Ed25519PublicKey | None) -> Finding:
    """Whether who is said to have signed the record did; None where that takes the key."""
    signer = record.content.get("signed_by")
    says = f"the record says that {signer} signed it"
    if signer == NOBODY:
        return Finding(says, not signature_of(record_path).exists())
    if not signature_of(record_path).exists():
        return Finding(says + ", but there is no signature file beside it", False)
    return Finding(says, None, "--key FILE") if key is None else Finding(says, signer == fingerprint(key))


def not_checked(record: Record, *, plan: bool, ledger: bool) -> list[Finding]:
    """What the findings leave open."""
    run = (
        "whether this code was really run, only once, on the data and with the noise source that the record "
        "names; nobody can check this from the outside"
    )
    open_ = {run: "Ask the agency how it ran the release, and for the ledger of the data set."}
    if not ledger:
        open_["whether the ledger has the entry of this release: pass the ledger with --ledger"] = (
            "--ledger FILE"
        )
    if record.is_of_plan and not plan:
        open_["whether the plan costs what the record says: pass the plan with --plan"] = "--plan FILE"
    try:
        sealed = signed_by(read_seal(files("establish.impl")))
    except CertificateError as error:
        sealed = str(error)
    if not sealed.startswith("signed by"):
        open_[f"whether the certificates in this installation are genuine: {sealed}"] = (
            "In a clone, make certify certifies every mechanism again, and git shows what came out otherwise."
        )
    return [Finding(says, None, how) for says, how in open_.items()]


def _entered(record: Record) -> Finding:
    ledger = record.content.get("ledger")
    if isinstance(ledger, dict):
        number = ledger.get("entry")
        counts = isinstance(number, int) and not isinstance(number, bool) and number >= 1
        return Finding(f"the record names entry {number} of a ledger", counts)
    return Finding(f"the record names an entry of a ledger: {ledger}", False)


def _secret(record: Record) -> Finding:
    """The record says it in two places, and both must agree."""
    content = record.content
    return Finding(
        f"the record names the noise source {FROM_ENTROPY}",
        content.get("seed") == FROM_ENTROPY and content.get("seeded") is False,
    )


def _produced(record: Record) -> Finding:
    """What was made in production is neither seeded, unsigned, uncertified nor without a ledger."""
    content = record.content
    said = content.get("production")
    lacking = [
        what
        for what, there in (
            ("secret noise", _secret(record).holds),
            ("a signature", content.get("signed_by") not in (None, NOBODY)),
            ("a ledger", isinstance(content.get("ledger"), dict)),
            ("certified code", all(stamp.current for stamp in record.stamps.values())),
        )
        if not there
    ]
    if said is True:
        return _but(
            "the record says that it was made in production, and has all that production requires", lacking
        )
    return Finding("the record says whether it was made in production", said is False)


def verify_plan(record: Record, plan: Plan) -> list[Finding]:
    """Whether the record is one of ``plan``, at the cost that is proved. Raises ParameterError."""
    expected = spending_of(plan, cost(plan)).record()
    wrong = [key for key in expected.keys() - {"release", "time"} if record.content.get(key) != expected[key]]
    names = [query.name for query in plan.queries]
    answered = list(dict.fromkeys(use.query for use in record.uses))
    asked = {query.name: _asked(query) for query in plan.queries}
    others = [q for q in answered if q not in asked] + [
        use.query
        for use in record.uses
        if any(use.said.get(key) != value for key, value in asked.get(use.query, {}).items())
    ]
    return [
        _but(f"{plan.path.name} is the plan that was released, at the cost in the record", sorted(wrong)),
        _but("the record answers the queries of the plan", others or answered * (answered != names)),
    ]


def _asked(query: Query) -> dict[str, object]:
    """What the record repeats of a query."""
    if isinstance(query, CountQuery):
        return {"by": list(query.by), "where": {key: list(values) for key, values in query.where.items()}}
    return {"by": list(query.by)}


def verify_ledger(record: Record, ledger: Path) -> list[Finding]:
    """Whether the release stands in ``ledger`` as it stands in the record. Raises ParameterError."""
    said = record.content.get("ledger")
    same = any(
        all(record.content.get(key) == value for key, value in entry.spending.record().items())
        and said == {"entry": entry.number, "head": entry.checksum}
        for entry in entries_of(ledger)
    )
    return [Finding(f"{ledger.name} has the entry of this release", same)]


def verify_head(
    record: Record, place: Path, key: Ed25519PublicKey | None, ledger: Path | None
) -> list[Finding]:
    """What a file of heads says of the data set: by whom, and whether ``ledger`` has the entry.

    Raises ParameterError for a file that is none, and for a signature that is wrong.
    """
    dataset = str(record.content.get("dataset"))
    head = read_heads(place).heads.get(dataset)
    if head is None:
        return [Finding(f"{place.name} has the head of data set {dataset}", False)]
    signer = head.signed_by or "nobody"
    if key is None:
        by = Finding(
            f"who signed the head in {place.name}: pass the public key with --key", None, "--key FILE"
        )
    else:
        by = Finding(f"the head in {place.name} was signed by {fingerprint(key)}", signer == fingerprint(key))
    if ledger is None:
        return [by]
    says = f"{ledger.name} has the entry {head.number} that {place.name} names, signed by {signer}"
    known = any(
        (entry.number, entry.checksum, entry.spending.signed_by or "nobody")
        == (head.number, head.checksum, signer)
        for entry in entries_of(ledger)
    )
    return [by, Finding(says, known)]


def _tables(tables: Mapping[str, str], folder: Path) -> list[Finding]:
    return [_table(folder, Path(name).name, digest) for name, digest in tables.items()]


def _left_out(record: Record) -> list[Finding]:
    """Tables of a plan's queries that the record does not name: nobody would notice that they changed."""
    if not record.tables:
        return [Finding("the record names at least one table", False)]
    named = {Path(name).name.partition(".")[0] for name in record.tables}
    each = [f"{use.query}-each" for use in record.uses if "remainder" in use.said.get("parameters", ())]
    fitted = [FITTED] if record.content.get("fitted") else []
    due = [use.query for use in record.uses] + each + fitted if record.is_of_plan else []
    missing = dict.fromkeys(name for name in due if name not in named)
    return [Finding(f"the record names the table of query {name}", False) for name in missing]


def _table(folder: Path, name: str, digest: str) -> Finding:
    try:
        same = digest_of_output(folder / name) == digest
    except (OSError, ValueError):  # also for what is no file name
        return Finding(f"{name!r} lies beside its record", False)
    return Finding(f"{name} is unchanged since it was released", same)


def _code(mechanism: str, stamp: Stamp) -> list[Finding]:
    if not stamp.current:
        return [Finding(f"{mechanism} ran certified code", False)]
    findings = [_of_format_2(mechanism, stamp)] if stamp.format == 2 else []
    if stamp.format != FORMAT:
        says = (
            f"certificate {stamp.identity[:16]}… of {mechanism} is the one installed here, but it has format "
            f"{stamp.format} and those installed here have format {FORMAT}: verify it with the version of "
            "establish that released it"
        )
        return [*findings, Finding(says, False)]
    subject = subjects().get(mechanism)
    if subject is None:
        return [Finding(f"establish has the mechanism {mechanism}", False)]
    try:
        certificate = certificate_of(mechanism)
    except CertificateError as error:
        return [Finding(str(error), False)]
    changed = f", except {some(certificate.changed())}" if certificate.changed() else ""
    same = f"the {len(certificate.now)} code definitions of {mechanism} are the ones installed here"
    reasons = "; ".join(outdated(subject, certificate))
    return [
        Finding(same + changed, stamp.code == digest_of_definitions(certificate.now)),
        Finding(
            f"certificate {stamp.identity[:16]}… of {mechanism} is the one installed here",
            certificate.identity == stamp.identity,
        ),
        Finding(
            f"the certificate of {mechanism} covers all code and every claim it uses"
            + (f", except {reasons}" if reasons else ""),
            not reasons,
        ),
    ]


def _of_format_2(mechanism: str, stamp: Stamp) -> Finding:
    """By the rules of certificates that named whole files."""
    changed = [name for name, digest in stamp.sources.items() if digest_of(name) != digest]
    same = f"the {len(stamp.sources)} code files of {mechanism} are the ones installed here"
    return Finding(same + (f", except {some(changed)}" if changed else ""), not changed)


def _said(record: Record) -> list[Finding]:
    """Whether the record says of every mechanism what it says of itself."""
    findings = []
    for use in record.uses:
        wrong = differing(use, record)
        says = f"{use.title}: the record states what follows from the parameters"
        findings.append(_but(says, wrong))
    if record.is_of_plan:
        findings.append(Finding("every loss in the record fits what it consists of", losses_fit(record)))
    else:
        says = "the record states the definition and the loss of its mechanism"
        findings.append(_but(says, account_differs(record)))
    if wrong := words_differ(record):
        findings.append(_but("the record explains its tables as they are", wrong))
    says = "the notes begin with the rounding and the signs of released values"
    return [*findings, *([] if notes_fit(record) else [Finding(says, False)])]


def _but(says: str, wrong: Sequence[str]) -> Finding:
    """It holds when nothing is wrong; what is wrong is named."""
    return Finding(says + (f", except {', '.join(wrong)}" if wrong else ""), not wrong)


def _claims(said: Iterable[tuple[str, object]]) -> list[Finding]:
    """said: claims, each with its verdict in the record."""
    told: dict[str, list[object]] = {}
    for claim, verdict in said:
        told.setdefault(claim, []).append(verdict)
    if not told:
        return [Finding("the record names at least one claim as proof", False)]
    try:
        verdicts = settled(tuple(told))
    except CertificateError as error:
        return [Finding(str(error), False)]
    return [_claim(claim, verdict, told[claim]) for claim, verdict in verdicts.items()]


def _claim(claim: str, verdict: str, told: Sequence[object]) -> Finding:
    """Whether a claim is true now, and the record tells no other verdict."""
    others = [str(said) for said in told if said not in (UNRECORDED, verdict.partition(" ")[0])]
    wrong = f", but the record says {others[0]}" if others else ""
    return Finding(f"{claim} {verdict}{wrong}", true(verdict) and not wrong)
