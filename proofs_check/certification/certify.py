"""Check a mechanism and write down what was checked, for which code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from establish.impl.certificate import certifying
from establish.impl.definitions import ALL, node_of
from establish.impl.guarantee import Grant
from establish.impl.lock_file import Certificate, CertificateError, Installed, reached, some
from establish.proofs_check.certification.runs import granted
from establish.proofs_check.certification.subject import Subject
from establish.proofs_check.certification.theorems import known
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.cache import Cache, folder
from establish.proofs_check.engine.fingerprint import library_versions
from establish.proofs_check.engine.index import index
from establish.proofs_check.engine.references import References
from establish.proofs_check.engine.runner import run
from establish.proofs_check.engine.verdicts import Evidence, true


def certify(subject: Subject) -> Certificate:
    """The certificate of ``subject``, after its claims were settled and its checks were run.

    Claims come from the cache where their content is unchanged; its checks always run. Raises
    CertificateError, with the reason, when a claim is not true or a check fails.
    """
    verdicts = settled(subject.rests_on)
    untrue = [f"{claim} is {verdict}" for claim, verdict in verdicts.items() if not true(verdict)]
    if untrue:
        raise CertificateError(f"{subject.name} cannot be certified: {'; '.join(untrue)}")
    from_theorems = subject.granted()
    with certifying(granted):
        checks = subject.checks()
    failed = [check for check in checks if check.established is not True]
    if failed:
        reasons = "; ".join(f"{check.says}: {check.witness or 'not decided'}" for check in failed)
        raise CertificateError(f"{subject.name} cannot be certified: {reasons}")
    return Certificate(
        mechanism=subject.name,
        claims=verdicts,
        checks=tuple(_as_text(check) for check in checks),
        roots=roots(subject),
        definitions=definitions(subject),
        checked_with=library_versions(),
        grants=from_theorems,
    )


def settled(ids: tuple[str, ...], jobs: int = 1) -> dict[str, str]:
    """Verdict and evidence grade of these claims, settled now; from the cache where nothing changed.

    Raises CertificateError for an id that is not registered.
    """
    missing = [id for id in ids if id not in known()]
    if missing:
        raise CertificateError(f"no claim is registered as {', '.join(missing)}")
    results = run([known()[id] for id in ids], cache=Cache(folder()), jobs=jobs)
    found = {r.claim.id: ledger.entry_of(r.record) for r in results}
    return {id: f"{found[id].verdict} ({found[id].evidence})" for id in ids}


def roots(subject: Subject) -> tuple[str, ...]:
    """The definitions with which the code of the mechanism begins. Raises CertificateError."""
    return tuple(dict.fromkeys(map(_root, subject.modules)))


def _root(dotted: str) -> str:
    module, _, name = dotted.rpartition(".")
    found = node_of(dotted, ALL) or node_of(module, name)
    if not found:
        raise CertificateError(f"{dotted} is not part of establish")
    return found


def reads(claims: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By claim, the definitions of spec/ that its check reads."""
    return {claim: tuple(_read(claim)) for claim in claims}


def _read(claim: str) -> Iterator[str]:
    if claim in known():
        for definition in _around()[claim].reads:
            module, _, name = f"establish.{definition.name}".rpartition(".")
            yield node_of(module, name)


@cache
def _around() -> Mapping[str, References]:
    """What stands around every claim, looked up once in a process."""
    return index().around


@cache
def _installed() -> Installed:
    return Installed()


def definitions(subject: Subject) -> dict[str, str]:
    """sha256 of every definition that the mechanism and its claims reach, as they are installed."""
    own = (node for each in reads(subject.rests_on).values() for node in each)
    return {node: one.digest for node, one in reached((*roots(subject), *own), _installed()).items()}


def _as_text(check: Evidence) -> dict[str, str]:
    return {"says": check.says, "evidence": check.grade, "scope": check.scope}


def outdated(subject: Subject, certificate: Certificate) -> list[str]:
    """Why ``certificate`` is no longer the one of ``subject``; empty when it is current.

    Compares the definitions, what theorems grant and, with the ledger, the verdicts. Nothing is settled or
    sampled.
    """
    recorded = ledger.recorded()
    changed = certificate.changed()
    reasons = [f"{some(changed)} changed"] if changed else []
    if not changed and definitions(subject).keys() != certificate.definitions.keys():
        reasons.append("its code and its claims begin elsewhere now")
    reasons += _not_granted(subject, certificate)
    if set(subject.rests_on) != certificate.claims.keys():
        reasons.append("it rests on other claims now")
    for claim, verdict in certificate.claims.items():
        entry = recorded.get(claim)
        came_out = "not recorded" if entry is None else f"{entry.verdict} ({entry.evidence})"
        if came_out != verdict:
            reasons.append(f"{claim}: {verdict} became {came_out}")
    return reasons


def _not_granted(subject: Subject, certificate: Certificate) -> list[str]:
    """What the certificate says that theorems grant, and they do not, and the reverse."""
    try:
        now = subject.granted()
    except CertificateError as error:
        return [str(error)]
    return [
        *(f"no theorem grants {said(grant)}" for grant in certificate.grants if grant not in now),
        *(f"it does not tell of {said(grant)}" for grant in now if grant not in certificate.grants),
    ]


def said(grant: Grant) -> str:
    """A grant in a few words, for a line that says what differs."""
    level = " + ".join(f"{multiple}·{name}" for name, multiple in grant.level.items())
    slack = "".join(f", δ = {multiple}·{name}" for name, multiple in grant.delta.items())
    kind = f"{grant.neighbors} neighbors, queries: {grant.queries}"
    return f"{grant.calibration} calibration, {kind}, level {level}{slack} by {', '.join(grant.theorems)}"
