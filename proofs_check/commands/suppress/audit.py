"""``establish suppress audit``: what an attacker cannot rule out, for every suppressed cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.suppress.options import (
    By,
    Codes,
    Column,
    Contributions,
    Hierarchy,
    Rules,
    Tables,
    Total,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from establish.impl.suppression.audit import Answer
    from establish.impl.suppression.cells import Cells
    from establish.impl.suppression.formulas import Formulas
    from establish.impl.suppression.layout import Attacker, Layout
    from establish.impl.suppression.search import Sink
    from establish.impl.suppression.sums import Problem
    from establish.impl.suppression.verdicts import Interval, Level

HELP = """Tell, for every suppressed cell, what an attacker cannot rule out.

\b
Examples:
  establish suppress audit cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --status status --attacker nonnegative --json out.json
  establish suppress audit cells.parquet --by area,naics --total area=US --hierarchy naics=naics \\
      --value jobs --status status --attacker nonnegative,integers --certificates out.certificate
  establish suppress audit rounded.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --attacker nonnegative,integers,random:5 --likelihood likely.json
  establish suppress audit table.jj --attacker nonnegative,bounds --certificates out.certificate
  establish suppress audit qcew.csv --by area_fips,industry_code --hierarchy area_fips=fips \\
      --hierarchy industry_code=qcew --value month3_emplvl --status disclosure_code

\b
Both ends of every interval are certified (by published sums that anybody can add up) and attained (by
a table that fits everything published); an end that is not attained is an enclosure, and is counted
as one. The command prints counts only. It ends with 0 when no cell is known exactly and every cell is
proved to have the protection that is required, from owners too where --owners asks for them; with 1 when
this is not so, or when the publication contradicts itself; with 2 for misuse, and for a single sum that
differs from the sum of its published parts.
"""


def suppress_audit(
    tables: Tables,
    by: By = "",
    value: Column = "",
    total: Total = None,
    hierarchy: Hierarchy = None,
    codes: Codes = None,
    status: Annotated[
        str, typer.Option(metavar="COLUMN", help="s, z or blank: published; u, m, N: suppressed.")
    ] = "",
    dash: Annotated[str, typer.Option(help='A status "-" means unknown or zero.')] = "unknown",
    count: Annotated[str, typer.Option(metavar="COLUMN", help="Counts of establishments.")] = "",
    lower: Annotated[str, typer.Option(metavar="COLUMN", help="Known lower bounds.")] = "",
    upper: Annotated[str, typer.Option(metavar="COLUMN", help="Known upper bounds.")] = "",
    true: Annotated[str, typer.Option(metavar="COLUMN", help="True values of all cells.")] = "",
    attacks: Annotated[
        str,
        typer.Option(
            "--attacker",
            metavar="WORDS",
            help="sums, or some of nonnegative,integers,counts,bounds,box,within:Q, and one of "
            "nearest:B, random:B, controlled:B for rounded tables.",
        ),
    ] = "nonnegative",
    knows: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=LABEL,...", help="A cell that the attacker knows; needs --true."),
    ] = None,
    narrow: Annotated[
        str, typer.Option(metavar="P", help="Count intervals narrower than P% of their middle.")
    ] = "10",
    rules: Rules = None,
    contributions: Contributions = "",
    lpl: Annotated[str, typer.Option(metavar="COLUMN", help="Lower protection levels.")] = "",
    upl: Annotated[str, typer.Option(metavar="COLUMN", help="Upper protection levels.")] = "",
    spl: Annotated[str, typer.Option(metavar="COLUMN", help="Least widths of intervals.")] = "",
    owners: Annotated[
        bool,
        typer.Option(
            "--owners",
            help="Tell what owners learn, too; needs --count. With --true each owner knows its value.",
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the intervals, mode 600.")
    ] = None,
    explain: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write them with their formulas, mode 600.")
    ] = None,
    likelihood: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write how likely each value is; needs random:B.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what proves them, mode 600.")
    ] = None,
    jj: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the problem as a JJ file, mode 600.")
    ] = None,
    force: Force = False,
) -> None:
    from establish.impl.suppression.certificate import certificate_file
    from establish.impl.suppression.confidential import TELL, require_writable
    from establish.impl.suppression.formulas import Formulas
    from establish.impl.suppression.jj import write_jj
    from establish.impl.suppression.layout import assumed, attacker, hierarchy_files
    from establish.impl.suppression.likelihood import posteriors
    from establish.impl.suppression.requirements import levels, published_though_sensitive
    from establish.impl.suppression.verdicts import intervals, verdict
    from establish.proofs_check.commands.suppress import report
    from establish.proofs_check.commands.suppress.inputs import (
        cell_of,
        codes_left_out,
        layout_of,
        load,
        require,
        require_contributions,
    )
    from establish.spec.disclosure_limitation.protection import rule
    from establish.spec.parameters import exact

    of_jj = [path.suffix.lower() == ".jj" for path in tables]
    if any(of_jj):
        require(len(tables) == 1 and not (by or value), "a .jj file is audited alone, without --by")
    else:
        require(bool(by and value), "--by and --value are missing")
    layout = layout_of(
        by, value, total, hierarchy, contributions, status=status, dash=dash, count=count,
        lower=lower, upper=upper, true=true, lpl=lpl, upl=upl, spl=spl,
    )  # fmt: skip
    require_contributions(rules, contributions)
    require(bool(count) or not owners, "--owners needs --count")
    width = exact("--narrow", narrow)
    require(width >= 0, f"--narrow {narrow} is not allowed: it is at least 0")
    files = {
        "--json": out, "--explain": explain, "--likelihood": likelihood,
        "--certificates": certificates, "--jj": jj,
    }  # fmt: skip
    require_writable(files, [*tables, *hierarchy_files(layout)])
    require_free(files, force)
    known = attacker(attacks, tuple(cell_of(layout, text) for text in knows or ()))
    require(likelihood is None or known.rounding == "random", "--likelihood needs random:B")
    cells, asked, layout = load(tables, layout, known)
    absent = codes_left_out(cells, layout, codes)
    asked_rules = [rule(text) for text in rules or ()]
    needed = levels(cells, layout, asked_rules)
    open_ = published_though_sensitive(cells, layout, asked_rules)
    if jj is not None:
        write_jj(jj, asked, cells, layout, needed)
    formulas = Formulas()
    with ExitStack() as stack:
        sinks: list[Sink] = [formulas] if explain is not None else []
        if certificates is not None:
            inputs = [*tables, *hierarchy_files(layout)]
            writer = certificate_file(certificates, inputs, layout, known, asked)
            sinks.append(stack.enter_context(writer))
        answer = _answer(asked, known, sinks)
    found = intervals(asked, answer)
    words = [verdict(one, width, needed.get(one.place)) for one in found]
    seen = _seen(asked, layout, cells, known, found, width, needed) if owners and layout.true else None
    # Files come first: who reads what is printed may close the pipe.
    if out is not None:
        report.write_intervals(out, asked, layout, found, words, assumed(layout, known), seen or {})
    if explain is not None:
        _shorten(asked, found, words, formulas)
        report.write_explained(
            explain, asked, layout, found, words, formulas, assumed(layout, known), seen or {}
        )
    laws = posteriors(asked, answer, cells, int(known.base)) if likelihood is not None else {}
    if likelihood is not None:
        report.write_likelihood(likelihood, asked, layout, laws, assumed(layout, known))
    report.tell_reading(asked, layout, cells, absent)
    report.tell(asked, layout, known, answer, found)
    report.tell_verdicts(asked, layout, cells, found, words)
    if open_:
        report.say(f"published, though a rule calls them sensitive: {open_} cells")
    learned = owners and report.tell_owners(asked, layout, cells, found)
    if seen is not None:
        report.tell_seen(len(report.owned(layout, cells, found)), seen)
    if likelihood is not None:
        report.tell_likelihood(asked, laws)
    for path in files.values():
        if path is not None:
            report.say(f"{path.name}: {TELL}")
    judged = [*words, *(seen or {}).values()]
    raise typer.Exit(1 if open_ or learned or report.bad(judged) else 0)


def _shorten(asked: Problem, found: Sequence[Interval], words: Sequence[str], formulas: Formulas) -> None:
    """Shorter formulas for what is known too well: the others are not what one wants to explain."""
    from establish.impl.suppression.presolve import LOWER, UPPER
    from establish.impl.suppression.short_formulas import Shortening
    from establish.impl.suppression.verdicts import EXACT, NARROW, SHORT
    from establish.proofs_check.api.progress import progress_bar

    shortening = Shortening(asked.table)
    at = {place: k for k, place in enumerate(asked.unknown)}
    bad = [at[one.place] for one, word in zip(found, words, strict=True) if word in (EXACT, NARROW, SHORT)]
    with progress_bar() as bar:
        for place in bar.track(bad, description="shortening"):
            for side in (LOWER, UPPER):
                formulas.shorten(place, side, shortening)


def _seen(
    asked: Problem, layout: Layout, cells: Cells, known: Attacker, found: Sequence[Interval],
    narrow: Fraction, needed: Mapping[int, Level],
) -> dict[int, str]:  # fmt: skip
    """What the best informed owner sees of each cell but its own: the worst verdict."""
    from establish.impl.suppression.attacker_bounds import true_value
    from establish.impl.suppression.owner_audits import seen_by_owners
    from establish.impl.suppression.verdicts import verdict, worst
    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.commands.suppress import report

    entries = list(cells.values())
    values = {
        place: true_value(asked.names[place], entries[place], layout)
        for place in report.owned(layout, cells, found)
    }
    words: dict[int, str] = {}
    with progress_bar() as bar:
        task = bar.add_task("owners", total=len(values))
        for _, own in seen_by_owners(
            asked, values, known.integers, lambda done, all: bar.update(task, completed=done)
        ):
            for one in own:
                word = verdict(one, narrow, needed.get(one.place))
                words[one.place] = worst([word, words.get(one.place, word)])
    return words


def _answer(asked: Problem, known: Attacker, sinks: Sequence[Sink]) -> Answer:
    from establish.impl.suppression.audit import Contradiction, audit
    from establish.impl.suppression.engines import highs
    from establish.impl.suppression.search import Unsettled
    from establish.proofs_check.api.progress import complaints, progress_bar
    from establish.proofs_check.commands.suppress import report
    from establish.spec.parameters import ParameterError

    if highs() is None:
        complaints().print(
            "establish: highspy is not installed (extra suppress): the exact simplex method takes its "
            "place, for small tables only"
        )
    try:
        with progress_bar() as bar:
            task = bar.add_task("auditing", total=None)
            return audit(
                asked, known.integers, sinks,
                lambda done, all: bar.update(task, completed=done, total=all),
            )  # fmt: skip
    except Contradiction as contradiction:
        report.tell_contradiction(asked, contradiction)
        raise typer.Exit(1) from None
    except Unsettled:
        raise ParameterError(
            "neither a table that fits the published cells was found nor a proof that there is none"
        ) from None
