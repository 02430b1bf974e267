"""The points at which NIST SP 800-226 tells evaluators to look, each with what answers it for a release.

The points are put in our words, in the order of the publication's pyramid: the guarantee, the algorithms and
their utility, and what the deployment rests on.
"""

from establish.proofs_check.commands.describe.said import TO_FILL_IN, Said, escaped

PUBLISHER = f"{TO_FILL_IN} by the publisher"
NOT_APPLICABLE = "not applicable"


def points(said: Said) -> list[tuple[str, str, str]]:
    """(point, answer, what it rests on)."""
    claims = ", ".join(said.claims) or "none"
    return [
        ("The privacy parameters are stated", said.loss, "the record"),
        ("Their choice is justified", PUBLISHER, PUBLISHER),
        ("The variant of the definition, and its neighbors, are stated", said.definition, claims),
        ("The unit of privacy is stated, and contributions to it are bounded", said.definition, claims),
        ("Losses over queries add up", said.loss, claims),
        ("Losses over releases add up", said.ledger, "the ledger; establish verify --ledger"),
        (
            "Sensitivity holds for all possible data, not only these",
            "bounds are public, or computed from released numbers",
            claims,
        ),
        (
            "Empty groups do not reveal which groups there are",
            "every cell of a public domain is released"
            if said.domain_is_public
            else "no: the cells come from the data, so the release shows which ones exist",
            "the record",
        ),
        (
            "Noise is safe from floating-point attacks",
            "drawn exactly, then rounded to a public grid",
            "the certificates" if said.certified else "NOT CERTIFIED",
        ),
        ("Noise comes from a secure source", said.seed, "the record"),
        (
            "The implementation was tested against its specification",
            "the sampler was compared with the exact distribution, and digests identify the code"
            if said.certified
            else "no: the code that ran is not certified",
            "the certificates",
        ),
        (
            "Utility is stated",
            "; ".join(use.error for use in said.uses if use.error) or "not stated",
            "the record",
        ),
        (
            "Bias from noise and post-processing is stated",
            "; ".join((*(f"{use.title}: {use.bias}" for use in said.uses), *said.notes)),
            "the record",
        ),
        ("Effects on small groups were examined", PUBLISHER, PUBLISHER),
        ("Trust model", "central: the curator holds the data and adds the noise", "the record"),
        ("Local and shuffled models", NOT_APPLICABLE, NOT_APPLICABLE),
        ("Interactive queries and their exhaustion", NOT_APPLICABLE, "a static release"),
        ("Machine learning and synthetic data", NOT_APPLICABLE, NOT_APPLICABLE),
        ("Timing and other side channels", "not protected against", "SECURITY.md"),
        ("Access to the confidential data is controlled", PUBLISHER, PUBLISHER),
        ("The record can be attributed", f"signed by {said.signed_by}", "establish verify --key"),
        ("Data collection and retention", PUBLISHER, PUBLISHER),
    ]


def markdown(said: Said) -> str:
    """A table in Markdown."""
    rows = [f"| {escaped(p)} | {escaped(a)} | {escaped(e)} |" for p, a, e in points(said)]
    head = ["| point | answer | rests on |", "| --- | --- | --- |"]
    return "\n".join([f"# NIST SP 800-226 and {escaped(said.title)}", "", *head, *rows])
