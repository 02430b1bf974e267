"""``establish trust``: what the verdicts ask a reader to trust, on one page."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from establish.proofs_check.commands.check import Patterns, settled
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.proofs_check.outputs.claims import Trusted

if TYPE_CHECKING:
    from establish.proofs_check.engine.records import Record

HELP = """List what you must trust to believe the verdicts: programs, rules and readings.

\b
Examples:
  establish trust
  establish trust 'haney2017/thm-8.*'
  establish trust webb2025 --json -

\b
Each line names a party, what it is trusted for, and how many of the chosen claims rest on it. A rule derives
a statement from others. Its argument is a theorem that Coq's kernel accepted, or people read it; a test with
a deliberate fault shows that it refuses what does not follow. Claims are checked as by establish check, from
the cache if possible. establish show prints the parties behind one claim.
"""

CITED = "A lemma that is cited and not shown here: a claim that rests on it says where its proof stands."
"""What is said of a premise."""

OWN = "An argument of the file that uses it."


def trust(patterns: Patterns = None, json_file: JsonFile = "") -> None:
    prepare(json_file)

    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.engine.statements.statement import PLAIN

    selection = select(patterns or [])
    chosen = selection.to_check(thorough=False)
    results = settled(chosen, selection.files, os.cpu_count() or 1, fresh=False, effort=PLAIN)
    records = [result.record for result in results]
    rows = _rows(records)
    if not json_only(json_file, rows):
        _print(rows, records)


def _rows(records: Sequence[Record]) -> list[Trusted]:
    """One row for each party that some claim rests on, in the order of the page."""
    from establish.proofs_check.engine.trust import PARTIES
    from establish.proofs_check.engine.verdicts import PREMISE

    resting: dict[str, list[str]] = {}
    for record in records:
        for party in record.trusts:
            resting.setdefault(party, []).append(record.id)
    arguments = {**PARTIES, **_arguments()}
    named = [party for party in PARTIES if party in resting]
    return [
        {
            "party": party,
            "trusted_for": arguments.get(party, CITED if party.startswith(PREMISE) else OWN),
            "claims": resting[party],
        }
        for party in [*named, *sorted(set(resting) - set(named))]
    ]


def _arguments() -> Mapping[str, str]:
    from establish.proofs_check.engine.arguments import told
    from establish.proofs_check.engine.rules import RULES
    from establish.proofs_check.engine.trust import RULE

    return {RULE + name: told(name) or inspect.cleandoc(argument) for name, argument in RULES.items()}


def _print(rows: Sequence[Trusted], records: Sequence[Record]) -> None:
    from establish.proofs_check.commands.terminal import output, plain_table

    table = plain_table()
    for name in ("party", "trusted for", "claims"):
        table.add_column(name, no_wrap=name == "party")
    for row in rows:
        argument = " ".join(row["trusted_for"].split())
        table.add_row(row["party"], argument, str(len(row["claims"])))
    output(piped_width=160).print(table)
    without = sum(not record.trusts for record in records)
    print(f"{len(records)} claims, {without} of them without evidence that could be trusted")
    print(_arguments_in(rows))
    print(_to_read())


def _arguments_in(rows: Sequence[Trusted]) -> str:
    """How many of the rules have their argument in prose."""
    from establish.proofs_check.engine.arguments import is_prose
    from establish.proofs_check.engine.trust import RULE

    used = [row["party"].removeprefix(RULE) for row in rows if row["party"].startswith(RULE)]
    prose = sum(map(is_prose, used))
    return (
        f"{len(used)} rules: the argument of {len(used) - prose} is a theorem that a kernel accepted, "
        f"that of {prose} is prose, whole or in part."
    )


def _to_read() -> str:
    """What is to be read before a proof is believed that was exported and rechecked."""
    from establish.proofs_check.export.lines import CORE, KINDS, lines_of

    own, engine = (sum(sum(lines_of(folder).values()) for folder in some) for some in ((CORE,), ENGINE))
    kinds = ", ".join(f"{name.removesuffix('.py')} {n}" for name, n in lines_of(KINDS).items() if n)
    return (
        f"To believe a proof, read {engine} lines of code: the engine, its methods, rules, statements and "
        f"terms. To believe one that establish recheck calls rechecked, read {own}: proofs_check/recheck. "
        f"More for steps of a kind: {kinds}. establish recheck tells how many each claim needs."
    )


ENGINE = (
    "proofs_check.engine",
    "proofs_check.engine.methods",
    "proofs_check.engine.rules",
    "proofs_check.engine.statements",
    "proofs_check.terms",
)
"""The folders that give a claim its verdict and grade."""
