"""``establish imply``: does a privacy definition imply a requirement?"""

from typing import Annotated

import typer

from establish.proofs_check.api import imply as api
from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare

HELP = """Decide exactly, on a small universe, whether a privacy definition implies a requirement.

\b
Examples:
  establish imply --definition strong-er-ee --alpha 1 --epsilon "ln 2" --requirement shape
  establish imply --definition weak-er-ee --alpha 1 --epsilon "ln 2" --requirement size \\
      --priors weak --universe workers=4,employers=1,attributes=2

\b
The answer says who the attacker is, what they knew, what they saw and what they can now conclude. If there is
no violation, a bound over all attackers of this kind shows why.

\b
Exit status: 0 the requirement is implied at level ε; 1 it is not, or not decided; 2 usage error.
"""


def imply(
    definition: Annotated[str, typer.Option(help=f"One of {', '.join(api.DEFINITION_NAMES)}.")],
    alpha: Annotated[str, typer.Option(help="α > 0, exact: 1/10 or 0.1.")],
    epsilon: Annotated[str, typer.Option(help="ε > 0 with e^ε rational: 'ln 2' or 'ln 3/2'.")],
    requirement: Annotated[str, typer.Option(help=f"One of {', '.join(api.REQUIREMENT_NAMES)}.")],
    universe: Annotated[
        str, typer.Option(help="The number of potential workers, establishments, attribute values.")
    ] = api.UNIVERSE,
    priors: Annotated[str, typer.Option(help=f"One of {', '.join(api.PRIORS)}.")] = api.PRIORS[-1],
    seed: Annotated[int, typer.Option(help="The seed of the random priors.")] = 0,
    json_file: JsonFile = "",
) -> None:
    asked = {name: of for name, of in locals().items() if name != "json_file"}
    prepare(json_file)
    found = api.imply(**asked)
    if not json_only(json_file, [found.to_json()]):
        print(found)
    if not found.implied:
        raise typer.Exit(1)
