"""Histogram percentiles: its card."""

from establish.impl.card import FIXED, PERCENTILES, Card, of_records

CARD = Card(
    runs="earnings.histogram_percentiles.HistogramPercentiles",
    under=("record-dp",),
    definition="earnings.histogram.ProtectedHistogram",
    density="distributions.geometric.Geometric",
    loss=("foote2019/prop-4.1", "foote2019/sec4.1-corollary"),
    admissibility=FIXED,
    bias=PERCENTILES,
    moments=("foote2019/sec5-noise-bins",),
    joined=of_records(
        "foote2019/prop-4.1",
        "foote2019/sec4.1-corollary",
        because="A record is in one bin of one cell, whose count has geometric noise, and percentiles are "
        "read off these counts.",
    ),
)
