"""``establish budget``: the cost of a plan, what its ledger has left, and the exit status."""

import json
import math
import re
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from establish import ProbablyNoClipping
from establish.impl.budget.accountant import cost
from establish.impl.budget.ledger import spend
from establish.impl.budget.plan import read_plan
from establish.impl.budget.queries import SumQuery
from establish.impl.budget.spending import spending_of
from establish.impl.microdata.group_by import Groups
from establish.impl.microdata.neighbor_functions import neighbor_function
from establish.impl.sampling.bits import Bits
from establish.proofs_check.api.second_answers import TIMES, second_answers
from establish.spec.composition import Attribute, Gedp
from tests.proofs_check.files import edit

SAMPLES = Path(str(files("establish.impl"))) / "sample"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text((SAMPLES / "plan_workloads.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return path


def release(path: Path) -> str:
    plan = read_plan(path)
    return spend(plan.ledger, spending_of(plan, cost(plan)), plan.cap).release


def test_a_plan_within_its_cap_is_costed(run, plan):
    status, out, err = run("budget", plan)
    assert (status, err) == (0, "")
    for line in ("workload-3 ε = 2, δ = 1/20000 8     ε = 16, δ = 1/2500", "left: ε = 20, δ = 1/2500"):
        assert line in out
    assert "haney2017/sec8-d-eps" in out
    assert [path.name for path in plan.parent.iterdir() if path.suffix == ".ledger"] == []


def test_expected_errors_by_size_and_what_completes_a_query_are_told(run, plan):
    """0.94040·max(α·n, 1) is Smooth Gamma at (1/10, 2), whose limit is at least 0.40546."""
    status, out, _ = run("budget", plan)
    assert status == 0
    assert "n = 1  n = 10 n = 100 n = 1,000 n = 10,000 follows over the limit" in out
    line = next(line for line in out.splitlines() if "smooth-gamma (tight)" in line)
    assert line.split()[3:] == ["0.9404", "0.9404", "9.404", "94.04", "940.4", "largest", "≤", "2.320"]
    assert "smooth-laplace (tight) 1      1      10      100       1000       largest not known" in out
    assert "query workload-1: calibration = tight is the default for smooth-gamma" in out
    edit(plan, 'mechanism = "smooth-gamma"\n', "")
    rows = json.loads(run("budget", plan, "--json")[1])["expected_errors"]
    assert [row["mechanism"] for row in rows] == ["smooth-path"] * 2 + ["smooth-laplace"]
    assert rows[0]["why"][0].startswith("smooth-path (tight) is the default")
    assert rows[0]["over_limit_at_most"] == pytest.approx(1.1066, abs=1e-3)


EARNINGS = """
title = "Earnings"
[budget]
definition = "record-dp"
cap = { epsilon = 3 }
[data]
persons = "earnings.csv"
earnings = "dollars"
[[query]]
name = "quartiles"
by = ["degree"]
epsilon = 1
[[query]]
name = "bins"
by = ["degree"]
mechanism = "histogram-percentiles"
epsilon = 1
"""


def test_expected_errors_of_earnings_are_told_by_class(run, tmp_path):
    """By equal gaps the count is a sum of four Laplace variables of scale 2/(29/30)."""
    path = tmp_path / "plan.toml"
    path.write_text(EARNINGS, encoding="utf-8")
    status, out, _ = run("budget", path)
    assert status == 0
    assert "query quartiles: bins-or-gaps was taken, as no mechanism is named" in out
    rows = json.loads(run("budget", path, "--json")[1])["expected_errors"]
    assert [(row["mechanism"], row["of"], row["follows"]) for row in rows] == [
        ("bins-or-gaps", "count", "class"),
        *(("bins-or-gaps", f"rank of p{p}", "class") for p in (25, 50, 75)),
        ("histogram-percentiles", "count", "nothing"),
    ]
    assert rows[0]["errors"]["1000"] == pytest.approx((4 * 2) ** 0.5 * 2 * 30 / 29)
    assert rows[0]["errors"]["30"] < rows[0]["errors"]["1000"]
    assert [rows[1]["errors"][size] is None for size in ("100", "300")] == [True, False]


def test_expected_errors_of_sums_are_told_by_measure(run):
    """ψ = √ has the variance 2s²(2x + s²) at s = γ/μ = (1/2)/(7/10); pnc (2γ√u − γ²)/μ at u ≥ γ²."""
    rows = json.loads(run("budget", SAMPLES / "plan_gedp.toml", "--json")[1])["expected_errors"]
    assert len(rows) == 20
    psi, pnc = rows[0], rows[4]
    assert (psi["of"], psi["measured"], psi["follows"]) == ("m1emp", "standard deviation", "sum")
    square = (5 / 7) ** 2
    assert psi["errors"]["100"] == pytest.approx((2 * square * (200 + square)) ** 0.5)
    assert (pnc["query"], pnc["follows"]) == ("state", "largest bound")
    assert pnc["errors"]["10000"] == pytest.approx((100 - 0.25) / 0.2)


def test_errors_are_told_as_shares_of_what_is_released(run, plan):
    status, out, _ = run("budget", plan)
    assert status == 0
    shares = [line.split() for line in out.splitlines() if line.lstrip().startswith("workload-1")]
    assert shares[-1] == ["workload-1", "jobs", "94%", "9.4%", "9.4%", "9.4%", "9.4%"]


def test_shares_of_sums_are_those_of_the_moments_of_the_answers(run, project):
    """Var(ω² − s²) = 4ns² + 2s⁴ for ω ~ N(√n, s²), and that of a lognormal; s = γ/μ is 1 and 1/5."""
    rows = json.loads(run("budget", project("establishments"), "--json")[1])["expected_errors"]
    found = {row["of"]: row["shares"] for row in rows if row["follows"] == "sum"}
    assert set(found) == {"jobs", "pay"}
    assert all(row["shares"] is None for row in rows if row["follows"] == "largest bound")
    for n in (1, 100, 10_000, 1_000_000):
        jobs, pay = ((4 * n + 2) ** 0.5, (n + 100) * (math.exp(1 / 25) - 1) ** 0.5)
        assert found["jobs"][str(n)] == pytest.approx(jobs / n, rel=1e-12)
        assert found["pay"][str(n)] == pytest.approx(pay / n, rel=1e-12)


def test_errors_of_what_pnc_answers_by_establishment_are_told(run, project):
    """At u = n and u* = tn, μ = 1/2 for both queries: of jobs, ψ = √ and γ = 1/2 give Δ(u) = √u − 1/4 and,
    for a budget m, s = γ/m and the variance 4s²n + 2s⁴. Of pay, ψ = ln(x + 100) and γ = 1/10 give
    Δ(u) = (u + 100)(1 − e^(−1/10)), but never above u, and (n + 100)²(e^(s²) − 1). Budgets are pooled by
    adding squares, and 1/256 of μ² is left to the largest establishment.
    """
    path = project("establishments")
    assert run("budget", path)[1].count("-each") == 0
    text = path.read_text("utf-8")
    path.write_text(text.replace('name = "county"', 'name = "county"\nremainder = true'), "utf-8")
    rows = json.loads(run("budget", path, "--json")[1])["expected_errors"]
    seconds = [row for row in rows if row["follows"] == "value"]
    assert [(row["query"], row["of"]) for row in seconds] == [
        (query, f"{measure} at {where}")
        for query in ("county-each", "every + county-each")
        for measure in ("jobs", "pay")
        for where in ("u*/10", "u*")
    ]

    def moved_jobs(u: int) -> float:
        return u**0.5 - 1 / 4

    def moved_pay(u: int) -> float:
        return min(u, (u + 100) * (1 - math.exp(-1 / 10)))

    for row in seconds:
        jobs, times = row["of"].startswith("jobs"), 10 if row["of"].endswith("/10") else 1
        for n in (1, 100, 10_000, 1_000_000):
            moved = moved_jobs if jobs else moved_pay
            square = (1 - 255 / 256 * (moved(n) / moved(times * n)) ** 2) / 4
            square += 1 / 4 if "+" in row["query"] else 0
            if jobs:
                expected = (n / square + 2 * (1 / 4 / square) ** 2) ** 0.5
            else:
                expected = (n + 100) * math.expm1(1 / 100 / square) ** 0.5
            assert row["errors"][str(n)] == pytest.approx(expected, rel=1e-9)
            assert row["shares"][str(n)] == row["errors"][str(n)] / n
    first, pooled = rows[0]["errors"]["1000000"], seconds[4]["errors"]["1000000"]
    assert (rows[0]["query"], 1 - pooled / first) == ("every", pytest.approx(0.274, abs=0.001))


def test_errors_of_second_answers_are_those_of_the_noise_that_is_drawn():
    """The standard deviations that pnc draws with are rounded up by 2⁻³² or so."""
    jobs = Attribute.of("jobs", "sqrt", "1/2", "3/8")
    psi = neighbor_function("sqrt", "3/8")
    running = ProbablyNoClipping(psi, "1/2", "7/10", remainder=True)
    query = SumQuery("county", (), "pnc", {"jobs": Fraction(7, 10)}, False, Fraction(1, 100), {}, True)
    for one in second_answers(query, Gedp.of([jobs]), (1, 50)):
        for n, error in one.errors.items():
            bounds = np.array([n, TIMES[one.at] * n])
            formed = Groups(np.array([0, 0]), 1, ())
            left = running.release(formed, bounds, bounds, Bits.seeded(1)).left
            assert left is not None
            assert error == pytest.approx(psi.deviation(n, float(left.sds[0])), rel=1e-9)


def test_a_plan_over_its_cap_ends_with_1(run, plan):
    edit(plan, "epsilon = 20", "epsilon = 19")
    status, out, err = run("budget", plan)
    assert status == 1
    assert "ε = 1 too much" in err
    assert re.search(r"^total .*ε = 20", out, re.MULTILINE)


def test_a_plan_for_which_nothing_is_left_ends_with_1(run, plan):
    release(plan)
    status, out, err = run("budget", plan)
    assert status == 1
    assert "ε = 20 and δ = 1/2500 too much" in err
    assert "left: ε = 0" in out


def test_another_ledger_may_be_named(run, plan, tmp_path):
    release(plan)
    assert run("budget", plan, "--ledger", tmp_path / "other.ledger")[0] == 0


def test_the_json_is_exact_and_names_the_claims(run, plan):
    status, out, _ = run("budget", plan, "--json")
    record = json.loads(out)
    assert status == 0
    assert record["definition"] == "weak-er-ee"
    assert record["total"]["epsilon"] == "20"
    assert record["total"]["delta"] == "1/2500"
    assert [query["times"] for query in record["queries"]] == [1, 1, 8]
    assert record["within_cap"] is True
    assert {"claim": "haney2017/sec8-d-eps", "verdict": "holds"} in record["rests_on"]


def test_the_json_of_a_plan_over_its_cap_says_so(run, plan):
    release(plan)
    status, out, _ = run("budget", plan, "--json")
    record = json.loads(out)
    assert (status, record["within_cap"], record["left_before"]["epsilon"]) == (1, False, "0")


def test_a_ledger_is_listed(run, plan):
    identity = release(plan)
    ledger = plan.with_name("workloads.ledger")
    status, out, _ = run("budget", "--ledger", ledger)
    assert status == 0
    assert identity in out
    assert "spent in workloads.ledger: ε = 20, δ = 1/2500" in out
    status, out, _ = run("budget", "--ledger", ledger, "--json")
    record = json.loads(out)
    assert [entry["release"] for entry in record["entries"]] == [identity]
    assert record["left"]["text"] == "ε = 0"


@pytest.mark.parametrize("arguments", [[], ["none.toml"], ["--ledger", "none.ledger"]])
def test_misuse_ends_with_2_and_one_line(refusal, arguments):
    refusal("budget", *arguments)


def test_a_damaged_ledger_ends_with_2(refusal, plan):
    release(plan)
    ledger = plan.with_name("workloads.ledger")
    ledger.write_bytes(ledger.read_bytes().replace(b'"20"', b'"2"'))
    assert "damaged" in refusal("budget", plan)


def test_what_each_query_gets_of_a_joint_budget_is_told(run, tmp_path):
    """Three weights of 1 and one of 8 share 0.8 as 0.8/√7 = 0.3023715… and twice that, 0.6047431…: rounded to
    the nearest 0.302372 their squares would add up to more than 0.64, so that all are rounded down.
    """
    path, text = tmp_path / "plan.toml", (SAMPLES / "plan_gedp.toml").read_text("utf-8")
    assert json.loads(run("budget", SAMPLES / "plan_gedp.toml", "--json")[1])["joint"] is None
    text = text.replace("cap = { mu = 2.31 }", "cap = { mu = 2.5 }\njoint = { mu = 0.8 }")
    old = "mu = { m1emp = 0.2, m2emp = 0.2, m3emp = 0.2, wage = 0.1 }"
    assert old in text
    weights = "weights = { m1emp = 1, m2emp = 1, m3emp = 1, wage = 8 }"
    path.write_text(text.replace(old, weights), "utf-8")
    status, out, err = run("budget", path)
    assert (status, err) == (0, "")
    told = [line.split() for line in out.splitlines() if line.startswith("state ")]
    assert ["state", "m1emp", "1", "0.302371"] in told
    assert ["state", "wage", "8", "0.604743"] in told
    assert "establish/joint-budget-absolute" in out
    joint = json.loads(run("budget", path, "--json")[1])["joint"]
    assert (joint["mu"], joint["error"], len(joint["shares"])) == ("4/5", "absolute", 4)
    assert sum(Fraction(share["mu"]) ** 2 for share in joint["shares"]) <= Fraction(16, 25)
