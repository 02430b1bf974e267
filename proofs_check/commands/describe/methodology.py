"""One page for readers of the tables: what was protected, how, at what price, and how to read the numbers."""

from html import escape

from establish.impl.publish.entered import NOBODY
from establish.impl.publish.sidecar import CUT
from establish.proofs_check.commands.describe.said import TO_FILL_IN, Said, escaped

NEGATIVE = (
    "Released numbers may be negative, because noise is added to small counts as well as large ones. Do not "
    "set them to zero before you add them: sums of numbers cut off at zero are too large. A table that is "
    "only displayed may show a negative count as 0, with a note."
)
UNBIASED = "Sums of released counts and totals are unbiased: on average they equal the true sums."
STYLE = (
    ":root { color-scheme: light dark } "
    "body { max-width: 44rem; margin: auto; padding: 1rem; font: 1rem/1.5 sans-serif }"
)
BIASED = "Sums of released numbers may be biased, because single numbers are biased"


def sections(said: Said) -> list[tuple[str, list[str]]]:
    """(heading, paragraphs), in the order of the page."""
    how = [
        f"{use.query or 'The table'}: {use.mechanism} ({use.calibration} calibration) with "
        f"{use.parameters}. {use.noise}." + (f" Expected error: {use.error}." if use.error else "")
        for use in said.uses
    ]
    certified = "by certified code" if said.certified else "by code that is NOT certified"
    return [
        (
            "What was released",
            [
                f"{', '.join(said.tables)}, from the data set {said.dataset}, at {said.time}. "
                f"Published by: {TO_FILL_IN}. Purpose: {TO_FILL_IN}."
            ],
        ),
        (
            "What is protected, and how strongly",
            [
                f"The release satisfies {said.definition}, with a total privacy loss of {said.loss}. This "
                "loss limits what the tables reveal about which of two neighboring data sets produced "
                "them, even to a reader with outside knowledge; the definition says which data sets are "
                "neighbors. It adds to the losses of all other releases of the same data set. Ledger of "
                f"spending: {said.ledger}."
            ],
        ),
        ("How noise was added", [*how, f"Noise: {said.seed}, drawn {certified}."]),
        (
            "How to read the numbers",
            [
                *_signs_and_sums(said),
                "Totals that were released separately need not equal the sums of their parts.",
                *said.notes,
            ],
        ),
        (
            "How this can be checked",
            [
                "The record of the release is "
                f"{'not signed' if said.signed_by == NOBODY else f'signed by {said.signed_by}'}. "
                f"A computer checked the {len(said.claims)} claims that support it: "
                f"{', '.join(said.claims)}. Software versions: {said.versions}."
            ],
        ),
    ]


def _signs_and_sums(said: Said) -> list[str]:
    """Whether numbers may be negative, and sums of them are right on average, by what the record says."""
    cut = all(CUT in use.noise for use in said.uses)
    biased = [f"{use.title}: {use.bias}" for use in said.uses if not use.bias.endswith(" = 0")]
    return [*([] if cut else [NEGATIVE]), f"{BIASED} ({'. '.join(biased)})." if biased else UNBIASED]


def markdown(said: Said) -> str:
    """The page in Markdown; characters of the record that mean something there are escaped."""
    lines = [f"# How {escaped(said.title)} was protected"]
    for heading, paragraphs in sections(said):
        lines += ["", f"## {heading}", *(f"\n{escaped(text)}" for text in paragraphs)]
    return "\n".join(lines)


def html(said: Said) -> str:
    """The page in HTML, with nothing of the record that a browser would run."""
    title = escape(f"How {said.title} was protected")
    body = "\n".join(
        f"<h2>{escape(heading)}</h2>\n" + "\n".join(f"<p>{escape(text)}</p>" for text in paragraphs)
        for heading, paragraphs in sections(said)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>"
    )
