"""What a claim says, as digests: a theorem is about this, and about nothing that has the same name."""

import hashlib
from collections.abc import Iterable

from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.statements.definitions import definitions_behind
from establish.proofs_check.formal.bound import Said


def said_by(claim: Claim) -> Said:
    """The digests of the sentence of a claim that is imported, of its objects, and of what these read."""
    stated = claim.stated
    objects = [("printed", stated.printed), ("tight", stated.tight), ("meant", stated.meant)]
    texts = [f"{role}: {each.text}" for role, some in objects for each in some]
    return Said(digest([claim.statement]), digest(texts), definitions_behind(stated.all))


def digest(texts: Iterable[str]) -> str:
    """The first 16 hex digits of the SHA-256 of some texts."""
    return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()[:16]
