"""Bins or gaps: its card."""

from establish.impl.card import FIXED, OF_SHARES, PERCENTILES, Card, of_records

CARD = Card(
    runs="earnings.bins_or_gaps.BinsOrGaps",
    under=("record-dp",),
    definition="earnings.chosen_by_size.SizeRule",
    density="distributions.geometric.Geometric",
    loss=("establish/chosen-by-size-loss", "establish/equal-gaps-loss"),
    admissibility=FIXED,
    bias=PERCENTILES,
    moments=("foote2019/sec5-noise-bins",),
    joined=of_records(
        "establish/chosen-by-size-loss",
        "establish/bins-or-gaps-budget",
        "establish/equal-gaps-loss",
        "establish/post-processing-loss",
        because=OF_SHARES,
    ),
)
