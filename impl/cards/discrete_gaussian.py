"""Discrete Gaussian: its card."""

from establish.impl.card import FIXED, Card, cell

CARD = Card(
    runs="mechanisms.discrete_gaussian.DiscreteGaussian",
    under=(),
    takes=("rho",),
    cells=(cell(40, rho="1/8"), cell(7, 5, rho="1/200"), cell(0, rho=3)),
    definition="mechanisms.discrete_gaussian.DiscreteGaussianMechanism",
    density="distributions.discrete_gaussian.DiscreteGaussian",
    loss=("establish/discrete-gaussian-counts", "canonne2020/concentrated", "canonne2020/delta"),
    admissibility=FIXED,
    bias=("canonne2020/mean",),
    moments=("canonne2020/variance",),
)
