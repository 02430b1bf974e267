"""How the claims of Webb et al. come out, by our derivations in the docstrings of the checks.

They are read from the ledger, with which ``make check`` compares every claim.
"""

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import Grade

DEFINITIONS = {
    "sec2-brittle": "holds",
    "sec2-linear": "holds",
    "sec2-p-percent": "ill_posed",
    "sec4-ezs-small": "holds",
    "sec4-ezs-large": "ill_posed",
    "sec3-split": "holds",
    "sec3-compose": "holds",
    "sec3-perfect": "holds",
    "sec3-postprocessing": "holds",
    "def-3.1": "holds",
    "def-3.1-fnr": "holds",
    "fn1-equivalent": "holds",
    "lem-3.2": "holds",
    "sec3-group-records": "misprint",
    "sec4-unbiased": "fails",
    "def-5.1-class": "ill_posed",
    "def-5.1-precise": "holds",
    "def-5.2": "misprint",
    "sec5.1-iff": "holds",
    "thm-5.3-1": "holds",
    "thm-5.3-2": "holds",
    "thm-5.3-3": "holds",
    "thm-5.3-4": "holds",
    "rem-5.4": "holds",
    "def-5.5": "holds",
    "def-5.6": "holds",
    "thm-5.7": "holds",
    "rem-5.8": "ill_posed",
    "ex-5.9": "holds",
    "ex-D.1": "holds",
    "sec5.3-disney": "misprint",
    "sec5.3-firmprinciple": "holds",
    "sec5.3-crossover": "holds",
    "sec5.3-log-10pct": "holds",
    "sec5.3-log-len": "holds",
    "sec5.3-simul": "holds",
    "sec5.3-sqrt-len": "holds",
    "sec5.3-three": "holds",
    "sec5.3-tpr": "holds",
    "sec5.4.1-ell": "misprint",
    "sec5.4.2-1m": "holds",
    "sec5.4.2-20000": "holds",
    "sec5.4.2-one": "holds",
    "sec5.4.2-recenter": "holds",
    "sec5.4.2-recenter-k": "ill_posed",
    "sec5.4.3-dp": "holds",
    "sec5.4.4-closed": "holds",
    "sec5.4.5": "holds",
    "tab-2-3": "holds",
    "tab-2-36": "holds",
    "tab-2-360": "holds",
    "tab-2-36000": "misprint",
    "thm-5.10": "holds",
    "thm-5.10-smooth": "holds",
    "thm-5.11": "holds",
    "appC-sd": "holds",
    "appC-relative": "misprint",
    "appE-recover": "holds",
    "appE-rank": "fails",
    "appE-50": "fails",
    "appE-safe": "ill_posed",
}
"""Of Sections 2 to 5 and Appendices C to E."""

MECHANISMS = {
    "def-6.1": "holds",
    "def-6.2": "ill_posed",
    "thm-6.3": "holds",
    "thm-6.5": "holds",
    "thm-6.6-sqrt-law": "holds",
    "thm-6.6-sqrt-mean": "holds",
    "thm-6.6-sqrt-var": "holds",
    "thm-6.6-sqrt-cons": "holds",
    "thm-6.6-sqrt-var-estimate-positive": "fails",
    "thm-6.6-log-mean": "holds",
    "thm-6.6-log-var": "holds",
    "thm-6.6-log-noncons": "holds",
    "sec6.1-ci": "ill_posed",
    "sec6.1-mle": "ill_posed",
    "thm-6.7": "holds",
    "def-6.8": "misprint",
    "thm-6.9": "misprint",
    "sec6.2-clip": "fails",
    "sec6.2-total": "holds",
    "case-1": "holds",
    "case-2-ig": "holds",
    "case-2-dirmean": "misprint",
    "case-2-dirvar": "misprint",
    "case-2-second": "holds",
    "case-2-factor": "holds",
    "case-2-14": "holds",
    "case-3-mom": "holds",
    "case-3-v": "misprint",
    "case-3-mean": "misprint",
    "sec8.1-099": "holds",
    "sec8.1-mu": "holds",
    "sec8.2-mu": "holds",
    "sec8.2-rescaled": "fails",
    "sec8.2-njmean": "misprint",
    "sec8.2-ri": "holds",
    "sec8.2-nj-naics": "fails",
    "sec8.2-ri-naics": "misprint",
    "appC-baseline": "fails",
    "appC-range": "fails",
    "sec8.2-noise": "ill_posed",
    "case-2-gamma": "holds",
    "case-3-sum": "holds",
    "appB": "misprint",
    "sec5.4.1-firm": "holds",
    "def-G.2": "holds",
    "thm-6.5-firm": "holds_loosely",
    "thm-6.9-cost": "holds",
    "sec6.2-total-firm": "holds_loosely",
    "sec6.2-total-attained": "holds",
    "sec6.2-total-log": "holds",
    "tab-7-cost": "holds",
    "tab-7-firm": "holds_loosely",
    "tab-7-mu": "holds",
    "tab-8-9": "holds",
}
"""Of Sections 6 to 8 and Tables 7 to 9."""

BIAS = {
    "tab-3-county": "fails",
    "tab-3-county-supersector": "fails",
    "tab-3-county-naics-5": "fails",
    "tab-3-state": "holds",
    "tab-3-bias": "holds",
    "tab-3-supersector": "fails",
}
"""Of Table 3."""

SYNTHETIC_DATA = {
    "alg-1-lines": "ill_posed",
    "alg-1-domain": "ill_posed",
    "alg-1-county-total": "misprint",
    "alg-1-stable": "fails",
    "alg-1-order": "fails",
    "alg-2-variance": "misprint",
    "alg-2-defined": "holds",
    "alg-2-relative": "holds",
    "alg-2-range": "holds",
    "alg-2-at-least-one": "ill_posed",
    "alg-2-mean": "fails",
    "alg-3-root": "ill_posed",
    "alg-3-lower": "ill_posed",
    "alg-3-unit": "ill_posed",
    "alg-3-earnings": "ill_posed",
    "alg-4-bound": "ill_posed",
    "alg-4-finest": "holds_loosely",
    "alg-5-example": "holds",
    "alg-5-scale": "ill_posed",
    "alg-5-month-3": "ill_posed",
    "alg-5-cells": "ill_posed",
    "alg-6-sum": "holds",
    "alg-6-domain": "ill_posed",
    "alg-6-proportional": "ill_posed",
    "alg-6-whole": "ill_posed",
    "alg-6-rounded-down": "ill_posed",
    "alg-7-totals": "ill_posed",
    "alg-7-columns": "ill_posed",
    "alg-7-scale": "holds_loosely",
    "alg-7-alike": "holds",
    "alg-7-zero": "ill_posed",
    "alg-7-low-shape": "ill_posed",
    "alg-7-skew": "holds_loosely",
    "tab-6": "holds",
    "appA-half": "misprint",
}
"""Of Appendix A."""

EXPECTED = DEFINITIONS | MECHANISMS | BIAS | SYNTHETIC_DATA

ON_FINITE_UNIVERSES = {"def-5.5", "sec5.3-simul", "appC-sd", "appE-recover"}


@pytest.mark.parametrize("label", EXPECTED)
def test_claim_is_recorded_as_derived(label):
    assert ledger.recorded()[f"webb2025/{label}"].verdict == EXPECTED[label]


def graded(labels, *grades):
    """The labels that have one of these grades."""
    return {label for label in labels if ledger.recorded()[f"webb2025/{label}"].evidence in grades}


def test_only_relations_on_finite_universes_are_exhaustive():
    assert graded(DEFINITIONS, Grade.EXHAUSTIVE, Grade.STATISTICAL) == ON_FINITE_UNIVERSES


def test_no_claim_about_mechanisms_rests_on_a_simulation_or_on_nothing():
    assert graded(MECHANISMS, Grade.STATISTICAL, "") == set()


def test_every_claim_about_an_algorithm_is_listed_here():
    registered = {id.partition("/")[2] for id in claims() if id.startswith("webb2025/alg-")}
    assert registered == {label for label in SYNTHETIC_DATA if label.startswith("alg-")}
