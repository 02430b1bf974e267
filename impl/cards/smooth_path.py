"""Smooth path: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.smooth_path.SmoothPath",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=4,
    cells=(cell(500, 500, 3, alpha="1/10", epsilon=2), cell(20, 15, alpha="1/5", epsilon=1)),
    definition="mechanisms.smooth_path.SmoothPathMechanism",
    density="distributions.shortest_path.ShortestPath",
    loss=("establish/smooth-path",),
    admissibility=("haney2017/lemma-8.5-real", "establish/smooth-path"),
    bias=("establish/smooth-path-error",),
    moments=("establish/smooth-path-error",),
)
