"""Truncated laplace: its card."""

from establish.impl.card import FIXED, Card, Joined, cell

CARD = Card(
    runs="mechanisms.truncated_laplace.TruncatedLaplace",
    under=("node-dp",),
    cells=(
        cell(9, 10, 3, epsilon=1, theta=10, calibration="published"),
        cell(6, 7, epsilon="1/2", theta=6, boundary="at-most", calibration="tight"),
    ),
    definition="mechanisms.truncated_laplace.TruncatedLaplaceMechanism",
    density="distributions.laplace.Laplace",
    loss=("haney2017/sec6-trunc-sensitivity", "haney2017/def-2.4-scale"),
    admissibility=FIXED,
    bias=("haney2017/sec10-truncation-bias",),
    moments=("haney2017/sec2-laplace-l1",),
    joined=(
        Joined(
            ("node", "establishment"),
            ("haney2017/sec6-trunc-sensitivity", "haney2017/def-2.4-scale"),
            "The count of the establishments that are kept changes by at most the largest of them, and the "
            "scale of the noise is at least that over ε.",
        ),
    ),
)
