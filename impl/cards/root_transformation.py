"""Root transformation: its card."""

from establish.impl.card import FIXED, Card, cell

CARD = Card(
    runs="mechanisms.transformation.RootTransformation",
    under=(),
    takes=("rho",),
    cells=(cell(400, 9, rho="1/8"), cell(3, rho="1/200")),
    definition="mechanisms.transformation.RootMechanism",
    density="distributions.gaussian.Gaussian",
    loss=("establish/root-transformation",),
    admissibility=FIXED,
    bias=("finley2024/root-unbiased",),
    moments=("finley2024/root-variance",),
)
