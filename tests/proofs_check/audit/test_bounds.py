"""The bound of an audit is one number, the strongest for what is claimed, and is printed as a bound, too."""

import json
import math
from fractions import Fraction

import pytest
from scipy import stats

from establish.proofs_check.api.audit_report import tell
from establish.proofs_check.audit import audit, dp, gedp
from establish.proofs_check.audit.black.close_calls import delta_of, outputs_needed
from establish.proofs_check.audit.question.level import Approximate, Gaussian
from establish.proofs_check.audit.question.result import at_least
from establish.proofs_check.audit.white.made_laws import normal
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.laplace import Laplace
from tests.proofs_check.audit.lawful import Lawful

LAPLACE = Lawful(lambda n, c: Laplace(c.number(n), c.number(Fraction(1, 6)), c))
NORMAL = Lawful(
    lambda v, c: normal(c.number(v if isinstance(v, int) else sum(v)), c.number(Fraction(1, 3)), c)
)
SAMPLED = {
    "pure": (lambda n, rng: n + rng.laplace(0, 1 / 6), dp(2)),
    "with δ": (lambda n, rng: n + rng.normal(0, 1 / 3), dp(1, "1/1000")),
    "gaussian": (lambda v, rng: sum(v) + rng.normal(0, 1 / 3), gedp(1)),
}


def curve_bound(result, claims):
    return result.trade_off.mu if isinstance(claims.level, Gaussian) else result.trade_off.epsilon


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", SAMPLED)
def test_a_sampled_bound_is_that_of_event_and_curve_together(kind):
    mechanism, claims = SAMPLED[kind]
    result = audit(mechanism, claims, samples=60_000, seconds=math.inf)
    assert result.violated
    assert result.epsilon_lower_bound == curve_bound(result, claims)
    printed = "\n".join(tell(result, claims))
    assert f"is at least {at_least(result.epsilon_lower_bound)}" in printed
    assert printed.count("wrong with probability at most 1e-09") == 2  # in the bound and as its evidence
    assert "proved" not in printed
    assert json.loads(json.dumps(result.to_json()))["bound"] == result.bound


@pytest.mark.parametrize(
    ("law", "claims", "truth"),
    [
        (LAPLACE, dp(2), 6),
        # 3 standard deviations apart: the least ε at δ = 1/1000 is where δ(ε) is that.
        (NORMAL, dp(1, "1/1000"), None),
    ],
)
def test_a_bound_of_laws_is_that_of_the_worst_pair_and_its_curve(law, claims, truth):
    result = certify(law, claims, pairs=[(0, 1)])
    found = float(result.epsilon_lower_bound)
    assert found == pytest.approx(curve_bound(result, claims))
    if truth is None:
        least = stats.norm.cdf(1.5 - found / 3) - math.exp(found) * stats.norm.cdf(-1.5 - found / 3)
        assert least == pytest.approx(1e-3, rel=1e-2)
    else:
        assert found == pytest.approx(truth)
    assert result.bound.startswith("ε is at least ")


@pytest.mark.parametrize(
    ("bound", "said"), [(5.6649999, "5.66499"), (61.0, "61"), (0.1 + 0.2, "0.3"), (0.0, "0")]
)
def test_a_bound_is_printed_by_digits_that_are_rounded_down(bound, said):
    assert at_least(bound) == said


def test_what_a_close_call_needs_is_known_from_normal_laws():
    # √(2·ln(1250))/8 is the classical scale at ε = 8, δ = 1/1000, whose δ is 0.00131.
    assert delta_of(8 / math.sqrt(2 * math.log(1250)), 8.0) == pytest.approx(0.00131, abs=5e-6)
    assert 1e9 < outputs_needed(Approximate(Fraction(8), Fraction(1, 1000))) < 1e10
    assert outputs_needed(Approximate(Fraction(1), Fraction(1, 10))) < 100_000


def test_an_audit_with_delta_says_what_a_close_call_needs():
    result = audit(lambda n, rng: n + rng.normal(0, 0.472), dp(8, "1/1000"), samples=20_000)
    (note,) = (note for note in result.notes if "close call" in note)
    assert "4e+09 outputs" in note
    assert "--grey" in note
