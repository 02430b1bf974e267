"""``establish suppress plan``: a pattern that an audit proves to be sufficient."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.suppress import options

HELP = """Choose the cells to suppress so that every sensitive cell is provably protected.

\b
Example:
  establish suppress plan cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --contributions first,second --rule p:10 --out pattern.csv
  establish suppress plan cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --status status --cost cost --lpl lower --upl upper --out pattern.csv

\b
A cell is sensitive when its protection level is above 0, by a rule or by the columns of levels. With
--status, cells of status z must be published, and cells of status u, m or N stay suppressed; the table must
still give every cell's value. The plan's cost is low but not always the lowest; a final audit proves that it
protects. The plan ignores what owners of cells know about each other.

\b
Exit status: 0 every sensitive cell is protected; 1 a cell of status u without a protection level is known
exactly; 2 usage error, or a cell cannot be protected.
"""


def suppress_plan(
    tables: options.Tables,
    by: options.By,
    value: options.Column,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the pattern as CSV, mode 600.")],
    total: options.Total = None,
    hierarchy: options.Hierarchy = None,
    codes: options.Codes = None,
    rules: options.Rules = None,
    contributions: options.Contributions = "",
    lpl: Annotated[str, typer.Option(metavar="COLUMN", help="Lower protection levels.")] = "",
    upl: Annotated[str, typer.Option(metavar="COLUMN", help="Upper protection levels.")] = "",
    status: Annotated[
        str, typer.Option(metavar="COLUMN", help="z: must be published; u, m, N: stay suppressed.")
    ] = "",
    cost: Annotated[str, typer.Option(metavar="COLUMN", help="The cost of suppressing each cell.")] = "",
    price: Annotated[
        str, typer.Option(help="Without --cost: value, a cell costs its value; one, each cell costs 1.")
    ] = "value",
    attacks: Annotated[
        str, typer.Option("--attacker", metavar="WORDS", help="The attacker, as for suppress audit.")
    ] = "nonnegative",
    force: Force = False,
) -> None:
    from establish.proofs_check.api import suppress_plan as api
    from establish.proofs_check.commands.suppress import report

    labels, largest = by.split(","), contributions.split(",") if contributions else ()
    planned = api.suppress_plan(
        tables, by=labels, value=value, total=total, hierarchy=hierarchy, codes=codes, rule=rules,
        contributions=largest, lpl=lpl, upl=upl, status=status, cost=cost, price=price, attacker=attacks,
        out=out, force=force,
    )  # fmt: skip
    report.tell_pattern(planned)
    report.say(f"{out.name}: status u marks sensitive cells, m complementary ones; their values are left out")
    raise typer.Exit(1 if planned.exposed else 0)
