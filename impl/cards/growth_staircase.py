"""Growth staircase: its card."""

from establish.impl.card import ER_EE, FIXED, Card, cell

CARD = Card(
    runs="mechanisms.growth_staircase.GrowthStaircase",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(cell(300, 40, alpha="1/10", epsilon=2), cell(4, alpha="1/5", epsilon="1/2")),
    definition="mechanisms.growth_staircase.GrowthStaircaseMechanism",
    density="distributions.on_growth_scale.OnGrowthScale",
    loss=("establish/growth-staircase",),
    admissibility=FIXED,
    bias="mean_errors in the mechanism's specification integrates both sides of the error, joint by joint",
    moments=("establish/limit/a1over10-e2",),
)
