"""The UMETRICS employee reports (Schmutte 2020, UMETRICS Employee Profile Reports).

One table per university, with a cell for every title, sector of employment and year since leaving. Each cell
has the number of former employees in it, with Laplace noise, and their average earnings, by "modified MOSE".
The slides leave open what is modified, what "upper bound" bounds, and which group sizes are public; each
reading here has a claim. Neighbors differ in the whole history of one person
(:mod:`establish.spec.relations.history`), whose records are

    (university, year, title, sector, earnings),

at most one for each university and year: the employer of record of that year.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

from establish.spec.arithmetic import MP, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError, Rational, positive
from establish.spec.regression.mose import envelope
from establish.spec.relations.history import History, Rows

Range = tuple[int, int]
"""The legal earnings of a cell, low < high, in dollars: the slides winsorize."""

Budget = Mapping[tuple[str, int], tuple[Fraction, Fraction]]
"""(ε_emp,t, ε_earn,t) of each university and year t."""

UNIVERSITY, YEAR, TITLE, SECTOR, EARNINGS = range(5)
"""Places in a record."""


@dataclass(frozen=True)
class Report:
    """Which numbers the reports consist of. Each list has different entries, at least one.

    years: since leaving, up to 10 on the slides. Raises ParameterError otherwise.
    """

    universities: tuple[str, ...]
    years: tuple[int, ...]
    titles: tuple[str, ...]
    sectors: tuple[str, ...]

    def __post_init__(self) -> None:
        for name, values in vars(self).items():
            if not values or len(set(values)) < len(values):
                raise ParameterError(f"{name} = {values!r} must be different, at least one")

    def cells(self) -> tuple[tuple[str, str], ...]:
        """The pairs of title and sector of one university and year."""
        return tuple(product(self.titles, self.sectors))

    def histories(self, earnings: Sequence[int], longest: int) -> Iterator[History]:
        """Every lawful history of 1 to ``longest`` records with those legal earnings."""
        records = sorted(
            product(self.universities, self.years, self.titles, self.sectors, sorted(set(earnings)))
        )
        for length in range(1, longest + 1):
            yield from filter(is_lawful, combinations(records, length))

    def employment(self, d: Rows, university: str, year: int) -> tuple[int, ...]:
        """The number of persons in each of the cells."""
        return tuple(len(earnings_in(d, university, year, *cell)) for cell in self.cells())


def is_lawful(history: History) -> bool:
    """Whether the (sorted) history has at most one record for each university and year."""
    return all(one[: YEAR + 1] != other[: YEAR + 1] for one, other in pairwise(history))


def earnings_in(d: Rows, university: str, year: int, title: str, sector: str) -> tuple[int, ...]:
    """What the persons of a cell earn, in increasing order."""
    cell = (university, year, title, sector)
    return tuple(sorted(int(record[EARNINGS]) for _, record in d if record[:EARNINGS] == cell))


def employment_law(count: int, epsilon: Rational, c: World = MP) -> Laplace:
    """A protected count: Laplace noise of scale 1/ε_emp, "sensitivity 1". Raises ParameterError for ε ≤ 0."""
    return Laplace(c.number(count), c.number(1 / positive("epsilon", epsilon)), c)


def mean(earnings: Sequence[int]) -> Fraction:
    """Average earnings. Raises ParameterError for an empty cell, which has none."""
    if not earnings:
        raise ParameterError("an empty cell has no average earnings")
    return Fraction(sum(earnings), len(earnings))


def mean_local_sensitivity(earnings: Sequence[int], legal: Range) -> Fraction | float:
    """The largest change of the mean with one person more or less; math.inf when nobody would be left.

    A person at x more moves it by |x − mean|/(N+1), most at an end of the range; the one at x less by
    |x − mean|/(N−1). Raises ParameterError for an empty cell or earnings outside the range.
    """
    here = mean(earnings)
    if not all(legal[0] <= x <= legal[1] for x in earnings):
        raise ParameterError(f"earnings must lie in {legal}")
    if len(earnings) == 1:
        return math.inf
    more = max(abs(x - here) for x in legal) / (len(earnings) + 1)
    less = max(abs(x - here) for x in earnings) / (len(earnings) - 1)
    return max(more, less)


def observed_chi(cells: Sequence[Sequence[int]], legal: Range) -> Fraction | float:
    """χ = max N·LS over cells, "at job title-by-sector level": those of one title and sector, all years.

    Raises ParameterError when there is no cell, or an empty one.
    """
    if not cells:
        raise ParameterError("χ is a maximum over at least one cell")
    return max(len(cell) * mean_local_sensitivity(cell, legal) for cell in cells)


def public_chi(legal: Range) -> Fraction:
    """The width of the legal range, which no N·LS of two persons or more exceeds."""
    return Fraction(legal[1] - legal[0])


def mose_scale(chi: Rational, size: int, epsilon: Rational) -> Fraction:
    """The scale χ/(N·ε_earn) of the noise of an average. Raises ParameterError outside χ, ε > 0, N ≥ 1."""
    return envelope(positive("chi", chi), size) / positive("epsilon", epsilon)


def mose_law(
    earnings: Sequence[int], chi: Rational, epsilon: Rational, size: int | None = None, c: World = MP
) -> Laplace:
    """Protected average earnings. size: a public N; without it the cell's own.

    Raises ParameterError for an empty cell, and parameters as mose_scale.
    """
    scale = mose_scale(chi, size or len(earnings), epsilon)
    return Laplace(c.number(mean(earnings)), c.number(scale), c)


def total_law(earnings: Sequence[int], legal: Range, epsilon: Rational, c: World = MP) -> Laplace:
    """The sum of earnings above the low end, with Laplace noise of scale (high − low)/ε_earn.

    Divided by the protected count, and with the low end added, it gives an average for every cell, the
    empty one too. Raises ParameterError for ε ≤ 0.
    """
    above = sum(x - legal[0] for x in earnings)
    return Laplace(c.number(above), c.number(public_chi(legal) / positive("epsilon", epsilon)), c)


def report_budget(budget: Budget, university: str) -> Fraction:
    """ε^s = Σ_t (ε_emp,t + ε_earn,t), as printed."""
    return sum((emp + earn for (s, _), (emp, earn) in budget.items() if s == university), Fraction(0))


def person_budget(budget: Budget, history: History) -> Fraction:
    """What the reports cost one person: Σ over the universities and years of the person's records."""
    spent = (budget[str(record[UNIVERSITY]), int(record[YEAR])] for record in history)
    return sum((emp + earn for emp, earn in spent), Fraction(0))
