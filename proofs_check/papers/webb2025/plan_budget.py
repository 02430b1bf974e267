"""Table 7: its budgets and totals, and what its five queries cost one establishment or a firm exactly."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import sympy

from establish import Verdict, aside, claim, exact, fails, holds, holds_loosely, not_checkable, symbolic
from establish.proofs_check.engine.statements import AtMost, Below, Comparison, Equal, Every, Printed
from establish.proofs_check.papers.webb2025.firms import cauchy, firm_is_private, root_of_a_group, whole_firm
from establish.proofs_check.papers.webb2025.psi_mechanism import likelihood_of_shifts
from establish.proofs_check.papers.webb2025.rounding import half_unit, root_rounds
from establish.proofs_check.papers.webb2025.total_budget import ANSWERS, answers_are_private
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.gaussian import composed, composed_square
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import root

MONTHS = 3
"""Employment is an attribute for each month of the quarter, wages are one attribute (Section 8)."""


class Row(NamedTuple):
    """A row of Table 7 as printed: budget, share, budgets of employment and of wages, wage share."""

    name: str
    budget: str
    share: str
    employment: str
    wages: str
    wage_share: str

    @property
    def budgets(self) -> list[Fraction]:
        """The budgets of the row's answers: employment for each month, and wages."""
        return [Fraction(self.employment)] * MONTHS + [Fraction(self.wages)]

    @property
    def square(self) -> Fraction:
        """The square of the row's budget, exactly."""
        return composed_square(self.budgets)


ROWS = {
    "I": Row("Identity", "1.22", "0.281", "0.70", "0.15", "0.015"),
    "S": Row("State Total", "0.36", "0.024", "0.20", "0.10", "0.077"),
    "N5": Row("State NAICS-5", "1.05", "0.207", "0.60", "0.15", "0.020"),
    "C": Row("County Total", "1.05", "0.207", "0.60", "0.15", "0.020"),
    "CN5": Row("County by NAICS-5", "1.22", "0.281", "0.70", "0.15", "0.015"),
}
"""Table 7 as printed."""

SECTION_8_1 = ("0.7", "0.2", "0.6", "0.6", "0.7")
"""Section 8.1: the budgets of Q1 to Q5 for one month's employment."""

SECTION_8_2 = ("0.611", "0.179", "0.525", "0.525", "0.611")
"""Section 8.2: the budgets of Q1 to Q5 for each of the four attributes."""


TOTAL = sum((row.square for row in ROWS.values()), Fraction(0))
"""The square of the total budget of Table 7: 133/25."""


def digits(budgets: Sequence[Fraction | str]) -> str:
    """17 certain digits of the total of some budgets."""
    with enclosing():
        return str(composed([Fraction(mu) for mu in budgets], ARB).str(17, radius=False))


def entries(row: Row) -> tuple[Comparison, ...]:
    """Budget, share of the total, and share of wages, as printed."""
    budgets, square = tuple(row.budgets), row.square
    wages = Fraction(row.wages) ** 2
    return (
        Printed(lambda c: composed(budgets, c), row.budget),
        Printed(lambda c: c.number(square / TOTAL), row.share),
        Printed(lambda c: c.number(wages / square), row.wage_share),
    )


ENTRIES = tuple(entry for row in ROWS.values() for entry in entries(row))
"""Of each row: μ_q² = 3·μ_(q,e)² + μ_(q,w)², its share of 5.32, and the wages' share of it."""


def _total_rounds(budgets: Sequence[Fraction | str], digits: str) -> Comparison:
    """The root of the sum of the squares of some budgets rounds to the printed digits."""
    given = tuple(Fraction(mu) for mu in budgets)
    return Printed(lambda c: composed(given, c), digits)


TABLE_7 = _total_rounds([mu for row in ROWS.values() for mu in row.budgets], "2.31")
FOR_8_1 = _total_rounds(SECTION_8_1 * MONTHS, "2.28")
FOR_8_2 = _total_rounds(SECTION_8_2 * (MONTHS + 1), "2.31")


@claim(
    "webb2025/tab-7-mu",
    where="Table 7",
    says="The budgets of the five queries, their shares, the wages' shares, and the overall budget 2.31 are "
    "computed from the exact budgets of employment and wages, and rounded.",
    states=(*ENTRIES, TABLE_7),
    tight=TABLE_7,
)
def total_of_table_7() -> Verdict:
    """√(2·1.4925 + 0.13 + 2·1.1025) = √5.32 = 2.3065… If the √-mechanism answers all queries, it is attained
    by an establishment that is alone in each of its groups; the others cost less (Theorem 6.5).
    """
    budgets = [mu for row in ROWS.values() for mu in row.budgets]
    return holds(*map(exact.decided, (*ENTRIES, TABLE_7)), value=digits(budgets))


@claim(
    "webb2025/sec8.1-mu",
    where="Section 8.1",
    says="Budgets 0.7, 0.2, 0.6, 0.6, 0.7 for each of 3 months make 2.28 overall.",
    states=FOR_8_1,
    tight=FOR_8_1,
)
def total_of_section_8_1() -> Verdict:
    """√(3·1.74) = √5.22 = 2.2847…"""
    budgets = SECTION_8_1 * MONTHS
    return holds(exact.decided(FOR_8_1), value=digits(budgets))


@claim(
    "webb2025/sec8.2-mu",
    where="Section 8.2",
    says="Budgets 0.611, 0.179, 0.525, 0.525, 0.611 for each of 4 attributes make 2.31 overall.",
    states=FOR_8_2,
    tight=FOR_8_2,
)
def total_of_section_8_2() -> Verdict:
    """√(4·1.329933) = √5.319732 = 2.3064…"""
    budgets = SECTION_8_2 * (MONTHS + 1)
    return holds(exact.decided(FOR_8_2), value=digits(budgets))


QUERIES = ("I", "S", "N5", "C", "CN5")
"""Q1 to Q5."""


def _halves(least: str, most: str) -> bool:
    """Whether a factor k takes 0.7 to the printed ``most`` and 0.2 to the printed ``least``, both rounded."""
    unit = Fraction(1, 2000)
    lowest = max((Fraction(least) - unit) / Fraction("0.2"), (Fraction(most) - unit) / Fraction("0.7"))
    highest = min((Fraction(least) + unit) / Fraction("0.2"), (Fraction(most) + unit) / Fraction("0.7"))
    return lowest <= highest


ONE_FACTOR = Every(
    "pair of printed budgets of Q2 and Q1", lambda: (("0.179", "0.611"),), lambda pair: _halves(*pair)
)


def _half_of(name: str, digits: str) -> Comparison:
    square = ROWS[name].square / 4
    return Printed(lambda c: c.sqrt(c.number(square)), digits)


HALVES = tuple(
    _half_of(name, digits)
    for name, digits in zip(QUERIES, ("0.611", "0.180", "0.525", "0.525", "0.611"), strict=True)
)
"""Half the query budgets of Table 7."""


@claim(
    "webb2025/sec8.2-rescaled",
    origin="implied",
    where="Section 8.2",
    says="The budgets of Section 8.2 are those of Section 8.1, rescaled by one factor.",
    states=ONE_FACTOR,
    tight=HALVES,
)
def budgets_are_not_rescaled_by_one_factor() -> Verdict:
    """A factor k that takes 0.2 to 0.179 and 0.7 to 0.611, both rounded, needs 0.2k ≥ 0.1785 and 0.7k ≤
    0.6115: k ≥ 0.8925 and k ≤ 0.8736. What comes out is half the query budgets of Table 7, √1.4925/2 =
    0.6108 and √1.1025/2 = 0.525, but for the state total, where √0.13/2 = 0.1803 would be printed 0.180.
    """
    return fails(
        exact.refuted(ONE_FACTOR, case=("0.179", "0.611")),
        *map(exact.decided, HALVES),
        counterexample="0.179/0.2 = 0.895, 0.611/0.7 = 0.873, 0.525/0.6 = 0.875",
        value="half the query budgets of Table 7: 0.611, 0.180, 0.525, 0.525, 0.611",
    )


ATTRIBUTES = ("month 1", "month 2", "month 3", "wages")


def _parameters() -> Iterator[tuple[str, Fraction, Fraction]]:
    """The budget of each attribute of each query, and γ_w: of Section 8.2, and of Appendix C with Table 7."""
    for query, digits in zip(QUERIES, SECTION_8_2, strict=True):
        for attribute, budget in zip(ATTRIBUTES, ROWS[query].budgets, strict=True):
            yield f"{query}, {attribute}", Fraction(digits), budget
    yield "γ_w", Fraction(50), Fraction(50)


SAME_BASELINE = Every(
    "parameter (its name, in Section 8.2, in the baseline)", _parameters, lambda case: case[1] == case[2]
)


@claim(
    "webb2025/sec8.2-wage-unit",
    where="Section 8.2, with Table 7 and Appendix C",
    says="γ_w = 50 is the distance parameter of quarterly wages.",
)
def the_unit_of_wages_is_not_named() -> Verdict:
    """Under √ a distance is in roots of the unit: 50 hides an establishment without wages among those of up
    to 50² units, 2,500 dollars or 2,500 thousand dollars; a thousandfold unit is a √1000-fold distance.
    Section 5.4.2 uses 100 for dollars, 100² = 10,000 dollars, which lies between. The wages of Tables 8 and 9
    fit neither unit (webb2025/alg-3-unit).
    """
    return not_checkable("the unit of wages in Sections 8.2 and C and in Tables 8 and 9")


@claim(
    "webb2025/appC-baseline",
    where="Appendix C, against Section 8.2",
    says="The baseline of Table 7 matches the parameters used in Section 8.",
    states=SAME_BASELINE,
)
def baseline_differs_from_section_8_2() -> Verdict:
    """Section 8.2 gives every attribute of the identity query 0.611; Table 7 gives employment 0.70 and wages
    0.15, and calls them exact. The totals agree when rounded, the split does not: wages get a quarter of
    each query's squared budget in Section 8.2, and at most 7.7% of it in Table 7.
    """
    largest = max(Fraction(row.wages) ** 2 / row.square for row in ROWS.values())
    return fails(
        exact.refuted(SAME_BASELINE, case=("I, wages", Fraction("0.611"), Fraction("0.15"))),
        aside(exact.compare(largest, "<", Fraction(77, 1000), "the wages' largest share in Table 7")),
        counterexample="identity query: 0.611 for each attribute in Section 8.2; 0.70 and 0.15 in Table 7",
    )


def spent(groups: Mapping[str, Sequence[int]], before: Sequence[Number], after: Sequence[Number]) -> Number:
    """The exact square of the cost of the √-mechanism's answers to some queries, of all 4 attributes.

    groups: the group of each establishment by query. Values are those of each attribute, as √ sees
    them: one unit of before − after is one distance γ.
    """
    costs = [
        PsiMechanism(root(), 1, mu).query_cost(of, before, after, SYM)
        for name, of in groups.items()
        for mu in ROWS[name].budgets
    ]
    return sum((cost**2 for cost in costs), sympy.Integer(0))


BUDGETS = tuple(mu for row in ROWS.values() for mu in row.budgets)
"""The budgets of all twenty answers of Table 7."""


def _squares_around(digits: str) -> tuple[Comparison, Comparison]:
    """That the total of Table 7 rounds to the digits, in squares, so that rationals decide."""
    middle, half = Fraction(digits), half_unit(digits)
    low, high = (middle - half) ** 2, (middle + half) ** 2

    def square(c: World) -> Number:
        return c.number(composed_square(BUDGETS))

    return AtMost(left=low, right=square), Below(left=square, right=high)


COST = _squares_around("2.3065")


def _alone_in_the_state(c: World) -> Number:
    """The square of what 4 becoming 9 costs where all groups are of one establishment, under √ at γ = 1."""
    answers = (PsiMechanism(root(), 1, mu) for mu in BUDGETS)
    return sum((c.power(answer.query_cost([0], [4], [9], c), 2) for answer in answers), c.number(0))


ATTAINED = Equal(left=_alone_in_the_state, right=lambda c: c.power(composed(BUDGETS, c), 2))
"""An establishment that is alone in the state and moves by γ in every attribute pays all of it."""


@claim(
    "webb2025/tab-7-cost",
    where="Table 7, caption, the exact cost",
    says="The five queries on four attributes, all answered by the √-mechanism, cost μ ≈ 2.31 in all.",
    states=(ANSWERS, *COST),
    tight=(*COST, ATTAINED),
    scope="ψ-neighbors that may differ in every attribute",
)
def total_is_attained_by_an_establishment_alone_in_the_state() -> Verdict:
    """An establishment that is alone in each of its groups, the whole state too, and moves by γ in every
    attribute pays each answer's μ: the square is 133/25 exactly, and more is not possible (Theorem 6.5).
    Beside others the state and county answers cost less, towards nothing as their sums grow; one that is
    alone in its industry then pays √(2·1.4925 + 1.1025) = √4.0875 = 2.0218…
    """
    others = sympy.Symbol("S", positive=True)
    industry = spent({name: [0] for name in ("I", "N5", "CN5")}, [4], [9])
    beside = spent({name: [0, 0] for name in ("S", "C")}, [4, others], [9, others])
    return holds(
        answers_are_private(),
        *map(exact.decided, COST),
        symbolic.proves(ATTAINED),
        aside(
            symbolic.identity(sympy.limit(beside, others, sympy.oo), sympy.Integer(0), "S and C beside S → ∞")
        ),
        aside(symbolic.identity(industry, sympy.Rational(40875, 10000), "alone in the industry only")),
        value=digits(BUDGETS),
    )


FIRM, ROUNDED = whole_firm(ANSWERS), _squares_around("2.31")


@claim(
    "webb2025/tab-7-firm",
    where="Table 7, caption, with Section 5.4.1",
    says="A firm of ℓ establishments pays ℓ·2.31 for the five queries under the √-mechanism.",
    states=(FIRM, *ROUNDED),
    scope="ψ-close records that may differ in every attribute",
    origin="implied",
)
def a_firm_pays_the_root_of_its_size() -> Verdict:
    """√ℓ·√5.32 suffices: in each query Σℓ_g = ℓ (webb2025/thm-6.5-firm). Equal establishments that are the
    whole state attain it, wherever they are. If the queries but Q1 are answered by pnc, it is
    √(1.4925ℓ + 3.8275ℓ²) (webb2025/sec6.2-total-firm): for ℓ = 4, 8.20 in place of 4.61 and of 9.23.
    """
    spread = {"I": [0, 1, 2, 3], "S": [0] * 4, "N5": [0, 0, 1, 1], "C": [0] * 4, "CN5": [0, 0, 1, 1]}
    four = spent(spread, [4] * 4, [9] * 4)
    rest = TOTAL - ROWS["I"].square
    return holds_loosely(
        firm_is_private(FIRM, answers_are_private()),
        *map(exact.decided, ROUNDED),
        cauchy(),
        root_of_a_group(),
        *likelihood_of_shifts(),
        symbolic.identity(four, 4 * sympy.Rational(133, 25), "square of the cost of 4 in two industries"),
        aside(root_rounds(4 * TOTAL, "4.61", "a firm of 4, √-mechanism")),
        aside(root_rounds(4 * ROWS["I"].square + 16 * rest, "8.20", "a firm of 4, pnc but for Q1")),
        aside(root_rounds(16 * TOTAL, "9.23", "a firm of 4 by group privacy")),
        value="√ℓ·2.3065… under the √-mechanism",
    )
