"""The table of grades before and after statements were objects agrees with the ledger and its history."""

import csv
import importlib.util
import subprocess
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
LAST_WITHOUT_OBJECTS = "1370cc2"


@pytest.fixture(scope="module")
def grades():
    spec = importlib.util.spec_from_file_location("grades", DOCS / "grades.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_grades_is_that_of_the_ledger(grades):
    kept = grades.recorded()
    assert kept == grades.rows({row["id"]: row["before"] for row in kept}), "run docs/grades.py"
    assert sum(bool(row["before"]) for row in kept) == 661


def test_its_first_column_is_the_ledger_of_the_last_commit_without_objects(grades):
    shown = subprocess.run(
        ["git", "show", f"{LAST_WITHOUT_OBJECTS}:proofs_check/ledger.csv"],
        cwd=DOCS,
        capture_output=True,
        text=True,
        check=False,
    )
    if shown.returncode:
        pytest.skip("the history is not here")
    then = {
        row["id"]: f"{row['verdict']} {row['evidence']}".strip()
        for row in csv.DictReader(shown.stdout.splitlines())
    }
    kept = {row["id"]: row["before"] for row in grades.recorded() if row["before"]}
    assert kept == then


def test_a_changed_grade_is_noticed(grades):
    kept = grades.recorded()
    kept[0]["after"] = "holds steps"
    assert kept != grades.rows({row["id"]: row["before"] for row in kept})
