"""The sources of the claims, and the text by which a claim is cited."""

from __future__ import annotations

from typing import NamedTuple

from establish.proofs_check.engine.register import Claim


class Source(NamedTuple):
    """A paper or talk: as tables call it, and its reference in full."""

    name: str
    reference: str


_TITLE = "Utility Cost of Formal Privacy for Releasing National Employer-Employee Statistics"

SOURCES = {
    "haney2017": Source(
        "Haney et al. 2017",
        "Samuel Haney, Ashwin Machanavajjhala, John M. Abowd, Matthew Graham, Mark Kutzbach and "
        f"Lars Vilhuber. {_TITLE}. SIGMOD '17, 2017. doi:10.1145/3035918.3035940",
    ),
    "haney2016_slides": Source("Haney 2016, talk", f"Samuel Haney. {_TITLE}. Talk, 2016-10-25"),
    "foote2019": Source(
        "Foote et al. 2019",
        "Andrew Foote, Ashwin Machanavajjhala and Kevin McKinney. Releasing Earnings Distributions using "
        "Differential Privacy: Disclosure Avoidance System For Post-Secondary Employment Outcomes "
        "(PSEO). Journal of Privacy and Confidentiality, 2019. doi:10.29012/jpc.722",
    ),
    "schmutte2020_slides": Source(
        "Schmutte 2020, talk",
        "Ian M. Schmutte. Formal Privacy in Census Data. NBER Methods Lecture, 2020-07-17",
    ),
    "webb2025": Source(
        "Webb et al. 2025",
        "Kaitlyn Webb, Prottay Protivash, John Durrell, Aleksandra Slavković, Daniel Kifer and Daniell "
        "Toth. Statistics-Friendly Confidentiality Protection for Establishment Data, with Applications "
        "to the QCEW. 2025",
    ),
    "canonne2020": Source(
        "Canonne et al. 2020",
        "Clément L. Canonne, Gautam Kamath and Thomas Steinke. The Discrete Gaussian for Differential "
        "Privacy. NeurIPS 2020, 2020. arXiv:2004.00010",
    ),
    "seeman2024": Source(
        "Seeman et al. 2024",
        "Jeremy Seeman, William Sexton, David Pujol and Ashwin Machanavajjhala. Privately Answering Queries "
        "on Skewed Data via Per Record Differential Privacy. 2024. arXiv:2310.12827",
    ),
    "finley2024": Source(
        "Finley et al. 2024",
        "Brian Finley, Anthony M. Caruso, Justin C. Doty, Ashwin Machanavajjhala, Mikaela R. Meyer, David "
        "Pujol, William Sexton and Zachary Terner. Slowly Scaling Per-Record Differential Privacy. 2024. "
        "arXiv:2409.18118",
    ),
    "establish": Source("our own", "The establish authors. establish"),
}
"""By the first half of claim ids; CITATION.cff says the same, and a test compares the two."""


def name_of(source: str) -> str:
    """A source as tables call it; the first half of the id for one of the reader's own."""
    return SOURCES[source].name if source in SOURCES else source


def citation(entry: Claim, version: str) -> str:
    """The text by which one claim, as this version settles it, is cited."""
    ours = f"The establish authors. establish {version}, claim {entry.id}"
    if entry.source not in SOURCES or entry.source == "establish":
        return f"{ours}."
    return f"{SOURCES[entry.source].reference}, {entry.location}. Verdict by: {ours}."
