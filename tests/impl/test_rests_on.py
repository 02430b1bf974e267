"""A mechanism that runs rests on claims that are recorded as true."""

import pytest

from establish.impl.mechanisms.growth_laplace import GrowthLaplace
from establish.impl.mechanisms.growth_staircase import GrowthStaircase, UnbiasedGrowthStaircase
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.impl.mechanisms.smooth_staircase import SmoothStaircase, UnbiasedSmoothStaircase
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.mechanisms.whole_staircase import WholeStaircase
from establish.impl.microdata.neighbor_functions import Root
from establish.impl.microdata.probably_no_clipping import ProbablyNoClipping
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.proofs_check.engine import ledger

MECHANISMS = [
    Laplace(1),
    TruncatedLaplace(1, 1000),
    *(
        mechanism
        for calibration in ("published", "tight")
        for mechanism in (
            LogLaplace("1/10", 2, calibration),
            SmoothGamma("1/10", 2, calibration),
            SmoothLaplace("1/10", 2, "1/1000", calibration),
        )
    ),
    GrowthLaplace("1/10", 2),
    GrowthStaircase("1/10", 2),
    UnbiasedGrowthStaircase("1/10", 2),
    SmoothLomax("1/10", 2),
    SmoothStaircase("1/10", 2),
    UnbiasedSmoothStaircase("1/10", 2),
    WholeStaircase("1/10", 2),
    PsiMechanism(Root(), "1/2", "7/10"),
    ProbablyNoClipping(Root(), "1/2", "7/10"),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: f"{m.name}-{m.calibration}")
def test_every_claim_that_a_mechanism_rests_on_is_recorded_as_true(mechanism):
    recorded = ledger.recorded()
    verdicts = {claim: recorded[claim].verdict for claim in mechanism.rests_on}
    assert set(verdicts.values()) <= {"holds", "holds_loosely"}, verdicts
    assert verdicts, "a mechanism that rests on nothing must not run"
