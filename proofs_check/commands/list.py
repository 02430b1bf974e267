"""``establish list``: what is printed where, and how it is recorded to come out."""

from __future__ import annotations

from establish.proofs_check.commands.check import JsonFile, Patterns
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json
from establish.proofs_check.commands.terminal import output, plain_table, shortened
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.selection import select

HELP = """List claims with their place, their statement and the verdict that the ledger records.

\b
Examples:
  establish list
  establish list 'haney2017/table-2/*'
  establish list haney2016_slides --json -

\b
Nothing is checked. A verdict in place of which '-' stands is not recorded.
"""


def list_claims(patterns: Patterns = None, json_file: JsonFile = "") -> None:
    prepare(json_file)
    selection = select(patterns or [])
    known = {} if selection.own else ledger.recorded()
    rows = [
        {
            "id": entry.id,
            "source": entry.source,
            "location": entry.location,
            "statement": entry.statement,
            "verdict": known[id].verdict if id in known else "",
        }
        for id, entry in selection.claims.items()
    ]
    if json_file:
        write_json(json_file, rows)
    if json_file == STDOUT:
        return
    table = plain_table()
    table.add_column("id", no_wrap=True)
    table.add_column("location")
    table.add_column("statement")
    table.add_column("recorded", no_wrap=True)
    for row in rows:
        place, statement = shortened(row["location"]), shortened(row["statement"])
        table.add_row(row["id"], place, statement, row["verdict"] or "-")
    output().print(table)
