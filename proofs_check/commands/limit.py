"""``establish limit``: how much noise privacy makes necessary."""

from typing import Annotated

import typer

from establish.proofs_check.api import limit as api
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare

HELP = """Show the least noise that any private mechanism must add, with a proof of each bound.

\b
Examples:
  establish limit --alpha 1/10 --epsilon 2
  establish limit --alpha 1/10 --epsilon 2 --n 100
  establish limit --alpha 1/10 --epsilon 2 --delta 1/1000
  establish limit --alpha 1/20 --epsilon 1 --json -
  establish limit --mu 1/2

\b
The answer is a lower and an upper bound on the least error E|out − n|, in units of α·n, for one establishment
of n workers as n grows. A certificate that is checked in whole numbers proves the lower bound; a mechanism
attains the upper bound. For sums over many establishments, the command also bounds the least E|Z| of noise
S·Z, where S = max(α·largest, 1) and Z has one distribution for all cells; this lower bound comes from a
linear program, and finer cells would raise it a little.

\b
With --delta, the lower bound holds for (α, ε, δ)-privacy; it is smaller than the bound for δ = 0 by a
multiple of δ. With --n, the command adds the expected errors of mechanisms at that count, in units of
max(α·n, 1). No lower bound exists at a single count, because a mechanism that always answers that count has
no error there. For N up to 60 and without --delta, the command also bounds the mean error over 0, 1, …, N
workers. The command takes a few seconds, or minutes if α and ε are both near 1/1000.

\b
With --mu, privacy means Gaussian establishment privacy, for any ψ and γ. The error is that of an estimate of
ψ(x), in units of γ, averaged over values x that lie γ apart in ψ. The bounds do not cover estimates of x
itself, unless ψ(x) = x.
"""


def limit(
    alpha: Annotated[str | None, typer.Option(help="α > 0, exact.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="ε > 0, exact.")] = None,
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1, for approximate privacy.")] = None,
    n: Annotated[str, typer.Option("--n", metavar="N", help="A whole number ≥ 1.")] = "",
    mu: Annotated[
        str | None, typer.Option(help="μ > 0: for Gaussian establishment privacy, in place of α, ε.")
    ] = None,
    json_file: JsonFile = "",
) -> None:
    prepare(json_file)
    found = api.limit(alpha=alpha, epsilon=epsilon, delta=delta, n=n or None, mu=mu)
    if not json_only(json_file, [found.row]):
        print(found)
