"""``establish suppress plan``: a pattern that an audit proves to be sufficient."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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

HELP = """Choose which cells to suppress, so that an audit proves every sensitive one protected.

\b
Example:
  establish suppress plan cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --contributions first,second --rule p:10 --out pattern.csv
  establish suppress plan cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --status status --cost cost --lpl lower --upl upper --out pattern.csv

\b
Sensitive cells are those whose protection level is above 0, by a rule or by columns of levels. With --status,
cells of status z are published, and those of status u, m or N stay suppressed; every cell has its value all
the same. The pattern is cheap, not the cheapest; that it protects is proved by the last audit. What owners of
cells know of each other is not part of the plan. It ends with 0; with 1 when a cell of status u without a
protection level is known exactly; with 2 when a cell cannot be protected.
"""


def suppress_plan(
    tables: Tables,
    by: By,
    value: Column,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the pattern as CSV, mode 600.")],
    total: Total = None,
    hierarchy: Hierarchy = None,
    codes: Codes = None,
    rules: Rules = None,
    contributions: Contributions = "",
    lpl: Annotated[str, typer.Option(metavar="COLUMN", help="Lower protection levels.")] = "",
    upl: Annotated[str, typer.Option(metavar="COLUMN", help="Upper protection levels.")] = "",
    status: Annotated[
        str, typer.Option(metavar="COLUMN", help="z: must be published; u, m, N: stays suppressed.")
    ] = "",
    cost: Annotated[str, typer.Option(metavar="COLUMN", help="Costs of suppressing each cell.")] = "",
    price: Annotated[
        str, typer.Option(help="The cost of suppressing a cell: its value, or one for each cell.")
    ] = "value",
    attacks: Annotated[
        str, typer.Option("--attacker", metavar="WORDS", help="As for audit.")
    ] = "nonnegative",
    force: Force = False,
) -> None:
    from establish.proofs_check.api import suppress_plan as api
    from establish.proofs_check.commands.suppress import patterns, report

    labels, largest = by.split(","), contributions.split(",") if contributions else ()
    planned = api.suppress_plan(
        tables, by=labels, value=value, total=total, hierarchy=hierarchy, codes=codes, rule=rules,
        contributions=largest, lpl=lpl, upl=upl, status=status, cost=cost, price=price, attacker=attacks,
        out=out, force=force,
    )  # fmt: skip
    report.tell_absent(planned.absent)
    patterns.tell_pattern(planned)
    report.say(f"{out.name}: status u is sensitive, m complementary; their values are left out")
    raise typer.Exit(1 if planned.exposed else 0)
