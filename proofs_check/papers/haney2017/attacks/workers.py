"""Section 5.2: how positive cells of noise-infused tables name a worker, and what hides it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from establish import Equal, Every, Integer, ParameterError, Real, claim, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import leave_and_join, term_by_term, two_steps
from establish.proofs_check.engine.statements import EverySum
from establish.proofs_check.engine.verdicts import Outcome, Verdict, aside, holds, misprint
from establish.proofs_check.papers.haney2017 import exact_delta
from establish.proofs_check.papers.haney2017.attacks.totals import ROUNDED, SEXES
from establish.proofs_check.papers.haney2017.implications.theorems import WEAK, individuals
from establish.proofs_check.papers.haney2017.log_laplace import privacy as log_laplace_privacy
from establish.proofs_check.papers.haney2017.noise_infusion import FACTORS, INFUSION
from establish.proofs_check.papers.haney2017.posterior import (
    InformedPrior,
    Law,
    certain_conclusion,
    either,
    factors,
    sure,
)
from establish.proofs_check.papers.haney2017.smooth_gamma import privacy as smooth_gamma_privacy
from establish.spec.attacks import individual_attack, success_probability
from establish.spec.cells import MarginalQuery
from establish.spec.mechanisms import log_laplace
from establish.spec.mechanisms.noise_infusion import Histogram, NoiseInfusion, Table
from establish.spec.requirements import RecordIs
from establish.spec.tables import Attributes, Tables, Worker, Workplace

DEGREES: tuple[Attributes, ...] = (("degree", "man"), ("degree", "woman"), ("none", "man"), ("none", "woman"))
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
    ("e",), [either(DEGREE_MAN, DEGREE_WOMAN), sure(("e", DEGREES[2])), sure(("e", DEGREES[3]))], DEGREES
)
"""w1 is known to be the only worker of e with a degree; the sex of w1 is not known."""


def _found_cases() -> Iterator[tuple[NoiseInfusion, Histogram, Fraction]]:
    for infusion in (INFUSION, ROUNDED):
        for own, *rest in product(((0, 1), (1, 0)), range(4), range(4)):
            for f in FACTORS:
                yield infusion, (*own, *rest), f


SAME_SIGN = Equal(
    Real("f", above=0),
    Integer("h", least=0),
    Real("draw", least=1),
    left=lambda c, f, h, draw: c.sign(draw if h in (1, 2) else f * h),
    right=lambda c, f, h, draw: c.sign(c.number(h)),
)
"""In any establishment and marginal a published cell, a draw of at least 1 in place of a count of 1 or 2, and
f·h else, is positive exactly where the true count is.
"""

AS_MANY_CELLS = EverySum(SAME_SIGN, shared=["f"])
"""So of all cells with a degree as many are positive as truly are: one, if one worker has a degree."""


@claim(
    "haney2017/sdl-individual-attack",
    where="Section 5.2",
    says="When only one workplace w has the attributes v_W, only one employee of w is known to have a "
    "college degree, and the marginal has education among the worker attributes (printed V_W), the positive "
    "published cells reveal that employee's other attributes.",
    states=(SAME_SIGN, AS_MANY_CELLS),
    tight=(SAME_SIGN, AS_MANY_CELLS),
)
def positive_cells_name_the_worker() -> Verdict:
    """A positive count stays positive (f·n > 0, or a draw of at least 1) and a zero count stays zero. Among
    the cells with a degree exactly one is positive, the employee's. It survives the small-cell draw, and
    rounding too. The Bayes factor between two values of the unknown attributes is infinite, so the
    requirement of Definition 4.1 is not met at any level.
    """
    return holds(
        solver.proves(SAME_SIGN),
        term_by_term(AS_MANY_CELLS, solver.proves(SAME_SIGN)),
        certain_conclusion(
            "w1, the only one with a degree, is a man against a woman",
            ONE_DEGREE,
            published_cells(DEGREES),
            RecordIs("w1", DEGREE_MAN),
            RecordIs("w1", DEGREE_WOMAN),
        ),
        exhaustive.for_all(
            _found_cases(),
            worker_found,
            "the attack names that worker's cell with probability 1",
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


def _has_its_cell(place: str) -> bool:
    return _answered(EDUCATION_IN[place]) == 1


IN_V_W = Every("place of the education attribute", lambda: ("V_W",), _has_its_cell)
IN_V_I = Every(
    "place of the education attribute",
    lambda: ("V_I",),
    _has_its_cell,
    wrong=lambda place: not _has_its_cell(place),
)
"""The marginal has a cell for the record of the employee."""


@claim(
    "haney2017/sdl-individual-attack-education",
    where="Section 5.2",
    says="The attack on an individual needs the education attribute to be in V_W.",
    states=IN_V_W,
    meant=IN_V_I,
    origin="implied",
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
        ONE_DEGREE, published_cells(SEXES), RecordIs("w1", DEGREE_MAN), RecordIs("w1", DEGREE_WOMAN)
    )
    return misprint(
        exact.refuted(IN_V_W, case="V_W"),
        exhaustive.each(IN_V_I, "one record"),
        exact.compare(
            answered(MarginalQuery({1: sexes}, {0: levels})), "==", 0, "records counted, education in V_W"
        ),
        exact.compare(answered(MarginalQuery({0: levels, 1: sexes}, {})), "==", 1, "records counted, in V_I"),
        certain_conclusion(
            "education and sex in V_I",
            ONE_DEGREE,
            published_cells(DEGREES),
            RecordIs("w1", DEGREE_MAN),
            RecordIs("w1", DEGREE_WOMAN),
        ),
        aside(exact.compare(Fraction(max(without)), "==", 1, "Bayes factor with V_I = {sex} alone")),
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
            0, 1, log_laplace.shift(alpha), log_laplace.published_scale(alpha, epsilon, c), c
        )
    ),
    right=lambda c, alpha, epsilon: epsilon,
)
"""The loss of the two cells that one worker may be in, each between 0 and 1 worker."""


INFERRED = WEAK(requirement=individuals, multiple=2)
"""What any attacker infers about a record from weakly private outputs, of a marginal as of one cell."""


@claim(
    "haney2017/sdl-individual-attack-thwarted",
    where="Section 5.2",
    says="Current publications are vulnerable to the attack on an individual, which the paper's algorithms "
    "thwart.",
    states=(
        SAME_SIGN,
        log_laplace_privacy.PRINTED.weak,
        smooth_gamma_privacy.PRINTED.weak,
        exact_delta.WEAK,
        INFERRED,
    ),
    tight=THWARTED,
)
def log_laplace_hides_which_cell_is_positive() -> Verdict:
    """Algorithms 1 and 2 are weakly private for counts of workers, and the worker is in one cell or another.
    So is Algorithm 3 up to its exact δ (haney2017/alg-3-exact).
    Under Algorithm 1 every output of (−1/α, ∞) is possible for 0 as for 1. Between 0 and 1 the loss is
    |ln((1+γ)/γ)|/λ = ln(1+α)/λ = ε/2 as printed; an unknown attribute moves one worker between two cells,
    so the Bayes factor over the whole marginal is at most e^ε. Infused counts are positive exactly where the
    true ones are (haney2017/sdl-individual-attack).
    """
    return holds(
        solver.proves(SAME_SIGN),
        log_laplace_privacy.printed_evidence(
            log_laplace_privacy.PRINTED.weak, log_laplace_privacy.SPENT.weak
        ),
        smooth_gamma_privacy.loose_evidence(
            smooth_gamma_privacy.PRINTED.weak, smooth_gamma_privacy.SPENT.weak
        )[0],
        exact_delta.exact_delta_evidence()[1],
        leave_and_join(INFERRED, *map(solver.proves, two_steps(INFERRED))),
        symbolic.proves(THWARTED),
        value="Bayes factor at most e^ε for Algorithm 1",
    )
