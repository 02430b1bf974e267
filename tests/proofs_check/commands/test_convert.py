"""`establish convert`: what follows is enclosed, what does not follow is refused with the reason."""

import json
import shlex
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import erfc, exp, log, sqrt
from statistics import NormalDist

import pytest

import establish
from establish import Misuse, ParameterError
from establish.proofs_check.api import conversion_values
from establish.proofs_check.api.conversions import ROUTES
from establish.proofs_check.api.convert import TARGETS
from establish.proofs_check.engine.ledger import recorded
from establish.spec.arithmetic import Number, World

Run = Callable[..., tuple[int, str, str]]


def answered(run: Run, options: str) -> dict:
    status, out, err = run("convert", *shlex.split(options), "--json", "-")
    assert status == 0, err
    (row,) = json.loads(out)
    assert Fraction(row["lower_exact"]) <= Fraction(row["upper_exact"])
    assert row["by"]
    assert row["evidence"]
    return row


def normal_delta(epsilon: float, mu: float) -> float:
    below = [erfc(-z / sqrt(2)) / 2 for z in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu)]
    return below[0] - exp(epsilon) * below[1]


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ("--epsilon 1 --to mu", -2 * NormalDist().inv_cdf(1 / (1 + exp(1)))),
        ("--epsilon 1 --to rho", (exp(1) - 1) / (exp(1) + 1)),
        ("--epsilon 1 --to renyi --at-order 2", log((exp(2) + exp(-1)) / (1 + exp(1)))),
        ("--epsilon 1 --to delta --at-epsilon 1/2", (exp(1) - exp(0.5)) / (1 + exp(1))),
        ("--epsilon 1 --to epsilon --at-delta 1/100", log(exp(1) - 0.01 * (1 + exp(1)))),
        ("--epsilon 1 --to epsilon --at-delta 1/2", 0),
        ("--epsilon 0 --delta 1/100 --to delta --at-epsilon 0", 0.01),
        ("--epsilon 1 --delta 1/100 --to delta --at-epsilon 2", 0.01),
        ("--epsilon 1 --delta 1/100 --to epsilon --at-delta 1/100", 1),
        ("--mu 1 --to delta --at-epsilon 1", normal_delta(1, 1)),
        ("--mu 1/3 --to rho", 1 / 18),
        ("--mu 3 --to renyi --at-order 2", 9),
        ("--rho 1/2 --to renyi --at-order 3", 1.5),
        ("--renyi 1/2 --order 2 --to delta --at-epsilon 1", exp(-0.5) / 4),
        ("--renyi 1/2 --order 2 --to renyi --at-order 3/2", 0.5),
    ],
)
def test_a_conversion_encloses_the_value(run, options, value):
    row = answered(run, options)
    assert row["lower"] - 1e-12 <= value <= row["upper"] + 1e-12
    assert row["upper"] - row["lower"] <= 2e-14 * row["upper"]


@pytest.mark.parametrize("mu", ["1/100", "1", "7/2"])
@pytest.mark.parametrize("delta", ["1/1000000", "1/100", "9/10"])
def test_the_least_epsilon_of_a_mu_has_the_delta_that_was_asked(run, mu, delta):
    row = answered(run, f"--mu {mu} --to epsilon --at-delta {delta}")
    back = answered(run, f"--mu {mu} --to delta --at-epsilon {row['upper_exact']}")
    target = Fraction(delta)
    assert back["lower"] <= float(target) * (1 + 1e-9)
    if row["upper"] > 0:
        assert back["upper"] >= float(target) * (1 - 1e-9)
        assert normal_delta(row["upper"], float(Fraction(mu))) == pytest.approx(float(target), rel=1e-6)


@pytest.mark.parametrize("rho", ["1/100", "1/2", "10"])
def test_no_other_order_does_better_than_the_one_that_was_chosen(run, rho):
    for to, at in (("epsilon", "--at-delta 1/1000000"), ("delta", "--at-epsilon 3")):
        row = answered(run, f"--rho {rho} --to {to} {at}")
        best = Fraction(row["order"])
        for factor in ("1/2", "99/100", "101/100", "2"):
            order = 1 + (best - 1) * Fraction(factor)
            other = answered(run, f"--renyi {order * Fraction(rho)} --order {order} --to {to} {at}")
            assert other["upper"] >= row["upper"] * (1 - 1e-12)


def test_what_rho_implies_lies_between_normal_noise_and_the_bound_of_bun_and_steinke(run):
    row = answered(run, "--rho 1/2 --to epsilon --at-delta 1/1000000")
    normal = answered(run, "--mu 1 --to epsilon --at-delta 1/1000000")
    assert normal["upper"] < row["upper"] < 0.5 + 2 * sqrt(0.5 * log(1e6))
    assert (normal["least"], row["least"]) == (True, False)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            "--epsilon 1 --delta 1/1000 --to mu",
            "reveals the data with probability δ satisfies (ε, δ), and no μ",
        ),
        ("--epsilon 1 --delta 1/1000 --to rho", "and no ρ"),
        ("--epsilon 1 --delta 1/1000 --to renyi --at-order 2", "and no Rényi divergence"),
        ("--epsilon 1 --delta 1/1000 --to epsilon", "at δ = 0 no ε"),
        ("--epsilon 1 --delta 1/1000 --to epsilon --at-delta 1/1001", "at δ = 1/1001 no ε"),
        ("--mu 1 --to epsilon", "normal noise satisfies μ = 1, and its privacy loss is unbounded"),
        ("--rho 1 --to epsilon", "normal noise satisfies ρ = 1"),
        ("--rho 1 --to mu", "√(2ρ), which is right for normal noise, is too small"),
        ("--renyi 1 --order 2 --to epsilon", "an unbounded privacy loss"),
        ("--renyi 1 --order 2 --to rho", "an infinite one at larger orders, and then satisfies no ρ"),
        ("--renyi 1 --order 2 --to mu", "satisfies no μ"),
        ("--renyi 1 --order 2 --to renyi --at-order 3", "an infinite one at order 3"),
    ],
)
def test_what_does_not_follow_is_refused_with_the_reason(refusal, options, why):
    told = refusal("convert", *shlex.split(options))
    assert "does not follow from" in told
    assert why in told


def test_the_numbers_of_the_refusal_of_a_mu_are_right(run):
    """ρ = 0.4622 is satisfied, μ = 1.232 is needed, and √(2·0.4622) is 0.9615, rounded."""
    assert answered(run, "--epsilon 1 --to rho")["upper"] <= 0.4622
    assert answered(run, "--epsilon 1 --to mu")["lower"] >= 1.232
    assert round(sqrt(2 * 0.4622), 4) == 0.9615


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--to mu", "a guarantee is missing: give --epsilon (with --delta), --mu, --rho or --renyi"),
        ("--mu 1 --rho 1 --to mu", "--mu and --rho do not go together"),
        ("--mu 1 --delta 1/10 --to epsilon", "--delta does not go with --mu"),
        ("--mu 1 --order 2 --to epsilon", "--order does not go with --mu"),
        ("--renyi 1 --to epsilon", "--order is missing"),
        ("--mu 1 --to delta", "--at-epsilon is missing"),
        ("--mu 1 --to renyi", "--at-order is missing"),
        ("--mu 1 --to rho --at-delta 1/10", "--at-delta does not go with --to rho"),
        ("--mu 1 --to delta --at-delta 1/10", "--at-delta does not go with --to delta: use --at-epsilon"),
        ("--mu 1 --to sigma", "to = sigma is not known: use one of epsilon, delta, mu, rho, renyi"),
        ("--mu 0 --to rho", "mu = 0 is not allowed: it must lie between 1/1000000 and 40"),
        ("--epsilon 0 --to rho", "epsilon = 0 is not allowed"),
        ("--epsilon 1 --delta 1 --to delta --at-epsilon 2", "delta = 1 is not allowed"),
        ("--epsilon 1 --delta -1/2 --to delta --at-epsilon 2", "delta = -1/2 is not allowed"),
        ("--renyi 1 --order 1 --to epsilon --at-delta 1/10", "order = 1 is not allowed"),
        ("--mu 1 --to renyi --at-order 1", "--at-order = 1 is not allowed"),
        ("--mu 1 --to delta --at-epsilon -1", "--at-epsilon = -1 is not allowed: it must lie between 0 and"),
        ("--mu nan --to rho", "mu = nan is not a finite rational"),
    ],
)
def test_bad_input_is_refused_by_name(refusal, options, says):
    assert says in refusal("convert", *shlex.split(options))


def test_python_names_arguments_and_prints_what_the_command_prints(run):
    found = establish.convert(mu=1, to="epsilon", at_delta="1/1000000")
    assert f"{found}\n" == run("convert", *shlex.split("--mu 1 --to epsilon --at-delta 1/1000000"))[1]
    assert str(found).startswith("μ = 1 implies ε ≤ 4.88655411746222 at δ = 1/1000000\n")
    assert found.lower <= found.upper
    with pytest.raises(Misuse, match=r"^at_order is missing: say at which order renyi is wanted"):
        establish.convert(mu=1, to="renyi")
    with pytest.raises(ParameterError, match=r"^at_epsilon = -1 is not allowed"):
        establish.convert(mu=1, to="delta", at_epsilon=-1)


def test_every_guarantee_has_a_route_or_a_refusal_to_every_other():
    assert set(ROUTES) == set(product(("approximate", "mu", "rho", "renyi"), TARGETS))


@pytest.mark.parametrize(
    "options",
    [
        "--mu 1/1000000 --to delta --at-epsilon 1000",
        "--mu 40 --to epsilon --at-delta 1e-50",
        "--mu 1/1000000 --to epsilon --at-delta 1e-50",
        "--rho 1000 --to delta --at-epsilon 0",
        "--rho 1/1000000 --to delta --at-epsilon 1000",
        "--rho 1/1000000 --to epsilon --at-delta 1e-50",
        "--epsilon 1000 --to mu",
        "--epsilon 1/1000000 --to rho",
        "--epsilon 1000 --to renyi --at-order 1000000",
        "--epsilon 1000 --to delta --at-epsilon 999",
        "--renyi 1000 --order 1000000 --to epsilon --at-delta 1/2",
    ],
)
def test_the_ends_of_the_ranges_are_answered(run, options):
    row = answered(run, options)
    assert row["upper"] - row["lower"] <= max(2e-14 * row["upper"], 1e-299)


def test_a_value_that_no_precision_encloses_is_an_error_and_not_an_answer():
    """δ at the very root: the sign of an exact 0 is decided by no ball."""

    def falling(x: Number, c: World) -> Number:
        return c.exp(-x) * c.log(c.number(1)) + c.exp(c.log(c.number(2)))

    with pytest.raises(ArithmeticError, match="bits are not enough"):
        conversion_values.first_below(falling, Fraction(2), Fraction(1))


@pytest.mark.parametrize(
    ("options", "claim"),
    [
        ("--epsilon 1 --to rho", "establish/pure-is-within-rho"),
        ("--rho 1 --to epsilon --at-delta 1/10", "establish/greatest-share"),
        ("--renyi 1 --order 2 --to delta --at-epsilon 1", "establish/greatest-share"),
        ("--epsilon 1 --to mu", ""),
        ("--mu 1 --to delta --at-epsilon 1", ""),
    ],
)
def test_the_evidence_names_the_claim_that_settles_it_or_says_that_none_does(run, options, claim):
    row = answered(run, options)
    assert row["claim"] == claim
    if claim:
        assert row["evidence"].endswith(f"claim {claim} is about its inequality: holds (proof)")
        assert (recorded()[claim].verdict, recorded()[claim].evidence) == ("holds", "proof")
    else:
        assert row["evidence"].endswith("no claim of the register settles it")
