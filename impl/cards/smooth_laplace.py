"""Smooth laplace: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.smooth_laplace.SmoothLaplace",
    under=ER_EE,
    takes=("alpha", "epsilon", "delta"),
    since=1,
    cells=(
        cell(300, 200, alpha="1/10", epsilon=2, delta="1/100", calibration="published"),
        cell(90, alpha="1/10", epsilon=2, delta="1/100000", calibration="tight"),
    ),
    definition="mechanisms.smooth_laplace.SmoothLaplaceMechanism",
    density="distributions.laplace.Laplace",
    loss=("haney2017/alg-3-exact",),
    admissibility=("haney2017/lemma-8.5-real", "haney2017/lemma-9.1"),
    bias=("haney2017/lemma-9.3",),
    moments=("haney2017/lemma-9.3",),
)
