"""``establish mechanisms``: what is known of each mechanism that runs."""

from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare

HELP = """Show what is known about each mechanism.

\b
Examples:
  establish mechanisms
  establish mechanisms --json -

\b
For each mechanism the command shows: where its definition and output density are written; "formal" if a proof
assistant's kernel accepted its privacy, or else what no kernel has accepted; the claims about its privacy
loss, the admissibility of its noise, its bias and its moments; its sampler; and its certificate, with the
claims behind it. Each claim comes with its recorded verdict and its correct value. Where no claim is needed,
the reason is given. "establish formal ID --statements" prints what was proved about a claim, and what not.
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

    if not json_only(json_file, rows):
        for row in rows:
            print(row["mechanism"])
            for name, field in list(row.items())[1:]:
                print(f"  {name:<14}{told(field)}")
