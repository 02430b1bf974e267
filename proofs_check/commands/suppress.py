"""``establish suppress``: what suppressed cells give away, with proofs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from establish.impl.suppression.audit import Answer, Contradiction, audit
from establish.impl.suppression.cells import Cells, read_cells, table_rows
from establish.impl.suppression.certificate import certificate_file
from establish.impl.suppression.confidential import TELL, require_writable
from establish.impl.suppression.engines import highs
from establish.impl.suppression.formulas import Formulas
from establish.impl.suppression.jj import JJ, read_jj, write_jj
from establish.impl.suppression.layout import Attacker, Cell, Layout, attacker, hierarchy_files
from establish.impl.suppression.plan import plan
from establish.impl.suppression.requirements import levels
from establish.impl.suppression.search import Sink, Unsettled
from establish.impl.suppression.sums import Problem, problem, problem_of_sums
from establish.impl.suppression.verdicts import intervals, verdict
from establish.impl.suppression.verify import Refused, csv_rows, verify
from establish.proofs_check.commands import suppress_report as report
from establish.proofs_check.commands.terminal import complaints, output, progress_bar
from establish.proofs_check.engine.misuse import Misuse
from establish.spec.disclosure_limitation.protection import rule
from establish.spec.parameters import ParameterError, exact

app = typer.Typer(
    help="Audit, verify and plan cell suppression.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

AUDIT = """Tell, for every suppressed cell, what an attacker cannot rule out.

\b
Examples:
  establish suppress audit cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --status status --attacker nonnegative --json out.json
  establish suppress audit cells.parquet --by area,naics --total area=US --hierarchy naics=naics \\
      --value jobs --status status --attacker nonnegative,integers --certificates out.certificate

\b
Both ends of every interval are certified (by published sums that anybody can add up) and attained (by
a table that fits everything published); an end that is not attained is an enclosure, and is counted
as one. Prints counts only. Ends with status 0 when no cell is known exactly and none has less
protection than is required, 1 when there is such a cell or the publication contradicts itself, 2 for misuse.
"""

Tables = Annotated[
    list[Path], typer.Argument(metavar="TABLE...", help="Cells: .csv, .csv.gz, .parquet or .jj.")
]
By = Annotated[str, typer.Option(metavar="COLUMN,...", help="The label columns.")]
Total = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN=LABEL", help="The label of the total.")
]
Hierarchy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=FILE",
        help="A .hrc file, a .csv file (@,label or label,parent), prefix, naics or flat.",
    ),
]
Column = Annotated[str, typer.Option(metavar="COLUMN")]


Rules = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="p:P|pq:P,Q|nk:N,K", help="Needs --contributions."),
]
Contributions = Annotated[
    str, typer.Option(metavar="COLUMN,...", help="The largest contributions, largest first.")
]


def _layout(
    by: str,
    value: str,
    total: list[str] | None,
    hierarchy: list[str] | None,
    contributions: str,
    **columns: str,
) -> Layout:
    return Layout(
        by=tuple(by.split(",")),
        value=value,
        totals=dict(_pair("--total", text) for text in total or ()),
        hierarchies=tuple(_pair("--hierarchy", text) for text in hierarchy or ()),
        contributions=tuple(contributions.split(",")) if contributions else (),
        **columns,
    )


@app.command("audit", help=AUDIT)
def audit_command(
    tables: Tables,
    by: By = "",
    value: Column = "",
    total: Total = None,
    hierarchy: Hierarchy = None,
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
            help="sums, or some of nonnegative,integers,counts,bounds,box,within:Q,nearest:B,random:B.",
        ),
    ] = "nonnegative",
    knows: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=LABEL,...", help="A cell that the attacker knows; needs --true."
        ),
    ] = None,
    narrow: Annotated[
        str, typer.Option(metavar="P", help="Count intervals narrower than P% of their middle.")
    ] = "10",
    rules: Rules = None,
    contributions: Contributions = "",
    lpl: Annotated[str, typer.Option(metavar="COLUMN", help="Lower protection levels.")] = "",
    upl: Annotated[str, typer.Option(metavar="COLUMN", help="Upper protection levels.")] = "",
    owners: Annotated[
        bool, typer.Option("--owners", help="Also what owners learn; needs --count.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the intervals, mode 600.")
    ] = None,
    explain: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write them with their formulas, mode 600.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what proves them, mode 600.")
    ] = None,
    jj: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the problem as a JJ file, mode 600.")
    ] = None,
) -> None:
    of_jj = [path.suffix.lower() == ".jj" for path in tables]
    if any(of_jj):
        _require(
            len(tables) == 1 and not (by or value), "a .jj file is audited alone, without --by"
        )
        _require(certificates is None, "--certificates needs a .csv or .parquet table, not .jj")
    else:
        _require(bool(by and value), "--by and --value are missing")
    layout = _layout(
        by, value, total, hierarchy, contributions, status=status, dash=dash, count=count,
        lower=lower, upper=upper, true=true, lpl=lpl, upl=upl,
    )  # fmt: skip
    _require(bool(rules) == bool(contributions), "--rule and --contributions need each other")
    _require(bool(count) or not owners, "--owners needs --count")
    width = exact("--narrow", narrow)
    files = {"--json": out, "--explain": explain, "--certificates": certificates, "--jj": jj}
    for option, path in files.items():
        if path is not None:
            require_writable(option, path)
    known = attacker(attacks, tuple(_cell(layout, text) for text in knows or ()))
    cells, asked, layout = _load(tables, layout, known)
    needed = levels(cells, layout, [rule(text) for text in rules or ()])
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
    report.tell(asked, known, answer, found)
    report.tell_verdicts(asked, layout, cells, found, words)
    if owners:
        report.tell_owners(asked, layout, cells, found)
    if out is not None:
        report.write_intervals(out, asked, layout, found)
    if explain is not None:
        report.write_explained(explain, asked, layout, found, words, formulas)
    for path in files.values():
        if path is not None:
            report.say(f"{path.name}: {TELL}")
    raise typer.Exit(1 if report.bad(words) else 0)


def _load(tables: list[Path], layout: Layout, known: Attacker) -> tuple[Cells, Problem, Layout]:
    if tables[0].suffix.lower() == ".jj":
        cells, sums = read_jj(tables[0])
        return cells, problem_of_sums(cells, sums, JJ, known), JJ
    cells = read_cells(tables, layout)
    return cells, problem(cells, layout, known), layout


def _require(met: bool, says: str) -> None:
    if not met:
        raise Misuse(says)


def _pair(option: str, text: str) -> tuple[str, str]:
    name, sign, label = text.partition("=")
    if not sign or not name:
        raise Misuse(f"{option} {text} is not COLUMN=...")
    return name, label


def _cell(layout: Layout, text: str) -> Cell:
    given = dict(_pair("--knows", part) for part in text.split(","))
    if set(given) != set(layout.by):
        raise Misuse(f"--knows {text} must give each of {', '.join(layout.by)}")
    return tuple(given[name] for name in layout.by)


def _answer(asked: Problem, known: Attacker, sinks: Sequence[Sink]) -> Answer:
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


VERIFY = """Check a certificate against the table: every sum is derived again, and no solver is used.

\b
Example:
  establish suppress verify out.certificate cells.csv

\b
The checker is one file of the standard library's Python, impl/suppression/verify.py, to be read by whoever
doubts the audit. It tells how the table was read and who the attacker is; check that this is what you
mean. Ends with status 0 when everything is proved, 1 when anything is not, 2 for misuse.
"""


@app.command("verify", help=VERIFY)
def verify_command(
    certificate: Annotated[Path, typer.Argument(metavar="FILE", help="What audit wrote.")],
    tables: Tables,
) -> None:
    for path in (certificate, *tables):
        if not path.is_file():
            raise Misuse(f"{path} is not a file")
    console = output()
    try:
        with progress_bar() as bar:
            bar.add_task("checking", total=None)
            head, done = verify(certificate, tables, _rows)
    except Refused as refused:
        console.print(f"refused: {refused}")
        raise typer.Exit(1) from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError):
        console.print("refused: the file is not a certificate of this table")
        raise typer.Exit(1) from None
    console.print(f"layout: {json.dumps(head['layout'], ensure_ascii=False)}", soft_wrap=True)
    console.print(f"attacker: {json.dumps(head['attacker'], ensure_ascii=False)}", soft_wrap=True)
    attained = sum(done.proved.values())
    console.print(
        f"{len(done.proved)} ends of {len(done.x)} cells certified, {attained} of them attained"
    )


def _rows(path: Path) -> Iterable[dict[str, object]]:
    """Parquet has no reader in the standard library; its rows are read as the audit reads them."""
    return table_rows(path)[1] if path.suffix.lower() == ".parquet" else csv_rows(path)


PLAN = """Choose which cells to suppress, so that an audit proves every sensitive one protected.

\b
Example:
  establish suppress plan cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --contributions first,second --rule p:10 --out pattern.csv

\b
Sensitive cells are those whose protection level is above 0, by a rule or by columns of levels. The pattern is
cheap, not the cheapest; that it protects is proved by the last audit. What owners of cells know of each
other is not part of the plan. Ends with status 0, or with 2 when a cell cannot be protected.
"""


@app.command("plan", help=PLAN)
def plan_command(
    tables: Tables,
    by: By,
    value: Column,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the pattern as CSV, mode 600.")],
    total: Total = None,
    hierarchy: Hierarchy = None,
    rules: Rules = None,
    contributions: Contributions = "",
    lpl: Annotated[str, typer.Option(metavar="COLUMN", help="Lower protection levels.")] = "",
    upl: Annotated[str, typer.Option(metavar="COLUMN", help="Upper protection levels.")] = "",
    price: Annotated[
        str, typer.Option(help="What suppressing a cell costs: its value, or one for each.")
    ] = "value",
    attacks: Annotated[
        str, typer.Option("--attacker", metavar="WORDS", help="As for audit.")
    ] = "nonnegative",
) -> None:
    layout = _layout(by, value, total, hierarchy, lpl=lpl, upl=upl, contributions=contributions)
    _require(price in ("value", "one"), f"--price {price} is not value or one")
    _require(bool(rules) == bool(contributions), "--rule and --contributions need each other")
    _require(bool(rules) or bool(lpl or upl), "--rule, --lpl or --upl is missing")
    require_writable("--out", out)
    known = attacker(attacks)
    _require(not known.base, "a plan is for suppression, not for rounded tables")
    cells = read_cells(tables, layout)
    needed = levels(cells, layout, [rule(text) for text in rules or ()], published=True)
    own = [Fraction(entry.value or 0) for entry in cells.values()]
    prices = [Fraction(1) if price == "one" else abs(amount) for amount in own]
    with progress_bar() as bar:
        task = bar.add_task("planning", total=None)
        found = plan(
            cells, layout, known, needed, prices,
            lambda done, all: bar.update(task, completed=done, total=all),
        )  # fmt: skip
    report.write_pattern(out, layout, cells, found)
    report.tell_pattern(known, cells, found, prices)
    report.say(f"{out.name}: status u is sensitive, m complementary; their values are left out")
