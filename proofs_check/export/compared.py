"""Whether an exported proof is about what its claim says here: by the digests of the claim's objects."""

from establish.proofs_check.engine.register import claims, imported
from establish.proofs_check.recheck.checking import Report


def compared(report: Report) -> Report:
    """The report, refused where the proof decides other objects than the claim that it names has here.

    A claim of a file of one's own is not known here, and its sentence stands in the proof alone.
    """
    known = claims().get(report.claim)
    if report.refused or known is None:
        return report
    own = {statement.identity for statement in imported(known).stated.printed}
    if own == set(report.decides):
        return report
    return report._replace(believed=(), refused=f"its objects are not those that {report.claim} has here")
