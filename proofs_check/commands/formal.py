"""``establish formal``: what a proof assistant's kernel accepted, about which claims."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from establish.proofs_check.commands.check import JsonFile, Patterns
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json
from establish.proofs_check.commands.terminal import output, plain_table

HELP = """List the theorems that Coq's kernel accepted, by claim, with what they assume.

\b
Examples:
  establish formal
  establish formal 'haney2017/thm-8.*' --statements
  establish formal --definitions
  establish formal --json -

\b
Coq is not run. The formulas of spec/ are printed again and compared with the record that came
with the package; 'changed' means that the record no longer speaks of the present text. It ends with
1 when a claim that is listed has changed.
"""

Statements = Annotated[
    bool, typer.Option("--statements", help="Print closed statements and what was tried on them.")
]
Definitions = Annotated[
    bool, typer.Option("--definitions", help="Print the Gallina definitions of the formulas.")
]


def formal(
    patterns: Patterns = None,
    json_file: JsonFile = "",
    statements: Statements = False,
    definitions: Definitions = False,
) -> None:
    from establish.proofs_check.formal import formulas

    prepare(json_file)
    if definitions:
        print(formulas.source(formulas.definitions()), end="")
        return
    rows = _rows(patterns or [])
    if json_file:
        write_json(json_file, rows)
    if json_file != STDOUT:
        _print(rows, statements)
    if any(row["changed"] for row in rows):
        raise typer.Exit(1)


def _rows(patterns: list[str]) -> list[dict[str, Any]]:
    """One row for each claim that has theorems and is selected, as ``--json`` writes it."""
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.formal.record import current, differences
    from establish.proofs_check.formal.theorems import subjects

    selected = select(patterns).claims
    rows: list[dict[str, Any]] = []
    for subject in subjects():
        if subject.claim not in selected:
            continue
        changed = differences(subject)
        if selected[subject.claim].statement != subject.sentence:
            changed.append("the claim's sentence has changed")
        entry = None if changed else current(subject)
        rows.append(
            {
                "id": subject.claim,
                "covers": list(subject.covers),
                "theorems": [
                    {"name": t.name, "statement": t.statement, "assumptions": list(t.assumptions)}
                    for t in (entry.theorems if entry else ())
                ]
                or [{"name": name} for name in subject.theorems],
                "tried": subject.tried,
                "rest": subject.rest,
                "accepted": entry.says if entry else "",
                "changed": changed,
            }
        )
    return rows


def _print(rows: list[dict[str, Any]], statements: bool) -> None:
    table = plain_table()
    for name in ("id", "covers", "theorems", "axioms", ""):
        table.add_column(name, no_wrap=name == "id")
    for row in rows:
        counts = sorted({len(t.get("assumptions", ())) for t in row["theorems"]})
        table.add_row(
            row["id"],
            ", ".join(row["covers"]) or "a step",
            "\n".join(t["name"] for t in row["theorems"]),
            ", ".join(map(str, counts)),
            "changed" if row["changed"] else "",
        )
    console = output()
    console.print(table)
    theorems = {t["name"] for row in rows for t in row["theorems"]}
    console.print(f"{len(rows)} claims, {len(theorems)} theorems")
    for row in rows:
        for line in row["changed"]:
            console.print(f"{row['id']}: {line}", markup=False)
    if rows and not any(row["changed"] for row in rows):
        console.print(rows[0]["accepted"], markup=False)
    if statements:
        _print_statements(rows)


def _print_statements(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        print(f"\n{row['id']}")
        for theorem in row["theorems"]:
            print(f"\n  Theorem {theorem['name']}:")
            print("".join(f"    {line}\n" for line in theorem.get("statement", "").splitlines()), end="")
            print(f"  assumes: {', '.join(theorem.get('assumptions', ())) or 'nothing'}")
        print(f"\n  tried: {row['tried']}")
        if row["rest"]:
            print(f"  not proved: {row['rest']}")
