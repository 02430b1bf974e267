"""``establish suppress noise``: what multiplicative noise leaves open for cells of one establishment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.suppress.options import By, Column, Tables

HELP = """Tell what multiplicative noise (EZS) gives away of establishments that are alone in a cell.

\b
Examples:
  establish suppress noise noisy.csv --by region,industry --value jobs,wages --count establishments \\
      --factors 1/20,1/10 --json out.json
  establish suppress noise spring.csv again.csv --by region,industry --value jobs --count establishments \\
      --factors 1/20,1/10 --redrawn

\b
Every value of an establishment is multiplied by its own factor f with s <= |f - 1| <= t. Values that share a
factor have exactly known ratios: wages per job, shares, growth from one table to the next. With --redrawn
each table shows the same values with new factors; what stays open is what every table leaves open. With
--rounded, tables show the nearest whole number. With --whole, true values are whole numbers, and often one
possibility is left. The command prints counts only. It ends with 1 when a ratio or a value is known exactly,
or when no whole values fit the tables; with 0 otherwise; with 2 for misuse.
"""


def suppress_noise(
    tables: Tables,
    by: By,
    value: Annotated[str, typer.Option(metavar="COLUMN,...", help="Noisy values.")],
    count: Column,
    factors: Annotated[str, typer.Option(metavar="S,T", help="Factors are S to T away from 1.")],
    redrawn: Annotated[
        bool, typer.Option("--redrawn", help="Tables repeat the same values with new factors.")
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
