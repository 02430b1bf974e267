"""Appendix A.3, Algorithm 5: county × NAICS-6 cells from county × NAICS-4 cells."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from establish import Verdict, aside, claim, exact, exhaustive, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.statements import AtMost, Below, Comparison, Equal, Every, Real, given
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.papers.webb2025.divider import in_proportion
from establish.spec.arithmetic import Number
from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.divider import divided_as_published
from establish.spec.synthetic.six_digit import (
    left_over,
    months_3,
    months_3_as_meant,
    months_3_as_published,
    receivers,
    receivers_as_published,
    scale_in_text,
    total_in_text,
)

F = Fraction
EXAMPLE = tuple(
    Equal(left=left, right=right)
    for left, right in (
        (lambda c: scale_in_text(F(1000), F(1250)), F(4, 5)),
        (lambda c: months_3_as_published([F(700), F(300)], F(1000), F(1250))[0], 875),
        (lambda c: months_3_as_published([F(700), F(300)], F(1000), F(1250))[1], 375),
    )
)


@claim(
    "webb2025/alg-5-example",
    where="Appendix A.3, example on NAICS 2361",
    says="Imputed 1,000 against 1,250: EmpScale is 0.8, and 700 and 300 become 875 and 375.",
    states=EXAMPLE,
)
def example_of_the_scale() -> Verdict:
    """1000/1250 = 4/5, 700/(4/5) = 875 and 300/(4/5) = 375, together 1,250."""
    return holds(*map(exact.decided, EXAMPLE))


OWN, REST, MONTH_3, WAGE = (Real(name, least=0) for name in ("own", "rest", "m3emp", "wage"))
"""Of one NAICS-6 cell, of the others of its NAICS-4 cell together, and of that cell."""

SCALE = Below(
    Real("imputed", least=0), MONTH_3, left=0, right=lambda c, imputed, m3: scale_in_text(imputed, m3)
)
POSITIVE_SCALE = (
    Below(Real("imputed", above=0), MONTH_3, left=0, right=lambda c, imputed, m3: scale_in_text(imputed, m3)),
    Equal(
        OWN,
        Real("imputed", above=0),
        Real("m3emp", above=0),
        left=lambda c, own, imputed, m3: own / scale_in_text(imputed, m3),
        right=lambda c, own, imputed, m3: months_3_as_meant([own], imputed, m3)[0],
    ),
)
"""The displayed EmpScale, by which employment is divided, is positive; what it gives is that of line 13."""


@claim(
    "webb2025/alg-5-scale",
    where="Appendix A.3, display of EmpScale, against Algorithm 5, line 11",
    says="EmpScale is imputeCBP.cntyN4.emp/cntyN4.m3emp where cntyN4.m3emp > 0, and NAICS-6 employment is "
    "divided by it.",
    states=SCALE,
    meant=POSITIVE_SCALE,
)
def scale_of_zero_divides() -> Verdict:
    """Where only the imputed employment is 0 the displayed scale is 0, and the text divides 0 by it. Line 11
    of the algorithm asks for both to be positive.
    """
    return ill_posed(
        exact.refuted(SCALE, imputed=0, m3emp=5),
        *map(solver.proves, POSITIVE_SCALE),
        condition="imputeCBP.cntyN4.emp > 0, as in line 11",
        counterexample="imputed employment 0, cntyN4.m3emp = 5: 0/0",
    )


LINE_15 = Equal(
    *(Real(f"imputed_{cell}", least=0) for cell in ("ℓ", "ℓ'")),
    left=lambda c, here, there: here,
    right=lambda c, here, there: there,
)
"""The one m3emp_{c,k} is set to the imputed value of every ℓ: those of any two are then the same."""

LINE_15_WITH_L = Equal(
    OWN,
    REST,
    MONTH_3,
    left=lambda c, own, rest, m3: months_3_as_meant([own, rest], own + rest, m3)[0],
    right=lambda c, own, rest, m3: own,
    given=[given(lambda c, own, rest, m3: (own + rest) * m3, "==", 0)],
)
"""Without a scale, where the NAICS-4 cell has no imputed or no month 3 employment."""


def _months(own: Number, rest: Number, m3: Number) -> Sequence[Number]:
    """m3emp of a NAICS-6 cell, and of the others together, by lines 11–15 as meant."""
    return months_3_as_meant([own, rest], own + rest, m3)


def _in_scale(own: Variable, rest: Variable, m3: Variable) -> Comparison:
    return Equal(
        own,
        rest,
        m3,
        left=lambda c, own, rest, m3: _months(own, rest, m3)[0] * (own + rest),
        right=lambda c, own, rest, m3: m3 * own,
    )


def _kept(own: Variable, rest: Variable, m3: Variable) -> Comparison:
    return Equal(
        own,
        rest,
        m3,
        left=lambda c, own, rest, m3: sum(_months(own, rest, m3)),
        right=lambda c, own, rest, m3: m3,
    )


KEPT = _in_scale(OWN, REST, MONTH_3), _kept(OWN, REST, MONTH_3)
KEPT_WITH_SCALE = tuple(
    made(Real("own", above=0), REST, Real("m3emp", above=0)) for made in (_in_scale, _kept)
)
"""Each cell has of m3emp what it has of the imputed employment, and together they have all of it."""

KEPT_IN_PROPORTION = Equal(
    OWN,
    REST,
    MONTH_3,
    left=lambda c, own, rest, m3: sum(months_3([own, rest], m3)),
    right=lambda c, own, rest, m3: m3,
)


@claim(
    "webb2025/alg-5-month-3",
    where="Appendix A.3, Algorithm 5, lines 11–15",
    says="The adjusted m3emp of the NAICS-6 cells match the scale of the NAICS-4 cell's m3emp; without a "
    "scale m3emp_{c,k} is set to imputeCBP.cntyN6.emp_{c,ℓ} for all ℓ.",
    states=(*KEPT, LINE_15),
    meant=(*KEPT_WITH_SCALE, LINE_15_WITH_L),
)
def month_3_is_lost_or_invented_without_a_scale() -> Verdict:
    """With a scale they add up to m3emp, if the imputed values add up. Without one they add up to the imputed
    total: 0 where the NAICS-4 cell has a job and nothing was imputed, or 7 where it has none. The second
    case is a cell whose jobs are all in the first two months. Dividing m3emp in proportion to the
    imputed values, or evenly when these are 0, keeps it in every case. Line 16 reads m3emp_{c,ℓ}, which
    line 15 leaves unset: its value depends on ℓ, and (c, k) has one. ℓ is meant.
    """
    return ill_posed(
        *map(solver.proves, KEPT_WITH_SCALE),
        solver.proves(LINE_15_WITH_L),
        exact.refuted(LINE_15, **{"imputed_ℓ": 1, "imputed_ℓ'": 2}),
        aside(solver.proves(KEPT_IN_PROPORTION)),
        exact.refuted(KEPT[0], own=3, rest=4, m3emp=0),
        exact.refuted(KEPT[1], own=0, rest=0, m3emp=1),
        condition="cntyN4.m3emp > 0 and imputed values that are not all 0 and add up to the NAICS-4 value; "
        "line 15 sets m3emp_{c,ℓ}",
        counterexample="cntyN4.m3emp = 1, imputed 0 and 0: the job is lost",
    )


Receivers = Callable[[dict[str, Fraction | None]], list[str]]


def _receives(find: Receivers, published: bool) -> bool:
    """Whether a cell receives some of the wages that are left exactly when it has no published ones."""
    return find({"ℓ": F(1) if published else None}) == ([] if published else ["ℓ"])


LINE_20 = Every(
    "NAICS-6 cell, published or not",
    lambda: (True, False),
    lambda published: _receives(receivers_as_published, published),
)
LINE_20_AS_MEANT = Every(
    "NAICS-6 cell, published or not", lambda: (True, False), lambda published: _receives(receivers, published)
)


def _left(shown: Number, wage: Number, hidden: int) -> Number:
    """A of line 19, with ``shown`` published in all and so many suppressed cells."""
    return left_over({"shown": shown} | dict.fromkeys("abc"[:hidden]), wage)


LEFT = (
    AtMost(OWN, WAGE, left=0, right=lambda c, own, wage: _left(own, wage, 1)),
    Equal(OWN, WAGE, left=lambda c, own, wage: _left(own, wage, 0), right=0),
)
"""What is left is at least 0; it is 0 where no cell is suppressed."""

DIVIDED = Equal(
    Real("g1", above=0),
    Real("g2", least=0),
    OWN,
    REST,
    left=lambda c, g1, g2, own, rest: own + sum(divided_as_published([g1, g2], _left(own, own + rest, 2))),
    right=lambda c, g1, g2, own, rest: own + rest,
)
"""Algorithm 6 divides it: together the NAICS-6 cells have the NAICS-4 wage, that of the others being g2."""


CONCENTRATIONS = in_proportion(*(Real(name, above=0) for name in ("m3emp of ℓ", "m3emp of the others")))
"""The mean share of what is left, for a cell beside others without published wages."""


def _same_total(payroll: Number | None, wage: Number) -> bool:
    """Whether the total of the text is that of line 19, for a cell with a published and a suppressed part."""
    cells = {"shown": F(1), "hidden": None}
    try:
        return total_in_text(cells, payroll) == left_over(cells, wage)
    except UnsetError:
        return False


TOTAL_IN_TEXT = Every(
    "NAICS-4 cell (its published payroll, its wage)",
    lambda: ((None, F(3)), (F(3), F(3))),
    lambda cell: _same_total(*cell),
)
TOTAL_WHERE_PUBLISHED = Equal(
    OWN,
    WAGE,
    left=lambda c, own, wage: total_in_text({"shown": own, "hidden": None}, wage),
    right=lambda c, own, wage: _left(own, wage, 1),
)
"""The payroll of the NAICS-4 cell less what is published is A of line 19: the wage is the payroll there."""


_CELL = tuple(Real(name, above=0) for name in ("own", "rest", "m3emp"))

DECLARED_5 = Equal(
    *_CELL,
    Real("imputed", above=0),
    left=lambda c, own, rest, m3, imputed: months_3_as_meant([own, rest], imputed, m3)[0],
    right=lambda c, own, rest, m3, imputed: months_3([own, rest], m3)[0],
)
SUMMED_5 = Equal(
    *_CELL,
    left=lambda c, own, rest, m3: months_3_as_meant([own, rest], own + rest, m3)[0],
    right=lambda c, own, rest, m3: months_3([own, rest], m3)[0],
)
"""m3emp of a NAICS-6 cell beside others is what the declared inputs determine: cntyN4.m3emp in proportion."""


def _covered(listed: tuple[bool, bool]) -> bool:
    """Whether a NAICS-4 cell with NAICS-6 rows is one that the loop sets, and one that it sets has rows."""
    has_rows, set_by_loop = listed
    return has_rows == set_by_loop


COVERED = Every(
    "NAICS-4 cell of a county (it has NAICS-6 rows, Algorithm 1 gives it)",
    lambda: product((True, False), repeat=2),
    _covered,
)
MATCHED = Every(
    "NAICS-4 cell of a county (it has NAICS-6 rows, Algorithm 1 gives it)",
    lambda: (pair for pair in product((True, False), repeat=2) if pair[0] == pair[1]),
    _covered,
)
"""The index sets are covered when every cell is, whatever their size."""


@claim(
    "webb2025/alg-5-cells",
    where="Appendix A.3, Algorithm 5, input and lines 2–13, 19–20 and 22–24, and the last paragraph of A.3",
    says="From imputed employment and the NAICS-4 cells of Algorithm 1 Algorithm 5 sets the employment and "
    "wages of every NAICS-6 cell: what the published NAICS-6 wages leave of the NAICS-4 wage is divided, by "
    "the Dirichlet Divider with m3emp as concentrations, among the cells with ℓ ∈ I_{c,k} and ℓ ∉ I_{c,k}, "
    "those that have none.",
    states=(DECLARED_5, COVERED, *LEFT, LINE_20, DIVIDED, CONCENTRATIONS, TOTAL_IN_TEXT),
    meant=(SUMMED_5, MATCHED, LINE_20_AS_MEANT, DIVIDED, CONCENTRATIONS, TOTAL_WHERE_PUBLISHED),
)
def something_must_be_left_and_somebody_must_take_it() -> Verdict:
    """Lines 11–12 read imputeCBP.cntyN4.emp, which is not an input; another value gives another m3emp. Where
    it is the sum of the imputed values of its NAICS-6 cells the declared inputs determine it. The loop runs
    over the NAICS-4 cells of Algorithm 1, those that QWI and imputeCBP share; lines 22–24 list the NAICS-6
    rows of imputeCBP. A row whose NAICS-4 cell is not in QWI stays unset, and a NAICS-4 cell without NAICS-6
    rows goes to line 16 with nobody to receive its jobs.

    The printed set of line 20 is empty; the text divides what is left among the cells without
    CBP.cntyN6.qp1, those not in I^(6,4)_{c,k}, the set of line 17. A = wage − Σ^(6,4) must be ≥ 0 for
    Algorithm 6: so it is when wage ≥ Σ^(6,4) (alg-3-lower). And when no NAICS-6 cell is suppressed A must be
    0, as the Dirichlet law of no components is not defined; a wage that Algorithm 3 simulates or takes from
    EarnBeg need not equal Σ^(6,4). The paragraph in the text ends with CBP.cntyN4.qp1 − Σ^(6,4), which does
    not exist where qp1 is suppressed.
    """
    return ill_posed(
        exact.refuted(DECLARED_5, own=1, rest=1, m3emp=2, imputed=1),
        exact.refuted(COVERED, case=(True, False)),
        exact.refuted(COVERED, case=(False, True)),
        exact.refuted(LINE_20, case=False),
        exact.refuted(LEFT[0], own=2, wage=1),
        exact.refuted(LEFT[1], own=3, wage=5),
        exact.refuted(TOTAL_IN_TEXT, case=(None, F(3))),
        exhaustive.each(MATCHED, "in both index sets, or in neither"),
        exhaustive.each(LINE_20_AS_MEANT, "a cell with published wages, and one without"),
        *map(solver.proves, (SUMMED_5, DIVIDED, TOTAL_WHERE_PUBLISHED)),
        symbolic.integrates(CONCENTRATIONS),
        condition="imputeCBP.cntyN4.emp is an input as well, or the sum of imputeCBP.cntyN6.emp; every "
        "NAICS-6 row lies in a NAICS-4 cell of Algorithm 1, and every such cell has a row; in line 20 "
        "ℓ ∈ I_{c,k} with ℓ ∉ I^(6,4)_{c,k}, and wage ≥ Σ^(6,4) with equality where no NAICS-6 cell is "
        "suppressed",
        counterexample="imputed 1 and 1, cntyN4.m3emp = 2: m3emp of the first is 1 with "
        "imputeCBP.cntyN4.emp = 2, and 2 with 1; imputeCBP lists 111110 and 222220, cntyN4 lists 1111 and "
        "3333: 222220 is unset, the jobs of 3333 have no receiver; one published and one suppressed cell: "
        "nobody receives the wages that are left; wage 5, both NAICS-6 cells published with 1 and 2: A = 2, "
        "and nobody to take it",
    )
