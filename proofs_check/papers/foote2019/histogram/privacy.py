"""Section 4.1: Proposition 4.1, its proof, and what it costs under other neighbors."""

from fractions import Fraction

import sympy
import z3

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, fails, holds, solver, symbolic
from establish.proofs_check.engine.rules import PAIR, settled
from establish.proofs_check.engine.statements import AtMost, Equal, Integer, Rational, Together
from establish.proofs_check.papers.foote2019 import composition
from establish.proofs_check.papers.foote2019.histogram.counts import BINS, HALF, PRESENCE, UNIVERSE
from establish.spec.arithmetic import EXACT, SYM
from establish.spec.distributions import geometric
from establish.spec.earnings.histogram import distance, histogram, joint_mass


def loss_at(output: tuple[int, ...], counts: tuple[int, ...], others: tuple[int, ...]) -> Fraction:
    """The ratio of the probabilities of a protected histogram, e^ε = 2."""
    first, second = (joint_mass(output, c, HALF, EXACT) for c in (counts, others))
    return Fraction(first / second)


def bins_are_disjoint() -> Evidence:
    """b_j ≤ e < b_{j+1} and b_k ≤ e < b_{k+1} exclude each other when b_{j+1} ≤ b_k."""
    e, low, high, next_low, next_high = z3.Reals("e b_j b_j1 b_k b_k1")
    return solver.for_all(
        [low <= e, e < high, high <= next_low, next_low < next_high],
        z3.Not(z3.And(next_low <= e, e < next_high)),
        "earnings lie in at most one half-open bin",
    )


def one_step_costs_epsilon() -> tuple[Evidence, Evidence]:
    """Moving the center of a two-sided geometric law by 1 changes no mass by more than 1/ρ."""
    rho, epsilon = sympy.symbols("rho epsilon", positive=True)
    k = sympy.Symbol("k", integer=True, nonnegative=True)
    x, a = z3.Reals("x a")

    def far(u: z3.ArithRef, v: z3.ArithRef) -> z3.ArithRef:
        return z3.If(u >= v, u - v, v - u)

    ratio = geometric.mass(k, rho, SYM) / geometric.mass(k + 1, rho, SYM)
    return (
        solver.for_all(
            [],
            z3.And(far(x, a + 1) - far(x, a) <= 1, far(x, a) - far(x, a + 1) <= 1),
            "the exponents of ρ at an output differ by at most 1 when a count moves by 1",
        ),
        symbolic.identity(
            sympy.expand_log(sympy.log(ratio), force=True).subs(rho, sympy.exp(-epsilon)),
            epsilon,
            "the loss per step, at ρ = e^(−ε)",
        ),
    )


@claim(
    "foote2019/prop-4.1",
    where="Section 4.1, Proposition 4.1",
    says="The histogram algorithm satisfies ε-differential privacy.",
)
def histogram_is_private_for_presence() -> Verdict:
    """By Definition 2.2 one row is there or not. It lies in at most one bin, so one count moves by 1, and
    the law of the protected counts changes by at most e^ε; the loss is exactly ε. What is read off the
    protected counts, and other cells, cost nothing more. (Under a change of earnings it is 2ε, see
    foote2019/prop-4.1-substitution.)
    """
    return holds(
        bins_are_disjoint(),
        *one_step_costs_epsilon(),
        composition.parts_compose(),
        exact.compare(
            loss_at((1, 0, 0), (1, 0, 0), (0, 0, 0)), "==", 2, "attained: e^loss of one row, e^ε = 2"
        ),
        aside(
            exhaustive.for_all(
                PRESENCE.datasets(),
                lambda d: all(
                    distance(histogram(d, BINS), histogram(e, BINS)) == 1 for e in PRESENCE.neighbors(d)
                ),
                "neighbors by presence have histograms at distance 1",
                UNIVERSE,
            )
        ),
        value="ε",
        condition="neighbors differ in the presence of one row (Definition 2.2), bins are public",
    )


_COUNTS = (Integer("q_1", least=0), Integer("q_2", least=0))

MOVED_ROW = AtMost(
    Rational("ρ", above=0, below=1),
    Integer("output_1"),
    Integer("output_2"),
    *_COUNTS,
    left=lambda c, rho, x, y, q, r: joint_mass((x, y), (q + 1, r), rho, c),
    right=lambda c, rho, x, y, q, r: joint_mass((x, y), (q, r + 1), rho, c) / c.number(rho),
)
"""The two counts between which a row moves, at every output and ρ = e^(−ε)."""


TWO_COUNTS_ATTAINED = Equal(left=lambda c: c.number(loss_at((1, 0), (1, 0), (0, 1))), right=4)
"""At e^ε = 2 a row that moves between two bins loses 2ε."""


@claim(
    "foote2019/prop-4.1-substitution",
    where="Section 4.1, Proposition 4.1 with the change of Section 3.2",
    says="The histogram algorithm is ε-private when the new information changes an individual's earnings.",
    states=MOVED_ROW,
    tight=(PAIR, TWO_COUNTS_ATTAINED),
    origin="ours",
)
def changed_earnings_cost_twice() -> Verdict:
    """Section 3.2 names the change of A_e as one way in which the data differ. It moves a row between two
    bins: both counts move by 1, and at the output (1, 0) the ratio is e^(2ε). No more than two counts move,
    so 2ε suffices; noise for ε takes p = 1 − e^(−ε/2).
    """
    return fails(
        settled(PAIR),
        exact.decided(TWO_COUNTS_ATTAINED),
        exact.refuted(MOVED_ROW, ρ=HALF, output_1=1, output_2=0, q_1=0, q_2=0),
        counterexample="one individual, two bins, e^ε = 2: P(output (1, 0)) is 1/9 or 1/36, ratio 4 = e^(2ε)",
        value="2ε",
    )


@claim(
    "foote2019/prop-4.1-step2",
    where="Section 4.1, proof of Proposition 4.1, step 2",
    says="Since the bins are disjoint, releasing all protected counts costs ε as releasing one does.",
    states=composition.BY_OWN_ATTRIBUTES,
    tight=composition.BY_OWN_ATTRIBUTES,
    scope="bins are parts of the rows by their own earnings; one row more or less",
)
def disjoint_bins_compose_in_parallel() -> Verdict:
    """One row more or less changes one count; the laws of the others are equal and cancel."""
    return holds(
        composition.parts_compose(), value="ε", condition="neighbors differ in the presence of one row"
    )


POST_PROCESSING = Together("function", level=lambda c, level, *_: level)
"""A function of what is released, whichever it is, costs nothing more."""


@claim(
    "foote2019/prop-4.1-step3",
    where="Section 4.1, proof of Proposition 4.1, step 3",
    says="By the composition property Σ_{i≤J} q̃_i is ε-differentially private.",
    states=POST_PROCESSING,
    tight=POST_PROCESSING,
)
def the_reason_is_post_processing() -> Verdict:
    """Composition of J releases gives Jε, not ε. The counts are released together at ε already (step 2), and
    a function of what is released, the index J and the percentile included, costs nothing: post-processing.
    """
    return holds(settled(POST_PROCESSING), value="ε")


@claim(
    "foote2019/sec4.1-corollary",
    where="Section 4.1, after Proposition 4.1",
    says="The list of all protected counts is ε-private and may be released as well.",
)
def counts_may_be_released_too() -> Verdict:
    """It is what step 2 shows, and the percentiles are functions of it: both together still cost ε."""
    return holds(
        bins_are_disjoint(),
        *one_step_costs_epsilon(),
        composition.parts_compose(),
        settled(POST_PROCESSING),
        value="ε",
        condition="neighbors differ in the presence of one row",
    )
