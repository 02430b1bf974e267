"""``establish report``: the reviewer's site, one folder that opens without a network."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.commands.check import Patterns
from establish.proofs_check.commands.folders import require_folder
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.proofs_check.engine.ledger import Ledger

HELP = """Write a website of all claims: a page for each, search, counts, drawings of refutations, a graph.

\b
Examples:
  establish report --out site
  establish report --out site 'haney2017/lemma-8.*'
  establish report --out site my_paper.py
  establish report --out site --against old/ledger.csv
  establish report --out site --force          replace a site that was written before

\b
Open site/index.html in a browser. The site needs no network and no other files. It shows the verdicts of
establish check, from the cache if nothing has changed. A slow claim shows the recorded verdict, marked as
such, unless --thorough is given or its result is cached. With --against, the site has a page on the verdicts
that differ from another ledger.
"""

MARKS = ("site.css", "claims.json")
"""A folder that holds these was written by this command."""


def report(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder to write.")],
    patterns: Patterns = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="LEDGER.csv", help="Another ledger to compare with.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing site in the folder.")] = False,
    thorough: Annotated[bool, typer.Option("--thorough", help="Check slow claims too.")] = False,
    jobs: Annotated[
        int, typer.Option(min=1, help="Processes to use.", show_default="one per processor")
    ] = os.cpu_count() or 1,
) -> None:
    require_folder(out, "a site", MARKS, force)
    other = _ledger(against)

    import jinja2  # noqa: F401  a library that is missing is told before any work
    import matplotlib  # noqa: F401

    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.commands.terminal import output
    from establish.proofs_check.engine.cache import Cache, folder
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.report.gather import gather
    from establish.proofs_check.report.pictures import Album
    from establish.proofs_check.report.site import Site

    selection = select(patterns or [])
    with progress_bar(counted=True) as bar:
        task = bar.add_task("settling claims", total=len(selection.claims))
        found = {}
        for sheet in gather(selection, cache=Cache(folder()), jobs=jobs, thorough=thorough):
            found[sheet.id] = sheet
            bar.advance(task)
        bar.update(task, description="writing pages", completed=0)
        sheets = [found[id] for id in selection.claims]
        site = Site(sheets, Album(folder()), selection.whole, selection.own, other)
        _prepare(out)
        site.write(out, lambda: bar.advance(task))
    files = [file for file in out.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    output().print(
        f"{len(found)} claims in {len(files)} files, {size / 1e6:.1f} MB: open {out / 'index.html'}",
        soft_wrap=True,
    )


def _prepare(out: Path) -> None:
    """The empty folder; of a site that stands there, the pages and what belongs to them are removed."""
    out.mkdir(exist_ok=True)
    shutil.rmtree(out / "claims", ignore_errors=True)
    for file in out.glob("*.html"):
        file.unlink()


def _ledger(file: Path | None) -> tuple[str, Ledger] | None:
    """What the file is called, and the ledger in it; None without a file."""
    if file is None:
        return None

    from establish.proofs_check.engine.ledger import LedgerError, parse

    try:
        return file.name, parse(file.read_text("utf-8"))
    except OSError as error:
        raise Misuse(f"--against {file} cannot be read: {error.strerror}") from None
    except (LedgerError, ValueError) as error:
        raise Misuse(f"--against {file} is not a ledger: {error}") from None
