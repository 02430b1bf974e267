"""What a kernel accepted for a claim, and what a claim has lost its theorems by."""

from collections.abc import Sequence

from establish.proofs_check.engine.register import Claim, imported
from establish.proofs_check.engine.written import Deferred
from establish.proofs_check.formal.accepted import FormalEntry
from establish.proofs_check.formal.bound import Said


def formal_of(claim: Claim) -> FormalEntry | None:
    """What a kernel accepted for exactly what a claim says: its sentence, its objects, the definitions behind
    them. A claim that repeats another is bound to the theorems by itself, or not formal.
    """
    if isinstance(claim.check, Deferred):
        return claim.check.kernel
    from establish.proofs_check.engine.binding import said_by
    from establish.proofs_check.formal.record import formal_record  # prints the formulas of spec/

    if formal_record(claim.id, None, claim.same_as) is None:
        return None
    return accepted(claim, said_by(claim))


def accepted(claim: Claim, said: Said) -> FormalEntry | None:
    """The same of a claim that says ``said``."""
    from establish.proofs_check.formal.record import formal_record

    return formal_record(claim.id, said, claim.same_as)


def why_not_formal(claim: Claim) -> str:
    """What a claim has lost its theorems by, in one line; empty where it has them, or never had."""
    from establish.proofs_check.engine.binding import said_by
    from establish.proofs_check.formal.record import lost

    return lost(claim.id, said_by(imported(claim)), claim.same_as)


def blocked_by(claim: Claim, trusts: Sequence[str] = ()) -> str:
    """What blocks a theorem on a claim that never had one, in one line: as somebody wrote it, or else that
    nobody stated it, and which of the parties ``trusts`` behind its proof no kernel has accepted; empty
    without either.
    """
    from establish.proofs_check.engine.trust import unaccepted
    from establish.proofs_check.formal.record import formal_record
    from establish.proofs_check.formal.theorems import blocked

    if claim.same_as and formal_record(claim.same_as) is not None:
        return f"not formal: {claim.same_as}, which it repeats, has theorems; nobody compared them with it"
    others = ", ".join(unaccepted(trusts))
    rests = others and f"; it rests on {others}, which no kernel has accepted"
    line = blocked().get(claim.id, f"nobody has stated it in Coq{rests}" if trusts else "")
    return line and f"not formal: {line}"
