"""What a verdict asks a reader to trust: programs and arguments that no check of ours stands behind."""

import re
from collections.abc import Iterable, Iterator

from establish.proofs_check.engine.settlement import Settlement
from establish.proofs_check.engine.verdicts import PREMISE
from establish.proofs_check.formal.accepted import FormalEntry

PARTIES = {
    "reading": "People read the printed sentence and the statement object, or the evidence where there is "
    "none, side by side: no program compares the two.",
    "Python": "The interpreter, its integers and fractions, the formulas of spec/ as it evaluates them, and "
    "the engine that carries evidence to a verdict. False statements are planted for every method.",
    "prose": "A docstring joins the pieces of evidence to the statement. Such a claim is 'steps' at most.",
    "z3": "Its answer that no real point contradicts a statement. Of ln, e^x, roots and powers it is told "
    "what the docstring of reading.Reading lists. A point that it finds is evaluated again.",
    "sympy": "That what it simplifies to 0 is 0. For 'proof' it is not alone: Arb evaluates both sides at "
    "points of the domain, or integrates.",
    "Arb": "That its balls hold the true values (python-flint), in the operations that a formula uses.",
    "enumeration": "That the datasets, neighbors and outputs which spec/ lists are all of the universe that "
    "the scope names.",
    "sampling": "The generator, and the error probability that the scope names. It never proves.",
    "Coq": "The kernel of the assistant, the axioms of its libraries of real numbers, and that the Gallina "
    "text prints the formulas of spec/. The record was made elsewhere; make formal makes it again.",
}
"""Who is trusted, and for what."""

METHODS = {
    "exact arithmetic": "Python",
    "solver": "z3",
    "symbolic": "sympy",
    "enclosure": "Arb",
    "Arb": "Arb",
    "quadrature": "Arb",
    "exhaustive": "enumeration",
    "statistical": "sampling",
    "simulation": "sampling",
    "recorded intervals": "sampling",
    "run again": "sampling",
}
"""The party behind each method; any other method is a rule, whose argument is a theorem or is trusted."""

RULE = "rule "
"""What stands before the name of a rule."""


def trusted(settlement: Settlement, kernel: FormalEntry | None) -> list[str]:
    """The names of the parties, and of the rules, that the verdict of ``settlement`` rests on.

    kernel: what a proof assistant accepted about the claim. Details beside the verdict do not count, but the
    lemmas that they cite.
    """
    pieces = [p for p in settlement.verdict.evidence if not p.aside or PREMISE in p.method]
    if not pieces and kernel is None:
        return []
    behind = {party for piece in pieces for party in _behind(piece.method)}
    if settlement.grades.prose:
        behind.add("prose")
    if kernel is not None:
        behind.add("Coq")
        if "sentence" in kernel.covers:
            behind.discard("prose")
    behind |= {"reading", "Python"}
    return [party for party in PARTIES if party in behind] + sorted(behind - set(PARTIES))


def _behind(method: str) -> Iterator[str]:
    from establish.proofs_check.engine.arguments import theorems_of  # loads the rules

    for word in method.split(" + "):
        name = re.sub(r" at \d+ points?$", "", word)
        yield name if name.startswith(PREMISE) else METHODS.get(name, RULE + name)
        if theorems_of(name) is not None:
            yield "Coq"


def theorems_behind(parties: Iterable[str]) -> Iterator[str]:
    """A line for each rule among these parties whose argument, or a part of it, is a theorem."""
    from establish.proofs_check.engine.arguments import told  # loads the rules

    rules = [party.removeprefix(RULE) for party in parties if party.startswith(RULE)]
    yield from (f"{RULE}{rule}: {said}" for rule in rules if (said := told(rule)))


def unaccepted(parties: Iterable[str]) -> Iterator[str]:
    """Those among these parties that show a statement and are not behind a kernel: programs, rules whose
    argument is prose, and lemmas that are cited.
    """
    from establish.proofs_check.engine.arguments import is_prose  # loads the rules

    for party in parties:
        if party.startswith(RULE):
            if is_prose(party.removeprefix(RULE)):
                yield party
        elif party not in ("reading", "Python", "Coq"):
            yield party
