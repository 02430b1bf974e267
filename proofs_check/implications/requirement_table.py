"""Table 1 of Haney et al. 2017, computed on a family of small universes."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from establish.proofs_check.implications import words
from establish.proofs_check.implications.decide import Answer, Kind, Verdict, decide
from establish.proofs_check.implications.definitions import DEFINITIONS, REQUIREMENTS, small_universe
from establish.proofs_check.implications.levels import multiple_of_epsilon
from establish.proofs_check.implications.space import Space
from establish.spec.requirements import Factor

FAMILY = ((4, 1, 1), (6, 1, 1), (4, 1, 2), (4, 2, 1), (3, 2, 2))
"""Universes by potential workers, establishments and attribute values."""

COLUMNS = {
    "individual": ("individual", Kind.INFORMED),
    "size": ("size", Kind.INFORMED),
    "size, weak attackers": ("size", Kind.WEAK),
    "shape": ("shape", Kind.INFORMED),
}
"""Requirement and attackers of each column. The printed table has one column for size."""

PRINTED = {
    "edge": ("Yes", "No", "", "No"),
    "node": ("Yes", "Yes", "", "Yes"),
    "strong-er-ee": ("Yes", "Yes", "", "Yes"),
    "weak-er-ee": ("Yes", "", "Yes*", "Yes"),
}
"""The printed entries, by row; Yes* is printed for weak attackers."""


@dataclass(frozen=True)
class Cell:
    """printed: the entry of the paper. computed: what comes out, in short. witness: why, in a line.

    levels: the multiple of ε on each universe of the family, when there is one.
    """

    printed: str
    computed: str
    witness: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One privacy definition or protection system; its cells in the order of COLUMNS."""

    name: str
    title: str
    cells: tuple[Cell, ...]


def computed_rows(alpha: Fraction, c: Fraction) -> list[Row]:
    """What each definition implies, at level c = e^ε."""
    return [_row(name, alpha, c) for name in PRINTED]


def _row(name: str, alpha: Fraction, c: Fraction) -> Row:
    definition = DEFINITIONS[name]
    spaces = []
    for numbers in FAMILY:
        universe = small_universe(*numbers)
        spaces.append(Space(universe, definition.relation(universe, alpha)))
    cells = []
    for printed, (requirement, kind) in zip(PRINTED[name], COLUMNS.values(), strict=True):
        answers = [
            decide(space, REQUIREMENTS[requirement](space.universe, alpha), c, kind) for space in spaces
        ]
        cells.append(_cell(printed, answers))
    return Row(name, definition.title, tuple(cells))


def _least(answer: Answer) -> Factor:
    return answer.attack.factor if answer.attack else 0


def level_in_short(answer: Answer) -> str:
    """The least level as a multiple of ε, a bracket when it is not known, a dash when vacuous."""
    if answer.attack is None:
        return "-"
    low = multiple_of_epsilon(answer.attack.factor, answer.c)
    if answer.exact:
        return str(low)
    return f"{low}..{multiple_of_epsilon(answer.bound.factor, answer.c)}"


def _cell(printed: str, answers: Sequence[Answer]) -> Cell:
    worst = max(answers, key=_least)
    levels = tuple(level_in_short(answer) for answer in answers)
    if worst.attack is None:
        return Cell(printed, "nothing to compare", "", levels)
    if all(answer.verdict in (Verdict.IMPLIED, Verdict.VACUOUS) for answer in answers):
        return Cell(printed, "yes", _witness(worst), levels)
    return Cell(printed, f"no: {level_in_short(worst)} ε", _witness(worst), levels)


def _witness(answer: Answer) -> str:
    """The attacker, the comparison and the factor in one line."""
    assert answer.attack is not None
    beliefs = []
    for worker, belief in answer.attack.prior.beliefs.items():
        parts = [
            words.place(at) if len(belief) == 1 else f"{words.place(at)} ({p})" for at, p in belief.items()
        ]
        beliefs.append(f"{worker} {' or '.join(parts)}")
    return (
        f"{answer.attack.comparison}: factor {words.factor(answer.attack.factor)} "
        f"= {words.in_c(answer.space, answer.attack)}; prior: {'; '.join(beliefs)}"
    )
