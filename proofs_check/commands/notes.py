"""``establish notes``: what the authors of a refuted sentence can read and run again."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.commands.check import Patterns
from establish.proofs_check.commands.jsonfile import STDOUT, JsonFile, prepare, write_json
from establish.proofs_check.engine.misuse import Misuse

HELP = """Write a short note to the authors about each statement that is not true as printed.

\b
Examples:
  establish notes haney2017/lemma-9.2
  establish notes haney2017 --out notes        one Markdown file each, and a README.md
  establish notes webb2025 --json -

\b
A note gives the statement in our words, what we found, the smallest example with its numbers, the condition
under which the statement is true, the strength of the evidence, and how to run the check again. All of it
comes from the record of the claim. Claims are checked as by establish check; a slow claim is included if you
name it in full, give --thorough, or its result is cached.
"""


def notes(
    patterns: Patterns = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="A new folder to write the notes into.")
    ] = None,
    json_file: JsonFile = "",
    thorough: Annotated[bool, typer.Option("--thorough", help="Check slow claims too.")] = False,
    jobs: Annotated[
        int, typer.Option(min=1, help="Processes to use.", show_default="one per processor")
    ] = os.cpu_count() or 1,
) -> None:
    prepare(json_file)
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Misuse(f"--out {out} is there already: name a new folder")
    if out is not None and not out.absolute().parent.is_dir():
        raise Misuse(f"--out {out}: there is no folder {out.parent}")

    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.commands.terminal import output
    from establish.proofs_check.engine import ledger
    from establish.proofs_check.engine.cache import Cache, folder
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.report.gather import REFUTED, gather
    from establish.proofs_check.report.notes import Note, file_of, listed

    chosen = select(patterns or [])
    known = ledger.recorded()
    refuted = {
        id: entry
        for id, entry in chosen.claims.items()
        if id in chosen.own or id not in known or known[id].verdict in REFUTED
    }
    selection = replace(chosen, claims=refuted)
    found = {}
    with progress_bar(counted=True) as bar:
        task = bar.add_task("settling claims", total=len(refuted))
        for sheet in gather(selection, cache=Cache(folder()), jobs=jobs, thorough=thorough):
            found[sheet.id] = sheet
            bar.advance(task)
    sheets = (found[id] for id in refuted)
    written = [Note(s) for s in sheets if s.is_refuted and s.record.origin != "ours"]
    if not written:
        raise Misuse("none of these claims is refuted: establish list shows the verdicts")
    if json_file:
        write_json(json_file, [note.to_json() for note in written])
    if out is not None:
        out.mkdir(exist_ok=True)
        for note in written:
            (out / file_of(note.id)).write_text(note.markdown(), "utf-8")
        (out / "README.md").write_text(listed(written), "utf-8")
    if json_file == STDOUT:
        return
    if out is not None:
        output().print(f"{len(written)} notes: read {out / 'README.md'}", soft_wrap=True)
        return
    print("\n\n".join(note.text() for note in written), end="")
