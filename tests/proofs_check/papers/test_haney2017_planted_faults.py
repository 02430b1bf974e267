"""A planted fault of 5% in one formula of the specification unsettles the claims that rest on it."""

from fractions import Fraction
from functools import wraps
from importlib import import_module

import pytest
import sympy

from establish import RuleError, UnsettledError
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.rules import privacy as privacy_rules
from establish.proofs_check.papers.haney2017 import growth, smooth_sensitivity
from establish.proofs_check.papers.haney2017.log_laplace import privacy as log_laplace_privacy
from establish.proofs_check.papers.haney2017.points import POINTS
from establish.spec.distributions import heavy_tailed, laplace, log_laplace
from establish.spec.mechanisms import log_laplace as log_laplace_mechanism
from establish.spec.mechanisms import smooth_gamma, smooth_laplace, truncated_laplace
from establish.spec.relations import growth as growth_of_neighbors
from establish.spec.relations.growth import growth_conditions, largest_after
from tests.proofs_check.papers.test_haney2017_numbers import label

smooth_rules = import_module("establish.proofs_check.engine.rules.smooth")
"""The module, whose name in its package is that of the rule."""

FAULT = Fraction(21, 20)


def at_points(*stems):
    return [f"{stem}/{label(*point)}" for stem in stems for point in POINTS]


AT_POINTS = ("alg-1-loss", "alg-1-multiplier", "alg-2-loss", "alg-3-delta")
FIRST = label(*POINTS[0])

# The module and the name of a formula, and the claims of haney2017 that must notice its fault.
FAULTS = {
    (smooth_gamma, "published_slide"): [
        *at_points("alg-2-loss"),
        "alg-2-multiplier/a.2-e4",
        "alg-2-epsilon-1",
        "lemma-8.8",
    ],
    (smooth_gamma, "privacy_loss"): at_points("alg-2-loss"),
    (log_laplace_mechanism, "shift"): [
        "thm-8.1-strong",
        "thm-8.1-weak",
        *at_points("alg-1-loss", "alg-1-multiplier"),
    ],
    (log_laplace_mechanism, "published_scale"): ["thm-8.1-strong", "thm-8.1-weak", *at_points("alg-1-loss")],
    (log_laplace_mechanism, "tight_scale"): ["thm-8.1-strong", "thm-8.1-proof-scale"],
    (log_laplace_mechanism, "privacy_loss"): ["thm-8.1-case-ii"],
    (smooth_laplace, "exact_delta"): [*at_points("alg-3-delta"), "table-2/private-anyway"],
    (smooth_laplace, "log_exact_delta"): [
        *at_points("alg-3-delta"),
        "lemma-9.2-breaks/a.2",
        "lemma-9.2-breaks/a1",
    ],
    (smooth_laplace, "log_pair_delta"): [*at_points("alg-3-delta"), "lemma-9.2-region", "sec9-delta-optimal"],
    (smooth_gamma, "mean_absolute_error"): ["lemma-8.8"],
    (smooth_laplace, "opposite_loss"): ["alg-3-exact"],
    (smooth_laplace, "least_epsilon"): ["table-2/d.05", "table-2/d5e-4-a.10", "table-2/values-work"],
    (smooth_laplace, "log_least_delta"): ["lemma-9.2-region", "lemma-9.2-breaks/a.1"],
    (smooth_laplace, "mean_absolute_error"): ["sec9-delta-independent"],
    (heavy_tailed, "sliding_constant"): ["lemma-8.6", "lemma-8.6-above-1", "lemma-8.6-sliding-4"],
    (heavy_tailed, "dilation_constant"): ["lemma-8.6-dilation-4"],
    (heavy_tailed, "normalizer"): ["lemma-8.6-normalizer", "alg-2-density", "sec8.2-gamma4"],
    (heavy_tailed, "absolute_moment"): ["sec8.2-gamma4", "lemma-8.8", "lemma-8.8-EZ"],
    (heavy_tailed, "log_kernel"): ["lemma-8.6", "eq-38", "lemma-8.7", "alg-2-condition"],
    (laplace, "cdf"): ["alg-1-support", "lemma-9.1", "sec6-inference-improves"],
    (truncated_laplace, "sensitivity"): ["sec6-trunc-sensitivity", "sec6-fraction-excluded"],
    (growth_of_neighbors, "growth_bound"): ["lemma-8.5-proof"],
    (laplace, "log_density"): ["lemma-9.1-density", "lemma-9.3"],
    (laplace, "absolute_moment"): ["lemma-8.2-proof", "lemma-9.3"],
    (laplace, "exponential_moment"): ["lemma-8.2", "thm-8.3-proof"],
    (log_laplace, "bias"): ["lemma-8.2"],
    (log_laplace, "mean_squared_error"): ["thm-8.3-proof"],
    (log_laplace, "mean_absolute_error"): ["alg-1-l1-error"],
}
CASES = [
    pytest.param(module, name, ids, id=f"{module.__name__.rpartition('.')[2]}.{name}")
    for (module, name), ids in FAULTS.items()
]


def off(formula):
    """The formula times 21/20, in the world in which it is read."""

    @wraps(formula)  # a statement that is read anew asks where its formulas come from
    def faulty(*arguments):
        value = formula(*arguments)
        if isinstance(value, (int, Fraction)):
            return value * FAULT
        if isinstance(value, sympy.Basic):
            return value * sympy.Rational(FAULT.numerator, FAULT.denominator)
        return value * FAULT.numerator / FAULT.denominator

    return faulty


ENTRIES = claims()


def differs(entry):
    """Whether the claim comes out otherwise than recorded."""
    try:
        verdict = entry.check()
    except (UnsettledError, RuleError, ArithmeticError):
        return True
    known = ledger.recorded()[entry.id]
    return (verdict.outcome, verdict.value) != (known.verdict, known.value)


@pytest.fixture
def notices(stated_anew):
    """Whether a claim comes out otherwise than recorded, as it stands or with its statements read anew."""
    return lambda id: differs(ENTRIES[id]) or differs(stated_anew(id))


@pytest.mark.campaign  # make check finds it as well
def test_without_a_fault_every_claim_comes_out_as_recorded(notices):
    ids = {f"haney2017/{id}" for ids in FAULTS.values() for id in ids}
    assert {id for id in ids if notices(id)} == set()


@pytest.mark.parametrize("id", ["alg-1-loss/a.1-e2", "alg-3-exact", "lemma-8.6-dilation-4"])
def test_without_a_fault_a_claim_comes_out_as_recorded(id, notices):
    assert not notices(f"haney2017/{id}")


def once(ids):
    """Of claims that are settled at several points, the one at the first point."""
    return [id for id in ids if id.partition("/")[0] not in AT_POINTS or id.endswith(f"/{FIRST}")]


def first(ids):
    """One claim."""
    return ids[:1]


@pytest.mark.few(6)
@pytest.mark.parametrize(
    "those",
    [first, pytest.param(once, marks=pytest.mark.campaign), pytest.param(list, marks=pytest.mark.campaign)],
)
@pytest.mark.parametrize(("module", "name", "ids"), CASES)
def test_claims_notice_a_formula_that_is_off_by_5_percent(module, name, ids, those, monkeypatch, notices):
    monkeypatch.setattr(module, name, off(getattr(module, name)))
    assert those(ids)
    assert [id for id in those(ids) if not notices(f"haney2017/{id}")] == []


NEIGHBOR_CLAIMS = (
    *("thm-8.1-strong", "thm-8.1-weak", "alg-1-tight", "alg-1-shift"),
    *("lemma-8.7", "alg-2-tight", "alg-3-exact", "lemma-9.2-region"),
    *("lemma-8.5-real", "lemma-8.5-count-as-largest", "sec8.1-log-sens"),
)


@pytest.mark.few(4)
@pytest.mark.parametrize("id", NEIGHBOR_CLAIMS)
def test_claims_notice_neighbors_that_may_grow_by_one_worker_more(id, monkeypatch, notices):
    @wraps(growth_conditions)
    def looser(x, y, alpha):
        conditions = growth_conditions(x, y, alpha)
        return conditions._replace(by_one=y <= x + 2)

    @wraps(largest_after)
    def one_more(x, alpha, c):
        return c.maximum((1 + alpha) * x, x + 2)

    for module in (growth_of_neighbors, growth):
        monkeypatch.setattr(module, "growth_conditions", looser)
    for module in (growth_of_neighbors, privacy_rules, smooth_rules, smooth_sensitivity, log_laplace_privacy):
        monkeypatch.setattr(module, "largest_after", one_more)
    assert notices(f"haney2017/{id}")
