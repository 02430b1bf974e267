"""Section 5.2 and Table 1's first row: what attackers infer from noise-infused tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil

import sympy
import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Equal, Every, Integer, Real
from establish.proofs_check.engine.verdicts import (
    Outcome,
    Verdict,
    aside,
    fails,
    holds,
    misprint,
)
from establish.proofs_check.papers.haney2017.noise_infusion import (
    AT_E,
    FACTORS,
    INFUSION,
    NOT_REVEALED,
    RANGE,
    UP,
    ZERO,
    factor_range,
)
from establish.proofs_check.papers.haney2017.posterior import (
    InformedPrior,
    Law,
    certain_conclusion,
    either,
    factors,
    sure,
)
from establish.spec.arithmetic import SYM
from establish.spec.attacks import (
    individual_attack,
    primitive_attack,
    shape_attack,
    size_attack,
    success_probability,
)
from establish.spec.cells import MarginalQuery
from establish.spec.mechanisms import log_laplace
from establish.spec.mechanisms.noise_infusion import Histogram, NoiseInfusion, Table
from establish.spec.parameters import ParameterError
from establish.spec.requirements import RecordIs, ShapeIs, SizeIs
from establish.spec.tables import Attributes, Tables, Worker, Workplace

ROUNDED = NoiseInfusion(RANGE, rounding=True)

ABOVE_LIMIT: tuple[Histogram, ...] = tuple(product(range(3, 9), repeat=2))
"""Two cells of one establishment, 3 to 8 workers each, so that both exceed S."""

MEN, WOMEN = ("man",), ("woman",)
SEXES = (MEN, WOMEN)


def shares(histogram: Histogram) -> Table:
    """The true shape."""
    return tuple(Fraction(count, sum(histogram)) for count in histogram)


def success_rate(
    infusion: NoiseInfusion,
    histograms: Iterable[Histogram],
    attack: Callable[[Table, Histogram], object],
    secret: Callable[[Histogram], object],
) -> Fraction:
    """The average over histograms and FACTORS of the probability that the attack is right."""

    def chance(histogram: Histogram, f: Fraction) -> Fraction:
        return success_probability(
            lambda table: attack(table, histogram),
            secret(histogram),
            infusion.published([histogram], [f]),
        )

    chances = [chance(histogram, f) for histogram in histograms for f in FACTORS]
    return sum(chances, ZERO) / len(chances)


def _shape_rate(infusion: NoiseInfusion, histograms: Iterable[Histogram]) -> Fraction:
    return success_rate(infusion, histograms, lambda table, _: shape_attack(table), shares)


def _size_rate(infusion: NoiseInfusion, histograms: Iterable[Histogram]) -> Fraction:
    """The attacker knows the first cell, and wants all counts."""
    return success_rate(
        infusion, histograms, lambda table, h: size_attack(table, 0, h[0]), lambda h: tuple(h)
    )


_FACTOR = Real("f", above=0)

SHAPE_IS_EXACT = Equal(
    _FACTOR,
    Real("h", least=0),
    Real("others", above=0),
    left=lambda c, f, h, others: shape_attack((f * h, f * others))[0],
    right=lambda c, f, h, others: h / (h + others),
)
"""The attack on one cell beside the sum of the others, published with one factor, gives its true share."""

COUNTS_ARE_EXACT = tuple(
    Equal(
        _FACTOR,
        Integer("known", least=3),
        Real("h", least=0),
        left=lambda c, f, known, h, place=place: size_attack((f * known, f * h), 0, known)[place],
        right=right,
    )
    for place, right in (
        (0, lambda c, f, known, h: c.number(known)),
        (1, lambda c, f, known, h: h),
    )
)
"""With one true count above S known, the attack gives that count and any other, or the total."""


@claim(
    "haney2017/sdl-shape-attack",
    where="Section 5.2",
    says="When one establishment meets the workplace criterion and all its cells exceed S, the published "
    "cells are the true ones times one factor: they reveal its shape exactly.",
    states=SHAPE_IS_EXACT,
    tight=SHAPE_IS_EXACT,
)
def one_factor_cancels_in_the_shape() -> Verdict:
    """f·h(c)/Σ f·h(c') = h(c)/Σ h(c'), for every factor; zero cells stay zero and do not disturb it. A cell
    in (0, S) does, and so does rounding: then the shape is approximate.
    """
    f, x, y = sympy.symbols("f x y", positive=True)
    with_zeros = [(0, *h) for h in ABOVE_LIMIT[:6]]
    small = [(3, n) for n in (1, 2)]
    rate = _shape_rate(ROUNDED, ABOVE_LIMIT)
    return holds(
        symbolic.proves(SHAPE_IS_EXACT),
        symbolic.identity(
            shape_attack((f * x, f * y))[0], x / (x + y), "the attack on (f·x, f·y) for all reals"
        ),
        aside(
            exhaustive.for_all(
                product((*ABOVE_LIMIT, *with_zeros), FACTORS),
                lambda case: (
                    shape_attack(INFUSION.infused([case[0]], [case[1]])) == shares(case[0])
                ),
                "the attack returns the true shape",
                "two cells of 3 to 8 workers, also beside a zero cell, six factors",
            )
        ),
        aside(
            exact.compare(_shape_rate(INFUSION, small), "<", 1, "success beside a cell of 1 or 2")
        ),
        aside(exact.compare(rate, "<", 1, "success when the cells are rounded")),
        aside(
            exact.compare(
                shape_attack(ROUNDED.infused([(3, 5)], [UP]))[0],
                "!=",
                Fraction(3, 8),
                "rounded, f = 11/10, (3, 5) → (3, 6): share of the first cell",
            )
        ),
        value="success probability 1",
        condition=f"no cell in (0, S), no rounding (with rounding {rate} of the 216 cases with two cells of "
        "3 to 8 workers and six factors)",
    )


@claim(
    "haney2017/sdl-size-attack",
    where="Section 5.2",
    says="Knowing one true cell count above S of the only establishment, the attacker reconstructs f_w, all "
    "other cells and the total.",
    states=COUNTS_ARE_EXACT,
    tight=COUNTS_ARE_EXACT,
)
def one_known_count_reveals_all() -> Verdict:
    """published(c)/h(c) = f_w for the known cell, and published(c')/f_w = h(c') for the others. It needs
    the exact shape: a cell with 1 or 2 workers is a draw and is not reconstructed. The total is, from
    the separately published total: f·n/f = n for n > S.
    """
    f, y = sympy.symbols("f y", positive=True)
    x = sympy.Symbol("x", positive=True, integer=True)
    found = size_attack((f * x, f * y), 0, x)
    beside_one = INFUSION.published([(100, 1)], [UP])
    rate = _size_rate(ROUNDED, ABOVE_LIMIT)
    return holds(
        *map(symbolic.proves, COUNTS_ARE_EXACT),
        symbolic.identity(found[0], x, "the attack on (f·x, f·y) with x known: first count"),
        symbolic.identity(found[1], y, "second count, of another cell or of all of them together"),
        aside(
            exhaustive.for_all(
                product(ABOVE_LIMIT, FACTORS),
                lambda case: (
                    size_attack(INFUSION.infused([case[0]], [case[1]]), 0, case[0][0]) == case[0]
                ),
                "the attack returns every true count",
                "two cells of 3 to 8 workers, the first one known, six factors",
            )
        ),
        aside(
            exact.compare(
                success_probability(
                    lambda table: size_attack(table, 0, 100)[1], Fraction(1), beside_one
                ),
                "==",
                0,
                "100 known and 1 unknown worker, f = 11/10: probability that the 1 is found",
            )
        ),
        aside(exact.compare(rate, "<", 1, "success when the cells are rounded")),
        value="success probability 1",
        condition=f"no other cell in (0, S), no rounding (with rounding {rate} of the 216 cases with two "
        "cells of 3 to 8 workers and six factors)",
    )


@claim(
    "haney2017/sdl-exact-only-with-known-count",
    where="Section 5.2",
    says="Exact disclosure occurs only when one of the counts h(w, c) is known exactly.",
    states=NOT_REVEALED,
)
def no_count_need_be_known() -> Verdict:
    """Counts are integers: the published ratios and a bound on the factors suffice when the counts have no
    common divisor and t < 1/3. Nothing about the establishment is known beforehand.
    """
    f, g, s, t, k = z3.Reals("f g s t k")
    published = INFUSION.infused([(3, 4)], [UP])
    rate = success_rate(
        INFUSION, ABOVE_LIMIT, lambda table, _: primitive_attack(table, RANGE.t), lambda h: [h]
    )
    return fails(
        exact.refuted(NOT_REVEALED, case=((3, 4), UP)),
        exact.compare(
            int(primitive_attack(published, RANGE.t) == [(3, 4)]),
            "==",
            1,
            "only (3, 4) fits t = 1/4",
        ),
        solver.for_all(
            [*factor_range(f, s, t), *factor_range(g, s, t), 3 * t < 1, k >= 2],
            f != k * g,
            "t < 1/3: a histogram and its multiple never share a published table",
        ),
        aside(exact.compare(rate, ">", Fraction(1, 2), "share of exact disclosures, t = 1/4")),
        counterexample="3 men and 4 women, f = 11/10, published 33/10 and 44/10: with t = 1/4 known, only "
        "(3, 4) fits, and the factor is 11/10",
        value=f"{rate} of the 216 cases with two cells of 3 to 8 workers and six factors, t = 1/4",
        condition="unrounded values, t < 1/3 known",
    )


DEGREES: tuple[Attributes, ...] = (
    ("degree", "man"),
    ("degree", "woman"),
    ("none", "man"),
    ("none", "woman"),
)
"""The cells of a marginal with education and sex in V_I."""


def published_cells(cells: Sequence[Attributes]) -> Law[Table]:
    """The published cells of establishment e, its factor drawn uniformly from FACTORS.

    A cell counts the workers who have all of its values.
    """
    factor_law = dict.fromkeys(FACTORS, Fraction(1, len(FACTORS)))

    def law(d: Tables) -> Mapping[Table, Fraction]:
        workers = [set(worker.attributes) for worker in d.workforce("e")]
        histogram = tuple(sum(set(cell) <= values for values in workers) for cell in cells)
        return INFUSION.output([histogram], factor_law)

    return law


def worker_found(case: tuple[NoiseInfusion, Histogram, Fraction]) -> bool:
    """Whether the attack certainly names the cell of the only worker with a degree."""
    infusion, histogram, f = case

    def attack(table: Table) -> Attributes:
        return individual_attack(dict(zip(DEGREES, table, strict=True)), ("degree",))

    truth = DEGREES[histogram.index(1)]
    return success_probability(attack, truth, infusion.published([histogram], [f])) == 1


DEGREE_MAN, DEGREE_WOMAN = ("e", DEGREES[0]), ("e", DEGREES[1])

ONE_DEGREE = InformedPrior(
    ("e",),
    [either(DEGREE_MAN, DEGREE_WOMAN), sure(("e", DEGREES[2])), sure(("e", DEGREES[3]))],
    DEGREES,
)
"""w1 is known to be the only worker of e with a degree; the sex of w1 is not known."""


def _found_cases() -> Iterator[tuple[NoiseInfusion, Histogram, Fraction]]:
    for infusion in (INFUSION, ROUNDED):
        for own, *rest in product(((0, 1), (1, 0)), range(4), range(4)):
            for f in FACTORS:
                yield infusion, (*own, *rest), f


WORKER_IS_FOUND = Every(
    "publication, histogram with one worker with a degree, and factor", _found_cases, worker_found
)
"""The attack names that worker's cell with probability 1."""


@claim(
    "haney2017/sdl-individual-attack",
    where="Section 5.2",
    says="When the only employee of w with a college degree is known and the marginal has education among "
    "the worker attributes V_I, the positive published cells reveal that employee's other attributes.",
    states=WORKER_IS_FOUND,
    tight=WORKER_IS_FOUND,
)
def positive_cells_name_the_worker() -> Verdict:
    """A positive count stays positive (f·n > 0, or a draw of at least 1) and a zero count stays zero. Among
    the cells with a degree exactly one is positive, the employee's. It survives the small-cell draw, and
    rounding too. The Bayes factor between two values of the unknown attributes is infinite, so the
    requirement of Definition 4.1 is not met at any level.
    """
    f, s, t, n, draw = z3.Reals("f s t n draw")
    published = z3.If(z3.And(n > 0, 2 * n < 5), draw, f * n)
    return holds(
        solver.for_all(
            [*factor_range(f, s, t), n >= 0, draw >= 1],
            (published > 0) == (n > 0),
            "a published cell is positive exactly when the true one is",
        ),
        certain_conclusion(
            "w1, the only one with a degree, is a man against a woman",
            ONE_DEGREE,
            published_cells(DEGREES),
            RecordIs("w1", DEGREE_MAN),
            RecordIs("w1", DEGREE_WOMAN),
        ),
        exhaustive.each(
            WORKER_IS_FOUND,
            "one worker with a degree, up to 3 men and 3 women without, six factors, rounded or not",
        ),
        value="success probability 1; Bayes factor ∞",
        condition="t < 1; S > 1 if values are rounded",
    )


def _answered(query: MarginalQuery) -> int:
    """How many records the marginal counts, of one man with a degree in an establishment of a town."""
    workplace, worker = Workplace("e", ("town",)), Worker("w1", ("degree", "man"))
    try:
        return sum(query.counts(Tables((workplace,), (worker,), (("w1", "e"),))).values())
    except ParameterError:
        return 0


EDUCATION_IN = {
    "V_W": MarginalQuery({1: ("man", "woman")}, {0: ("degree", "none")}),
    "V_I": MarginalQuery({0: ("degree", "none"), 1: ("man", "woman")}, {}),
}

IN_V_W, IN_V_I = (
    Every(
        "place of the education attribute in the marginal that is attacked",
        lambda place=place: (place,),
        lambda place: _answered(EDUCATION_IN[place]) == 1,
        wrong=lambda place: _answered(EDUCATION_IN[place]) == 0,
    )
    for place in ("V_W", "V_I")
)
"""The marginal has a cell for the record of the employee."""


@claim(
    "haney2017/sdl-individual-attack-education",
    where="Section 5.2",
    says="The attack on an individual needs the education attribute to be in V_W.",
    states=IN_V_W,
    meant=IN_V_I,
)
def education_is_a_worker_attribute() -> Verdict:
    """V_W are attributes of the establishment; education is one of the employee, in V_I. A marginal with
    education among the workplace attributes has no cell for any record. With V_I = {sex} alone the table
    is the same law in both worlds here, and nothing is learned.
    """
    workplace, worker = Workplace("e", ("town",)), Worker("w1", DEGREES[0])
    tables = Tables((workplace,), (worker,), (("w1", "e"),))

    def answered(query: MarginalQuery) -> int:
        try:
            return sum(query.counts(tables).values())
        except ParameterError:
            return 0

    levels, sexes = ("degree", "none"), ("man", "woman")
    without = factors(
        ONE_DEGREE,
        published_cells(SEXES),
        RecordIs("w1", DEGREE_MAN),
        RecordIs("w1", DEGREE_WOMAN),
    )
    return misprint(
        exact.refuted(IN_V_W, case="V_W"),
        exhaustive.each(IN_V_I, "one record"),
        exact.compare(
            answered(MarginalQuery({1: sexes}, {0: levels})),
            "==",
            0,
            "records counted, education in V_W",
        ),
        exact.compare(
            answered(MarginalQuery({0: levels, 1: sexes}, {})), "==", 1, "records counted, in V_I"
        ),
        certain_conclusion(
            "education and sex in V_I",
            ONE_DEGREE,
            published_cells(DEGREES),
            RecordIs("w1", DEGREE_MAN),
            RecordIs("w1", DEGREE_WOMAN),
        ),
        aside(
            exact.compare(Fraction(max(without)), "==", 1, "Bayes factor with V_I = {sex} alone")
        ),
        reading="V_I contains the education attribute",
        reading_is=Outcome.HOLDS,
        counterexample="a workplace with attribute (town): no cell (degree, man) can be formed from "
        "workplace attributes",
    )


THWARTED = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: (
        2
        * log_laplace.privacy_loss(
            0,
            1,
            log_laplace.shift(alpha),
            log_laplace.published_scale(alpha, epsilon, c),
            c,
        )
    ),
    right=lambda c, alpha, epsilon: epsilon,
)
"""The loss of the two cells that one worker may be in, each between 0 and 1 worker."""


@claim(
    "haney2017/sdl-individual-attack-thwarted",
    where="Section 5.2",
    says="The attack on an individual can be thwarted by the paper's algorithms.",
    states=THWARTED,
    tight=THWARTED,
)
def log_laplace_hides_which_cell_is_positive() -> Verdict:
    """Under Algorithm 1 every output of (−1/α, ∞) is possible for 0 as for 1. Between 0 and 1 the loss is
    |ln((1+γ)/γ)|/λ = ln(1+α)/λ = ε/2 as printed; an unknown attribute moves one worker between two cells,
    so the Bayes factor over the whole marginal is at most e^ε.
    """
    alpha, epsilon = sympy.symbols("alpha epsilon", positive=True)
    scale = log_laplace.published_scale(alpha, epsilon, SYM)
    loss = log_laplace.privacy_loss(0, 1, log_laplace.shift(alpha), scale, SYM)
    return holds(
        symbolic.proves(THWARTED),
        symbolic.identity(loss, epsilon / 2, "loss of one cell between 0 and 1 worker"),
        symbolic.identity(2 * loss, epsilon, "loss of the two cells that the worker may be in"),
        value="Bayes factor at most e^ε for Algorithm 1",
        condition="settled for Algorithm 1 with its printed noise",
    )


COMPARED: dict[str, tuple[Histogram, Histogram]] = {
    "individual": ((1, 0, 1, 1), (0, 1, 1, 1)),
    "size": ((2,), (3,)),
    "shape": ((10, 4), (11, 3)),
}
"""Histograms of the only establishment in two events that a requirement compares, given what is known."""


def _never_alike(case: tuple[str, Fraction, Fraction]) -> bool:
    """No table can be published in both events, whatever the factor in each: the Bayes factor is infinite."""
    name, f, g = case
    first, second = COMPARED[name]
    return not set(INFUSION.published([first], [f])) & set(INFUSION.published([second], [g]))


TOLD_APART = Every(
    "requirement, and factors in its two events",
    lambda: product(COMPARED, FACTORS, FACTORS),
    _never_alike,
)


@claim(
    "haney2017/table-1/noise-infusion",
    where="Table 1",
    says="Input noise infusion satisfies neither the individual, nor the size, nor the shape requirement.",
    states=TOLD_APART,
    tight=TOLD_APART,
)
def noise_infusion_meets_no_requirement() -> Verdict:
    """For each requirement an attacker with independent beliefs, and tables that are possible in one of the
    two compared events only: the Bayes factor is infinite, so no level ε is met. Individuals: the only
    worker with a degree, in one of two cells. Size: 2 against 3 ≤ ⌈1.1·2⌉ workers; 2 is published as 1
    or 2, and 3 as 3f > 2. Shape: 10 against 11 men of 14, which is 10% more, with all cells above S; the
    published ratios 10:4 and 11:3 differ for every factor.
    """
    tenth = Fraction(1, 10)
    man, woman = ("e", MEN), ("e", WOMEN)
    staff = InformedPrior(
        ("e",), [sure(man)] * 10 + [sure(woman)] * 3 + [either(man, woman)], SEXES
    )
    three = InformedPrior(("e",), [either(AT_E, None)] * 3)
    return holds(
        exhaustive.each(TOLD_APART, "one attack on each requirement, six factors in either event"),
        certain_conclusion(
            "individual, w1 is a man against a woman",
            ONE_DEGREE,
            published_cells(DEGREES),
            RecordIs("w1", DEGREE_MAN),
            RecordIs("w1", DEGREE_WOMAN),
        ),
        exact.compare(3, "<=", ceil((1 + tenth) * 2), "sizes 2 and 3 are compared at α = 1/10"),
        certain_conclusion(
            "size, 3 against 2 workers",
            three,
            published_cells(((),)),
            SizeIs("e", 3),
            SizeIs("e", 2),
        ),
        exact.compare(
            Fraction(11, 14), "<=", (1 + tenth) * Fraction(10, 14), "shares compared at α = 1/10"
        ),
        certain_conclusion(
            "shape, 11 against 10 men of 14",
            staff,
            published_cells(SEXES),
            ShapeIs("e", (MEN,), 11, 14),
            ShapeIs("e", (MEN,), 10, 14),
        ),
        value="Bayes factor ∞ for each requirement",
        condition="α = 1/10 in the examples; factors uniform on six values, small cells uniform",
    )
