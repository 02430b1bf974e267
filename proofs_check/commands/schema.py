"""``establish schema``: the JSON Schema of what a command prints, or of a file that the package writes."""

import json
from typing import Annotated, Any

import typer

from establish.proofs_check.api.asked import require_one_of

HELP = """Print the JSON Schema (2020-12) of a --json output, a record, a ledger's line or the certificates.

\b
Examples:
  establish schema                  the names
  establish schema release-counts   one schema

\b
A name is the name of a command (check: establish check --json; release-plan: the record of establish release
plan), or one of ledger (a line of a spending ledger), budget-ledger (establish budget --ledger FILE --json)
and certificates.
"""


def names() -> list[str]:
    """What has a schema, in the order of the alphabet."""
    return sorted(_kinds())


def schema_of(name: str) -> str:
    """The schema's text. Raises ParameterError for a name that has none."""
    from establish.proofs_check.outputs.json_schema import described, of_type

    require_one_of("NAME", name, names())
    kind = _kinds()[name]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name}
    content = {**head, "description": described(kind), **of_type(kind)}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The schema to print; default: list the names.")
    ] = None,
) -> None:
    if name is None:
        print("\n".join(names()))
    else:
        print(schema_of(name), end="")


def _kinds() -> dict[str, Any]:
    """By name the type of what is printed or written."""
    from establish.proofs_check.certification.finding import Finding
    from establish.proofs_check.implications.requirement_table import Row
    from establish.proofs_check.outputs import claims, questions, releases, tables
    from establish.proofs_check.outputs.json_schema import of_type
    from establish.proofs_check.outputs.words import Keyword

    findings = Keyword("description", "Findings; holds is null where a thing was not checked.")
    cells = Keyword("description", "One row for each definition; its cells in the order of the requirements.")
    lines = Keyword("description", "A line of a ledger: the first, or an entry.")
    first = Keyword("prefixItems", [of_type(questions.LimitBeside)])
    limit = Keyword("description", "The least error, enclosed.")
    conversion = Keyword("description", "What follows, enclosed, and by which theorem.")
    return {
        "audit": tuple[questions.Audited],
        "audit-grey": list[questions.Replayed],
        "budget": releases.Budget,
        "budget-ledger": releases.BudgetLedger,
        "certificates": claims.Certificates,
        "certify": list[claims.Certified],
        "check": list[claims.Checked],
        "compare": Annotated[list[questions.Compared], first],
        "convert": Annotated[tuple[questions.Converted], conversion],
        "coverage": list[claims.Covered],
        "formal": list[claims.Formal],
        "imply": tuple[questions.Implied],
        "ledger": Annotated[releases.FirstLine | releases.Line, lines],
        "limit": Annotated[tuple[questions.Limit | questions.GaussianLimit], limit],
        "list": list[claims.Listed],
        "mechanisms": list[claims.Known],
        "notes": list[claims.Noted],
        "recheck": list[claims.Rechecked],
        "release-counts": releases.ReleasedCounts,
        "release-earnings": releases.ReleasedEarnings,
        "release-plan": releases.ReleasedPlan,
        "show": list[claims.Shown],
        "suppress-audit": list[tables.Suppressed],
        "suppress-noise": list[tables.Perturbed],
        "synthesize": tables.Synthesized,
        "table1": Annotated[list[Row], cells],
        "tabulate": tables.Tabulated,
        "trust": list[claims.Trusted],
        "verify": Annotated[list[Finding], findings],
    }
