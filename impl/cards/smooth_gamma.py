"""Smooth gamma: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.smooth_gamma.SmoothGamma",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(
        cell(500, 500, 3, alpha="1/10", epsilon=2, calibration="published"),
        cell(20, 15, alpha="1/10", epsilon="2/5", calibration="tight"),
    ),
    definition="mechanisms.smooth_gamma.SmoothGammaMechanism",
    density="distributions.heavy_tailed.HeavyTailed",
    loss=("haney2017/lemma-8.7", "haney2017/alg-2-tight"),
    admissibility=("haney2017/lemma-8.5-real", "haney2017/lemma-8.6-above-1"),
    bias=("haney2017/lemma-8.8",),
    moments=("haney2017/lemma-8.8-EZ", "haney2017/sec8.2-gamma4"),
)
