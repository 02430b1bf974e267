"""Section 3: what the release of all cells costs one person with rows in several of them."""

from fractions import Fraction
from functools import partial

import z3

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, fails, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import along_chain, links_of_chain
from establish.proofs_check.engine.statements import Chains, Every
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.histogram import distance, histogram, joint_mass
from establish.spec.relations.history import ChangeOfHistory, PresenceOfHistory, Rows, histories_up_to
from establish.spec.sensitivity import global_sensitivity

HALF = Fraction(1, 2)
"""ρ = e^(−ε), so that e^ε = 2."""

CELLS = ("year 1", "year 5")
BINS = Bins((0, 1, 2))
"""Two bins; earnings are 0 or 1."""

RECORDS = tuple((cell, earnings) for cell in CELLS for earnings in (0, 1))
PERSONS = ("Ada", "Bob")


def counts(d: Rows) -> tuple[int, ...]:
    """The histograms of both cells, side by side."""
    return tuple(
        n for cell in CELLS for n in histogram([int(e) for _, (place, e) in d if place == cell], BINS)
    )


def _at_most(relation: PresenceOfHistory | ChangeOfHistory, most: int, what: str) -> Evidence:
    """No neighbor's histograms are farther away than ``most``."""
    return exhaustive.for_all(
        relation.datasets(),
        lambda d: all(distance(counts(d), counts(e)) <= most for e in relation.neighbors(d)),
        f"{what}: the histograms of all cells differ by at most {most}",
        f"2 persons, histories of up to {max(map(len, relation.histories))} rows in 2 cells of 2 bins",
    )


def _loss(d: Rows, e: Rows) -> Fraction:
    """The ratio of the probabilities of the protected histograms d, e^ε = 2."""
    first, second = (joint_mass(counts(d), counts(of), HALF, EXACT) for of in (d, e))
    return Fraction(first / second)


def loss_is_the_distance() -> Evidence:
    """A count farther away by one has half the probability: the loss is at most ε per unit of distance."""
    p, q, p2, q2, c, power = z3.Reals("p q p2 q2 c power")
    return solver.for_all(
        [p >= 0, q >= 0, p2 >= 0, q2 >= 0, c >= 1, power >= 1, p <= c * q, p2 <= power * q2],
        p * p2 <= (c * power) * (q * q2),
        "one more row multiplies the bound by e^ε",
    )


TWO_ROWS = PresenceOfHistory(PERSONS, histories_up_to(RECORDS, 2))
ROW_CHANGED = ChangeOfHistory(PERSONS, histories_up_to(RECORDS, 1))

CELLS_COST_ONCE = Every(
    "table",
    lambda: TWO_ROWS.datasets(),
    lambda d: all(_loss(d, other) <= 2 for other in TWO_ROWS.neighbors(d)),
)
"""All cells cost e^ε = 2 per person, at the output that is the true counts; up to 2 rows a person."""

ROWS_COST_ONCE, ROWS_COST_EACH = (
    Chains("tables that differ in the presence of one row", level=level)
    for level in (lambda c, level, delta, d: level, lambda c, level, delta, d: c.power(level, d))
)
"""A person with d rows costs ε, or dε, whatever is released at ε for one row."""

CHANGE_COSTS_ONCE = Every(
    "table",
    lambda: ROW_CHANGED.datasets(),
    lambda d: all(_loss(d, other) <= 2 for other in ROW_CHANGED.neighbors(d)),
)
"""The same for kε when a history changes, at k = 1 row a person."""


@claim(
    "foote2019/sec3-cells-per-person",
    origin="implied",
    where="Section 3",
    says="Querying each cell separately costs ε, by parallel composition.",
    states=(CELLS_COST_ONCE, ROWS_COST_ONCE),
    tight=ROWS_COST_EACH,
    meant=ROWS_COST_EACH,
)
def one_person_may_be_in_several_cells() -> Verdict:
    """Rows lie in one cell each, so per row it is ε. The cells cross, among others, degree and year after
    graduation: a graduate with two degrees, or observed 1 and 5 years after graduating, has two rows in two
    cells. Per person, who is protected by the introduction, neighbors differ in a whole history, and k rows
    cost kε: every row changes one count by 1, the counts are independent, and the losses add up.
    """
    relations = {k: PresenceOfHistory(PERSONS, histories_up_to(RECORDS, k)) for k in (1, 2)}
    nobody: Rows = ()
    twice: Rows = (("Ada", ("year 1", 0)), ("Ada", ("year 5", 1)))
    return ill_posed(
        exact.compare(int(relations[2].related(nobody, twice)), "==", 1, "nobody, and Ada's two rows"),
        exact.refuted(CELLS_COST_ONCE, case=twice),
        exact.refuted(ROWS_COST_ONCE, c=2, δ=0, chain=("1/2", "1/4", "1/8")),
        along_chain(ROWS_COST_EACH, *map(symbolic.proves, links_of_chain(ROWS_COST_EACH))),
        exact.compare(_loss(twice, nobody), "==", 4, "e^loss of a person with rows in two cells, e^ε = 2"),
        *(
            exact.compare(global_sensitivity(counts, relation), "==", k, f"{k} rows a person, attained")
            for k, relation in relations.items()
        ),
        condition="each individual has one row over all cells; with k rows the loss per person is kε",
        counterexample="a graduate in the cells of year 1 and of year 5, e^ε = 2: the ratio is 2·2 = e^(2ε)",
        value="kε for k rows of one person",
    )


@claim(
    "foote2019/sec3-history-changes",
    where="Section 3 and Section 3.2 (the value of A_e may change)",
    says="Querying each cell separately costs ε, k rows of one person kε, also when that person's earnings "
    "change.",
    states=CHANGE_COSTS_ONCE,
    origin="implied",
)
def a_changed_history_leaves_and_enters() -> Verdict:
    """In a cell where the earnings move to another bin one count falls and one rises: with k rows 2k counts
    change by 1, or fewer by more. No change of a history, rows moving to other cells included, costs more.
    """
    changed: Rows = (("Ada", ("year 1", 0)),)
    other: Rows = (("Ada", ("year 1", 1)),)
    relations = {k: ChangeOfHistory(PERSONS, histories_up_to(RECORDS, k)) for k in (1, 2)}
    related = partial(relations[1].related, changed)
    both: list[Rows] = [tuple(("Ada", (cell, earnings)) for cell in CELLS) for earnings in (0, 1)]
    return fails(
        exact.compare(int(related(other)), "==", 1, "Ada's earnings are 0, and are 1"),
        exact.refuted(CHANGE_COSTS_ONCE, case=changed),
        exact.compare(_loss(changed, other), "==", 4, "e^loss, e^ε = 2"),
        exact.compare(_loss(*both), "==", 16, "e^loss when they change in both of two cells"),
        *(aside(_at_most(relation, 2 * k, "one history changed")) for k, relation in relations.items()),
        *(
            exact.compare(global_sensitivity(counts, relation), "==", 2 * k, f"{k} rows, attained")
            for k, relation in relations.items()
        ),
        loss_is_the_distance(),
        counterexample="Ada's earnings in one cell change from 0 to 1, e^ε = 2: the ratio is 4 = e^(2ε)",
        value="2kε",
    )
