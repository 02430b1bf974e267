"""Section 10: whether Algorithm 1 or 2 has the smaller error, as far as their formulas tell."""

from dataclasses import dataclass
from fractions import Fraction

import sympy

from establish import AtMost, Evidence, Real, Verdict, claim, enclosure, exact, ill_posed, solver, symbolic
from establish.proofs_check.engine.statements import given
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions.log_laplace import mean_absolute_error
from establish.spec.mechanisms import log_laplace, smooth_gamma, smooth_laplace
from establish.spec.relations.growth import growth_bound, largest_growth_real

TENTH = Fraction(1, 10)


@dataclass(frozen=True)
class Cell:
    """``count`` workers, at most ``largest`` of them at one establishment, at α = 1/10."""

    count: int
    largest: int

    @property
    def smooth_sensitivity(self) -> Fraction:
        """S = max(αx, 1)."""
        return largest_growth_real(self.largest, TENTH)

    def log_laplace(self, c: World, epsilon: Number) -> Number:
        """E|error| of Algorithm 1."""
        scale = log_laplace.published_scale(c.number(TENTH), epsilon, c)
        return mean_absolute_error(self.count, c.number(log_laplace.shift(TENTH)), scale)

    def smooth_gamma(self, c: World, epsilon: Number) -> Number:
        """E|error| of Algorithm 2."""
        slide = smooth_gamma.published_slide(c.number(TENTH), epsilon, c)
        return smooth_gamma.mean_absolute_error(self.largest, TENTH, slide, c)


EMPTY = Cell(0, 0)
"""No workers."""

TEN = Cell(1000, 100)
"""Ten establishments of 100 workers each."""

EPSILON = sympy.Symbol("epsilon", positive=True)


def _limits(cell: Cell) -> tuple[Evidence, ...]:
    """What ε times the error tends to as ε grows: 2·ln(1+α)·(n + 1/α), and (5/√2)·max(αx, 1)."""
    share = sympy.log(sympy.Rational(11, 10))
    return (
        symbolic.identity(
            sympy.limit(EPSILON * cell.log_laplace(SYM, EPSILON), EPSILON, sympy.oo),
            2 * share * (cell.count + 10),
            f"{cell}: ε·E|error| of Log-Laplace as ε grows",
        ),
        symbolic.identity(
            sympy.limit(EPSILON * cell.smooth_gamma(SYM, EPSILON), EPSILON, sympy.oo),
            5 / sympy.sqrt(2) * SYM.number(cell.smooth_sensitivity),
            f"{cell}: ε·E|error| of Smooth Gamma as ε grows",
        ),
    )


def _of_large_budgets(cell: Cell, relation: str) -> Evidence:
    return enclosure.compare(
        lambda c: 2 * c.log(c.number(1 + TENTH)) * (cell.count + 10),
        relation,
        lambda c: 5 / c.sqrt(c.number(2)) * c.number(cell.smooth_sensitivity),
        f"{cell}: the limit of Log-Laplace against that of Smooth Gamma",
    )


_CELL = (
    Real("α", above=0),
    Real("ε", above=lambda c, alpha: 5 * c.log(1 + alpha)),
    Real("n", least=0),
    Real("x", least=0, most=lambda c, alpha, epsilon, n: n),
)
"""A cell of n workers, at most x of them at one establishment, where Algorithm 2 is allowed."""


def _smooth_laplace(c: World, alpha: Number, epsilon: Number, n: Number, x: Number) -> Number:
    """E|error| of Algorithm 3, 2·max(αx, 1)/ε."""
    return smooth_laplace.mean_absolute_error(x, alpha, epsilon, c)


def _log_laplace(c: World, alpha: Number, epsilon: Number, n: Number, x: Number) -> Number:
    scale = log_laplace.published_scale(alpha, epsilon, c)
    return mean_absolute_error(n, 1 / alpha, scale)


def _smooth_gamma(c: World, alpha: Number, epsilon: Number, n: Number, x: Number) -> Number:
    slide = smooth_gamma.published_slide(alpha, epsilon, c)
    return smooth_gamma.mean_absolute_error(x, alpha, slide, c)


def _near(c: World, alpha: Number) -> Number:
    """The least ε that Algorithm 2 allows."""
    return 5 * c.log(1 + alpha)


SMALL_BUDGETS = AtMost(
    Real("α", above=0),
    Real("n", least=0),
    Real("x", least=0, most=lambda c, alpha, n: n),
    Real(
        "ε",
        above=lambda c, alpha, n, x: _near(c, alpha),
        most=lambda c, alpha, n, x: _near(c, alpha) + 7 * growth_bound(x, alpha, c) / (n + 1 / alpha),
    ),
    left=lambda c, alpha, n, x, epsilon: _log_laplace(c, alpha, epsilon, n, x),
    right=lambda c, alpha, n, x, epsilon: _smooth_gamma(c, alpha, epsilon, n, x),
)
"""In every cell, from the least ε that both algorithms allow up to a larger one."""

LARGE_BUDGETS = AtMost(
    Real("α", above=0),
    Real("n", least=0),
    Real("x", least=0, most=lambda c, alpha, n: n),
    left=lambda c, alpha, n, x: 5 / c.sqrt(c.number(2)) * growth_bound(x, alpha, c),
    right=lambda c, alpha, n, x: 2 * c.log(1 + alpha) * (n + 1 / alpha),
)
"""What ε times the errors of Smooth Gamma and of Log-Laplace tends to as ε grows, in every cell."""


@claim(
    "haney2017/sec10-log-laplace-or-smooth-gamma",
    origin="implied",
    where="Section 10, Choosing an algorithm",
    says="Log-Laplace has less error than Smooth Gamma for small ε, and more for large ε.",
    states=(SMALL_BUDGETS, LARGE_BUDGETS),
)
def largest_establishment_decides() -> Verdict:
    """Small ε: as ε falls to 5·ln(1+α), Smooth Gamma's error grows without bound and Log-Laplace's, at
    λ = 2/5, does not. Large ε: ε times the errors tends to 2·ln(1+α)·(n + 1/α) and to (5/√2)·max(αx, 1),
    for a cell of n workers with x at its largest establishment. With ten establishments of 100 workers
    Smooth Gamma is the better one; with none, or with one of 1000, Log-Laplace is.
    """
    room = sympy.Symbol("room", positive=True)

    def parts(c: World, alpha: Number, n: Number, x: Number, epsilon: Number) -> None:
        c.log(1 / (1 + alpha))

    boundary = 5 * sympy.log(sympy.Rational(11, 10))
    return ill_posed(
        exact.refuted(LARGE_BUDGETS, α=TENTH, n=0, x=0),
        solver.proves(SMALL_BUDGETS, parts),
        symbolic.identity(
            sympy.limit(1 / TEN.smooth_gamma(SYM, boundary + room), room, 0, "+"),
            0,
            "1/E|error| of Smooth Gamma as ε falls to 5·ln(1+α)",
        ),
        symbolic.identity(
            TEN.log_laplace(SYM, boundary),
            sympy.Rational(10, 21) * (TEN.count + 10),
            "E|error| of Log-Laplace there",
        ),
        *_limits(TEN),
        _of_large_budgets(TEN, ">"),
        *_limits(EMPTY),
        _of_large_budgets(EMPTY, "<"),
        condition="for large ε: (5/√2)·max(αx, 1) < 2·ln(1+α)·(n + 1/α)",
        counterexample="α = 1/10, an empty cell: as ε grows ε·E|error| tends to 20·ln 1.1 = 1.906... for "
        "Log-Laplace and to 5/√2 = 3.535... for Smooth Gamma",
    )


LESS_THAN_LOG_LAPLACE = AtMost(*_CELL, left=_smooth_laplace, right=_log_laplace)
LESS_THAN_SMOOTH_GAMMA = AtMost(*_CELL, left=_smooth_laplace, right=_smooth_gamma)
IN_OTHER_CELLS = LESS_THAN_LOG_LAPLACE.where(
    given(
        lambda c, alpha, epsilon, n, x: growth_bound(x, alpha, c),
        "<=",
        lambda c, alpha, epsilon, n, x: c.log(1 + alpha) * (n + 1 / alpha),
    )
)


@claim(
    "haney2017/sec10-finding-5",
    where="Section 10, Finding 5",
    says="Smooth Laplace performs best of the three, for every cell: its expected L1 error is the least.",
    states=(LESS_THAN_LOG_LAPLACE, LESS_THAN_SMOOTH_GAMMA),
    meant=(IN_OTHER_CELLS, LESS_THAN_SMOOTH_GAMMA),
    scope="expected L1 error of one cell, by the closed forms; the averages of the experiments are "
    "confidential",
    origin="implied",
)
def smooth_laplace_is_not_best_beside_a_large_establishment() -> Verdict:
    """Its error is 2·max(αx, 1)/ε, always less than Smooth Gamma's (5/√2)·max(αx, 1)/(ε − 5·ln(1+α)).
    Log-Laplace has (n + 1/α)·λ/(1−λ²) with λ = 2·ln(1+α)/ε, and ln(1+α) < α: one establishment of 300
    workers has the error 30 under Smooth Laplace and 29.8 under Log-Laplace at α = 1/10, ε = 2. It is
    the best where max(αx, 1) ≤ ln(1+α)·(n + 1/α), as in cells of several establishments of like size.
    """
    return ill_posed(
        exact.refuted(LESS_THAN_LOG_LAPLACE, α=TENTH, ε=2, n=300, x=300),
        solver.proves(IN_OTHER_CELLS, lambda c, alpha, *_: c.log(1 / (1 + alpha))),
        solver.proves(LESS_THAN_SMOOTH_GAMMA, lambda c, alpha, *_: c.log(1 / (1 + alpha))),
        condition="max(αx, 1) ≤ ln(1+α)·(n + 1/α) in every cell; the experiments' cells are not public",
        counterexample="α = 1/10, ε = 2, one establishment of 300 workers: 2·30/2 = 30 against "
        "310·.0953/(1 − .0953²) = 29.8 for Log-Laplace",
    )
