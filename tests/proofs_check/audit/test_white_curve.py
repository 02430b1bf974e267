"""The trade-off curve of laws that are given: enclosed where formulas say that it runs, told and drawn."""

import math
from fractions import Fraction

import pytest
from scipy import stats

from establish import Grade, custom
from establish.proofs_check.api.audit_report import tell
from establish.proofs_check.audit.white.composed import rounded
from establish.proofs_check.audit.white.made_laws import finite, normal
from establish.proofs_check.audit.white.white_box import certify
from establish.proofs_check.report.audited import drawings
from establish.spec.distributions.laplace import Laplace
from tests.proofs_check.audit.lawful import Lawful

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)

ROUNDING = 1e-12
"""Of the formulas below, in floats."""


def laplace(n, c):
    return Laplace(c.number(2 * n), c.number(1), c)


def laplace_curve(x, loss=2.0):
    """Of Laplace laws ``loss`` scales apart: the best tests are half-lines (Neyman and Pearson)."""
    least = math.exp(-loss)
    if x < least / 2:
        return 1 - x / least
    return least / (4 * x) if x < 0.5 else least * (1 - x)


def shifted_normal(n, c):
    return normal(c.number(n), c.number(Fraction(2, 3)), c)


def normal_curve(x):
    return stats.norm.cdf(stats.norm.isf(x) - 1.5)


def response(n, c):
    """The truth with probability 3/4."""
    truth, lie = Fraction(3, 4), Fraction(1, 4)
    return finite({0: lie if n else truth, 1: truth if n else lie})


def response_curve(x):
    return 1 - 3 * x if x < 0.25 else (1 - x) / 3


CURVES = {
    "Laplace": (laplace, laplace_curve),
    "normal": (shifted_normal, normal_curve),
    "response": (response, response_curve),
}

CLAIMS = [
    custom([(0, 1)], mu=1),
    custom([(0, 1)], epsilon=3),
    custom([(0, 1)], epsilon=1, delta=Fraction(1, 100)),
]


@pytest.mark.few(4)
@pytest.mark.parametrize("claim", CLAIMS, ids=str)
@pytest.mark.parametrize("name", CURVES)
def test_the_curve_runs_through_its_bounds(name, claim):
    law, exact = CURVES[name]
    curve = certify(Lawful(law), claim).trade_off
    assert curve.outputs == 0
    assert len(curve.errors) >= (1 if name == "response" else 24)
    for first, second in curve.errors:
        assert first[1] - first[0] < 1e-14
        assert second[1] - second[0] < 1e-7
        # The laws are symmetric, so that the curve is that of either order of the pair.
        assert second[0] - ROUNDING <= exact(first[1])
        assert exact(first[0]) <= second[1] + ROUNDING


def flag(first, second):
    """The value 1 with probability ``first`` on dataset 0, and ``second`` on dataset 1."""

    def law(n, c):
        share = second if n else first
        return finite({0: 1 - share, 1: share})

    return Lawful(law)


def test_a_curve_of_laws_that_are_not_symmetric_belongs_to_the_order_of_its_pair():
    shares = (Fraction(1, 10), Fraction(2, 3))
    curve = certify(flag(*shares), custom([(0, 1)], mu=3)).trade_off
    first, second = (shares[n] for n in curve.pair)
    # The best event is the value that is likelier on the first dataset.
    if first < second:
        first, second = 1 - first, 1 - second
    expected = float(second), float(1 - first)
    assert any((one[0], two[1]) == pytest.approx(expected, abs=1e-9) for one, two in curve.errors)


def test_what_a_curve_leaves_of_each_definition():
    curve = certify(Lawful(laplace), CLAIMS[2]).trade_off
    assert curve.mu == pytest.approx(-2 * stats.norm.ppf(math.exp(-1) / 2))
    # δ = 1 − e^((ε − 2)/2) up to ε = 2.
    for epsilon, delta in curve.profile:
        assert delta == pytest.approx(max(0.0, 1 - math.exp((epsilon - 2) / 2)))
    assert [epsilon for epsilon, _ in curve.profile] == [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]
    assert curve.epsilon == pytest.approx(2 + 2 * math.log(0.99), rel=1e-5)
    assert certify(Lawful(laplace), CLAIMS[1]).trade_off.epsilon == pytest.approx(2)


def test_the_least_epsilon_looks_at_both_orders_of_the_worst_pair():
    # The value 1 has 1/2 against 1/10, so that δ = 1/20 asks for ln((1/2 − 1/20)/(1/10)); 0 has 9/10 against
    # 1/2, which asks for ln(1.7). At ε = 3 neither order exceeds δ.
    for shares in ((HALF, TENTH), (TENTH, HALF)):
        result = certify(flag(*shares), custom([(0, 1)], epsilon=3, delta=TENTH / 2))
        assert float(result.epsilon_lower_bound) == pytest.approx(math.log(4.5), rel=1e-5)


def test_the_curve_is_told_and_drawn_without_outputs_or_errors_of_them():
    claim = CLAIMS[0]
    result = certify(Lawful(laplace), claim)
    assert (result.evidence, result.confidence, result.samples) == (Grade.ENCLOSURE, 1.0, 0)
    lines = [line for line in tell(result, claim) if line.startswith("  curve")]
    assert len(lines) == 1
    assert lines[0].endswith("best tests, enclosed:")
    drawn = {one.kind: one for one in drawings(result, claim, Lawful(laplace), 1)}
    assert "enclosed from their laws" in drawn["trade-off"].text
    assert "outputs of each" not in drawn["trade-off"].text


def test_a_certificate_has_its_curve_drawn_too():
    result = certify(Lawful(response), CLAIMS[1])
    assert result.pair is None
    assert [one.kind for one in drawings(result, CLAIMS[1], Lawful(response), 1)] == ["trade-off"]


@pytest.mark.parametrize(
    ("law", "claim", "why"),
    [
        (lambda n, c: (laplace(n, c), laplace(n, c)), CLAIMS[1], "an output has several parts"),
        (lambda n, c: rounded(laplace(n, c), 1), CLAIMS[0], "outputs are rounded"),
        (lambda n, c: laplace(0, c), CLAIMS[1], "no test tells the two laws apart"),
    ],
    ids=["tuple", "rounding", "equal laws"],
)
def test_where_there_is_no_curve_text_and_json_say_why(law, claim, why):
    result = certify(Lawful(law), claim)
    assert result.trade_off is None
    said = f"there is no trade-off curve: {why}"
    assert any(note.startswith(said) for note in result.to_json()["notes"])
    assert any(line.startswith(f"  note      {said}") for line in tell(result, claim))


def test_where_there_is_a_curve_no_note_says_that_there_is_none():
    result = certify(Lawful(laplace), CLAIMS[0])
    assert result.trade_off is not None
    assert not any("trade-off" in note for note in result.notes)
