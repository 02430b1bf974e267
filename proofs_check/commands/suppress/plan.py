"""``establish suppress plan``: a pattern that an audit proves to be sufficient."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    from establish.impl.suppression.cells import read_cells
    from establish.impl.suppression.confidential import require_writable
    from establish.impl.suppression.layout import attacker, hierarchy_files, require_columns_of
    from establish.impl.suppression.plan import costs, plan, settled
    from establish.impl.suppression.requirements import levels
    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.commands.suppress import patterns, report
    from establish.proofs_check.commands.suppress.inputs import (
        codes_left_out,
        layout_of,
        require,
        require_contributions,
    )
    from establish.spec.disclosure_limitation.protection import rule

    layout = layout_of(
        by, value, total, hierarchy, lpl=lpl, upl=upl, contributions=contributions,
        status=status, dash="", cost=cost, true=value if status else "",
    )  # fmt: skip
    require(price in ("value", "one"), f"--price {price} is not value or one")
    require(not cost or price == "value", "--price and --cost exclude each other")
    require_contributions(rules, contributions)
    require(bool(rules) or bool(lpl or upl), "--rule, --lpl or --upl is missing")
    require_writable({"--out": out}, [*tables, *hierarchy_files(layout)])
    require_free({"--out": out}, force)
    known = attacker(attacks)
    require_columns_of(layout, known)
    require(not known.base, "a plan is for suppression, not for rounded tables")
    cells, given = settled(read_cells(tables, layout), layout.true)
    absent = codes_left_out(cells, layout, codes)
    needed = levels(cells, layout, [rule(text) for text in rules or ()], published=True)
    prices = costs(cells, layout, by_value=price == "value")
    with progress_bar() as bar:
        task = bar.add_task("planning", total=None)
        found = plan(
            cells, layout, known, needed, prices,
            lambda done, all: bar.update(task, completed=done, total=all), given,
        )  # fmt: skip
    patterns.write_pattern(out, layout, cells, found)
    report.tell_absent(absent)
    patterns.tell_pattern(known, cells, found, prices)
    exposed = patterns.tell_given(cells, given, needed, found)
    report.say(f"{out.name}: status u is sensitive, m complementary; their values are left out")
    raise typer.Exit(1 if exposed else 0)
