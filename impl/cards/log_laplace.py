"""Log laplace: its card."""

from establish.impl.card import ER_EE, Card, cell

CARD = Card(
    runs="mechanisms.log_laplace.LogLaplace",
    under=ER_EE,
    takes=("alpha", "epsilon"),
    since=1,
    cells=(
        cell(500, 40, alpha="1/10", epsilon=2, calibration="published"),
        cell(500, alpha=1, epsilon=4, calibration="published"),
        cell(700, 2, alpha="1/20", epsilon=1, calibration="tight"),
    ),
    definition="mechanisms.log_laplace.LogLaplaceMechanism",
    density="distributions.log_laplace.LogLaplace",
    loss=("haney2017/thm-8.1-strong", "haney2017/thm-8.1-weak", "haney2017/alg-1-tight"),
    admissibility="the scale of the noise in the logarithm does not depend on the data",
    bias=("haney2017/lemma-8.2",),
    moments=("haney2017/alg-1-l1-error", "haney2017/thm-8.3-infinite"),
)
