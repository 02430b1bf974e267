"""Percentiles of protected counts as the theorem on post-processing computes them, and those of spec/.

It is skipped where Coq is not installed.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, product

import pytest

from establish.proofs_check.formal import coq
from establish.spec.earnings.percentiles import NoPercentile, at_least_zero
from establish.spec.earnings.post_processing import monotone_cumulative, percentile_of

pytestmark = pytest.mark.small_campaign  # compiles in Coq, whose campaign is make formal

EDGES = (0, 10, Fraction(45, 2), 40)
SHARES = (Fraction(1, 2), Fraction(9, 10))
COUNTS = tuple(product(range(-2, 4), repeat=3))


@pytest.fixture(scope="module")
def workshop(workshop_of: Callable[..., coq.Workshop]) -> coq.Workshop:
    return workshop_of("percentiles")


def computed(shop: coq.Workshop, name: str, share: Fraction) -> list[Fraction | NoPercentile]:
    edges = "; ".join(f"{Fraction(e).numerator} # {Fraction(e).denominator}" for e in EDGES)
    lists = "; ".join(f"[{'; '.join(f'({q})%Z' for q in counts)}]" for counts in COUNTS)
    answer = shop.answers(
        "questions",
        "From Coq Require Import ZArith QArith List.\nImport ListNotations.\n"
        "From Establish Require Import percentiles.\nSet Printing Width 100000.\n"
        "Definition written r := match r with\n"
        "  | percentile q => (Qnum (Qred q), Zpos (Qden (Qred q)))\n"
        "  | zero_total => (0, 0) | negative_total => (-1, 0) end%Z.\n"
        f"Eval vm_compute in map (fun q => written ({name} [{edges}] "
        f"({share.numerator} # {share.denominator}) q)) [{lists}].\n",
    )
    pairs = re.findall(r"\((-?\d+), (\d+)\)", answer.replace("%Z", "").partition(": list")[0])
    without = {0: NoPercentile.ZERO_TOTAL, -1: NoPercentile.NEGATIVE_TOTAL}
    return [Fraction(int(top), int(bottom)) if int(bottom) else without[int(top)] for top, bottom in pairs]


@pytest.mark.parametrize("share", SHARES, ids=str)
def test_clamped_and_fitted_percentiles_are_the_same_in_both_languages(workshop, share):
    clamped = [percentile_of(EDGES, tuple(accumulate(at_least_zero(q))), share) for q in COUNTS]
    fitted = [percentile_of(EDGES, monotone_cumulative(q), share) for q in COUNTS]
    assert computed(workshop, "clamped_percentile", share) == clamped
    assert computed(workshop, "fitted_percentile", share) == fitted
    assert clamped != fitted
    assert {NoPercentile.ZERO_TOTAL} < set(clamped)
