"""``establish suppress audit``: what an attacker cannot rule out, for every suppressed cell."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.suppress import options

HELP = """For each suppressed cell, find the range of values that an attacker cannot rule out.

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
Each end of an interval is certified by published sums that anybody can add up, and attained by a table that
fits everything published. An interval with an end that is not attained is counted as an enclosure. The
command prints counts only.

\b
Exit status: 0 no cell is known exactly and every cell provably has the required protection (with --owners,
from owners too); 1 some cell does not, or the published cells contradict each other; 2 usage error, or a sum
differs from the sum of its published parts.
"""


def suppress_audit(
    tables: options.Tables,
    by: options.By = "",
    value: options.Column = "",
    total: options.Total = None,
    hierarchy: options.Hierarchy = None,
    codes: options.Codes = None,
    status: Annotated[
        str, typer.Option(metavar="COLUMN", help="s, z or blank: published; u, m, N: suppressed.")
    ] = "",
    dash: Annotated[str, typer.Option(help='A status "-" means unknown or zero.')] = "unknown",
    count: Annotated[str, typer.Option(metavar="COLUMN", help="The number of establishments.")] = "",
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
        typer.Option(metavar="COLUMN=LABEL,...", help="A cell whose value the attacker knows; needs --true."),
    ] = None,
    narrow: Annotated[
        str, typer.Option(metavar="P", help="Call intervals narrow below P% of their middle.")
    ] = "10",
    rules: options.Rules = None,
    contributions: options.Contributions = "",
    lpl: Annotated[str, typer.Option(metavar="COLUMN", help="Lower protection levels.")] = "",
    upl: Annotated[str, typer.Option(metavar="COLUMN", help="Upper protection levels.")] = "",
    spl: Annotated[
        str, typer.Option(metavar="COLUMN", help="Sliding protection levels: the least widths of intervals.")
    ] = "",
    owners: Annotated[
        bool,
        typer.Option(
            "--owners",
            help="Also show what owners learn; needs --count. With --true, owners know their values.",
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the intervals, mode 600.")
    ] = None,
    explain: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the intervals with their formulas, mode 600.")
    ] = None,
    likelihood: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write how likely each value is; needs random:B.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the proof of the intervals, mode 600.")
    ] = None,
    jj: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the problem as a JJ file, mode 600.")
    ] = None,
    force: Force = False,
) -> None:
    from establish.impl.suppression.confidential import TELL
    from establish.proofs_check.api import suppress as api
    from establish.proofs_check.api.suppression_files import owned
    from establish.proofs_check.commands.suppress import report

    files = {
        "json": out, "explain": explain, "likelihood": likelihood, "certificates": certificates, "jj": jj,
    }  # fmt: skip
    labels = by.split(",") if by else ()
    largest = contributions.split(",") if contributions else ()
    try:
        done = api.suppress_audit(
            tables, by=labels, value=value, total=total, hierarchy=hierarchy, codes=codes, status=status,
            dash=dash, count=count, lower=lower, upper=upper, true=true, attacker=attacks, knows=knows,
            narrow=narrow, rule=rules, contributions=largest, lpl=lpl, upl=upl, spl=spl,
            owners=owners, force=force, **files,
        )  # fmt: skip
    except api.ContradictionError as contradiction:
        report.tell_contradiction(contradiction)
        raise typer.Exit(1) from None
    # Files come first: who reads what is printed may close the pipe.
    report.tell_reading(done)
    report.tell(done)
    report.tell_verdicts(done)
    if done.open:
        report.say(f"{done.open} cells are published although a rule makes them sensitive")
    if done.learned is not None:
        report.tell_owners(done.learned)
    if done.seen is not None:
        report.tell_seen(len(owned(done.layout, done.cells, done.found)), done.seen)
    if likelihood is not None:
        report.tell_likelihood(done)
    for path in files.values():
        if path is not None:
            report.say(f"{path.name}: {TELL}")
    raise typer.Exit(1 if done.bad else 0)
