"""An answer as a story: who the attacker is, what they saw, and what they can now conclude."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from establish.proofs_check.implications import words
from establish.proofs_check.implications.attacks import Attack
from establish.proofs_check.implications.certificate import CertificateError
from establish.proofs_check.implications.decide import Answer, Kind, Verdict
from establish.proofs_check.implications.definitions import Definition, in_words
from establish.proofs_check.implications.levels import multiple_of_epsilon
from establish.proofs_check.implications.witness import mechanism_violation, witness_mechanism
from establish.spec.requirements import Factor, number_of

SHOWN = 12
"""How many lines of likelihoods the story shows; the JSON record has all."""

ATTACKERS = {
    Kind.POINT: "know all workers but one",
    Kind.WEAK: "are weak: all workers alike to them, attributes uniform",
    Kind.INFORMED: "are informed: any independent beliefs about the workers",
}
"""What the attackers of each kind have in common."""


@dataclass(frozen=True)
class Question:
    """What was asked, as far as the answer itself does not know it."""

    definition: Definition
    alpha: Fraction


def headline(answer: Answer) -> str:
    """The verdict and the least level in one line."""
    if answer.verdict == Verdict.VACUOUS:
        asked = answer.requirement
        values = " and an attribute" if asked.name == "shape" else ""
        return f"{answer.verdict}: {asked.name} needs {number_of(asked.least_workers, 'worker')}{values}"
    assert answer.attack is not None
    low, high = answer.attack.factor, answer.bound.factor
    if answer.exact:
        return f"{answer.verdict}; least level {_level(low, answer.c)}"
    return f"{answer.verdict}; least level between {_level(low, answer.c)} and {_level(high, answer.c)}"


def _level(value: Factor, c: Fraction) -> str:
    return f"{multiple_of_epsilon(value, c)} ε (factor {words.factor(value)})"


def tell(question: Question, answer: Answer) -> Iterator[str]:
    """The whole answer, line by line."""
    c = answer.c
    yield (
        f"Does {question.definition.title} imply the {answer.requirement.name} requirement at level "
        f"ε = ln {c}, α = {question.alpha}?"
    )
    yield f"Universe: {in_words(answer.space.universe)}."
    yield f"Attackers {ATTACKERS[answer.kind]}."
    yield ""
    yield f"Answer: {headline(answer)}."
    if answer.attack is None:
        return
    yield ""
    yield from _attacker(answer.attack)
    yield from _output(answer, answer.attack)
    yield from _conclusion(answer, answer.attack)
    yield ""
    yield from _limits(answer, answer.attack)


def _attacker(found: Attack) -> Iterator[str]:
    yield "Who the attacker is, and what they knew"
    for worker, belief in found.prior.beliefs.items():
        if len(belief) == 1:
            yield f"  {worker} is {words.place(next(iter(belief)))}, for certain"
        else:
            parts = [f"{words.place(where)} ({share})" for where, share in belief.items()]
            yield f"  {worker} is {' or '.join(parts)}"
    yield ""


def _output(answer: Answer, found: Attack) -> Iterator[str]:
    space = answer.space
    yield "What they saw"
    yield "  the output ω of a mechanism that satisfies the definition and gives it with probability"
    mechanism = witness_mechanism(space, found, answer.c)
    compared = space.where(found.comparison.first) | space.where(found.comparison.second)
    rows = [space.datasets[at] for at in space.weights(found.prior) if at in compared]
    for d in rows[:SHOWN]:
        yield f"    {mechanism(d)['ω']} if {words.dataset(d)}"
    if len(rows) > SHOWN:
        yield f"    … and {len(rows) - SHOWN} more datasets (--json lists all labels)"
    yield ""


def odds(answer: Answer, found: Attack) -> tuple[Fraction, Factor]:
    """Prior and posterior odds of the first event against the second."""
    weights, space = answer.space.weights(found.prior), answer.space
    masses = [
        sum(weight for at, weight in weights.items() if at in space.where(event))
        for event in (found.comparison.first, found.comparison.second)
    ]
    before = Fraction(masses[0]) / masses[1]
    return before, before * found.factor


def _conclusion(answer: Answer, found: Attack) -> Iterator[str]:
    before, after = odds(answer, found)
    yield "What they can now conclude"
    yield f"  compared: {found.comparison}"
    yield f"  odds before: {before}"
    yield f"  odds after:  {words.factor(after)}"
    yield f"  Bayes factor {words.factor(found.factor)}; e^ε = {answer.c} was to be the most"
    yield f"  for the same labels at any c = e^ε: {words.in_c(answer.space, found)}"


def _limits(answer: Answer, found: Attack) -> Iterator[str]:
    bound, space = answer.bound, answer.space
    yield "How this is known"
    if mechanism_violation(space, found, answer.c):
        raise CertificateError("the mechanism of the witness does not satisfy the definition")
    yield "  mechanism: on every pair of neighbors of the universe the definition was checked"
    if found.worst.plan:
        i, j = max(found.worst.plan, key=lambda pair: space.distance(*pair))
        chain = [words.dataset(space.datasets[at]) for at in space.chain(i, j)]
        yield (
            f"  this attacker: no mechanism does worse, by a dual plan over "
            f"{len(found.worst.plan)} pairs of datasets; its longest chain is"
        )
        yield from (f"    {link}" for link in chain)
    programs = (
        f"{bound.programs} needed a linear program, the largest with {bound.largest[0]} + "
        f"{bound.largest[1]} datasets"
        if bound.programs
        else "in each, all datasets are near enough"
    )
    yield (
        f"  all such attackers: at most {words.factor(bound.factor)}, by {bound.classes} classes of "
        f"pairs of datasets; {programs}"
    )
    yield f"  evidence: exhaustive on this universe, exact arithmetic at c = {answer.c}"
