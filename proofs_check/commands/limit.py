"""``establish limit``: how much noise privacy makes necessary."""

from __future__ import annotations

from typing import Annotated

import typer

from establish.proofs_check.api import limit as api
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json

HELP = """Tell how much noise privacy makes necessary: an interval, and how each end is proved.

\b
Examples:
  establish limit --alpha 1/10 --epsilon 2
  establish limit --alpha 1/10 --epsilon 2 --n 100
  establish limit --alpha 1/10 --epsilon 2 --delta 1/1000
  establish limit --alpha 1/20 --epsilon 1 --json -
  establish limit --mu 1/2

\b
The error is E|out − n| in units of α·n, for one establishment of n workers as n grows. The lower end
comes with a certificate that is checked in whole numbers; the upper end is attained by a mechanism. For sums
over many establishments follows the least E|Z| of noise S·Z, S = max(α·largest, 1), Z of one law for all
cells; its lower end is that of a linear program, which finer cells would raise a little. With
--delta the lower end holds for (α, ε, δ)-privacy; it is less than that of δ = 0 by a multiple of δ.
With --n the expected errors of mechanisms at that count follow, in units of max(α·n, 1). No lower bound is
possible at a single count, because the mechanism that always answers it has no error there. For N up to 60
and without --delta the mean error over 0, 1, …, N workers follows, with a lower end of its own. The command
takes a few seconds, and minutes where α and ε are both near 1/1000.

\b
With --mu the privacy is Gaussian establishment privacy, for any ψ and γ, and the error that of an estimate
of ψ(x), in units of γ, on average over values x that lie γ apart in ψ. Of an estimate of x itself nothing
is said, unless ψ(x) = x.
"""


def limit(
    alpha: Annotated[str | None, typer.Option(help="α > 0, exact.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="ε > 0, exact.")] = None,
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1: for approximate privacy.")] = None,
    n: Annotated[str, typer.Option("--n", metavar="N", help="A whole number ≥ 1.")] = "",
    mu: Annotated[
        str | None, typer.Option(help="μ > 0: for Gaussian establishment privacy, in place of α, ε.")
    ] = None,
    json_file: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write the result; '-' is stdout.")
    ] = "",
) -> None:
    prepare(json_file)
    found = api.limit(alpha=alpha, epsilon=epsilon, delta=delta, n=n or None, mu=mu)
    if json_file:
        write_json(json_file, [found.row])
    if json_file != STDOUT:
        print(found)
