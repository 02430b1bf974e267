"""``establish formal``: what a proof assistant's kernel accepted, about which claims."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.commands.check import Patterns
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.proofs_check.commands.terminal import output, plain_table
from establish.proofs_check.outputs.claims import Formal, Theorem

HELP = """List the theorems that Coq's kernel accepted, by claim, with their assumptions.

\b
Examples:
  establish formal
  establish formal 'haney2017/thm-8.*' --statements
  establish formal --definitions
  establish formal --json -

\b
The command does not run Coq. It compares the formulas of spec/ with the record that came with the package;
'changed' means that the record is about an earlier version of the formula.

\b
Exit status: 0 no listed claim has changed; 1 some have; 2 usage error.
"""

Statements = Annotated[
    bool, typer.Option("--statements", help="Print closed statements and what was tried on them.")
]
Definitions = Annotated[
    bool, typer.Option("--definitions", help="Print the Gallina definitions of the formulas.")
]


Bind = Annotated[
    bool,
    typer.Option(
        "--bind",
        help="For maintainers, after comparing theorem and claim: bind the claims that are named to their "
        "theorems as they are now, in the checkout in the current folder.",
    ),
]


BindRule = Annotated[
    bool,
    typer.Option(
        "--bind-rule",
        help="For maintainers, after comparing rule and theorem: the names are of rules, or of mechanisms "
        "whose claims are joined, and each is linked to its theorem as both are now, in the checkout in the "
        "current folder.",
    ),
]


def formal(
    patterns: Patterns = None,
    json_file: JsonFile = "",
    statements: Statements = False,
    definitions: Definitions = False,
    bind: Bind = False,
    bind_rule: BindRule = False,
) -> None:
    from establish.proofs_check.formal import formulas

    prepare(json_file)
    if bind:
        print(_bind(patterns or []))
        return
    if bind_rule:
        print(_bind_rules(patterns or []))
        return
    if definitions:
        print(formulas.source(formulas.definitions()), end="")
        return
    rows = _rows(patterns or [])
    if not json_only(json_file, rows):
        _print(rows, statements)
    if any(row["changed"] for row in rows):
        raise typer.Exit(1)


def _bind(patterns: list[str]) -> str:
    """Write what the claims say now, and how the ledger records them. Raises Misuse outside a checkout, and
    without ids: nobody has compared all of them.
    """
    from establish.proofs_check.engine import ledger
    from establish.proofs_check.engine.binding import said_by
    from establish.proofs_check.engine.misuse import Misuse
    from establish.proofs_check.engine.register import imported
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.formal.bound import Bound, all_bound, write
    from establish.proofs_check.formal.record import compared_with
    from establish.proofs_check.formal.theorems import subjects

    if not patterns:
        raise Misuse("--bind needs the ids of the claims that were compared with their theorems")
    known = ledger.parse(ledger.of_checkout(Path.cwd()).read_text("utf-8"))
    covered = {subject.claim: subject for subject in subjects() if "sentence" in subject.covers}
    bound = dict(all_bound())
    chosen = {id: c for id, c in select(patterns).claims.items() if (c.same_as or id) in covered}
    for id, claim in chosen.items():
        own = replace(imported(claim), statement=claim.statement)  # of a repeated one, its own words
        theorems = compared_with(covered[claim.same_as or id])
        bound[id] = Bound(said_by(own), known[id].verdict, known[id].value, theorems)
    file = Path.cwd() / "proofs_check" / "formal" / "bound.json"
    file.write_text(write(bound), "utf-8")
    return f"{len(chosen)} bound in {file}: review it with git diff"


def _bind_rules(names: list[str]) -> str:
    """Write what the rules or mechanisms and their theorems are now. Raises Misuse outside a checkout, and
    for a name that rules.toml does not have.
    """
    from establish.proofs_check.certification import joined
    from establish.proofs_check.engine import arguments, ledger
    from establish.proofs_check.engine.misuse import Misuse
    from establish.proofs_check.formal.rules import argued, link_of, linked, write

    known = ", ".join(argued())
    if not names:
        raise Misuse(f"--bind-rule needs what was compared with its theorem: {known}")
    for name in names:
        if name not in argued():
            raise Misuse(f"{name!r} is no rule or mechanism with a theorem in rules.toml: use {known}")
    file = ledger.of_checkout(Path.cwd()).with_name("formal") / "rules.json"
    links = dict(linked())
    for name in names:
        code = joined.code_of(name) if name in joined.JOINED else arguments.code_of(name)
        links[name] = link_of(name, code)
    file.write_text(write({name: links[name] for name in links if name in argued()}), "utf-8")
    return f"{len(names)} linked in {file}: review it with git diff"


def _rows(patterns: list[str]) -> list[Formal]:
    """One row for each claim that has theorems and is selected, as ``--json`` writes it."""
    from establish.proofs_check.engine.binding import said_by
    from establish.proofs_check.engine.register import imported
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.formal.bound import all_bound
    from establish.proofs_check.formal.record import compared_with, current, differences
    from establish.proofs_check.formal.theorems import subjects

    selected = select(patterns).claims
    rows: list[Formal] = []
    for subject in subjects():
        if subject.claim not in selected:
            continue
        claim = imported(selected[subject.claim])
        changed = differences(subject)
        if "sentence" in subject.covers:
            known, now = all_bound().get(subject.claim), compared_with(subject)
            unbound = ["the claim was not bound to its theorems"]
            changed += known.lost(said_by(claim), now) if known else unbound
        entry = None if changed else current(subject)
        theorems: list[Theorem] = [
            {"name": t.name, "statement": t.statement, "assumptions": list(t.assumptions)}
            for t in (entry.theorems if entry else ())
        ]
        rows.append(
            {
                "id": subject.claim,
                "covers": list(subject.covers),
                "theorems": theorems or [{"name": name} for name in subject.theorems],
                "tried": subject.tried,
                "rest": subject.rest,
                "accepted": entry.says if entry else "",
                "changed": changed,
            }
        )
    return rows


def _print(rows: list[Formal], statements: bool) -> None:
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


def _assumed(axioms: Sequence[str]) -> str:
    """The axioms by name; those of a module that has many, as what a processor computes, by their number."""
    found = Counter(name.partition(".")[0] for name in axioms)
    few = [name for name in axioms if found[name.partition(".")[0]] <= 8]
    many = [f"{number} axioms of {module}" for module, number in found.items() if number > 8]
    return ", ".join(few + many) or "nothing"


def _print_statements(rows: list[Formal]) -> None:
    for row in rows:
        print(f"\n{row['id']}")
        for theorem in row["theorems"]:
            print(f"\n  Theorem {theorem['name']}:")
            print("".join(f"    {line}\n" for line in theorem.get("statement", "").splitlines()), end="")
            print(f"  assumes: {_assumed(theorem.get('assumptions', ()))}")
        print(f"\n  tried: {row['tried']}")
        if row["rest"]:
            print(f"  not proved: {row['rest']}")
