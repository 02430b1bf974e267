"""Smooth lomax: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.smooth_lomax.SmoothLomax",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(cell(500, 500, 3, alpha="1/10", epsilon=2), cell(20, 15, alpha="1/5", epsilon=1)),
    definition="mechanisms.smooth_lomax.SmoothLomaxMechanism",
    density="distributions.lomax.Lomax",
    loss=("establish/smooth-lomax",),
    admissibility=("haney2017/lemma-8.5-real", "establish/smooth-lomax"),
    bias=("establish/smooth-lomax-error",),
    moments=("establish/smooth-lomax-error",),
)
