"""``establish mechanisms``: what is known of each mechanism that runs."""

from __future__ import annotations

from establish.proofs_check.commands.check import JsonFile
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json

HELP = """Tell what is known of each mechanism that runs.

\b
Examples:
  establish mechanisms
  establish mechanisms --json -

\b
For each mechanism: where its definition and the density of its output are written; "formal" where a
proof assistant's kernel accepted its privacy, and else what no kernel accepted; the claims
that settle its privacy loss, the admissibility of its noise, its bias and its moments; the sampler
that runs, and the certificate with the claims that it rests on. A claim stands with the verdict that
the ledger records and the value that is true; where there is nothing to settle, the reason stands
instead. "establish formal ID --statements" prints what was proved of a claim, and what was not.
"""


def mechanisms(json_file: JsonFile = "") -> None:
    prepare(json_file)

    from establish.proofs_check.certification.properties import table
    from establish.proofs_check.engine import ledger

    rows, known = table(), ledger.recorded()

    def told(field: object) -> str:
        return "; ".join(map(settled, field)) if isinstance(field, list) else str(field)

    def settled(id: str) -> str:
        if id not in known:
            return id
        value = f" ({known[id].value})" if known[id].value else ""
        return f"{id} {known[id].verdict}{value}"

    if json_file:
        write_json(json_file, rows)
    if json_file != STDOUT:
        for row in rows:
            print(row["mechanism"])
            for name, field in list(row.items())[1:]:
                print(f"  {name:<14}{told(field)}")
