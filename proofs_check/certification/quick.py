"""A first answer on a mechanism while one develops: what a few seconds show, and what they leave out."""

from __future__ import annotations

from establish.impl.certificate import certifying
from establish.impl.lock_file import CertificateError
from establish.proofs_check.certification.runs import granted
from establish.proofs_check.certification.subject import Subject
from establish.proofs_check.certification.theorems import in_haste
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.verdicts import true

LEFT_OUT = (
    "its claims were not settled again (the ledger tells their verdicts), and its law at 2,000,000 draws, "
    "most cells, the bounds of samplers and whole releases were not looked at"
)
"""What a certificate needs besides."""


def quick(subject: Subject) -> str:
    """What was found, and what was left out. Raises CertificateError with the reason when something fails."""
    recorded = ledger.recorded()
    untrue = [
        f"{claim} is {recorded[claim].verdict if claim in recorded else 'not recorded'}"
        for claim in subject.rests_on
        if claim not in recorded or not true(str(recorded[claim].verdict))
    ]
    if untrue:
        raise CertificateError(f"{subject.name} cannot be certified: {'; '.join(untrue)}")
    try:
        with in_haste(), certifying(granted):
            grants, shown = subject.granted(), subject.quick()
    except KeyError as error:
        raise CertificateError(f"{error} stands elsewhere now: establish list looks it up again") from None
    failed = [check for check in shown if check.established is not True]
    if failed:
        reasons = "; ".join(f"{check.says}: {check.witness or 'not decided'}" for check in failed)
        raise CertificateError(f"{subject.name} cannot be certified: {reasons}")
    held = f"{len(grants)} guarantees by theorems and {len(shown)} quick checks hold"
    return f"{held}, and nothing is certified: {LEFT_OUT}"
