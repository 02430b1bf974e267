"""Sections 2.2 and 4: what is said of the p% rule, of cell suppression and of multiplicative noise."""

from collections.abc import Callable
from fractions import Fraction

import z3

from establish import Evidence, Verdict, aside, claim, exact, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import exceeding, no_constant
from establish.proofs_check.engine.statements import AtMost, Below, Bounded, Comparison, Equal, Real, given
from establish.spec.arithmetic import Number, World
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise
from establish.spec.disclosure_limitation.p_percent import estimate_of_largest, p_percent_sensitive
from establish.spec.disclosure_limitation.suppression import SuppressedTable, formulas
from establish.spec.mechanisms.noise_infusion import FactorRange

THREE = (100, 10, 10)
"""A cell of three establishments that no p ≤ 10 calls sensitive."""

RANGE = FactorRange("1/20", "1/10")
"""Factors between 5% and 10% away from 1."""


def _yes(answer: bool, says: str) -> Evidence:
    return exact.compare(int(answer), "==", 1, says)


_CELL = (Real("p", above=0), Real("x1", above=0), Real("x2", least=0, most=lambda c, p, first: first))
_WITH_THIRD = (*_CELL, Real("x3", least=0, most=lambda c, p, first, second: second))


def _share(c: World, p: Number, first: Number, *_: Number) -> Number:
    """p% of the largest."""
    return p * first / 100


ERRS_BY_MORE = AtMost(
    *_WITH_THIRD,
    left=_share,
    right=lambda c, p, first, second, third: c.absolute(first + third - second / 2 - first),
    given=[given(_share, "<=", lambda c, p, first, second, third: third)],
)
"""Of three, not flagged: the second errs by p% at least when it takes the middle of [T − 2·x2, T − x2]."""


def _overestimate(c: World, p: Number, first: Number, second: Number, rest: Number) -> Number:
    """Total minus the second's own value, against the largest."""
    return (first + second + rest) - second - first


_REMAINDER = (*_CELL, Real("R", least=0))
FLAGGED = Below(
    *_REMAINDER,
    left=_overestimate,
    right=_share,
    given=[given(lambda c, p, first, second, rest: rest, "<", _share)],
)
NOT_FLAGGED = AtMost(
    *_REMAINDER,
    left=_share,
    right=_overestimate,
    given=[given(_share, "<=", lambda c, p, first, second, rest: rest)],
)
"""Total minus the second's own value overestimates the largest by less than p% exactly in flagged cells."""


@claim(
    "webb2025/sec2-p-percent",
    where="Section 2.2, the p% rule",
    says="Flagging a cell whose total minus the two largest contributions is less than p% of the largest "
    "asks whether the second largest establishment can use the total to learn the largest up to p%.",
    states=ERRS_BY_MORE,
    meant=(FLAGGED, NOT_FLAGGED),
)
def the_rule_knows_one_way_to_use_the_total() -> Verdict:
    """Total minus own value overestimates the largest x₁ by the remainder R, relatively R/x₁: less than p%
    exactly when the cell is flagged, and nobody else in the cell errs less. But the estimate is one-sided,
    and who knows that it is the second of three knows R ≤ x₂: x₁ lies in [T − 2x₂, T − x₂], and the middle
    errs by at most x₂/2. For (100, 10, 10) and p = 8 the cell is not flagged (R = 10), and the middle of
    [100, 110] errs by 5%.
    """
    first, second, other, rest, p = z3.Reals("x1 x2 x3 R p")
    middle = estimate_of_largest(THREE, 2) - Fraction(THREE[1], 2)
    ordered = [first >= second, second >= other, other >= 0, first > 0, rest >= other, p > 0]
    total = first + second + rest
    return ill_posed(
        exact.refuted(ERRS_BY_MORE, p=8, x1=100, x2=10, x3=10),
        *map(solver.proves, (FLAGGED, NOT_FLAGGED)),
        solver.for_all(
            ordered, total - other >= total - second, "a smaller contributor's estimate is no better"
        ),
        solver.for_all(
            [*ordered, rest == other],
            z3.And(total - 2 * second <= first, first <= total - second),
            "with three in the cell, the largest lies between total minus twice and minus once x₂",
        ),
        _yes(not p_percent_sensitive(THREE, 8), "(100, 10, 10) is not flagged at p = 8"),
        exact.compare(abs(middle - 100), "<", 8, "error in % of the middle of [100, 110]"),
        condition="the attacker subtracts its own value from the total, and uses nothing else",
        counterexample="values 100, 10, 10 and p = 8: not flagged; the second of three knows that the "
        "largest lies in [100, 110], so that 105 errs by at most 5%",
    )


NATION = [("US", ("PA", "NY", "OH")), ("PA", ("Erie", "Bucks")), ("NY", ("Kings", "Bronx"))]
"""A nation's total over states, and two states' over counties."""


_CELLS = tuple(Real(name, least=0) for name in ("Erie", "Bucks", "Kings", "Bronx", "OH"))

HIDDEN = Equal(
    *_CELLS,
    Real("t"),
    left=lambda c, erie, bucks, kings, bronx, ohio, t: (erie + bucks + t) + (kings + bronx - t) + ohio,
    right=lambda c, erie, bucks, kings, bronx, ohio, t: (erie + bucks) + (kings + bronx) + ohio,
)
"""Any t may move from the Bronx to Bucks: no published cell changes, neither Ohio, Erie, Kings nor this
sum, the nation.
"""

GIVEN_AWAY = Equal(
    *_CELLS,
    left=lambda c, erie, bucks, kings, bronx, ohio: (
        ((erie + bucks) + (kings + bronx) + ohio) - ohio - erie - bucks - kings
    ),
    right=lambda c, erie, bucks, kings, bronx, ohio: bronx,
)
"""Nation − Ohio − Erie − Bucks − Kings, all published once Pennsylvania adds Bucks, is New York's cell."""


PUBLISHERS = {"states": 50, "District of Columbia": 1, "Puerto Rico": 1, "Virgin Islands": 1, "BLS": 1}
"""The curators that Section 2.1 lists."""

CURATORS = Equal(left=lambda c: c.number(sum(PUBLISHERS.values())), right=54)


@claim(
    "webb2025/sec2-brittle",
    where="Section 2.1, and Section 2.2, first vulnerability",
    says="There are 54 curators, and one of them, Pennsylvania, may release data on its own establishments "
    "that, with the cell-suppressed tables, give away suppressed cells of New York.",
    states=(CURATORS, HIDDEN, GIVEN_AWAY),
)
def one_publisher_undoes_the_others_suppression() -> Verdict:
    """Published are the nation, Ohio, and one county of either state; Pennsylvania and New York are hidden
    in each other, and no suppressed cell has a formula. Once Pennsylvania publishes its other county, New
    York = US − OH − PA and its hidden county follow, exactly and whatever the values.
    """
    published = ["US", "OH", "Erie", "Kings"]
    before, after = formulas(NATION, published), formulas(NATION, [*published, "Bucks"])
    signs = after["Bronx"]
    return holds(
        exact.decided(CURATORS),
        symbolic.proves(HIDDEN),
        symbolic.proves(GIVEN_AWAY),
        exact.compare(len(before), "==", 0, "suppressed cells with a formula, before"),
        exact.compare(len(after), "==", 3, "after (Pennsylvania, New York and its hidden county)"),
        *(
            exact.compare(signs.get(cell, Fraction(0)), "==", sign, f"{cell} in the hidden county")
            for cell, sign in (("US", 1), ("OH", -1), ("Erie", -1), ("Bucks", -1), ("Kings", -1))
        ),
    )


SQUARE = [("row 1", "ab"), ("row 2", "cd"), ("column 1", "ac"), ("column 2", "bd")]
"""A table of four cells with its margins."""


_FIRST = Real("a", least=0)
_REST = [given(lambda w, a: 100 - a, ">=", 0), given(lambda w, a: 1 - a, ">=", 0)]
AT_LEAST_99 = AtMost(_FIRST, left=99, right=lambda w, a: 100 - a, given=_REST)
AT_MOST_100 = AtMost(_FIRST, left=lambda w, a: 100 - a, right=100, given=_REST)
"""With a in the first cell the margins 100, 1 and 1, 100 leave b = 100 − a, c = 1 − a and d = a: where none
is below 0, 99 ≤ b ≤ 100.
"""


def _sums_after(moved: Callable[..., Number], kept: Callable[..., Number]) -> Comparison:
    """A margin after t moves from b and c to a and d."""
    return Equal(
        *(Real(name) for name in "abcdt"),
        left=lambda w, a, b, c, d, t: moved(a + t, b - t, c - t, d + t),
        right=lambda w, a, b, c, d, t: kept(a, b, c, d),
    )


NO_CELL_FOLLOWS = tuple(
    _sums_after(margin, margin)
    for margin in (
        lambda a, b, c, d: a + b,
        lambda a, b, c, d: c + d,
        lambda a, b, c, d: a + c,
        lambda a, b, c, d: b + d,
    )
)
"""Every margin stays when t moves in a circle: equations alone determine no cell."""


@claim(
    "webb2025/sec2-linear",
    where="Section 2.2, second vulnerability",
    says="Cell suppression protects only against attackers who add, subtract and multiply by constants.",
    states=(*NO_CELL_FOLLOWS, AT_LEAST_99, AT_MOST_100),
    origin="implied",
)
def nonnegative_values_say_more_than_equations() -> Verdict:
    """With margins 100, 1, 1, 100 and all four cells suppressed no cell has a formula, so that no linear
    attacker learns one. But values are at least 0: c + d = 1 and a + c = 1 leave 99 ≤ b ≤ 100, within 1%.
    With margins 0 in place of 1 all four are disclosed.
    """
    margins = {"row 1": 100, "row 2": 1, "column 1": 1, "column 2": 100}
    table = SuppressedTable(SQUARE, margins)
    empty = SuppressedTable(SQUARE, {**margins, "row 2": 0, "column 1": 0})
    low, high = table.interval("b")
    return holds(
        *map(symbolic.proves, NO_CELL_FOLLOWS),
        solver.proves(AT_LEAST_99),
        solver.proves(AT_MOST_100),
        exact.compare(len(table.recovered()), "==", 0, "cells that linear algebra determines"),
        exact.compare(low, "==", 99, "the least b that fits"),
        exact.compare(high if high is not None else -1, "==", 100, "the greatest b that fits"),
        exact.compare(len(empty.recovered()), "==", 0, "the same with two margins of 0"),
        _yes(
            all(
                empty.interval(cell) == (Fraction(v), Fraction(v))
                for cell, v in zip("abcd", (0, 100, 0, 0), strict=True)
            ),
            "then each of the four cells is a single number",
        ),
    )


_SIZE = Real("x", above=0)
_FACTOR = (Real("t", above=0, below=1), Real("s", above=0, below=lambda c, x, t: t), Real("f"))


def _off(c: World, factor: Number) -> Number:
    return c.absolute(factor - 1)


_ALLOWED = [
    given(lambda c, x, t, s, f: s, "<=", lambda c, x, t, s, f: _off(c, f)),
    given(lambda c, x, t, s, f: _off(c, f), "<=", lambda c, x, t, s, f: t),
]
WITHIN = AtMost(
    _SIZE,
    *_FACTOR,
    left=lambda c, x, t, s, f: c.absolute(f * x - x),
    right=lambda c, x, t, s, f: t * x,
    given=_ALLOWED,
)
AWAY = AtMost(
    _SIZE,
    *_FACTOR,
    left=lambda c, x, t, s, f: s * x,
    right=lambda c, x, t, s, f: c.absolute(f * x - x),
    given=_ALLOWED,
)
UNCHANGED = Below(
    _SIZE,
    *_FACTOR,
    left=lambda c, x, t, s, f: c.absolute(f * x - x),
    right=Fraction(1, 2),
    given=[*_ALLOWED, given(lambda c, x, t, s, f: 2 * x * t, "<", 1)],
)
"""The relative error lies between s and t; below 1/(2t) the error is less than what rounding undoes."""


@claim(
    "webb2025/sec4-ezs-small",
    where="Section 4, and Section 1: multiplicative noise",
    says="EZS noise protects up to a relative error, and underprotects small cells.",
    states=(WITHIN, AWAY, UNCHANGED),
    tight=UNCHANGED,
    scope="an establishment alone in its cell",
    origin="implied",
)
def small_counts_are_published_as_they_are() -> Verdict:
    """An establishment alone in a cell is published as f·x with s ≤ |f − 1| ≤ t: the relative error lies
    between s and t at every size. Rounded to whole numbers, every x < 1/(2t) is published as it is, with
    certainty: for t = 1/10 up to 4 employees, and 5 may be. The ratio of two of its values is exact.
    """
    rounded = MultiplicativeNoise(RANGE, rounding=True)
    return holds(
        *(solver.proves(one) for one in (WITHIN, AWAY, UNCHANGED)),
        aside(exact.compare(rounded.published([5], [Fraction(11, 10)]), "==", 6, "5 times 1.1, rounded")),
        aside(exact.compare(rounded.published([5], [Fraction(21, 20)]), "==", 5, "5 times 1.05, rounded")),
        value="counts below 1/(2t) are published exactly",
        condition="published counts are rounded to whole numbers, and 'underprotected' means unchanged",
    )


KEEPS_ITS_DISTORTION = Bounded(
    Real("n", least=1), left=lambda c, n: c.number(1), by=lambda c, n: 1 / c.sqrt(n)
)
"""The relative standard deviation σ of one is at most a constant times that of n equal ones."""

_MORE_OF_THEM = {"n": lambda c, k: (k + 1) * (k + 1)}

BETWEEN = (
    AtMost(
        Real("n", least=1),
        Real("squares", least=0),
        Real("total", above=0),
        left=lambda c, n, squares, total: 1 / c.sqrt(n),
        right=lambda c, n, squares, total: c.sqrt(squares) / total,
        given=[
            given(lambda c, n, squares, total: total * total, "<=", lambda c, n, squares, total: n * squares)
        ],
    ),
    AtMost(
        Real("squares", least=0),
        Real("total", above=0),
        left=lambda c, squares, total: c.sqrt(squares) / total,
        right=1,
        given=[given(lambda c, squares, total: squares, "<=", lambda c, squares, total: total * total)],
    ),
)
"""√Σx²/Σx lies between 1/√n (by Cauchy and Schwarz, as (Σx)² ≤ n·Σx²) and 1."""

DOMINATED = AtMost(
    Real("share", above=0, most=1),
    Real("rest of the squares", least=0),
    left=lambda c, share, more: share,
    right=lambda c, share, more: c.sqrt(share * share + more),
)
"""An establishment with a share of the total leaves it that share of σ at least."""


@claim(
    "webb2025/sec4-ezs-large",
    where="Section 4, and Section 1: multiplicative noise",
    says="EZS noise adds significant distortions to large aggregates.",
    states=KEEPS_ITS_DISTORTION,
    meant=DOMINATED,
    tight=BETWEEN,
    origin="ours",
)
def distortion_depends_on_dominance() -> Verdict:
    """For independent factors of variance σ² a total Σx has the relative standard deviation σ√Σx²/Σx: between
    σ/√n, for n equal contributions (Cauchy and Schwarz), and σ, for one that dominates. Large aggregates of
    many alike establishments are distorted little: 10,000 equal ones by σ/100. The statement is about
    skewed data, where one establishment keeps its whole relative error, at least s.
    """
    noise = MultiplicativeNoise(RANGE)
    equal = noise.variance([1] * 10_000) / Fraction(10_000) ** 2
    dominated = noise.variance([10_000, *[1] * 100]) / Fraction(10_100) ** 2
    return ill_posed(
        no_constant(
            KEEPS_ITS_DISTORTION,
            _MORE_OF_THEM,
            *map(solver.proves, exceeding(KEEPS_ITS_DISTORTION, _MORE_OF_THEM)),
        ),
        solver.proves(DOMINATED),
        *map(solver.proves, BETWEEN),
        exact.compare(
            equal / noise.factor_variance(), "==", Fraction(1, 10_000), "10,000 equal contributions"
        ),
        exact.compare(
            dominated / noise.factor_variance(), ">", Fraction(9, 10), "one of 10,000 beside 100 of 1"
        ),
        condition="totals that few establishments dominate",
        counterexample="10,000 equal establishments: a relative standard deviation of σ/100",
        value="σ√Σx²/Σx, between σ/√n and σ",
    )
