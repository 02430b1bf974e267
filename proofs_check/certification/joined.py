"""Guarantees that no single statement object says: which claims give them, and the argument that joins these.

The argument is prose. A certificate carries it, so that whoever reads a release sees that it is trusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Joined:
    """kind: neighbors and queries, one of KINDS. level: multiples of parameters. because: the argument."""

    kind: tuple[str, str]
    level: Mapping[str, str]
    claims: tuple[str, ...]
    because: str


def _of_records(*claims: str, because: str) -> tuple[Joined, Joined]:
    """Privacy of one record at ε, and so of a change, which is one record less and another more, at 2ε."""
    return (
        Joined(("record", "presence"), {"epsilon": "1"}, claims, because),
        Joined(
            ("record", "change"),
            {"epsilon": "2"},
            (*claims, "haney2017/eq-14"),
            because + " A changed record is one that leaves and one that comes.",
        ),
    )


OF_SHARES = (
    "A record is in one cell, of which the total and what it chooses are released, with shares of ε that "
    "add up to it."
)

JOINED: Mapping[str, tuple[Joined, ...]] = {
    "truncated-laplace": (
        Joined(
            ("node", "establishment"),
            {"epsilon": "1"},
            ("haney2017/sec6-trunc-sensitivity", "haney2017/def-2.4-scale"),
            "The count of the establishments that are kept changes by at most the largest of them, and the "
            "scale of the noise is at least that over ε.",
        ),
    ),
    "histogram-percentiles": _of_records(
        "foote2019/prop-4.1",
        "foote2019/sec4.1-corollary",
        because="A record is in one bin of one cell, whose count has geometric noise, and percentiles are "
        "read off these counts.",
    ),
    "equal-gaps": _of_records(
        "establish/equal-gaps-loss",
        "establish/equal-gaps-counts-and-weights",
        because="A record is in one gap of one cell; the draw of that cell alone has another law.",
    ),
    "chosen-by-size": _of_records(
        "establish/chosen-by-size-loss",
        "establish/chosen-by-size-budget",
        "establish/post-processing-loss",
        because=OF_SHARES,
    ),
    "bins-or-gaps": _of_records(
        "establish/chosen-by-size-loss",
        "establish/bins-or-gaps-budget",
        "establish/equal-gaps-loss",
        "establish/post-processing-loss",
        because=OF_SHARES,
    ),
}
