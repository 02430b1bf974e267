"""What the owner of a one-establishment cell rules out with its own value, cell by cell.

:mod:`owners` tells what is learned by sums alone. With true values each owner is an attacker of its own: the
same audit of the cells that hang together with its cell, that cell being fixed at its value.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from establish.impl.suppression.audit import Contradiction, audit
from establish.impl.suppression.cells import Number
from establish.impl.suppression.connected import connected
from establish.impl.suppression.search import Unsettled
from establish.impl.suppression.sums import Problem
from establish.impl.suppression.verdicts import Interval, intervals
from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.parameters import ParameterError


def seen_by_owners(
    problem: Problem,
    owners: Mapping[int, Number],
    integers: bool,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Iterator[tuple[int, list[Interval]]]:
    """Each owner's cell, and the other unknown cells of its component as that owner sees them.

    owners: the true value by the place of the cell, which is unknown to others. Raises ParameterError that
    names the cell when no table with that value is found.
    """
    at = {place: k for k, place in enumerate(problem.unknown)}
    parts = connected(problem.table.rows, len(problem.unknown))
    for done, (owner, value) in enumerate(owners.items(), start=1):
        own = _restricted(problem, parts[at[owner]], at[owner], Fraction(value))
        try:
            if not _is_possible(problem, at[owner], Fraction(value), integers):
                raise Unsettled
            seen = intervals(own, audit(own, integers))
        except (Contradiction, Unsettled):
            raise ParameterError(
                f"the cell {problem.names[owner]}: no table with its true value fits the published cells as "
                "this attacker sees them"
            ) from None
        yield owner, [one for one in seen if one.place != owner]
        progress(done, len(owners))


def _is_possible(problem: Problem, k: int, value: Fraction, integers: bool) -> bool:
    """Whether a value of the unknown ``k`` is between its bounds, and whole where values are."""
    low, high, own = problem.table.lower[k], problem.table.upper[k], value * problem.scale
    return (
        (low is None or low <= own)
        and (high is None or own <= high)
        and (value.denominator == 1 or not integers)
    )


def _restricted(problem: Problem, members: Sequence[int], fixed: int, value: Fraction) -> Problem:
    """The system of some unknowns, all of a component, one of them known."""
    table, finer = problem.table, (value * problem.scale).denominator
    scale = problem.scale * finer
    column = {k: j for j, k in enumerate(members)}
    about = [row for row, terms in enumerate(table.rows) if not column.keys().isdisjoint(terms)]
    lower, upper = (
        [None if end is None else end * finer for end in (ends[k] for k in members)]
        for ends in (table.lower, table.upper)
    )
    lower[column[fixed]] = upper[column[fixed]] = int(value * scale)
    own = LinearTable(
        [{column[k]: factor for k, factor in table.rows[row].items()} for row in about],
        [table.right[row] * finer for row in about], lower, upper,
    )  # fmt: skip
    return replace(
        problem, sums=[problem.sums[row] for row in about], table=own, scale=scale,
        unknown=[problem.unknown[k] for k in members],
    )  # fmt: skip
