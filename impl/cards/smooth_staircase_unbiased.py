"""Smooth staircase unbiased: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.smooth_staircase.UnbiasedSmoothStaircase",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(cell(500, 500, 3, alpha="1/10", epsilon=2), cell(20, 15, alpha="1/5", epsilon=1)),
    definition="mechanisms.smooth_staircase.UnbiasedSmoothStaircaseMechanism",
    density="distributions.spreading_staircase.SpreadingStaircase",
    loss=("establish/smooth-staircase-unbiased",),
    admissibility=("haney2017/lemma-8.5-real", "establish/smooth-staircase-unbiased"),
    bias=("establish/smooth-staircase-error",),
    moments=("establish/smooth-staircase-error",),
)
