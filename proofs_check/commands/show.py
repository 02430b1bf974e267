"""``establish show``: one claim, its verdict and why: the reviewer's page."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.show import pages
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.proofs_check.commands.options import ids_like

HELP = """Show one claim: is it true, how sure is that, and why?

\b
Examples:
  establish show haney2017/lemma-8.6
  establish show haney2017 "Lemma 8.6"
  establish show my/claim --file my_paper.py
  establish show haney2017/lemma-9.2 --full
  establish show haney2017/lemma-8.6 --json -

\b
The first screen gives the statement, the verdict with the grade of its evidence, the correct value or the
counterexample, the derivation, and what must be trusted. --full adds the statement as it is checked, every
piece of evidence, the theorems that Coq accepted, what the adversary tried, the files and lines of the check
and of each definition that it reads, and what rests on the claim. Given a source and a place, the command
shows every claim at that place. Results come from the cache if nothing that they depend on has changed.
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
    full: Annotated[bool, typer.Option("--full", help="Print everything that is known.")] = False,
    json_file: JsonFile = "",
) -> None:
    prepare(json_file)
    found = pages(id, place, file=file, full=full or bool(json_file))
    if json_only(json_file, [page.to_json() for page in found if json_file]):
        return

    from establish.proofs_check.commands.terminal import output

    console = output()
    for number, page in enumerate(found):
        if number:
            console.print()
        for title, text in page.sections(full=full):
            console.print(title, style="bold")
            console.print("\n".join(f"  {line}".rstrip() for line in text.splitlines()), soft_wrap=True)
