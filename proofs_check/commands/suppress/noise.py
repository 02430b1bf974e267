"""``establish suppress noise``: what multiplicative noise leaves open for cells of one establishment."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.suppress.options import By, Column, Tables

HELP = """Show what multiplicative noise (EZS) reveals about establishments alone in their cell.

\b
Examples:
  establish suppress noise noisy.csv --by region,industry --value jobs,wages --count establishments \\
      --factors 1/20,1/10 --json out.json
  establish suppress noise spring.csv again.csv --by region,industry --value jobs --count establishments \\
      --factors 1/20,1/10 --redrawn

\b
Each establishment has its own factor f with s <= |f - 1| <= t, which multiplies all its values. So the tables
reveal exact ratios of its values: wages per job, shares, growth from one table to the next. With --redrawn,
each table shows the same values with new factors, and a value stays possible only if every table allows it.
With --rounded, tables show the nearest whole number. With --whole, true values are whole numbers, and often
only one fits. The command prints counts only.

\b
Exit status: 0 nothing is known exactly; 1 a ratio or a value is known exactly, or no whole values fit the
tables; 2 usage error.
"""


def suppress_noise(
    tables: Tables,
    by: By,
    value: Annotated[str, typer.Option(metavar="COLUMN,...", help="Noisy values.")],
    count: Column,
    factors: Annotated[str, typer.Option(metavar="S,T", help="The range of |f - 1|, from S to T.")],
    redrawn: Annotated[
        bool, typer.Option("--redrawn", help="Each table shows the same values with new factors.")
    ] = False,
    rounded: Annotated[bool, typer.Option("--rounded", help="Values are rounded to whole numbers.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="True values are whole numbers.")] = False,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write what is known, mode 600.")
    ] = None,
    force: Force = False,
) -> None:
    from establish.impl.suppression.confidential import TELL, require_writable
    from establish.impl.suppression.noise import alone, known
    from establish.proofs_check.api.suppression_inputs import require
    from establish.proofs_check.commands.suppress import report
    from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise
    from establish.spec.mechanisms.noise_infusion import FactorRange

    ends = factors.split(",")
    require(len(ends) == 2, f"--factors {factors} is not S,T")
    noise = MultiplicativeNoise(FactorRange(*ends), rounding=rounded)
    require_writable({"--json": out}, tables)
    require_free({"--json": out}, force)
    names = tuple(by.split(","))
    found = [
        known(noise, shown, redrawn=redrawn, whole=whole)
        for shown in alone(tables, names, tuple(value.split(",")), count)
    ]
    if out is not None:
        report.write_noise(out, names, found)
    report.tell_noise(noise, found, len(tables), redrawn, whole)
    if out is not None:
        report.say(f"{out.name}: {TELL}")
    known_exactly = any(one.ratios_known or one.values_known or one.impossible for one in found)
    raise typer.Exit(1 if known_exactly else 0)
