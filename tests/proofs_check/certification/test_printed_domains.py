"""A printed domain is where the mechanism runs: a text that says more or less is refused."""

import re
from fractions import Fraction
from typing import Any

import pytest

from establish.impl.mechanisms.growth_staircase import GrowthStaircase, UnbiasedGrowthStaircase
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.impl.mechanisms.smooth_staircase import SmoothStaircase
from establish.impl.mechanisms.whole_staircase import WholeStaircase
from establish.proofs_check.certification.printed_domains import Unreadable, includes, printed
from establish.proofs_check.certification.theorems import Runs, tried

AT = {"alpha": Fraction(1, 10), "epsilon": Fraction(2), "delta": Fraction(1, 100)}


def runs(kind: Any, calibration: str = "tight") -> Runs:
    def make(**at: Fraction) -> Any:
        return kind(**at, calibration=calibration)

    return Runs(kind.name, calibration, kind.specified[calibration], (), make)


@pytest.mark.parametrize(
    ("domain", "holds"),
    [
        ("ε > 0", True),
        ("ε > 2", False),
        ("1/1000 <= ε <= 50", True),
        ("1/1000 <= ε <= 1", False),
        ("ln(1 + α) < ε, 3·ln(1 + α) < ε", True),
        ("ln(1 + α) < ε, 21·ln(1 + α) < ε", False),
        ("1 + α < e^(ε/5)", True),
        ("1 + α < e^(ε/21)", False),
        ("1 + α <= e^(ε/(2 ln(1/δ)))", True),
        ("1 + α <= e^(ε/(5 ln(1/δ)))", False),
        ("ε/(2(1 + α)) + ln(1 + α) <= ε and exact δ* <= δ", True),
    ],
)
def test_a_printed_domain_is_read(domain: str, holds: bool):
    assert includes(domain, AT) is holds


@pytest.mark.parametrize(
    "domain", ["", "ε", "everything", "x < ε", "open(1) < ε", "ε < 'a'", "ε <", "[ε] < 1"]
)
def test_what_is_no_domain_is_refused(domain: str):
    with pytest.raises(Unreadable):
        includes(domain, AT)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "kind", [LogLaplace, SmoothLaplace, SmoothLomax, GrowthStaircase, UnbiasedGrowthStaircase, WholeStaircase]
)
def test_mechanisms_print_where_they_run(kind: Any):
    assert printed(runs(kind)).established is True


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("kind", "domain", "where"),
    [
        (GrowthStaircase, "ln(1 + α) < ε, 1/1000 <= ε", "alpha"),
        (WholeStaircase, "1/1000 <= α, ln(1 + α) < ε, 1/1000 <= ε <= 50", "alpha"),
        (LogLaplace, "α > 0, ε > 1", "epsilon"),
        (SmoothLomax, "2·ln(1 + α) < ε", "epsilon"),
        (SmoothStaircase, "3·ln(1 + α) < ε", "epsilon"),
        (SmoothGamma, "1 + α < e^(ε/5)", "epsilon"),
        (SmoothLaplace, "exact δ* <= δ", "delta"),
    ],
)
def test_a_domain_that_is_not_where_the_mechanism_runs_is_refused(
    kind: Any, domain: str, where: str, monkeypatch: pytest.MonkeyPatch
):
    """The first two stood in signed records."""
    monkeypatch.setattr(kind, "domain", domain)
    tried.cache_clear()
    found = printed(runs(kind))
    assert found.established is False
    assert re.search(where, found.witness)
