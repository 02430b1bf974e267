"""``establish release plan``: what appears, what it is said to cost, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from establish import ParameterError
from establish.impl import certificate
from establish.impl.budget import books
from establish.impl.budget.accountant import cost
from establish.impl.budget.plan import read_plan
from establish.proofs_check.engine import ledger
from tests.proofs_check.files import edit, read_json


@pytest.fixture
def plan(plan_of_each_kind: Path) -> Path:
    return plan_of_each_kind


COSTS = {
    "Jobs": {"epsilon": "7", "delta": "0"},
    "Establishments": {"mu_squared": "1"},
    "Persons": {"epsilon": "3", "delta": "0"},
}
TABLES = {
    "Jobs": ["ownership", "women", "sexes"],
    "Establishments": ["every", "county", "fitted"],
    "Persons": ["college", "year"],
}


def test_every_kind_of_plan_is_released_at_its_cost_and_recorded(run, plan, secret, shows):
    """True pay and earnings have 6 digits; files that are not tables hold no number like them."""
    out = plan.parent / "out"
    status, printed, err = run("release", "plan", plan, "--out", out, "--format", "csv")
    assert (status, err.count("error"), printed.count("CAUTION")) == (0, 0, 0)
    text = (out / "release.json").read_text("utf-8")
    record = json.loads(text)
    title = record["title"]
    assert record["loss"] == COSTS[title]
    assert list(record["tables"]) == [f"{name}.csv" for name in TABLES[title]]
    assert {path.name for path in out.iterdir()} == {*record["tables"], "release.json"}
    assert all(f"written: {out / name}" in printed for name in record["tables"])
    assert record["rests_on"]
    assert {entry["verdict"] for entry in record["rests_on"]} <= {"holds", "holds_loosely"}
    for told in (printed, err, text, (plan.parent / "project.ledger").read_text("utf-8")):
        for number in (secret, secret + 19, secret - 1000, 600):  # so many jobs and records there are
            assert not shows(told, number)
    status, listed, _ = run("budget", "--ledger", plan.parent / "project.ledger", "--json")
    (entry,) = json.loads(listed)["entries"]
    assert (entry["release"], entry["loss"]) == (record["release"], record["loss"])


def test_a_plan_whose_cost_rests_on_a_claim_that_is_not_true_is_refused(run, plan, monkeypatch):
    recorded = dict(ledger.recorded())
    (claim,) = cost(read_plan(plan)).rests_on[:1]
    for found in (replace(recorded[claim], verdict="fails"), None):
        known = {id: entry for id, entry in recorded.items() if id != claim}
        monkeypatch.setattr(ledger, "recorded", lambda k=known | ({claim: found} if found else {}): k)
        status, _, err = run("release", "plan", plan, "--out", plan.parent / "out")
        assert status == 2
        assert f"rests on {claim}, which is {'fails' if found else 'not recorded'}" in err
        assert not (plan.parent / "out").exists()
        assert not (plan.parent / "project.ledger").exists()


def test_the_json_is_the_record(run, plan):
    out = plan.parent / "out"
    status, printed, _ = run("release", "plan", plan, "--out", out, "--json")
    assert status == 0
    assert json.loads(printed) == read_json(out / "release.json")


@pytest.mark.few(2)
def test_a_second_release_is_over_the_cap_and_leaves_no_folder(run, plan):
    assert run("release", "plan", plan, "--out", plan.parent / "out")[0] == 0
    status, printed, err = run("release", "plan", plan, "--out", plan.parent / "again")
    expected = 2 if "mu = 2" not in plan.read_text("utf-8") else 0  # μ² = 1 + 1 is below 2² = 4
    assert (status, (plan.parent / "again").exists()) == (expected, expected == 0)
    if expected:
        assert (printed, err.count("\n")) == ("", 1)
        assert "but the cap is" in err


@pytest.mark.usefixtures("as_recorded")
@pytest.mark.parametrize("seed", [(), ("--seed", 1)], ids=["secret", "seeded"])
@pytest.mark.parametrize(
    "each_kind",
    ["persons", *(pytest.param(k, marks=pytest.mark.small_campaign) for k in ("jobs", "establishments"))],
    indirect=True,
)
def test_the_ledger_marks_the_releases_whose_noise_was_seeded(run, plan, seed):
    assert run("release", "plan", plan, "--out", plan.parent / "out", *seed)[0] == 0
    ledger_file = plan.parent / "project.ledger"
    _, listed, _ = run("budget", "--ledger", ledger_file)
    assert ("(seeded: protects nothing)" in listed) == bool(seed)
    _, found, _ = run("verify", plan.parent / "out" / "release.json", "--ledger", ledger_file)
    assert "OK: project.ledger has the entry of this release" in found


@pytest.mark.few(2)
def test_nothing_is_replaced_or_spent_without_force(run, refusal, plan):
    out = plan.parent / "out"
    out.mkdir()
    (out / "release.json").write_text("old")
    assert "release.json exists" in refusal("release", "plan", plan, "--out", out)
    assert not (plan.parent / "project.ledger").exists()
    assert (out / "release.json").read_text() == "old"
    assert run("release", "plan", plan, "--out", out, "--force")[0] == 0


@pytest.mark.few(2)
def test_a_ledger_that_refuses_at_the_end_leaves_no_folder(refusal, plan, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise ParameterError("over its cap since it was looked at")

    monkeypatch.setattr(books, "spend", full)
    refusal("release", "plan", plan, "--out", plan.parent / "out")
    assert not (plan.parent / "out").exists()


def test_protected_percentiles_of_persons_are_those_of_their_cells(run, project, tmp_path, rows_of):
    """2 colleges × 3 years of 100 persons each, spread evenly: medians near the middle of the range.

    At ε = 1 a bin's noise has standard deviation 1.4, so a count of 300 off by 100 has probability
    below 1e-20, and the median moves by less than the range of the bins.
    """
    plan = project("persons")
    assert run("release", "plan", plan, "--out", tmp_path / "out", "--format", "csv")[0] == 0
    college, year = (rows_of(tmp_path / "out" / f"{name}.csv") for name in ("college", "year"))
    assert list(college[0]) == ["college", "count", "p10", "p50", "status"]
    assert [row["college"] for row in college] == ["A", "B"]
    assert all(abs(int(row["count"]) - 300) < 100 for row in college)
    assert [(row["college"], row["year"]) for row in year] == [
        (college, year) for college in "AB" for year in ("2001", "2002", "2003")
    ]
    record = read_json(tmp_path / "out" / "release.json")
    assert record["records_per_person"] == 2
    assert record["cells"] == "from the data"
    assert record["queries"]["year"] == {"epsilon": "2", "delta": "0"}


def test_a_person_with_more_records_than_were_charged_is_refused(refusal, project, tmp_path):
    plan = project("persons")
    edit(plan, "records_per_person = 2\n", "")
    assert "more often than once" in refusal("release", "plan", plan, "--out", tmp_path / "out")
    assert not (tmp_path / "project.ledger").exists()


def test_listed_cells_are_released_whether_or_not_anybody_is_in_them(run, project, tmp_path, rows_of):
    plan = project("persons")
    text = plan.read_text("utf-8").replace('person = "person"', 'person = "person"\ncells = "c.csv"')
    plan.write_text(text[: text.index('[[query]]\nname = "year"')], "utf-8")
    (tmp_path / "c.csv").write_text("college\nA\nB\nC\n")
    assert run("release", "plan", plan, "--out", tmp_path / "out", "--format", "csv")[0] == 0
    assert [row["college"] for row in rows_of(tmp_path / "out" / "college.csv")] == ["A", "B", "C"]


def test_a_list_of_cells_serves_one_choice_of_columns_only(refusal, project, tmp_path):
    plan = project("persons")
    text = plan.read_text("utf-8").replace('person = "person"', 'person = "person"\ncells = "c.csv"')
    plan.write_text(text, "utf-8")
    assert "the queries have several" in refusal("release", "plan", plan, "--out", tmp_path / "out")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('title = "', 'titel = "', "title is missing"),
        ('title = "', 'title = """', "is not TOML"),
        ('ledger = "project.ledger"', 'ledger = "a\\u0000b"', "is not the name of a file"),
        ('ledger = "project.ledger"', f'ledger = "{"x" * 300}"', "File name too long"),
        ('ledger = "project.ledger"', 'ledger = "no/such"', "there is no folder"),
        ('ledger = "project.ledger"', 'ledger = "plan.toml"', "is damaged"),
        ("[[query]]", "[[queries]]", "there is no"),
        ("cap = {", "cap = { x = 1,", "x is not known here"),
        ('name = "', 'name = "../', "it names a file"),
        ("by = [", 'by = ["unheard", ', "unheard"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_line(refusal, plan, old, new, says):
    edit(plan, old, new)
    assert says in refusal("release", "plan", plan, "--out", plan.parent / "out")
    assert not (plan.parent / "out").exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("persons", '"20000,40000,60000,80000"', '"1,1e400"', "must be dollars"),
        ("persons", 'by = ["college"]', "by = []", "by is empty"),
        ("establishments", 'by = ["county"]', 'by = ["pay[:2]"]', "is confidential"),
        ("establishments", "[budget.attributes]", "[budget.attribute]", "attributes is missing"),
        ("jobs", '"weak-er-ee"', '"strong-er-ee"', "not allowed under strong-er-ee"),
        ("jobs", '"5"]\n', '"5"]\nsex = ["CS01", "CS02"]\n', "both"),
    ],
)
def test_what_one_kind_of_plan_does_not_allow_is_refused_in_one_line(
    refusal, project, tmp_path, name, old, new, says
):
    plan = project(name)
    edit(plan, old, new)
    assert says in refusal("release", "plan", plan, "--out", tmp_path / "out")
    assert not (tmp_path / "project.ledger").exists()


@pytest.mark.parametrize(
    ("kinds", "options", "says"),
    [
        ("establishments persons", "--two-jobs first", "--two-jobs = first is about plans on jobs"),
        ("establishments persons", "--memory 2GB", "--memory = 2GB is about plans on jobs"),
        ("establishments persons", "--additive whole", "--additive = whole is about plans on jobs"),
        ("jobs persons", "--no-fit", "--no-fit is about plans on establishments: leave it out"),
        ("jobs persons", "--nonnegative", "--nonnegative is about plans on establishments"),
        ("establishments", "--nonnegative --no-fit", "the fitted cells that --no-fit leaves out"),
    ],
)
def test_an_option_of_another_kind_of_plan_is_refused(refusal, project, kinds, options, says):
    for kind in kinds.split():
        plan = project(kind)
        out = ("--out", plan.parent / "out")
        assert says in refusal("release", "plan", plan, *out, *options.split())


def test_almost_certain_clipping_is_a_choice_and_no_crash(run, project, tmp_path):
    plan = project("establishments")
    zeta = "zeta = '0.99999999999999999999999999'\n"
    text = plan.read_text("utf-8").replace('mechanism = "pnc"\n', f'mechanism = "pnc"\n{zeta}')
    plan.write_text(text, "utf-8")
    assert run("release", "plan", plan, "--out", tmp_path / "out")[0] == 0


def test_seeded_noise_and_uncertified_code_are_said_where_the_release_is_made(run, plan, monkeypatch):
    monkeypatch.setattr(certificate, "_current", refused)
    monkeypatch.setenv(certificate.OVERRIDE, "1")
    _, printed, _ = run("release", "plan", plan, "--out", plan.parent / "out", "--seed", 1)
    lines = [line for line in printed.splitlines() if line.startswith("CAUTION: ")]
    assert lines[-1].endswith("not secret: do not publish this")
    assert len(lines) >= 2
    assert all("not certified (ESTABLISH_UNCERTIFIED=1): it is stale" in s for s in lines[:-1])


def test_without_a_certificate_nothing_is_released_or_spent(run, plan, monkeypatch):
    monkeypatch.delenv("ESTABLISH_UNCERTIFIED", raising=False)
    monkeypatch.setattr(certificate, "_current", refused)
    status, printed, err = run("release", "plan", plan, "--out", plan.parent / "out")
    assert (status, printed, err) == (2, "", "establish: error: it is stale\n")
    assert not (plan.parent / "out").exists()
    assert not (plan.parent / "project.ledger").exists()


def refused(mechanism: str) -> None:
    raise certificate.CertificateError("it is stale")


def test_a_single_table_with_seeded_noise_says_so_too(run, tmp_path):
    (tmp_path / "in.csv").write_text("sector,jobs\nA,10\n")
    options = ("--mechanism", "laplace", "--epsilon", 2, "--count", "jobs")
    for extra, said in (((), False), (("--seed", 1, "--force"), True)):
        _, printed, _ = run(
            "release", "counts", tmp_path / "in.csv", "--out", tmp_path / "o.csv", *options, *extra
        )
        assert ("CAUTION: the noise is seeded" in printed) == said
