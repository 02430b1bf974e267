"""Fourth root transformation: its card."""

from establish.impl.card import FIXED, Card, cell

CARD = Card(
    runs="mechanisms.transformation.FourthRootTransformation",
    under=(),
    takes=("rho",),
    cells=(cell(400, 9, rho="2"), cell(3, rho="1/2")),
    definition="mechanisms.transformation.FourthRootMechanism",
    density="distributions.gaussian.Gaussian",
    loss=("establish/fourth-root-transformation",),
    admissibility=FIXED,
    bias=("finley2024/fourth-root-unbiased",),
    moments=("finley2024/fourth-root-variance",),
)
