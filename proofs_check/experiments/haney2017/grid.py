"""The parameters of the experiments of Haney et al. 2017, Section 10."""

from fractions import Fraction

EPSILONS = tuple(Fraction(e) for e in ("0.25", "0.5", "0.67", "1", "2", "4"))
"""The values of ε of the experiments."""

ALPHAS = tuple(Fraction(a) for a in ("0.01", "0.05", "0.1", "0.15", "0.2"))
"""The values of α of the experiments."""

THETAS = (2, 20, 50, 100, 200, 500)
"""The values of θ of Truncated Laplace."""

DELTA = Fraction(1, 20)
"""The δ at which Smooth Laplace is shown."""
