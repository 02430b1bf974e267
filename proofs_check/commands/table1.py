"""``establish table1``: Table 1 of Haney et al. 2017, computed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.spec.parameters import positive

if TYPE_CHECKING:
    from establish.proofs_check.implications.requirement_table import Row

HELP = """Compute Table 1 of Haney et al. 2017: which definition implies which requirement.

\b
Examples:
  establish table1
  establish table1 --alpha 1/2 --epsilon "ln 3" --json table1.json

\b
Each entry is the least level, as a multiple of ε, at which the definition implies the requirement on every
universe of the family, with the attacker and the mechanism that require it.
"""

NOISE_INFUSION = "haney2017/table-1/noise-infusion"
"""The claim on the protection system that is no definition."""


def table1(
    alpha: Annotated[str, typer.Option(help="α > 0, exact.")] = "1",
    epsilon: Annotated[str, typer.Option(help="ε > 0 with e^ε rational.")] = "ln 2",
    json_file: JsonFile = "",
) -> None:
    prepare(json_file)
    share = positive("alpha", alpha)

    from establish.proofs_check.implications.levels import rational_level
    from establish.proofs_check.implications.requirement_table import computed_rows

    c = rational_level(epsilon)
    start = time.perf_counter()
    rows = [_noise_infusion(), *computed_rows(share, c)]
    took = time.perf_counter() - start
    if not json_only(json_file, [asdict(row) for row in rows]):
        _print(rows, share, c, took)


def _noise_infusion() -> Row:
    """The row of the protection system that is no definition: what its claim settles."""
    from establish.proofs_check.engine.register import alone, imported
    from establish.proofs_check.implications.requirement_table import Cell, Row

    claim = alone(NOISE_INFUSION)
    assert claim is not None
    witness = f"{imported(claim).check().value} (establish show {claim.id})"
    refuted = Cell("No", "no: ∞", witness)
    return Row("noise infusion", "input noise infusion", (refuted, refuted, Cell("", "-", ""), refuted))


def _print(rows: Sequence[Row], alpha: Fraction, c: Fraction, took: float) -> None:
    from establish.proofs_check.commands.terminal import output, table_of
    from establish.proofs_check.implications.definitions import in_words, small_universe
    from establish.proofs_check.implications.requirement_table import COLUMNS, FAMILY

    console = output()
    console.print(f"Table 1 computed: α = {alpha}, ε = ln {c}; each entry is printed / computed")
    lines = ((row.title, *(f"{cell.printed or '-'} / {cell.computed}" for cell in row.cells)) for row in rows)
    console.print(table_of(("definition", *COLUMNS), lines))
    console.print("* printed for weak attackers only")
    console.print("\nLeast level as a multiple of ε, by universe (- : nothing to compare)")
    for number, universe in enumerate(FAMILY, start=1):
        console.print(f"  U{number}: {in_words(small_universe(*universe))}")
    titles = ("definition", "requirement", *(f"U{number}" for number in range(1, len(FAMILY) + 1)))
    lines = (
        (row.name, column, *cell.levels)
        for row in rows
        for column, cell in zip(COLUMNS, row.cells, strict=True)
        if cell.levels
    )
    console.print(table_of(titles, lines, right=2))
    console.print("\nWhy: the worst case behind each entry")
    for row in rows:
        for column, cell in zip(COLUMNS, row.cells, strict=True):
            if cell.witness:
                console.print(f"  {row.name}, {column}: {cell.witness}", soft_wrap=True)
    console.print(
        "\nEvidence: exhaustive on these universes, exact; informed attackers are all product priors. A "
        f"larger universe may need a larger level. {took:.1f} s",
        soft_wrap=True,
    )
