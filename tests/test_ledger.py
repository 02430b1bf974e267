"""The ledger records exactly the registered claims, and these cover the checklist."""

import csv
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from establish.proofs_check import ledger
from establish.proofs_check.register import SOURCES, claims
from establish.proofs_check.verdicts import Grade, Outcome

ROOT = Path(__file__).parents[1]

IN_SCOPE_IDS = re.compile(
    r"thm-2\.1|def-2\.[1-5]|def-8\..*|def-9\.1|eq-13|eq-38|eq-39"
    r"|lemma-8\.2-proof-.*|lemma-8\.8-EZ|thm-8\.1-case-i|thm-8\.1-case-ii"
)
IN_SCOPE_PLACES = re.compile(
    r"\bSection (?:2|8|9|10)\b|\bDefinition [289]\.|\bAlg\b|\bTable 2\b"
    r"|\bTheorem 8\.|\bLemma [89]\."
)


def in_scope(id: str, location: str) -> bool:
    """Whether a row of the checklist is to be settled so far: Sections 2, 8, 9, 10, slides."""
    source, _, label = id.partition("/")
    if source == "haney2016_slides":
        return True
    named = IN_SCOPE_IDS.fullmatch(label) or IN_SCOPE_PLACES.search(location)
    return source == "haney2017" and named is not None


@pytest.mark.parametrize(
    ("id", "location", "expected"),
    [
        ("haney2016_slides/def-7.1", "slides", True),
        ("haney2017/alg-3-text", "Alg 3", True),
        ("haney2017/sec8.2-budget", "Section 8.2", True),
        ("haney2017/sec10-delta-grid", "Section 10", True),
        ("haney2017/eq-38", "Appendix B", True),
        ("haney2017/lemma-8.8-EZ", "Appendix B", True),
        ("haney2017/table-2/d.05-a.01", "Table 2", True),
        ("haney2017/thm-8.4-delta0", "Theorem 8.4", True),
        ("haney2017/eq-20", "Appendix B", False),
        ("haney2017/thm-7.3", "Theorem 7.3", False),
        ("haney2017/sec7.2-k-steps", "Section 7.2", False),
        ("haney2017/table-1/node-dp", "Table 1, Claim B.1", False),
        ("foote2019/def-2.1", "Definition 2.1", False),
        ("webb2025/case-1", "Section 8", False),
    ],
)
def test_scope_is_as_agreed(id: str, location: str, expected: bool):
    assert in_scope(id, location) is expected


def checklist() -> list[tuple[str, str]]:
    """Rows (id, location) of the list of statements to settle, kept beside the checkout."""
    default = ROOT.parent / "shared" / "claims" / "checklist.csv"
    file = Path(os.environ.get("ESTABLISH_CHECKLIST", default))
    if not file.is_file():
        pytest.skip(f"the checklist is no part of the project and is not at {file}")
    with file.open(encoding="utf-8", newline="") as rows:
        return [(row["id"], row["location"]) for row in csv.DictReader(rows)]


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


def test_every_row_of_the_checklist_in_scope_is_registered(capsys: pytest.CaptureFixture[str]):
    rows = checklist()
    registered = claims()
    outstanding = Counter(id.partition("/")[0] for id, _ in rows if id not in registered)
    with capsys.disabled():
        listed = ", ".join(f"{source} {count}" for source, count in sorted(outstanding.items()))
        print(f"\nchecklist: {sum(outstanding.values())} of {len(rows)} outstanding: {listed}")
    missing = [id for id, location in rows if in_scope(id, location) and id not in registered]
    assert missing == [], f"{len(missing)} rows in scope are not registered"
