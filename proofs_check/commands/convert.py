"""``establish convert``: from one definition of privacy to another one."""

from typing import Annotated

import typer

from establish.proofs_check.api import convert as api
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare

HELP = """Convert a guarantee under one privacy definition to another, and name the theorem.

\b
Examples:
  establish convert --epsilon 1 --to rho
  establish convert --epsilon 1 --delta 1/1000000 --to delta --at-epsilon 1/2
  establish convert --mu 1 --to epsilon --at-delta 1/1000000
  establish convert --rho 1/2 --to epsilon --at-delta 1/1000000
  establish convert --renyi 1/2 --order 8 --to delta --at-epsilon 2
  establish convert --mu 1 --to renyi --at-order 2 --json -

\b
The guarantee is pure ε, (ε, δ), μ (Gaussian differential privacy), ρ (zero-concentrated), or a Rényi
divergence at one order. It must hold for both orders of two neighbors; any neighbor relation will do. The
answer is right for every mechanism that satisfies the guarantee: it is exact, or enclosed in Arb and rounded
up. Values must lie between 10^-6 and 1000, and μ at most 40.

\b
Exit status: 0 an answer follows; 2 usage error, or nothing follows, with the reason. For instance, (ε, δ)
with δ > 0 implies no μ.
"""


def convert(
    to: Annotated[str, typer.Option(help=f"One of {', '.join(api.TARGETS)}.")],
    epsilon: Annotated[str | None, typer.Option(help="Given: ε, exact; pure without --delta.")] = None,
    delta: Annotated[str | None, typer.Option(help="Given with --epsilon: 0 ≤ δ < 1.")] = None,
    mu: Annotated[str | None, typer.Option(help="Given: μ > 0.")] = None,
    rho: Annotated[str | None, typer.Option(help="Given: ρ > 0.")] = None,
    renyi: Annotated[str | None, typer.Option(help="Given: a Rényi divergence > 0, at --order.")] = None,
    order: Annotated[str | None, typer.Option(help="The order > 1 of --renyi.")] = None,
    at_delta: Annotated[
        str | None, typer.Option(help="With --to epsilon: the δ; by default 0, for pure ε.")
    ] = None,
    at_epsilon: Annotated[str | None, typer.Option(help="With --to delta: the ε ≥ 0.")] = None,
    at_order: Annotated[str | None, typer.Option(help="With --to renyi: the order > 1.")] = None,
    json_file: JsonFile = "",
) -> None:
    asked = {name: of for name, of in locals().items() if name != "json_file"}
    prepare(json_file)
    found = api.convert(**asked)
    if not json_only(json_file, [found.row]):
        print(found)
