"""``establish imply``: does a privacy definition imply a requirement?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_one_of
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json
from establish.spec.parameters import positive

if TYPE_CHECKING:
    from establish.proofs_check.implications.decide import Answer

DEFINITION_NAMES = ("edge", "edge-substitution", "node", "strong-er-ee", "weak-er-ee")
REQUIREMENT_NAMES = ("individual", "size", "shape")
PRIORS = ("point", "weak", "informed")
"""What the options accept, without loading the engine that decides for the help."""

HELP = """Decide on a small universe whether a privacy definition implies a requirement, exactly.

\b
Examples:
  establish imply --definition strong-er-ee --alpha 1 --epsilon "ln 2" --requirement shape
  establish imply --definition weak-er-ee --alpha 1 --epsilon "ln 2" --requirement size \\
      --priors weak --universe workers=4,employers=1,attributes=2

\b
The answer tells who the attacker is, what they knew, what they saw and what they can now conclude.
Where there is no violation, a bound over all attackers of the kind says why.
It ends with 0 when the requirement is implied at level ε, with 1 when it is not or not decided, with 2
when it was asked for something it cannot do.
"""


def imply(
    definition: Annotated[str, typer.Option(help=f"One of {', '.join(DEFINITION_NAMES)}.")],
    alpha: Annotated[str, typer.Option(help="α > 0, exact: 1/10 or 0.1.")],
    epsilon: Annotated[str, typer.Option(help="ε > 0 with e^ε rational: 'ln 2' or 'ln 3/2'.")],
    requirement: Annotated[str, typer.Option(help=f"One of {', '.join(REQUIREMENT_NAMES)}.")],
    universe: Annotated[
        str, typer.Option(help="How many potential workers, establishments, attribute values.")
    ] = "workers=3,employers=1,attributes=2",
    priors: Annotated[str, typer.Option(help=f"One of {', '.join(PRIORS)}.")] = PRIORS[-1],
    seed: Annotated[int, typer.Option(help="For the priors that are tried at random.")] = 0,
    json_file: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write the answer; '-' is stdout.")
    ] = "",
) -> None:
    prepare(json_file)
    require_one_of("definition", definition, DEFINITION_NAMES)
    require_one_of("requirement", requirement, REQUIREMENT_NAMES)
    require_one_of("priors", priors, PRIORS)
    share = positive("alpha", alpha)

    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.commands.terminal import output
    from establish.proofs_check.implications.decide import Kind, decide
    from establish.proofs_check.implications.definitions import DEFINITIONS, REQUIREMENTS, universe_named
    from establish.proofs_check.implications.levels import IrrationalLevelError, rational_level
    from establish.proofs_check.implications.record import record
    from establish.proofs_check.implications.space import Space
    from establish.proofs_check.implications.story import Question, headline, tell

    question = Question(DEFINITIONS[definition], share)
    world = universe_named(universe)
    space = Space(world, question.definition.relation(world, share))
    asked = REQUIREMENTS[requirement](world, share)
    try:
        c = rational_level(epsilon)
    except IrrationalLevelError as error:
        for side, level in (("below", error.below), ("above", error.above)):
            if level > 1:
                answer = decide(space, asked, level, Kind(priors), seed)
                complaints().print(f"{side}, at ε = ln {level}: {headline(answer)}")
        raise
    answer = decide(space, asked, c, Kind(priors), seed)
    if json_file:
        write_json(json_file, [record(question, answer)])
    if json_file != STDOUT:
        for line in tell(question, answer):
            output().print(line, soft_wrap=True)
    if not implied(answer):
        raise typer.Exit(1)


def implied(answer: Answer) -> bool:
    """Whether the answer shows the requirement at level ε."""
    from establish.proofs_check.implications.decide import Verdict

    return answer.verdict in (Verdict.IMPLIED, Verdict.VACUOUS)
