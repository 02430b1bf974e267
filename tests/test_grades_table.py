"""The table of grades before and after statements were objects is made from the ledger and its history."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"

NOW = """id,verdict,evidence
paper/same,holds,steps
paper/graded,holds,proof
paper/other,fails,proof
paper/new,holds,formal
"""
BEFORE = {"paper/same": "holds steps", "paper/graded": "holds steps", "paper/other": "holds proof"}


@pytest.fixture(scope="module")
def grades():
    pytest.importorskip("mkdocs", reason="mkdocs comes with the extra dev")
    spec = importlib.util.spec_from_file_location("grades", DOCS / "grades.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_row_says_what_was_what_is_and_why(grades):
    reason = grades.WHY["proof"]
    assert [tuple(row.values()) for row in grades.rows(NOW, BEFORE)] == [
        ("paper/same", "holds steps", "holds steps", "the same"),
        ("paper/graded", "holds steps", "holds proof", reason),
        ("paper/other", "holds proof", "fails proof", f"another verdict; {reason}"),
        ("paper/new", "", "holds formal", "new"),
    ]


def test_without_a_history_no_claim_is_called_new(grades):
    found = grades.rows(NOW, None)
    assert {row["before"] for row in found} == {""}
    assert "new" not in {row["why"] for row in found}


def test_the_column_before_is_the_ledger_of_the_last_commit_without_objects(grades):
    before = grades.ledger_before()
    if before is None:
        pytest.skip("the history is not here")
    assert len(before) == 661
    ledger = (DOCS.parent / grades.LEDGER).read_text("utf-8")
    found = grades.rows(ledger, before)
    kept = {row["id"] for row in found}  # some claims were folded into others since
    assert {row["id"] for row in found if row["before"]} == set(before) & kept
    assert len(grades.text_of(found).splitlines()) == len(ledger.splitlines())
