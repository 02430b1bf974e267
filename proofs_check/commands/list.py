"""``establish list``: what is printed where, and how it is recorded to come out."""

from establish.proofs_check.commands.check import Patterns
from establish.proofs_check.commands.jsonfile import STDOUT, JsonFile, prepare, write_json
from establish.proofs_check.outputs.claims import Listed

HELP = """List claims: where each stands, what it says, its recorded verdict, and its file and line.

\b
Examples:
  establish list
  establish list 'haney2017/table-2/*'
  establish list haney2016_slides --json -

\b
The command checks nothing. A '-' in place of a verdict means that the ledger records none.
"""

WIDE = 240
"""Columns of the list where it does not go to a terminal."""


def list_claims(patterns: Patterns = None, json_file: JsonFile = "") -> None:
    prepare(json_file)

    from establish.proofs_check.engine import ledger
    from establish.proofs_check.engine.references import in_files
    from establish.proofs_check.engine.selection import select

    selection = select(patterns or [])
    known = {} if selection.own else ledger.recorded()
    verdicts = {id: known[id].verdict if id in known else "" for id in selection.claims}
    if json_file:
        rows: list[Listed] = [
            {
                "id": entry.id,
                "source": entry.source,
                "location": entry.location,
                "statement": entry.statement,
                "verdict": verdicts[id],
                **in_files(entry, selection.around(id)),
            }
            for id, entry in selection.claims.items()
        ]
        write_json(json_file, rows)
    if json_file == STDOUT:
        return

    from establish.proofs_check.commands.terminal import output, plain_table, shortened

    table = plain_table()
    table.add_column("id", no_wrap=True)
    table.add_column("location")
    table.add_column("statement")
    table.add_column("recorded", no_wrap=True)
    table.add_column("written", no_wrap=True)
    for id, entry in selection.claims.items():
        where, statement = shortened(entry.location), shortened(entry.statement)
        table.add_row(id, where, statement, verdicts[id] or "-", entry.place)
    output(piped_width=WIDE).print(table)
