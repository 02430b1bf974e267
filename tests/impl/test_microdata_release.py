"""From a plan and a file of establishments to published tables and their record."""

import csv
import hashlib
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from establish.impl.budget.ledger import read_ledger
from establish.impl.budget.plan import Plan, read_plan
from establish.impl.publish import entered
from establish.impl.publish import plan as plan_release
from establish.impl.publish.establishments import COLUMNS, FITTED, MicrodataAnswerer
from establish.impl.publish.plan import RECORD, PlanRelease
from establish.spec.composition import Gaussian
from establish.spec.parameters import ParameterError

QUERY = """
[[query]]
name = "{name}"
by = [{by}]
mechanism = "{mechanism}"
mu = {{ jobs = {jobs}, pay = {pay} }}
"""

PLAN = """
title = "A quarter"

[budget]
definition = "gedp"
cap = {{ mu = {cap} }}
ledger = "project.ledger"

[budget.attributes]
jobs = {{ psi = "{psi}", gamma = 0.5, shift = {shift} }}
pay = {{ psi = "sqrt", gamma = 50 }}

[data]
establishments = "establishments.csv"
id = "id"
"""

QUERIES = (
    ("identity", '"id"', "psi", "0.7", "0.15"),
    ("state", "", "pnc", "0.2", "0.1"),
    ("county", '"county"', "pnc", "0.6", "0.15"),
    ("cells", '"county", "naics[:3]"', "pnc", "0.7", "0.15"),
)

COST = Fraction("0.49") * 2 + Fraction("0.04") + Fraction("0.36") + 3 * Fraction("0.0225") + Fraction("0.01")
"""The square of the plan's μ, from the squares of its budgets."""


def establishments() -> list[dict[str, str]]:
    rng = np.random.default_rng(8)
    return [
        {
            "id": f"e{i}",
            "county": f"4400{rng.integers(1, 4)}",
            "naics": str(rng.choice(["311811", "722511", "722513", "541110"])),
            "jobs": str(100_003 + 7 * i),
            "pay": str(900_000_001 + 13 * i),
        }
        for i in range(30)
    ]


def project(
    folder: Path,
    rows: list[dict[str, str]] | None = None,
    *,
    cap: str = "2",
    psi: str = "sqrt",
    shift: str = "0",
    queries: tuple[tuple[str, ...], ...] = QUERIES,
) -> Plan:
    """A plan and its data, in ``folder``."""
    with (folder / "establishments.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["id", "county", "naics", "jobs", "pay"])
        writer.writeheader()
        writer.writerows(establishments() if rows is None else rows)
    fields = ("name", "by", "mechanism", "jobs", "pay")
    text = PLAN.format(cap=cap, psi=psi, shift=shift) + "".join(
        QUERY.format(**dict(zip(fields, query, strict=True))) for query in queries
    )
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    return read_plan(folder / "plan.toml")


def spent(folder: Path) -> Fraction:
    account = read_ledger(folder / "project.ledger")
    if account is None:
        return Fraction(0)
    assert isinstance(account.spent, Gaussian)
    return account.spent.mu_squared


def release_plan(
    plan: Plan,
    out: Path,
    *,
    fit: bool = True,
    nonnegative: bool = False,
    verdicts: Mapping[str, str] | None = None,
    **options: object,
) -> PlanRelease:
    answerer = MicrodataAnswerer(plan, fit=fit, nonnegative=nonnegative)
    return plan_release.release_plan(plan, answerer, out, verdicts=verdicts or {}, **options)  # type: ignore[arg-type]  # passed on as they are


def record_of(done: PlanRelease) -> dict[str, Any]:
    found = json.loads(done.record.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_a_plan_becomes_one_table_a_query_and_a_record(tmp_path, rows_of):
    done = release_plan(project(tmp_path), tmp_path / "out", ending=".csv", seed=1)
    names = ["identity.csv", "state.csv", "county.csv", "cells.csv", f"{FITTED}.csv"]
    assert [path.name for path in done.tables] == names
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*names, RECORD}
    true = establishments()
    identity = rows_of(tmp_path / "out" / "identity.csv")
    labels = ("id", "county", "naics")
    assert [[row[key] for key in labels] for row in identity] == sorted(
        [row[key] for key in labels] for row in true
    )
    measured = [f"{name}-{kind}" for name in ("jobs", "pay") for kind in COLUMNS]
    cells = rows_of(tmp_path / "out" / "cells.csv")
    assert list(cells[0]) == ["county", "naics[:3]", *measured]
    assert {(row["county"], row["naics[:3]"]) for row in cells} == {
        (row["county"], row["naics"][:3]) for row in true
    }
    (state,) = rows_of(tmp_path / "out" / "state.csv")
    total = sum(int(row["jobs"]) for row in true)
    # The interval misses with probability 0.05; 10 standard deviations, with less than 1e-22.
    sd = float(state["jobs-variance"]) ** 0.5
    assert abs(float(state["jobs-estimate"]) - total) < 10 * sd
    assert sd < 0.01 * total


def test_the_order_of_the_rows_in_the_data_is_not_that_of_the_tables(tmp_path):
    """The file may be sorted by a confidential measure; the same data in any order give the same tables."""
    written = []
    for name, rows in (("up", establishments()), ("down", establishments()[::-1])):
        (tmp_path / name).mkdir()
        done = release_plan(project(tmp_path / name, rows), tmp_path / name / "out", seed=3)
        written.append([path.read_bytes() for path in done.tables])
    assert written[0] == written[1]


@pytest.mark.parametrize("level", ["pay", "pay[:1]", "sector(pay)"])
def test_no_level_of_a_confidential_attribute_forms_groups(tmp_path, level):
    queries = (QUERIES[0], ("by-pay", f'"{level}"', "psi", "0.1", "0.1"))
    with pytest.raises(ParameterError, match="is confidential and cannot form groups"):
        project(tmp_path, queries=queries)


def test_the_record_names_the_claims_of_the_composition(tmp_path):
    done = release_plan(project(tmp_path), tmp_path / "out", verdicts={"webb2025/thm-5.7": "holds"})
    found = {entry["claim"]: entry["verdict"] for entry in record_of(done)["rests_on"]}
    assert found["webb2025/thm-5.7"] == "holds"
    assert found["webb2025/rem-5.4"] == "not recorded"


def test_the_fitted_table_follows_from_the_published_ones(tmp_path, rows_of):
    """By dense normal equations on what the other tables hold."""
    release_plan(project(tmp_path), tmp_path / "out", ending=".csv", seed=2)
    identity = rows_of(tmp_path / "out" / "identity.csv")
    rows, answers, weights = [], [], []
    for name, levels in (
        ("identity", ("id",)),
        ("state", ()),
        ("county", ("county",)),
        ("cells", ("county", "naics[:3]")),
    ):
        for row in rows_of(tmp_path / "out" / f"{name}.csv"):
            key = [row[level] for level in levels]
            one = [{**e, "naics[:3]": e["naics"][:3]} for e in identity]
            rows.append([float([e[level] for level in levels] == key) for e in one])
            answers.append(float(row["pay-estimate"]))
            weights.append(1 / float(row["pay-variance"]))
    q, w = np.array(rows), np.array(weights)
    expected = np.linalg.solve((q.T * w) @ q, (q.T * w) @ np.array(answers))
    fitted = rows_of(tmp_path / "out" / f"{FITTED}.csv")
    assert list(fitted[0]) == ["id", "county", "naics", "jobs", "pay"]
    assert [float(row["pay"]) for row in fitted] == pytest.approx(expected.tolist(), rel=1e-8)


def test_no_true_value_or_sum_is_in_any_file_or_in_the_ledger(tmp_path):
    """The true ones have 6 digits or more, so that none appears by chance in 15 noisy ones' midst."""
    done = release_plan(project(tmp_path), tmp_path / "out", ending=".csv")
    true = establishments()
    secret = {row[name] for row in true for name in ("jobs", "pay")}
    for county in {row["county"] for row in true}:
        secret |= {
            str(sum(int(row[name]) for row in true if row["county"] == county)) for name in ("jobs", "pay")
        }
    written = [path.read_text(encoding="utf-8") for path in (*done.tables, done.record)]
    written.append((tmp_path / "project.ledger").read_text(encoding="utf-8"))
    numbers = {number for text in written for number in re.findall(r"\b\d+(?:\.\d+)?\b", text)}
    assert len(numbers) > 200
    assert not secret & numbers


def test_the_record_says_what_was_done_and_what_it_rests_on(tmp_path):
    plan = project(tmp_path)
    done = release_plan(plan, tmp_path / "out", seed=3, verdicts={"webb2025/def-6.8-corrected": "holds"})
    record = record_of(done)
    for table in done.tables:
        assert record["tables"][table.name] == hashlib.sha256(table.read_bytes()).hexdigest()
    assert record["release"] == done.receipt.release
    assert record["seed"].startswith("seeded")
    assert record["establishments"] == 30
    assert len(record["answers"]) == 8
    county = next(a for a in record["answers"] if a["query"] == "county" and a["measure"] == "pay")
    assert county["mechanism"] == "pnc"
    assert county["calibration"] == "corrected"
    assert county["parameters"] == {"psi": "√x", "gamma": "50", "mu": "3/20", "zeta": "1/100"}
    assert {"claim": "webb2025/def-6.8-corrected", "verdict": "holds"} in county["rests_on"]
    assert "ψ = √x, γ = 50, μ = 3/20" in county["satisfies"][0]["definition"]


def test_what_pnc_leaves_answers_every_establishment_again_at_no_cost(tmp_path, rows_of):
    """Second answers miss by 10 of their own standard deviations with probability below 1e-22 each."""
    text = (project(tmp_path).path).read_text(encoding="utf-8")
    county = text.index('name = "county"')
    (tmp_path / "plan.toml").write_text(
        text[:county] + "remainder = true\n" + text[county:], encoding="utf-8"
    )
    done = release_plan(read_plan(tmp_path / "plan.toml"), tmp_path / "out", ending=".csv", seed=1)
    assert [path.stem for path in done.tables] == [
        *("identity", "state", "county", "county-each", "cells", FITTED)
    ]
    assert spent(tmp_path) == COST
    first, second = (rows_of(tmp_path / "out" / f"{name}.csv") for name in ("identity", "county-each"))
    assert [list(row) for row in first] == [list(row) for row in second]
    true = {row["id"]: int(row["jobs"]) for row in establishments()}
    for one, again in zip(first, second, strict=True):
        assert one["id"] == again["id"]
        assert one["jobs-answer"] != again["jobs-answer"]
        sd = float(again["jobs-variance"]) ** 0.5
        assert abs(float(again["jobs-estimate"]) - true[one["id"]]) < 10 * sd
    entries = {(entry["query"], entry["measure"]): entry for entry in record_of(done)["answers"]}
    assert len(entries) == 8
    assert entries["county", "jobs"]["parameters"]["remainder"] == "true"
    claims = [entry["claim"] for entry in entries["county", "jobs"]["rests_on"]]
    assert claims[-1] == "establish/remainder-cost"
    assert "remainder" not in entries["cells", "jobs"]["parameters"]


def test_a_release_spends_its_budget_once_and_the_cap_holds(tmp_path):
    plan = project(tmp_path, cap="1.5")
    release_plan(plan, tmp_path / "out")
    assert spent(tmp_path) == COST
    with pytest.raises(ParameterError, match="but the cap is"):
        release_plan(plan, tmp_path / "again")
    assert not (tmp_path / "again").exists()
    assert spent(tmp_path) == COST


def test_a_plan_that_alone_passes_its_cap_is_refused_before_the_data_are_read(tmp_path):
    plan = project(tmp_path, cap="1.2")  # the square is 1.44
    assert Fraction("1.44") < COST
    (tmp_path / "establishments.csv").unlink()
    with pytest.raises(ParameterError, match="but the cap is"):
        release_plan(plan, tmp_path / "out")
    assert not (tmp_path / "project.ledger").exists()


@pytest.mark.parametrize("failing", ["the record", "a table"])
def test_a_disk_that_fills_up_leaves_nothing_and_spends_nothing(tmp_path, monkeypatch, failing):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if failing == "the record":
        monkeypatch.setattr(entered, "write_record", full)
    else:
        monkeypatch.setattr(plan_release, "table_writer", lambda *_: full)
    plan = project(tmp_path)
    with pytest.raises(ParameterError, match="No space left"):
        release_plan(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert spent(tmp_path) == 0


@pytest.mark.small_campaign
def test_the_same_seed_gives_the_same_answers_and_no_seed_others(tmp_path, rows_of):
    plan = project(tmp_path, cap="9")
    for name, seed in (("one", 5), ("two", 5), ("three", None)):
        release_plan(plan, tmp_path / name, ending=".csv", seed=seed)
    first, second, third = (rows_of(tmp_path / n / "county.csv") for n in ("one", "two", "three"))
    assert first == second != third


def test_parquet_holds_the_same_as_csv(tmp_path, rows_of):
    plan = project(tmp_path, cap="9")
    release_plan(plan, tmp_path / "csv", ending=".csv", seed=5)
    release_plan(plan, tmp_path / "parquet", seed=5)
    held = duckdb.sql(f"FROM '{tmp_path / 'parquet' / 'county.parquet'}'").fetchall()
    expected = [
        (row["county"], *(float(row[key]) for key in list(row)[1:]))
        for row in rows_of(tmp_path / "csv" / "county.csv")
    ]
    assert held == expected


def test_estimates_over_numbers_from_zero_have_no_negative_cell(tmp_path, rows_of):
    tiny = [{**row, "jobs": str(i % 2), "pay": "0"} for i, row in enumerate(establishments())]
    plan = project(tmp_path, tiny, cap="9")
    least = {}
    for option in (False, True):
        out = tmp_path / str(option)
        release_plan(plan, out, ending=".csv", nonnegative=option, seed=6)
        least[option] = min(float(row["jobs"]) for row in rows_of(out / f"{FITTED}.csv"))
    assert least[False] < 0 <= least[True]


def changed(**values: str) -> list[dict[str, str]]:
    rows = establishments()
    rows[4] |= values
    return rows


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (changed(jobs="-77777"), "column jobs must be a whole number"),
        (changed(pay=""), "column pay must be a whole number"),
        (changed(pay="3.5"), "not so in row 5"),
        (changed(id="e3"), "names one establishment in rows 4 and 5"),
        (changed(county=""), "column county is missing in row 5"),
        (changed(jobs="9007199254740993"), "column jobs must be a whole number"),
        (changed(jobs="35184372088832"), "the total of column jobs must be below 2^45"),
        ([], "there are no establishments"),
    ],
)
def test_bad_data_are_refused_with_nothing_written_spent_or_shown(tmp_path, rows, message):
    plan = project(tmp_path, rows)
    with pytest.raises(ParameterError) as refused:
        release_plan(plan, tmp_path / "out")
    assert message in str(refused.value)
    for hidden in ("77777", "9007", "3518", "100031", "3.5"):
        assert hidden not in str(refused.value)
    assert not (tmp_path / "out").exists()
    assert spent(tmp_path) == 0


@pytest.mark.parametrize(
    ("queries", "psi", "message"),
    [
        ((("identity", '"id"', "psi", "0.7", "0.15"), ("x", '"town"', "psi", "1", "1")), "sqrt", "town"),
        ((("fitted", '"id"', "psi", "0.7", "0.15"),), "sqrt", "the same name"),
        ((("a", '"county"', "psi", "1", "1"), ("b", '"naics"', "psi", "1", "1")), "sqrt", "refine"),
        ((("identity", '"id"', "psi", "0.7", "0.15"),), "log", "psi = log is not allowed"),
    ],
)
def test_a_plan_that_cannot_be_answered_is_refused(tmp_path, queries, psi, message):
    plan = project(tmp_path, queries=queries, psi=psi, cap="9")
    with pytest.raises(ParameterError, match=message):
        release_plan(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert spent(tmp_path) == 0


def test_queries_that_cross_can_be_released_without_the_fitted_table(tmp_path):
    queries = (("a", '"county"', "psi", "1", "1"), ("b", '"naics"', "psi", "1", "1"))
    plan = project(tmp_path, queries=queries, cap="9")
    done = release_plan(plan, tmp_path / "out", ending=".csv", fit=False)
    assert [path.name for path in done.tables] == ["a.csv", "b.csv"]
    assert record_of(done)["fitted"] is None


def test_a_shifted_logarithm_is_released_like_the_root(tmp_path, rows_of):
    """Its noise is relative: the state's answer lies within 6 of its standard deviations, but for 1e-8."""
    plan = project(tmp_path, psi="log", shift="0.5", cap="9")
    done = release_plan(plan, tmp_path / "out", ending=".csv", seed=4)
    assert record_of(done)["answers"][0]["parameters"]["psi"] == "log(x+1/2)"
    (state,) = rows_of(tmp_path / "out" / "state.csv")
    total = sum(int(row["jobs"]) for row in establishments())
    assert abs(float(state["jobs-estimate"]) - total) < 6 * float(state["jobs-variance"]) ** 0.5


def test_existing_files_are_replaced_only_by_force(tmp_path, rows_of):
    plan = project(tmp_path, cap="9")
    release_plan(plan, tmp_path / "out", ending=".csv", seed=1)
    before = rows_of(tmp_path / "out" / "state.csv")
    with pytest.raises(ParameterError, match=r"identity\.csv exists"):
        release_plan(plan, tmp_path / "out", ending=".csv", seed=2)
    assert rows_of(tmp_path / "out" / "state.csv") == before
    release_plan(plan, tmp_path / "out", ending=".csv", seed=2, force=True)
    assert rows_of(tmp_path / "out" / "state.csv") != before


@pytest.mark.parametrize("ending", [".txt", ".json", ""])
def test_an_unknown_ending_is_refused(tmp_path, ending):
    plan = project(tmp_path)
    with pytest.raises(ParameterError, match="extension"):
        release_plan(plan, tmp_path / "out", ending=ending)
