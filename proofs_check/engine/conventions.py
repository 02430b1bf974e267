"""Conventions that a reader of the field supplies: each once, in words, and where a source itself uses it.

What a convention settles is no missing condition. A sentence that is true under one `holds`, and the
convention is a remark beside the verdict, never a condition.
"""

from collections.abc import Mapping
from dataclasses import dataclass

REMARK = "by convention: "
"""How a remark begins, wherever it is printed."""


@dataclass(frozen=True)
class Convention:
    """words: what is read. used: by source, where it reads so itself."""

    words: str
    used: Mapping[str, str]


CONVENTIONS: Mapping[str, Convention] = {
    "both orders": Convention(
        "neighbors are neighbors in both orders", {"haney2017": "Section 7.2: the neighbors induce a metric"}
    ),
    "possible outcomes": Convention(
        "ratios are asked at outcomes of positive probability, and of densities where outputs are continuous",
        {
            "haney2017": "Definition 4.1 asks it of the prior",
            "foote2019": "Definition 2.2 divides by the probability; Section 4.2 adds noise with a density",
        },
    ),
    "supremum": Convention(
        "a maximum is a supremum in [0, ∞]", {"haney2017": "Lemma 8.5 says 'unbounded' of one"}
    ),
    "where defined": Convention(
        "a formula is read where it is defined",
        {
            "haney2017": "Section 8.1 takes logarithms and relative errors of counts",
            "foote2019": "Section 4.1 divides by the number of individuals of a cell",
            "schmutte2020_slides": "the slide UMETRICS, Accuracy Requirement, divides by the true count",
            "webb2025": "Theorem 5.3 divides by x",
        },
    ),
    "own coins": Convention(
        "an algorithm has coins of its own",
        {"haney2017": "Definition 2.5: the expectation is over the randomness of the algorithm"},
    ),
    "rows": Convention(
        "the rows of a table are counted with multiplicity, and a row alone decides to which part it belongs",
        {"haney2017": "Section 2 counts records", "foote2019": "Section 2 counts rows with given attributes"},
    ),
    "variance": Convention(
        "the second parameter of a normal law is its variance, and that of a log-normal law the variance "
        "of the logarithm",
        {"webb2025": "Section 6.1 writes N(0, γ²/μ²)"},
    ),
    "rounding": Convention(
        "printed digits are rounded",
        {
            "foote2019": "footnote 18 prints a mean and a standard deviation with three decimals",
            "webb2025": "Section 5.3 prints its intervals with ≈",
        },
    ),
}
"""By name. A gap that has its name here has one verdict in every source."""


def by_convention(name: str, source: str) -> str:
    """The remark that ``source`` is read under a convention. Raises KeyError where neither is known."""
    convention = CONVENTIONS[name]
    return f"{REMARK}{convention.words} ({convention.used[source]})"
