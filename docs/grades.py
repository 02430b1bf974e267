"""For MkDocs: reference/grades.csv, every claim's verdict and grade before statements were objects, and now.

Before, a grade was that of the weakest piece of evidence; now it is computed from what decides the claim's
own objects. The column ``before`` is the ledger of commit 1370cc2, the last one without objects; ``after`` is
the ledger's.
"""

from __future__ import annotations

import csv
import io
import logging
import subprocess
from collections.abc import Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
LEDGER = "proofs_check/ledger.csv"
LAST_WITHOUT_OBJECTS = "1370cc2"
COLUMNS = ("id", "before", "after", "why")

WHY = {
    "formal": "the kernel of a proof assistant accepted the sentence",
    "proof": "its object is decided in general, or refuted at a point",
    "steps": "no method decides an object of it: prose joins the pieces",
    "enclosure": "balls decide its object, or a part of it",
    "exhaustive": "its object is decided on the universe that the verdict names",
    "statistical": "its evidence is sampled",
    "": "nothing public decides it",
}
"""Why a grade is what it is now."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """MkDocs calls this. Without that commit, as in a shallow clone, the column ``before`` is empty."""
    before = ledger_before()
    if before is None:
        logging.getLogger("mkdocs.hooks").info("commit %s is not here", LAST_WITHOUT_OBJECTS)
    found = rows((ROOT / LEDGER).read_text("utf-8"), before)
    files.append(File.generated(config, "reference/grades.csv", content=text_of(found)))
    return files


def ledger_before() -> dict[str, str] | None:
    """Verdict and grade by claim in that commit; None where the history is not here."""
    command = ["git", "show", f"{LAST_WITHOUT_OBJECTS}:{LEDGER}"]
    try:
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    entries = csv.DictReader(shown.stdout.decode("utf-8").splitlines())
    return {entry["id"]: f"{entry['verdict']} {entry['evidence']}".strip() for entry in entries}


def rows(ledger: str, before: Mapping[str, str] | None) -> list[dict[str, str]]:
    """A row for each claim of the ledger's text, in its order."""
    found = []
    for entry in csv.DictReader(ledger.splitlines()):
        was, grade = (before or {}).get(entry["id"], ""), entry["evidence"]
        now = f"{entry['verdict']} {grade}".strip()
        why = "the same" if was == now else "new" if before is not None and not was else WHY[grade]
        if was and was.partition(" ")[0] != entry["verdict"]:
            why = f"another verdict; {why}"
        found.append({"id": entry["id"], "before": was, "after": now, "why": why})
    return found


def text_of(table: list[dict[str, str]]) -> str:
    """The rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()
