"""Sections 3.2 and 8: what failure probabilities add up to, over several releases and over cells."""

from fractions import Fraction

from establish import Equal, Real, Verdict, claim, exact, holds, holds_loosely, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import beside_the_others, in_one_part, settled
from establish.proofs_check.engine.statements import OfParts, Together
from establish.spec.arithmetic import Number, World
from establish.spec.earnings.chosen_by_size import jointly
from establish.spec.indistinguishability import Distribution, hockey_stick

C = Fraction(2)
"""e^ε of one release in the examples."""

FIRST, SECOND = Fraction(1, 8), Fraction(1, 4)
"""δ of the two releases in the examples."""


def sometimes_exact(count: int, threshold: int, delta: Fraction) -> Distribution:
    """Tells whether count > threshold: for certain with probability δ, else with a loss of ln C."""
    truth = "more" if count > threshold else "not"
    lie = "not" if truth == "more" else "more"
    return {f"certainly {truth}": delta, truth: (1 - delta) * C / (1 + C), lie: (1 - delta) / (1 + C)}


def _product(c: World, first: Number, second: Number, *_: Number) -> Number:
    return first * second


ADD_UP = Together("both", level=_product, slack=lambda c, a, b, first, second: first + second)
TOGETHER = Together(
    "both", level=_product, slack=lambda c, a, b, first, second: 1 - (1 - first) * (1 - second)
)
LOUDEST = Equal(
    *(Real(name, least=1) for name in ("c_1", "c_2")),
    *(Real(name, least=0, below=1) for name in ("δ_1", "δ_2")),
    left=lambda c, a, b, first, second: (
        first
        + (1 - first) * second
        + (1 - first) * (1 - second) * (a / (1 + a) * b / (1 + b) - a * b / ((1 + a) * (1 + b)))
    ),
    right=lambda c, a, b, first, second: 1 - (1 - first) * (1 - second),
)
"""Two answers that are certain with probability δ_i, and else 'P' with c_i/(1+c_i) or 1/(1+c_i): one of
them is certain, or both say 'P', where P exceeds c_1·c_2·Q by nothing.
"""


@claim(
    "haney2017/sec3-several-releases-delta",
    states=ADD_UP,
    tight=(TOGETHER, LOUDEST),
    where="Section 3.2, for Definition 9.1",
    says="The privacy definitions satisfy sequential composition: (α, ε1, δ1)- and (α, ε2, δ2)-private "
    "releases are together (α, ε1+ε2, δ1+δ2)-private.",
)
def failure_probabilities_add_up() -> Verdict:
    """For a pair of neighbors let p_i, q_i be the probabilities of an output of release i, m_i = min(p_i,
    e^ε_i·q_i) and r_i = p_i − m_i, whose sum over the outputs is at most δ_i. Then p1·p2 = m1·m2 + m1·r2 +
    r1·p2, and m1·m2 ≤ e^(ε1+ε2)·q1·q2. Summed over the outputs of an event, the rest is at most
    (1 − Σr1)·Σr2 + Σr1 ≤ 1 − (1−δ1)(1−δ2), which is less than δ1 + δ2. Two answers that are each exact
    with probability δ_i attain it: one of them is exact with that probability, and an exact answer
    never comes from the neighbor.
    """
    return holds_loosely(
        settled(ADD_UP),
        settled(TOGETHER),
        symbolic.proves(LOUDEST),
        value="ε1 + ε2 and 1 − (1−δ1)(1−δ2)",
        condition=by_convention("own coins", "haney2017"),
    )


CELLS = tuple(
    OfParts(
        neighbors, "establishments", level=lambda c, level, delta: level, slack=lambda c, level, delta: delta
    )
    for neighbors in ("strong", "weak")
)
"""The cells of a marginal over establishment attributes are disjoint parts of the establishments."""


@claim(
    "haney2017/sec8-disjoint-cells-delta",
    states=CELLS,
    where="Section 8 and Algorithm 3",
    says="The counts of all cells of a marginal over establishment attributes, each (α, ε, δ)-private, are "
    "together (α, ε, δ)-private.",
    origin="implied",
)
def cells_of_establishments_share_one_failure_probability() -> Verdict:
    """An establishment is in one cell, and neighbors differ in one establishment (haney2017/thm-7.4): the
    law t of all other cells is the same on both sides. With p ≤ e^ε·q + r in the cell that changes,
    p·t ≤ e^ε·q·t + r·t, and Σ r·t = Σ r ≤ δ because t sums to 1. It is attained by any answer that attains
    it in its cell.
    """
    other = sometimes_exact(1, 1, SECOND)
    here, there = (jointly([sometimes_exact(count, 1, FIRST), other]) for count in (2, 1))
    return holds(
        *(in_one_part(s, settled(beside_the_others(s))) for s in CELLS),
        exact.compare(sum(other.values(), Fraction(0)), "==", 1, "the other cell's law sums to"),
        exact.compare(hockey_stick(here, there, C), "==", FIRST, "δ of both cells, at e^ε = 2"),
        exact.compare(hockey_stick(there, here, C), "==", FIRST, "and in the other direction"),
        value="δ",
        condition=f"{by_convention('own coins', 'haney2017')}; the establishments of the cells are public",
    )
