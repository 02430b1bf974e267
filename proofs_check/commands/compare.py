"""``establish compare``: the mechanisms for counts beside the limit."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api import compare as api
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.proofs_check.commands.options import Force

HELP = """Compare the expected errors of the mechanisms for counts, by cell size, with the limit.

\b
Examples:
  establish compare --alpha 1/10 --epsilon 2
  establish compare --alpha 1/10 --epsilon 2 --delta 1/1000 --json -
  establish compare --alpha 1/10 --epsilon 2 --out errors.svg

\b
Errors are E|out − n| in units of max(α·n, 1), before rounding (whole-staircase needs none), for a cell with
one establishment of n workers. If the noise follows the largest establishment, the same numbers are errors of
cells with many establishments, in units of max(α·largest, 1). The limit is the least error of any mechanism
with δ = 0 as n grows. With --delta, smooth-laplace is compared with a lower limit that holds at this δ. The
last line is the least error of noise that follows the largest establishment and has one distribution for all
cells; see establish limit. --out draws the errors, in SVG or PNG (extra report).
"""


def compare(
    alpha: Annotated[str, typer.Option(help="α > 0, exact.")],
    epsilon: Annotated[str, typer.Option(help="ε > 0, exact.")],
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1: include smooth-laplace.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a picture: .svg or .png.")
    ] = None,
    json_file: JsonFile = "",
    force: Force = False,
) -> None:
    prepare(json_file, force)
    found = api.compare(alpha=alpha, epsilon=epsilon, delta=delta, out=out, force=force)
    if not json_only(json_file, found.to_json()):
        print(found)
