"""``establish check``: settle claims and compare them with the ledger."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.commands.jsonfile import STDOUT, JsonFile, prepare, write_json
from establish.proofs_check.commands.options import ids_like
from establish.proofs_check.engine import ledger, searches
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.verdicts import Grade, Outcome

if TYPE_CHECKING:
    from establish.proofs_check.engine.register import Claim
    from establish.proofs_check.engine.runner import Result
    from establish.proofs_check.engine.selection import Selection

HELP = """Check the claims of the sources, or of your own file, and compare them with the ledger.

\b
Examples:
  establish check                          every claim
  establish check 'haney2017/lemma-8.*'    the claims that a pattern matches
  establish check haney2016_slides         the claims of one source
  establish check my_paper.py              the claims of your own file
  establish check --thorough               with slow claims and deeper searches
  establish check --json claims.json       the records as a file ('-': standard output)

\b
The command skips slow claims, and says how many, unless you give --thorough or an exact id; skipped claims
are not compared with the ledger. establish show runs slow claims too. With --thorough, the adversaries also
search harder for counterexamples, in larger universes.

\b
Exit status: 0 all claims match the ledger; 1 some differ or are unsettled; 2 usage error.
"""

Patterns = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATTERN",
        help="Ids, globs on ids, a source, or a .py file of your own.",
        autocompletion=ids_like,
    ),
]


def check(
    patterns: Patterns = None,
    json_file: JsonFile = "",
    jobs: Annotated[
        int, typer.Option(min=1, help="Processes to use.", show_default="one per processor")
    ] = os.cpu_count() or 1,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Also check slow claims, and search deeper.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run every check; renew the cache.")] = False,
    record: Annotated[
        bool,
        typer.Option(
            "--record",
            help="For maintainers, after reviewing the differences: rewrite the ledger of claims and "
            "its searches, in the checkout in the current folder, from this run. Review them with "
            "git diff.",
        ),
    ] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="Print which claims took the most processor time.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of every check that raised.")
    ] = False,
) -> None:
    prepare(json_file)

    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.commands.table import counts, print_table
    from establish.proofs_check.commands.terminal import output
    from establish.proofs_check.engine.references import in_files
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.engine.statements.statement import PLAIN, THOROUGH

    if fresh and not patterns and jobs > 1:
        from establish.proofs_check.engine.runner import prepare_processes

        prepare_processes()
    selection = select(patterns or [])
    target = _ledger_to_write(selection) if record else None
    chosen = selection.to_check(thorough)
    start = time.perf_counter()
    effort = THOROUGH if thorough else PLAIN
    results = settled(chosen, selection.files, jobs, fresh, effort)
    took = time.perf_counter() - start
    records = [result.record for result in results]

    if json_file:
        rows = [
            {**record.to_json(), **in_files(chosen[record.id], selection.around(record.id))}
            for record in records
        ]
        write_json(json_file, rows)
    report = complaints() if json_file == STDOUT else output()
    if json_file != STDOUT:
        print_table(report, records)
    cached = sum(result.cached for result in results)
    report.print(f"{len(records)} claims in {took:.1f} s, {cached} of them cached")
    if left := len(selection.claims) - len(chosen):
        report.print(f"Skipped {left} slow claims (establish check --thorough runs them too)")
    if records:
        report.print(counts(records))
    for line in _not_run(results):
        report.print(line, soft_wrap=True)
    if profile:
        for line in _profile(results):
            report.print(line, soft_wrap=True)
    if debug:
        for result in results:
            if result.settlement.trace:
                complaints().print(f"\n{result.claim.id}\n{result.settlement.trace}")

    if target:
        known = ledger.rewritten(ledger.parse(target.read_text("utf-8")), records, selection.sources.claims)
        target.write_text(ledger.write(known), "utf-8")
        searched = _rewrite_searches(searches.with_ledger(target), selection, records)
        report.print(f"Recorded in {target}: review it with git diff.")
    else:
        known, searched = ledger.recorded(), searches.recorded()
    differences = _differences(selection, records, known, searched)
    for title, lines in differences.items():
        report.print(f"\n{title} ({len(lines)}):")
        for line in lines:
            report.print(f"  {line}", soft_wrap=True)
    if differences:
        raise typer.Exit(1)


def _ledger_to_write(selection: Selection) -> Path:
    if selection.own:
        raise Misuse("--record is for the claims of the sources: a file of your own has no ledger")
    return ledger.of_checkout(Path.cwd())


def _rewrite_searches(file: Path, selection: Selection, records: Sequence[Record]) -> searches.Searches:
    known = searches.rewritten(searches.read(file), records, selection.sources.claims)
    searches.save(file, known)
    return known


def settled(
    chosen: Mapping[str, Claim], files: tuple[Path, ...], jobs: int, fresh: bool, effort: int
) -> list[Result]:
    """Every result, in the order of the claims, with a progress bar on stderr meanwhile, or, where that is no
    terminal, a line every now and then.

    effort: about how many points adversaries try, at least.
    """
    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.engine.cache import Cache, folder
    from establish.proofs_check.engine.patience import SILENCE
    from establish.proofs_check.engine.runner import run

    results: dict[str, Result] = {}
    start = told = time.monotonic()
    with progress_bar(counted=True) as bar:
        task = bar.add_task("checking claims", total=len(chosen))
        for result in run(
            chosen.values(), cache=Cache(folder()), jobs=jobs, fresh=fresh, files=files, effort=effort
        ):
            results[result.claim.id] = result
            bar.advance(task)
            now = time.monotonic()
            if bar.disable and now - told > SILENCE:
                told = now
                words = f"{len(results)} of {len(chosen)} claims checked ({now - start:.0f} s)"
                print(words, file=sys.stderr, flush=True)
    return [results[id] for id in chosen]


def _not_run(results: Sequence[Result]) -> Iterator[str]:
    """One line for each library that claims need and that is not installed."""
    lacking: dict[str, list[str]] = {}
    for result in results:
        if result.settlement.lacks:
            reason = result.settlement.verdict.condition
            lacking.setdefault(reason, []).append(result.claim.id)
    for reason, ids in lacking.items():
        yield f"{len(ids)} not run, because {reason} ({', '.join(ids)})"


SLOWEST = 30
"""Claims in a profile."""


def _profile(results: Sequence[Result]) -> Iterator[str]:
    """The claims that took most processor time when they were run, each settlement once.

    What several checks share is counted to the one that ran first in its process.
    """
    each = {result.claim.same_as or result.claim.id: result for result in results}
    slowest = sorted(each.items(), key=lambda item: -item[1].settlement.cpu)
    total = sum(result.settlement.cpu for result in each.values())
    yield f"\nProcessor time: {total:.1f} s; the slowest {min(SLOWEST, len(each))} of {len(each)} checks:"
    for id, result in slowest[:SLOWEST]:
        yield f"  {result.settlement.cpu:7.2f} s  {id}  {result.claim.place}"


def _why(selection: Selection, record: Record, known: ledger.Ledger) -> str:
    """By what a claim lost its theorems, where the ledger has it as formal."""
    from establish.proofs_check.engine.formal_evidence import why_not_formal

    was = known[record.id].evidence if record.id in known else ""
    if was != Grade.FORMAL or record.evidence == was:
        return ""
    reason = why_not_formal(selection.claims[record.id])
    return f"; {reason}" if reason else ""


def _differences(
    selection: Selection, records: Sequence[Record], known: ledger.Ledger, searched: searches.Searches
) -> Mapping[str, Sequence[str]]:
    """What makes the run end with 1: differences from the ledger, and own claims left unsettled."""
    differing: dict[str, str] = {}
    unsettled: list[str] = []
    for record in records:
        if record.id in selection.own:
            if record.verdict == Outcome.UNSETTLED:
                unsettled.append(f"{record.id}: {record.condition}")
        elif found := ledger.compare(record, known) or searches.compare(record, searched):
            differing[record.id] = found + _why(selection, record, known)
    if selection.whole:
        differing.update(ledger.unregistered(known, selection.claims))
    told = {
        "Differences from the ledger": [f"{id}: {words}" for id, words in differing.items()],
        "Unsettled": unsettled,
    }
    return {title: lines for title, lines in told.items() if lines}
