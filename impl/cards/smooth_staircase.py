"""Smooth staircase: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.smooth_staircase.SmoothStaircase",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(cell(500, 500, 3, alpha="1/10", epsilon=2), cell(20, 15, alpha="1/5", epsilon=1)),
    definition="mechanisms.smooth_staircase.SmoothStaircaseMechanism",
    density="distributions.spreading_staircase.SpreadingStaircase",
    loss=("establish/smooth-staircase",),
    admissibility=("haney2017/lemma-8.5-real", "establish/smooth-staircase"),
    bias=("establish/smooth-staircase-error",),
    moments=("establish/smooth-staircase-error",),
)
