"""`establish limit` and `establish compare`: ends are rounded outward, misuse is told in one line."""

import json
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from functools import cache
from io import StringIO
from math import erfc, exp, pi, sqrt

import pytest
from rich.console import Console

from establish.proofs_check.api import progress
from establish.proofs_check.engine.rules.limits import SCALE, LimitCertificate, given_up
from establish.proofs_check.limits import additive_errors
from establish.proofs_check.limits import limit as limits
from establish.proofs_check.limits.limit import outward

AT = ("--alpha", "1/10", "--epsilon", "2")
QUICK = ("--alpha", "2", "--epsilon", "2")
"""Where certificates are small, and the published log-Laplace noise has no mean error."""


ENCLOSED, BUILT = cache(limits.enclosed), cache(additive_errors.built)


@pytest.fixture
def found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed and drawn at one α and ε rests on the same certificates, which are built once."""
    monkeypatch.setattr(limits, "enclosed", lambda α, ε, progress: ENCLOSED(α, ε))
    monkeypatch.setattr(additive_errors, "built", BUILT)


def test_an_end_is_rounded_away_from_the_interval():
    third = Fraction(2, 3)
    assert (outward(third, ROUND_FLOOR), outward(third, ROUND_CEILING)) == ("0.666666666", "0.666666667")
    assert outward(Fraction(5), ROUND_CEILING) == "5"


@pytest.mark.small_campaign
@pytest.mark.usefixtures("found_once")
def test_the_limit_is_an_interval_around_the_least_error_of_a_staircase(run):
    """The equation of the least error, solved beforehand at 50 digits, gives 0.406114053."""
    status, out, _ = run("limit", *AT, "--json", "-")
    (row,) = json.loads(out)
    assert status == 0
    lower, upper = Fraction(row["lower_exact"]), Fraction(row["upper_exact"])
    assert lower < upper < lower * Fraction(1005, 1000)
    assert lower < Fraction("0.406114053") < upper + Fraction(1, 10**9)
    out = run("limit", *AT, "--n", 100)[1]
    assert f"at least {outward(lower, ROUND_FLOOR)}, at most {outward(upper, ROUND_CEILING)}" in out
    assert "no lower bound exists at a single count" in out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--alpha", "0", "--epsilon", "2"), "alpha = 0 is not allowed"),
        (("--alpha", "1/10", "--epsilon", "100"), "1/1000 ≤ epsilon ≤ 20"),
        ((*AT, "--n", "1/2"), "n = 1/2 is not allowed: it must be a whole number"),
        ((*AT, "--json", ""), "--json"),
        (("--epsilon", "2"), "--alpha is missing"),
        (("--alpha", "1/10"), "--epsilon is missing"),
        (("--mu", "1/2", "--epsilon", "1"), "--epsilon does not go with --mu"),
        (("--mu", "0"), "mu = 0 is not allowed"),
        (("--mu", "50"), "1/1000 ≤ mu ≤ 20"),
    ],
)
def test_misuse_is_told_in_one_line(refusal, options, told):
    assert told in refusal("limit", *options)


@pytest.mark.parametrize("delta", ["banana", "0", "1", "-1/2", "nan"])
def test_a_delta_that_no_mechanism_takes_is_refused(refusal, delta):
    assert f"delta = {delta} is not " in refusal("compare", *AT, "--delta", delta)


@pytest.mark.small_campaign
@pytest.mark.parametrize("command", ["limit", "compare"])
def test_work_that_takes_long_is_shown_on_a_terminal(run, monkeypatch, command):
    screen = StringIO()
    monkeypatch.setattr(progress, "complaints", lambda: Console(file=screen, force_terminal=True))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert run(command, *QUICK, "--json", "-")[0] == 0
    assert "building and checking certificates" in screen.getvalue()


def test_a_share_of_the_certificates_is_told_while_they_are_tried():
    shares: list[float] = []
    limits.enclosed(Fraction(1, 10), Fraction(2), 50, shares.append)
    assert shares == sorted(set(shares))
    assert 0 == shares[0] < shares[-1] < 1


def test_an_interruption_speaks_of_no_release(run, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(limits, "enclosed", interrupted)
    assert run("limit", *AT) == (130, "", "establish: interrupted\n")


@pytest.mark.small_campaign
@pytest.mark.usefixtures("found_once")
def test_all_mechanisms_stand_beside_the_limit(run):
    status, out, _ = run("compare", *AT, "--json", "-")
    limit, *rows = json.loads(out)
    assert status == 0
    assert {row["mechanism"] for row in rows} == {
        *("whole-staircase", "growth-staircase", "growth-staircase-unbiased", "growth-laplace"),
        *("smooth-lomax", "smooth-path", "smooth-staircase", "smooth-staircase-unbiased"),
        *("log-laplace", "smooth-gamma"),
    }
    assert all(row["over_limit_at_most"] > 1 for row in rows)
    assert rows[0]["mechanism"] == "whole-staircase", "the least error comes first"
    assert "smooth-laplace (tight)" in run("compare", *AT, "--delta", "1/1000")[1]
    assert limit["limit"]["lower"] < limit["limit"]["upper"]


@pytest.mark.parametrize("delta", ["1/20", "1/2"])
def test_a_mechanism_with_a_delta_is_compared_with_the_limit_at_this_delta(run, delta):
    (beside,) = json.loads(run("limit", *AT, "--delta", delta, "--json", "-")[1])
    limit, *rows = json.loads(run("compare", *AT, "--delta", delta, "--json", "-")[1])
    told = [row for row in rows if row["mechanism"] == "smooth-laplace"]
    least = limit["limit"]["lower_with_delta"]
    assert told
    assert least == beside["lower"] < limit["limit"]["lower"]
    for row in told:
        error = row["errors"]["10000"]
        assert row["over_limit_at_most"] == (pytest.approx(error / least) if least else None)


@pytest.mark.small_campaign
def test_an_error_without_bound_is_told_as_infinite(run):
    """Where ε ≤ 2·ln(1+α) the published log-Laplace noise has no mean error; the others stand before it."""
    status, out, _ = run("compare", *QUICK)
    rows = [line.split() for line in out.splitlines() if "(tight)" in line or "(published)" in line]
    assert status == 0
    assert {row[-1] for row in rows if "inf" in row} == {"∞"}
    assert any("inf" in row for row in rows)
    assert "inf" not in rows[0]


@pytest.mark.small_campaign
@pytest.mark.usefixtures("found_once")
@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG")])
def test_the_errors_are_drawn_beside_the_table(run, tmp_path, name, begins):
    out = tmp_path / name
    assert run("compare", *AT, "--out", out)[0] == 0
    first = out.read_bytes()
    assert first.startswith(begins)
    assert run("compare", *AT, "--out", out, "--force")[0] == 0
    assert out.read_bytes() == first, "the same figures give the same file"
    if name.endswith("svg"):
        for word in ("growth-staircase", "smooth-gamma (published)", "limit as n → ∞, δ = 0: 0."):
            assert word in first.decode()


@pytest.mark.parametrize(
    ("name", "told"), [("a.pdf", "must end in .svg or .png"), ("no/a.svg", "is not a folder")]
)
def test_a_picture_that_cannot_be_written_is_refused(refusal, tmp_path, name, told):
    assert told in refusal("compare", *AT, "--out", tmp_path / name)


def test_the_limit_with_delta_gives_up_a_multiple_of_delta(run, refusal):
    """An exact answer with probability δ, and Growth-Staircase otherwise, is (α, ε, δ)-private: its error,
    (1 − δ) times that of Growth-Staircase, is no less than the lower end.
    """
    ends = []
    for delta in (Fraction(1, 100), Fraction(1, 1000), Fraction(1, 10**9)):
        (row,) = json.loads(run("limit", *AT, "--delta", delta, "--json", "-")[1])
        lower, upper = Fraction(row["lower_exact"]), Fraction(row["upper_exact"])
        assert lower <= (1 - delta) * upper
        ends.append(lower)
    assert ends == sorted(ends)
    assert Fraction(33, 100) < ends[0] < Fraction(35, 100)
    assert ends[2] > Fraction(40, 100)
    assert "delta = 1 is not allowed" in refusal("limit", *AT, "--delta", "1")


def test_what_a_certificate_gives_up_is_the_largest_amount_of_each_difference():
    """By hand: differences 1 and −2, largest amounts 3 and 5; 1/(1 + ε + …) is e^(−ε) to 40 terms."""
    amounts = {(0, 1): 3 * SCALE, (1, 2): 2 * SCALE, (3, 1): 5 * SCALE}
    certificate = LimitCertificate(Fraction(1, 10), Fraction(2), Fraction(1), 2, -1, 4, amounts)
    found = given_up(certificate, Fraction(1, 8))
    assert float(found) == pytest.approx(exp(-2), rel=1e-12)
    assert float(found) >= exp(-2) * (1 - 1e-12)


@pytest.mark.parametrize("mu", ["1/20", "1/2", "2", "20"])
def test_the_gaussian_limit_lies_below_normal_noise_and_is_that_of_rounded_noise(run, mu):
    """E|round(Z/μ)| by its probabilities, with math.erfc: on values a step apart no mechanism does better."""
    status, out, _ = run("limit", "--mu", mu, "--json", "-")
    (row,) = json.loads(out)
    level = float(Fraction(mu))
    tails = [erfc((k + 0.5) * level / sqrt(2)) for k in range(int(12 / level) + 2)]
    assert status == 0
    assert row["lower"] == pytest.approx(sum(tails), rel=1e-6, abs=1e-9)
    assert row["upper"] == pytest.approx(sqrt(2 / pi) / level, rel=1e-8)
    assert row["lower"] < row["upper"]
    assert "at least" in run("limit", "--mu", mu)[1]
