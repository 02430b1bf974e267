"""Table 11: its entries, the experiment of Appendix H, and the exact errors of its Act columns.

With true variances Equation 1 is linear in the answers, so its mean squared errors have closed forms.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from establish import Evidence, Printed, exact
from establish.proofs_check.engine.statements.printed import PrintedNumber
from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.least_squares import covariance, covariance_at_true, group_by, mean_variance, variance_of
from establish.spec.mechanisms.psi_estimators import variance_from_logarithm, variance_from_root

PER_COUNTY = 2
"""Establishments in each county (Appendix H)."""

EMPLOYEES = 10
"""True employment of every establishment (Appendix H)."""

TRIALS = 10**6
"""Trials over which the paper averages (caption of Table 11)."""

ROWS = ("id", "county", "total")
"""The queries, in the order of the rows; a row's error is the average over its cells."""

SIGNS = {"root": "√", "log": "log"}
"""How ψ is printed."""

PRINTED = {
    ("root", "est"): ("7.5", "10.5", "624.4"),
    ("root", "act"): ("7.6", "10.0", "335.2"),
    ("root", "hybrid"): ("7.5", "10.1", "407.4"),
    ("log", "est"): ("18.0", "40.0", "22215.3"),
    ("log", "act"): ("23.7", "37.9", "1882.8"),
    ("log", "hybrid"): ("19.2", "35.0", "4842.6"),
}
"""Table 11 by column: ψ and strategy, then the entries of `ROWS`."""


@dataclass(frozen=True)
class Setting:
    """ψ is "root" or "log"; ``counties`` of two establishments; ``sd`` is γ/μ."""

    psi: str
    counties: int
    sd: Fraction

    def __str__(self) -> str:
        return f"{self.counties} counties, γ/μ = {self.sd}"

    @property
    def sums(self) -> tuple[int, int, int]:
        """The true answer of a cell of each query."""
        county = PER_COUNTY * EMPLOYEES
        return EMPLOYEES, county, self.counties * county


AS_PRINTED = {"root": Setting("root", 100, Fraction(1, 2)), "log": Setting("log", 100, Fraction(1, 10))}
"""Appendix H: 100 counties, γ = 0.5 for √ and 0.1 for log, μ = 1."""

AS_MEANT = {psi: Setting(psi, 50, Fraction(1, 2)) for psi in AS_PRINTED}
"""What reproduces the table: 50 counties, so 100 establishments, and γ/μ = 0.5 for both."""


def variances(setting: Setting, c: World) -> tuple[Number, Number, Number]:
    """The true variance of the unbiased answer for a cell of each query (Theorem 6.6)."""
    formula = variance_from_root if setting.psi == "root" else variance_from_logarithm
    first, second, third = (formula(x, setting.sd, c) for x in setting.sums)
    return first, second, third


def errors(each: tuple[Number, ...], counties: int, c: World) -> tuple[Number, Number, Number]:
    """The mean squared errors of `ROWS` by Equation 1 with true variances ``each``.

    The total has 1/(1/(n·u) + 1/v_total). Learning it lowers a county's u by u²/(n·u + v_total), and
    half of the pair's variance that remains, with the difference's, is what each establishment has.
    """
    _, _, total, pair, combined = _combined(each, c)
    whole = counties * combined
    county = combined - combined * combined / (whole + total)
    return (pair + county) / PER_COUNTY**2, county, 1 / (1 / whole + 1 / total)


def _combined(each: tuple[Number, ...], c: World) -> tuple[Number, ...]:
    own, county, total = (c.number(v) for v in each)
    pair = PER_COUNTY * own
    return own, county, total, pair, 1 / (1 / pair + 1 / county)


def error_by_equation_1(psi: str, counties: int, sd: Fraction, row: int, c: World) -> Number:
    """The mean squared error by Equation 1 with true variances, from the normal equations: of ψ, so many
    counties of two establishments with ten employees each, the deviation γ/μ, and a row of Table 11.
    """
    cells = range(PER_COUNTY * counties)
    groups = [group_by(labels) for labels in (cells, [k // PER_COUNTY for k in cells], [0 for _ in cells])]
    formula = variance_from_root if psi == "root" else variance_from_logarithm
    sums = (EMPLOYEES, PER_COUNTY * EMPLOYEES, counties * PER_COUNTY * EMPLOYEES)
    given = [formula(x, sd, c) for x, group in zip(sums, groups, strict=True) for _ in group]
    solved = covariance_at_true([query for group in groups for query in group], given, c)
    return mean_variance(groups[row], solved, c)


def entry(setting: Setting, row: int, printed: str) -> PrintedNumber:
    """A number of a column with true variances, as the statement that the error rounds to it."""
    value = partial(error_by_equation_1, setting.psi, setting.counties, setting.sd, row)
    return Printed(value, printed, costly=True)


def closed_forms_solve_equation_1() -> list[Evidence]:
    """Evidence that `errors` are those of the specification's Equation 1, for one to three counties."""
    each = (Fraction(2), Fraction(3), Fraction(5))
    pieces = []
    for counties in (1, 2, 3):
        cells = range(PER_COUNTY * counties)
        county = [cell // PER_COUNTY for cell in cells]
        groups = [group_by(list(cells)), group_by(county), group_by([0 for _ in cells])]
        queries = [query for group in groups for query in group]
        given = [v for group, v in zip(groups, each, strict=True) for _ in group]
        solved = covariance(queries, given, given)
        for row, group, closed in zip(ROWS, groups, errors(each, counties, EXACT), strict=True):
            by_spec = variance_of(group[-1], solved)
            says = f"closed form of {row} and Equation 1, {counties} counties, variances 2, 3, 5"
            pieces.append(exact.compare(closed, "==", by_spec, says))
    return pieces
