"""What the other functions answer: as the commands do, in few lines, and with arguments named in errors."""

import inspect
from typing import Any

import pyarrow as pa
import pytest
import typer

import establish
from establish import Misuse, ParameterError
from establish.proofs_check.api.python import in_python
from establish.proofs_check.api.suppress import ContradictionError
from establish.proofs_check.commands import budget, compare, convert, imply, limit, show, verify
from establish.proofs_check.commands.release import app as release
from establish.proofs_check.commands.suppress import app as suppress
from tests.proofs_check.files import read_json

SQUARE = {
    "region": ["All", "All", "All", "N", "S", "N", "N", "S", "S"],
    "industry": ["All", "A", "B", "All", "All", "A", "B", "A", "B"],
    "jobs": [100, 40, 60, 50, 50, None, None, None, None],
    "status": ["s", "s", "s", "s", "s", "u", "m", "m", "m"],
}
ASKED: dict[str, Any] = {
    "by": ["region", "industry"],
    "total": {"region": "All", "industry": "All"},
    "value": "jobs",
    "status": "status",
}


def group(app: typer.Typer, name: str) -> Any:
    (found,) = [one.callback for one in app.registered_commands if one.name == name]
    return found


COMMANDS = {
    "audit": None,
    "budget": budget.budget,
    "compare": compare.compare,
    "convert": convert.convert,
    "imply": imply.imply,
    "limit": limit.limit,
    "release_plan": group(release, "plan"),
    "show": show.show,
    "suppress_audit": group(suppress, "audit"),
    "suppress_plan": group(suppress, "plan"),
    "verify": verify.verify,
}
RENAMED = {"source": "plan", "sidecar": "record", "attacks": "attacker", "rules": "rule"}
PRINTED = {"as_json", "full", "json_file", "resume", "page", "place"}
"""What only a command needs: how it prints, and a place of a source, which may be that of many claims."""


@pytest.mark.parametrize("name", [name for name in COMMANDS if COMMANDS[name] is not None])
def test_a_function_takes_what_its_command_takes(name):
    command: Any = COMMANDS[name]
    options = {RENAMED.get(option, option) for option in inspect.signature(command).parameters} - PRINTED
    if name == "suppress_audit":
        options = options - {"out"} | {"json"}  # which the command's function calls out
    if name == "verify":
        options -= {"force"}  # of the page
    assert set(inspect.signature(getattr(establish, name)).parameters) == options


def test_a_published_table_in_memory_is_audited_as_its_file(tmp_path, run):
    table = pa.table(SQUARE)
    found = establish.suppress_audit(table, **ASKED)
    rows = ["region,industry,jobs,status"]
    for row in table.to_pylist():
        rows.append(",".join("" if value is None else str(value) for value in row.values()))
    (tmp_path / "cells.csv").write_text("\n".join(rows) + "\n", "utf-8")
    options = ("--by", "region,industry", "--total", "region=All", "--total", "industry=All")
    status, printed, _ = run(
        *("suppress", "audit", tmp_path / "cells.csv", *options, "--value", "jobs", "--status", "status"),
        *("--json", tmp_path / "out.json"),
    )
    assert read_json(tmp_path / "out.json") == found.to_json()
    assert status == (1 if found.bad else 0)
    assert all(line in printed.splitlines() or line.split(";")[0] in printed for line in found.lines())
    assert 1 <= len(repr(found).splitlines()) <= 5
    assert found._repr_html_().startswith("<pre")


def test_a_publication_that_contradicts_itself_is_refused_with_the_sums_that_clash():
    wrong = {**SQUARE, "jobs": [100, 40, 60, 50, 50, None, 0, None, None], "status": [*"sssss", *"usmm"]}
    with pytest.raises(ContradictionError, match="contradiction: no table fits") as refused:
        establish.suppress_audit(pa.table(wrong), **ASKED)
    assert any("industry=A" in clash for clash in refused.value.clash)


def test_a_plan_of_suppression_leaves_out_what_it_suppresses():
    cells = {
        "region": ["All", "N", "S", "W"],
        "jobs": [30, 8, 12, 10],
        "first": [9, 7, 4, 4],
        "second": [7, 1, 4, 3],
    }
    found = establish.suppress_plan(
        pa.table(cells), by="region", total={"region": "All"}, value="jobs",
        contributions=["first", "second"], rule="p:10",
    )  # fmt: skip
    rows = list(found.rows())
    assert [row["region"] for row in rows] == cells["region"]
    assert all((row["jobs"] is None) == (row["status"] in ("u", "m")) for row in rows)
    assert any(row["status"] == "u" for row in rows)
    assert not found.exposed


def test_a_limit_is_an_interval_whose_ends_are_exact():
    found = establish.limit(mu="1/2")
    assert 0 < found.lower < found.upper
    assert str(found).startswith("Least error of an estimate of ψ(x) at μ = 1/2")
    assert str(found.lower) == found.row["lower_exact"]


def test_an_implication_says_who_the_attacker_is():
    found = establish.imply(
        definition="strong-er-ee", alpha=1, epsilon="ln 2", requirement="shape",
        universe="workers=2,employers=1,attributes=2",
    )  # fmt: skip
    assert found.to_json()["definition"]
    assert found.implied == (found.answer.verdict in ("implied", "vacuous"))
    assert len(repr(found).splitlines()) <= 5


@pytest.mark.small_campaign
def test_a_claim_shows_itself_in_few_lines_and_prints_its_page(settled_once):
    page = establish.show("haney2017/lemma-9.2")
    assert page.record.verdict == "fails"
    assert repr(page).startswith("haney2017/lemma-9.2: fails (evidence: ")
    assert 2 <= len(repr(page).splitlines()) <= 5
    assert "Refuted at" in str(page).splitlines()
    assert "α = 1, ε = 10, δ = 3/4000" in page._repr_html_()
    with pytest.raises(Misuse, match="no/such"):
        establish.show("no/such")


def test_an_audit_shows_itself_and_writes_its_page(tmp_path):
    found = establish.audit(lambda n, rng: n, establish.dp(1), samples=2_000, pairs=[(0, 1)], jobs=1)
    assert found.violated
    assert repr(found).startswith("violated: ")
    assert len(repr(found).splitlines()) <= 5
    found.report(tmp_path / "a.html")
    assert found.headline in (tmp_path / "a.html").read_text("utf-8")
    with pytest.raises(ParameterError, match="exists: choose another"):
        found.report(tmp_path / "a.html")
    with pytest.raises(Misuse, match="is not a page"):
        found.report(tmp_path / "a.txt")


def test_a_verdict_shows_outcome_value_and_counterexample():
    statement = establish.AtMost(establish.Real("n", least=1), left=lambda c, n: n, right=2)
    verdict = establish.fails(establish.exact.refuted(statement, n=3), counterexample="n = 3")
    assert repr(verdict).splitlines()[0].startswith("Verdict: fails by ")
    assert "counterexample: n = 3" in repr(verdict)
    assert verdict._repr_html_().startswith("<pre")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: establish.verify(5), "record = int is not a release: pass its .json file, or what"),
        (lambda: establish.verify("none.json"), "none.json cannot be read"),
        (lambda: establish.budget(), "plan or ledger is missing"),
        (lambda: establish.budget("none.toml"), "plan = none.toml is not a file"),
        (lambda: establish.budget(ledger="none"), "ledger = none: there is no ledger"),
        (lambda: establish.limit(alpha="1/10"), "epsilon is missing: give alpha and epsilon, or mu"),
        (lambda: establish.limit(mu=1, n=5), "n does not go with mu"),
        (lambda: establish.compare(alpha=0, epsilon=1), "alpha = 0 is not allowed: alpha must be greater"),
        (lambda: establish.compare(alpha=1, epsilon=1, out="a.gif"), "out = a.gif"),
        (
            lambda: establish.release_plan("p.toml", out="o", format="txt"),
            "format = txt is not allowed: use ",
        ),
        (lambda: establish.release_plan("p.toml", out="o"), "plan = p.toml is not a file"),
        (lambda: establish.suppress_audit(5, **ASKED), "tables = int is not a table"),
        (lambda: establish.suppress_audit([], **ASKED), "tables is missing: give one table or more"),
        (lambda: establish.suppress_audit(pa.table(SQUARE)), "by and value are missing"),
        (
            lambda: establish.suppress_audit(pa.table(SQUARE), **ASKED, certificates="c"),
            "certificates needs tables in files",
        ),
        (
            lambda: establish.suppress_audit(pa.table(SQUARE), **{**ASKED, "value": "job"}),
            "the pyarrow table has no column job: it has region, industry, jobs, status",
        ),
    ],
)
def test_bad_input_is_refused_by_the_name_of_its_argument(call, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ParameterError, Misuse)) as refused:
        call()
    assert says in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("--cap-delta = 5", "cap_delta = 5"),
        ("use --force", "use force=True"),
        ("publish it with --keep naics, or not", "publish it with keep='naics', or not"),
        ("repeat it with --resume", "repeat it with --resume"),
        ("see establish budget --ledger FILE", "see establish budget --ledger FILE"),
        ("INPUT = a.csv is the PLAN of INPUT", "table = a.csv is the PLAN of INPUT"),
        ("ε = 0: ε > 0", "epsilon = 0: ε > 0"),
    ],
)
def test_messages_about_options_are_about_arguments_in_python(told, said):
    assert in_python(told) == said
