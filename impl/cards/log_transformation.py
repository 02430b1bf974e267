"""Log transformation: its card."""

from establish.impl.card import FIXED, Card, cell

CARD = Card(
    runs="mechanisms.transformation.LogTransformation",
    under=(),
    takes=("rho",),
    cells=(cell(400, 9, rho=8), cell(3, rho=2)),
    definition="mechanisms.transformation.LogarithmMechanism",
    density="distributions.gaussian.Gaussian",
    loss=("establish/log-transformation",),
    admissibility=FIXED,
    bias=("finley2024/logarithm-unbiased",),
    moments=("finley2024/logarithm-variance",),
)
