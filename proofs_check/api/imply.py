"""Whether a privacy definition implies a requirement, decided exactly on a small universe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from establish.proofs_check.api.asked import require_one_of
from establish.proofs_check.api.progress import complaints
from establish.proofs_check.api.told import Told
from establish.spec.parameters import Rational, positive

if TYPE_CHECKING:
    from establish.proofs_check.implications.decide import Answer
    from establish.proofs_check.implications.story import Question
    from establish.proofs_check.outputs.questions import Implied

DEFINITION_NAMES = ("edge", "edge-substitution", "node", "strong-er-ee", "weak-er-ee")
REQUIREMENT_NAMES = ("individual", "size", "shape")
PRIORS = ("point", "weak", "informed")
"""What the options accept, without loading the engine that decides for the help."""

UNIVERSE = "workers=3,employers=1,attributes=2"
"""How many potential workers, establishments and values of the attribute, unless it is said."""


@dataclass(frozen=True, repr=False)
class Implication(Told):
    """The answer: who the attacker is, what they knew, what they saw and what they can now conclude."""

    question: Question
    answer: Answer

    @property
    def implied(self) -> bool:
        """Whether the answer shows the requirement at level ε."""
        from establish.proofs_check.implications.decide import Verdict

        return self.answer.verdict in (Verdict.IMPLIED, Verdict.VACUOUS)

    def to_json(self) -> Implied:
        """The answer as ``establish imply --json`` writes it."""
        from establish.proofs_check.implications.record import record

        return record(self.question, self.answer)

    def lines(self) -> Iterator[str]:
        """What ``establish imply`` prints."""
        from establish.proofs_check.implications.story import tell

        yield from tell(self.question, self.answer)


def imply(
    *,
    definition: str,
    alpha: Rational,
    epsilon: str,
    requirement: str,
    universe: str = UNIVERSE,
    priors: str = PRIORS[-1],
    seed: int = 0,
) -> Implication:
    """Whether a privacy definition implies a requirement, with its attacker where it does not.

    definition: one of DEFINITION_NAMES; requirement: of REQUIREMENT_NAMES; priors: of PRIORS. alpha > 0,
    exact; epsilon: a text with e^ε rational, "ln 2" or "ln 3/2". universe: as UNIVERSE. seed: for the priors
    that are tried at random. Raises ParameterError.
    """
    require_one_of("definition", definition, DEFINITION_NAMES)
    require_one_of("requirement", requirement, REQUIREMENT_NAMES)
    require_one_of("priors", priors, PRIORS)
    share = positive("alpha", alpha)

    from establish.proofs_check.implications.decide import Kind, decide
    from establish.proofs_check.implications.definitions import DEFINITIONS, REQUIREMENTS, universe_named
    from establish.proofs_check.implications.levels import IrrationalLevelError, rational_level
    from establish.proofs_check.implications.space import Space
    from establish.proofs_check.implications.story import Question, headline

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
    return Implication(question, decide(space, asked, c, Kind(priors), seed))
