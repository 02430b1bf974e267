"""The ledger records exactly the registered claims, and these cover the checklist."""

import csv
import os
from pathlib import Path

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import SOURCES, claims
from establish.proofs_check.engine.verdicts import Grade, Outcome

ROOT = Path(__file__).parents[1]


def checklist() -> list[str]:
    """The ids of the list of statements to settle, kept beside the checkout."""
    default = ROOT.parent / "shared" / "claims" / "checklist.csv"
    file = Path(os.environ.get("ESTABLISH_CHECKLIST", default))
    if not file.is_file():
        pytest.skip(f"the checklist is no part of the project and is not at {file}")
    with file.open(encoding="utf-8", newline="") as rows:
        return [row["id"] for row in csv.DictReader(rows)]


def test_the_ledger_records_exactly_the_registered_claims():
    recorded, registered = set(ledger.recorded()), set(claims())
    assert sorted(registered - recorded) == [], "claims without a line in the ledger"
    assert sorted(recorded - registered) == [], "lines of the ledger without a claim"


def test_the_ledger_has_known_sources_verdicts_and_grades():
    grades = {*map(str, Grade), ""}
    settled = {str(outcome) for outcome in Outcome} - {"unsettled"}
    for entry in ledger.recorded().values():
        assert entry.id.partition("/")[0] in SOURCES, entry
        assert entry.verdict in settled, entry
        assert entry.evidence in grades, entry
        assert bool(entry.evidence) == (entry.verdict != "not_checkable"), entry


def test_every_row_of_the_checklist_is_registered():
    registered = claims()
    missing = [id for id in checklist() if id not in registered]
    assert missing == [], f"{len(missing)} rows are not registered"
