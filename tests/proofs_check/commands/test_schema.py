"""What commands print as JSON, and what a release leaves behind, is as the schemas say, and no more."""

import copy
import json
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from establish.impl.certificate import text_of_lock
from establish.proofs_check.commands.schema import names, schema_of
from tests.proofs_check.commands.cells import LOG_LAPLACE

SAMPLE = Path(str(files("establish.impl"))) / "sample"
CLAIM = "haney2017/lemma-9.2"
ER_EE = ("--definition", "strong-er-ee", "--alpha", "1/10", "--epsilon", "2", "--seed", "1")
UNIVERSE = ("--epsilon", "ln 2", "--universe", "workers=2,employers=2", "--requirement", "size")
CELLS = """region,industry,jobs,status
All,All,100,\nAll,A,40,\nAll,B,60,\nN,All,50,s\nS,All,50,z\nN,A,777,u\nN,B,,m\nS,A,0,N\nS,B,,m
"""
PRINTED = {
    "list": ("list", "haney2016_slides", "--json", "-"),
    "check": ("check", CLAIM, "haney2017/lemma-8.6-above-1", "--jobs", "1", "--json", "-"),
    "show": ("show", CLAIM, "--json", "-"),
    "notes": ("notes", CLAIM, "--json", "-"),
    "formal": ("formal", "haney2017/lemma-9.2", "--json", "-"),
    "coverage": ("coverage", "foote2019", "--json", "-"),
    "trust": ("trust", CLAIM, "--json", "-"),
    "recheck": ("recheck", "proofs", "--json", "-"),
    "mechanisms": ("mechanisms", "--json", "-"),
    "imply": ("imply", "--definition", "strong-er-ee", "--alpha", "1", *UNIVERSE, "--json", "-"),
    "table1": ("table1", "--json", "-"),
    "compare": ("compare", "--alpha", "2", "--epsilon", "2", "--json", "-"),
    "convert": ("convert", "--rho", "1/2", "--to", "epsilon", "--at-delta", "1/1000", "--json", "-"),
    "limit": ("limit", "--alpha", "2", "--epsilon", "2", "--n", "100", "--json", "-"),
    "audit": ("audit", f"{SAMPLE}/audit_er_ee.py:without_shift", *ER_EE, "--samples", "60000", "--json", "-"),
    "audit-grey": ("audit", f"{SAMPLE}/audit_er_ee.py:without_shift", *ER_EE, "--grey", "--json", "-"),
    "certify": ("certify", "laplace", "--check", "--json"),
    "release-counts": (
        *("release", "counts", "cells.csv", *LOG_LAPLACE, "--drop", "largest", "--margins"),
        *("--out", "o.csv", "--json"),
    ),
    "release-earnings": (
        *("release", "earnings", "people.csv", "--mechanism", "histogram-percentiles"),
        *("--epsilon", "1", "--earnings", "earnings", "--cell", "college", "--out", "o.csv"),
        "--json",
    ),
    "synthesize": ("synthesize", "county_cells.csv", "--out", "s.csv", "--seed", "1", "--json"),
    "tabulate": (
        *("tabulate", "--jobs", "jobs.parquet", "--workplaces", "workplaces.parquet"),
        *("--by", "sector", "--json"),
    ),
}
"""By schema, a command that prints what it is about."""

NEVER = ("imply", "--definition", "edge-substitution", "--alpha", "1", *UNIVERSE, "--json", "-")
"""A witness with outputs that are impossible on some datasets."""

LONG = {"table1": "campaign", "audit-grey": "small_campaign"}
"""What takes seconds."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for file in SAMPLE.glob("*.csv"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def errors(name: str, content: object) -> list[str]:
    validator = Draft202012Validator(json.loads(schema_of(name)))
    return [error.message for error in validator.iter_errors(content)]


def first_object(content: Any) -> dict[str, Any]:
    """The last object of a list, whose rows are alike but for a first one, or the object itself."""
    found = content[-1] if isinstance(content, list) else content
    assert isinstance(found, dict)
    return found


def require_fits(name: str, content: Any) -> None:
    """It is as the schema says; with one more key, or without one, it is not."""
    assert errors(name, content) == []
    more = copy.deepcopy(content)
    first_object(more)["planted"] = 1
    assert errors(name, more)
    required = [key for key in first_object(content) if errors(name, without(content, key))]
    assert len(required) >= min(2, len(first_object(content)))


def without(content: Any, key: str) -> Any:
    less = copy.deepcopy(content)
    del first_object(less)[key]
    return less


@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=getattr(pytest.mark, LONG[name])) if name in LONG else name
        for name in PRINTED
    ],
)
def test_what_a_command_prints_is_as_its_schema_says(run, folder, project, name):
    if name == "tabulate":
        project("jobs")
    if name == "recheck":
        (folder / "proofs").mkdir()
        (folder / "proofs" / "one.json").write_text("{}", "utf-8")
    status, out, err = run(*PRINTED[name])
    assert status in (0, 1), err
    require_fits(name, json.loads(out))


def test_an_implication_that_fails_at_every_level_is_as_its_schema_says(run):
    answer = json.loads(run(*NEVER)[1])
    assert None in answer[0]["witness"]["labels"].values()
    require_fits("imply", answer)


@pytest.mark.few(1)
@pytest.mark.usefixtures("as_recorded")
def test_a_plan_its_record_its_ledger_and_its_findings_are_as_their_schemas_say(run, plan_of_each_kind):
    plan, out = plan_of_each_kind, plan_of_each_kind.parent / "out"
    require_fits("budget", json.loads(run("budget", plan, "--json")[1]))
    status, printed, _ = run("release", "plan", plan, "--out", out, "--json")
    assert status == 0
    require_fits("release-plan", json.loads(printed))
    (ledger,) = plan.parent.glob("*.ledger")
    require_fits("budget-ledger", json.loads(run("budget", "--ledger", ledger, "--json")[1]))
    for line in ledger.read_text("utf-8").splitlines():
        require_fits("ledger", json.loads(line))
    if json.loads(printed)["title"] == "Persons":
        require_fits("verify", json.loads(run("verify", out / "release.json", "--json")[1]))


def test_suppression_is_as_its_schemas_say(run, folder):
    (folder / "c.csv").write_text(CELLS)
    (folder / "n.csv").write_text("region,m1,m2,n\nN,110,105,1\nS,40,50,3\n")
    layout = ("--by", "region,industry", "--total", "region=All", "--total", "industry=All")
    column = ("--value", "jobs", "--status", "status", "--attacker", "nonnegative,integers")
    assert run("suppress", "audit", "c.csv", *layout, *column, "--json", "a.json")[0] in (0, 1)
    noise = ("--by", "region", "--value", "m1,m2", "--count", "n", "--factors", "1/10,1/4")
    assert run("suppress", "noise", "n.csv", *noise, "--json", "b.json")[0] in (0, 1)
    for name, file in (("suppress-audit", "a.json"), ("suppress-noise", "b.json")):
        require_fits(name, json.loads((folder / file).read_text("utf-8")))


def test_the_certificates_are_as_their_schema_says():
    content = json.loads(text_of_lock(files("establish.impl")))
    assert len(content["mechanisms"]) >= 10
    require_fits("certificates", content)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every part of a schema that is about an object."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


@pytest.mark.parametrize("name", names())
def test_a_schema_is_one_and_leaves_no_object_open(name, succeeds):
    schema = json.loads(succeeds("schema", name))
    Draft202012Validator.check_schema(schema)
    assert schema["title"] == name
    assert all("additionalProperties" in part for part in objects(schema))
    assert all(part["additionalProperties"] is False for part in objects(schema) if "properties" in part)


def test_the_names_are_those_of_what_is_checked_here(succeeds):
    others = {"budget", "budget-ledger", "release-plan", "ledger", "verify", "certificates"}
    others |= {"suppress-audit", "suppress-noise"}
    assert set(succeeds("schema").split()) == set(PRINTED) | others


def test_a_name_without_a_schema_is_refused(refusal):
    assert "NAME = nothing is not known: use one of audit" in refusal("schema", "nothing")
