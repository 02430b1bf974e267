"""Laplace: its card."""

from establish.impl.card import FIXED, Card, cell

CARD = Card(
    runs="mechanisms.laplace.Laplace",
    under=("edge-dp",),
    takes=("epsilon",),
    cells=(cell(40, epsilon="1/2"), cell(7, epsilon="1/30"), cell(12, epsilon="1/3", calibration="tight")),
    definition="mechanisms.laplace.LaplaceMechanism",
    density="distributions.laplace.Laplace",
    loss=("haney2017/def-2.4-scale", "establish/laplace-edge"),
    admissibility=FIXED,
    bias=("haney2017/sec8.1-biased",),
    moments=("haney2017/sec2-laplace-l1",),
)
