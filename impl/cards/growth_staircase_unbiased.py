"""Growth staircase unbiased: its card."""

from establish.impl.card import ER_EE, FIXED, Card, cell

CARD = Card(
    runs="mechanisms.growth_staircase.UnbiasedGrowthStaircase",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(cell(300, 40, alpha="1/10", epsilon=2), cell(3, alpha="3/10", epsilon=1)),
    definition="mechanisms.growth_staircase.UnbiasedGrowthStaircaseMechanism",
    density="distributions.on_growth_scale.OnGrowthScale",
    loss=("establish/growth-staircase-unbiased",),
    admissibility=FIXED,
    bias=("establish/growth-staircase-unbiased-mean",),
    moments=("establish/growth-staircase-unbiased-error",),
)
