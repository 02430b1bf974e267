"""The forms for issues and discussions can be read, and whatever they name exists."""

import re
from pathlib import Path
from typing import Any

import pytest

from establish.proofs_check.commands.cli import COMMANDS
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.verdicts import Outcome

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".github"
ISSUES = sorted(p for p in (HOME / "ISSUE_TEMPLATE").glob("*.yml") if p.stem != "config")
DISCUSSIONS = sorted((HOME / "DISCUSSION_TEMPLATE").glob("*.yml"))
NEEDS = {
    "markdown": {"value"},
    "input": {"label"},
    "textarea": {"label"},
    "dropdown": {"label", "options"},
    "checkboxes": {"label", "options"},
}
"""What each kind of field must say, by the documentation of forms."""


def read(file: Path) -> dict[str, Any]:
    return yaml.safe_load(file.read_text("utf-8"))


def faults(form: dict[str, Any]) -> list[str]:
    """What a reader of forms would refuse."""
    found = []
    fields = form.get("body", [])
    ids = [field.get("id") for field in fields if field["type"] != "markdown"]
    if len(set(ids)) < len(ids) or None in ids:
        found.append("a field has no id of its own")
    if not any(field["type"] != "markdown" for field in fields):
        found.append("nothing can be filled in")
    for field in fields:
        lacks = NEEDS[field["type"]] - field["attributes"].keys()
        options = field["attributes"].get("options", ["one"])
        if lacks or not options or len(set(map(str, options))) < len(options):
            found.append(f"{field.get('id')}: lacks {lacks or 'options that differ'}")
        kind = {"dropdown": str, "checkboxes": dict}.get(field["type"], object)
        if not all(isinstance(option, kind) for option in options):
            found.append(f"{field.get('id')}: an option is of another kind")
    return found


def test_there_is_a_form_for_each_kind_of_issue():
    assert [file.stem for file in ISSUES] == ["bug", "mechanism", "paper", "verdict"]
    assert DISCUSSIONS


@pytest.mark.parametrize("file", [*ISSUES, *DISCUSSIONS], ids=lambda file: file.stem)
def test_a_form_can_be_filled_in_and_names_what_exists(file):
    assert faults(read(file)) == []
    text = file.read_text("utf-8")
    for command in re.findall(r"establish ([a-z-]+)", text):
        assert command in COMMANDS or command.startswith("--")
    for path in re.findall(r"\b(?:docs|impl|spec|proofs_check)/[\w./]+|\b[A-Z]{4,}\.md", text):
        assert (ROOT / path.rstrip(".")).exists(), path
    for id in re.findall(r"\b(?:haney|foote|webb|schmutte)\w+/[\w./-]+", text):
        assert id in ledger.recorded()


@pytest.mark.parametrize("file", ISSUES, ids=lambda file: file.stem)
def test_an_issue_has_a_name_a_description_and_labels_that_exist(file):
    form = read(file)
    labels = {label["name"] for label in read(HOME / "labels.yml")}
    assert form["name"]
    assert form["description"]
    assert form["labels"]
    assert set(form["labels"]) <= labels


def test_the_form_on_a_verdict_offers_every_verdict():
    (field,) = (f for f in read(HOME / "ISSUE_TEMPLATE" / "verdict.yml")["body"] if f.get("id") == "meant")
    assert set(map(str, Outcome)) - {"unsettled"} <= set(field["attributes"]["options"])


def test_faults_of_forms_are_seen():
    field = {"type": "dropdown", "id": "a", "attributes": {"label": "A", "options": ["x", "x"]}}
    assert faults({"body": [field]})
    assert faults({"body": [{"type": "markdown", "attributes": {"value": "text"}}]})
    assert faults({"body": [{**field, "attributes": {"options": ["x"]}}]})
    twice = {"type": "input", "id": "a", "attributes": {"label": "A"}}
    assert faults({"body": [twice, twice]})
    assert faults({"body": [{"type": "input", "attributes": {"label": "A"}}]})
    assert faults({"body": [twice]}) == []
