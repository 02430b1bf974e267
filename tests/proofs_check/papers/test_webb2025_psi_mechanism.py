"""The ψ-mechanism and its estimators by second methods."""

from fractions import Fraction as F
from math import isclose, sqrt
from statistics import NormalDist

import numpy as np
import pytest
import sympy

from establish.proofs_check.papers.webb2025 import psi_estimators as estimates
from establish.proofs_check.papers.webb2025 import psi_mechanism
from establish.spec.arithmetic import MP
from establish.spec.mechanisms import psi_estimators


def test_means_over_the_noise_agree_with_quadrature():
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    expression, at = estimates.logarithm_estimate(), {estimates.X: 3, estimates.SD: F(1, 2)}
    function = sympy.lambdify(estimates.NOISE, expression.subs(at))
    value = estimates.mean(sympy.expand(expression)).subs(at)
    assert isclose(float(value), weights @ function(nodes) / sqrt(2 * np.pi), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("transform", "estimate", "variance", "narrows"),
    [
        (np.sqrt, psi_estimators.unbiased_from_root, psi_estimators.variance_from_root, True),
        (np.log, psi_estimators.unbiased_from_logarithm, psi_estimators.variance_from_logarithm, False),
    ],
    ids=["sqrt", "log"],
)
def test_the_quartiles_of_the_variance_ratio_close_up_for_the_root_only(
    transform, estimate, variance, narrows
):
    sd, gaps = F(1, 2), []
    for x in (100, 10_000, 1_000_000):
        ratios = []
        for share in (0.25, 0.75):
            answer = MP.mp.mpf(float(transform(x)) + float(sd) * NormalDist().inv_cdf(share))
            ratios.append(variance(estimate(answer, sd, MP), sd, MP) / variance(x, sd, MP))
        gaps.append(float(ratios[1] - ratios[0]))
    if narrows:
        assert gaps[0] > 5 * gaps[1] > 25 * gaps[2]
    else:
        assert gaps == pytest.approx([gaps[0]] * 3)
        assert gaps[0] > 0.1


def test_shifts_are_established():
    assert [piece.established for piece in psi_mechanism.likelihood_of_shifts()] == [True] * 2
