"""``establish show``: one claim, its verdict and why: the reviewer's page."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.show import pages
from establish.proofs_check.commands.check import JsonFile
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json
from establish.proofs_check.commands.options import ids_like

HELP = """Show one claim: statement, place, verdict, evidence, derivation, counterexample, and where
each is written.

\b
Examples:
  establish show haney2017/lemma-8.6
  establish show haney2017 "Lemma 8.6"
  establish show my/claim --file my_paper.py
  establish show haney2017/lemma-8.6 --json -

\b
Given a source and a place, the command shows every claim at that place. It names the file and line of the
check and of the definitions that the check uses, the claims it rests on, the claims its derivation mentions,
and what rests on it. Results come from the cache if nothing that they depend on has changed.
"""


def show(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id that establish list prints, or a source.", autocompletion=ids_like
        ),
    ],
    place: Annotated[
        str | None, typer.Argument(metavar="[PLACE]", help="After a source, such as 'Lemma 8.6'.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Your own file with the claim.")
    ] = None,
    json_file: JsonFile = "",
) -> None:
    prepare(json_file)
    found = pages(id, place, file=file)
    if json_file:
        write_json(json_file, [page.to_json() for page in found])
    if json_file == STDOUT:
        return

    from establish.proofs_check.commands.terminal import output

    console = output()
    for number, page in enumerate(found):
        if number:
            console.print()
        for title, text in page.sections():
            console.print(title, style="bold")
            console.print("\n".join(f"  {line}".rstrip() for line in text.splitlines()), soft_wrap=True)
