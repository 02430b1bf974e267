"""Write pages/reference/grades.csv: every claim's verdict and grade before statements were objects, and now.

Before, a grade was that of the weakest piece of evidence; now it is computed from what decides the claim's
own objects. The column ``before`` is taken over from the file itself (first from the ledger of commit
1370cc2, the last one without objects); ``after`` is the ledger's.
"""

from __future__ import annotations

import csv
from pathlib import Path

HERE = Path(__file__).parent
TABLE, LEDGER = (HERE / "pages" / "reference" / "grades.csv", HERE.parent / "proofs_check" / "ledger.csv")
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


def rows(before: dict[str, str]) -> list[dict[str, str]]:
    """A row for each claim of the ledger, in its order."""
    found = []
    for entry in csv.DictReader(LEDGER.read_text("utf-8").splitlines()):
        was, grade = before.get(entry["id"], ""), entry["evidence"]
        now = f"{entry['verdict']} {grade}".strip()
        why = "new" if not was else "the same" if was == now else WHY[grade]
        if was and was.partition(" ")[0] != entry["verdict"]:
            why = f"another verdict; {why}"
        found.append({"id": entry["id"], "before": was, "after": now, "why": why})
    return found


def recorded() -> list[dict[str, str]]:
    """The rows of the file."""
    return list(csv.DictReader(TABLE.read_text("utf-8").splitlines()))


def main() -> None:
    """Write the table, and print how many claims went from which grade to which."""
    made = rows({row["id"]: row["before"] for row in recorded()})
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(made)
    steps: dict[tuple[str, str], int] = {}
    for row in made:
        step = tuple(row[name].partition(" ")[2] or "none" for name in ("before", "after"))
        key = ("new" if not row["before"] else step[0], step[1])
        steps[key] = steps.get(key, 0) + 1
    for (was, now), count in sorted(steps.items(), key=lambda item: -item[1]):
        print(f"{was:12} {now:12} {count}")


if __name__ == "__main__":
    main()
