"""Whole staircase: its card."""

from establish.impl.card import ER_EE, FIXED, Card, cell

CARD = Card(
    runs="mechanisms.whole_staircase.WholeStaircase",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=3,
    cells=(
        cell(300, 40, alpha="1/10", epsilon=2),
        cell(22, 11, alpha="1/10", epsilon=2),
        cell(8, alpha="1/5", epsilon=1),
    ),
    definition="mechanisms.whole_staircase.WholeStaircaseMechanism",
    density="distributions.whole_staircase.WholeStaircase",
    loss=("establish/whole-staircase",),
    admissibility=FIXED,
    bias=("establish/whole-staircase-errors",),
    moments=("establish/whole-staircase-errors",),
)
