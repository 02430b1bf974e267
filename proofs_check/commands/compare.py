"""``establish compare``: the mechanisms for counts beside the limit."""

from __future__ import annotations

from decimal import ROUND_FLOOR
from pathlib import Path
from typing import Annotated, Any

import typer

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.commands.compare_picture import draw, require_ending
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json
from establish.proofs_check.commands.limit import require_small_certificate
from establish.proofs_check.commands.options import Force
from establish.spec.parameters import positive

HELP = """Compare the mechanisms for counts: expected error by size of cell, beside the limit.

\b
Examples:
  establish compare --alpha 1/10 --epsilon 2
  establish compare --alpha 1/10 --epsilon 2 --delta 1/1000 --json -
  establish compare --alpha 1/10 --epsilon 2 --out errors.svg

\b
Errors are E|out − n| in units of max(α·n, 1), before any rounding (whole-staircase needs none), for a cell
of one establishment of n; where noise follows the largest establishment of a cell, they are in units of
max(α·largest, 1) for cells of many. The limit is what no mechanism can beat as n grows, and no noise that
follows the largest, of one law for all cells, has less than the last line says: see establish limit.
--out draws them, in SVG or PNG (extra report).
"""


def compare(
    alpha: Annotated[str, typer.Option(help="α > 0, exact.")],
    epsilon: Annotated[str, typer.Option(help="ε > 0, exact.")],
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1: smooth-laplace too.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A picture beside the table: .svg or .png.")
    ] = None,
    json_file: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write the rows; '-' is stdout.")
    ] = "",
    force: Force = False,
) -> None:
    prepare(json_file, force)
    if out is not None:
        require_ending(out)
        require_free({"--out": out}, force)
        import matplotlib  # noqa: F401  a library that is missing is told before any work
    α, ε = positive("alpha", alpha), positive("epsilon", epsilon)
    require_small_certificate(α, ε)

    from establish.impl.mechanisms.growth_laplace import SIZES
    from establish.impl.mechanisms.least_error import rated
    from establish.proofs_check.api.progress import share_bar
    from establish.proofs_check.commands.terminal import rounded_up
    from establish.proofs_check.papers.ours.additive_errors import built, least_error
    from establish.proofs_check.papers.ours.limit import enclosed, outward

    rows: list[dict[str, Any]] = [
        {
            "mechanism": one.mechanism.name,
            "calibration": calibration,
            "follows": "largest" if one.by_largest else "count",
            "errors": dict(zip(map(str, SIZES), one.errors, strict=True)),
        }
        for calibration in ("tight", "published")
        for one in rated(α, ε, delta, calibration)
    ]
    with share_bar("building and checking certificates") as progress:
        found = enclosed(α, ε, progress=progress)
        by_largest = max(found.lower, least_error(built(α, ε)))
    for row in rows:
        row["over_limit_at_most"] = (
            row["errors"][str(SIZES[-1])] / float(found.lower) if found.lower else None
        )
    if out is not None:
        title = f"α = {alpha}, ε = {epsilon}" + ("" if delta is None else f", δ = {delta}")
        draw(out, title, rows, (float(found.lower), float(found.upper)))
    if json_file:
        ends = {"lower": float(found.lower), "upper": float(found.upper)}
        limit = ends | {"lower_by_largest": float(by_largest)}
        write_json(json_file, [{"limit": limit}, *rows])
    if json_file != STDOUT:
        head = "".join(f"{f'n = {n:,}':>12}" for n in SIZES)
        print(f"{'mechanism':<36}{'follows':<9}{head}  over the limit, at most")
        for row in rows:
            name = f"{row['mechanism']} ({row['calibration']})"
            cells = "".join(f"{error:12.4g}" for error in row["errors"].values())
            print(f"{name:<36}{row['follows']:<9}{cells}  {rounded_up(row['over_limit_at_most'])}")
        print("limit, one establishment, n → ∞: from {} to {}".format(*found.printed))
        print(f"least E|Z| of noise S·Z that follows the largest, δ = 0: {outward(by_largest, ROUND_FLOOR)}")
