"""Section 7.1: what the level ε and the share α decide."""

from fractions import Fraction

import z3

from establish import AtMost, Real, Verdict, aside, claim, exact, exhaustive, holds, ill_posed, solver
from establish.proofs_check.engine.statements import Comparison, given
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.haney2017.attacker import universe
from establish.proofs_check.papers.haney2017.growth import grows
from establish.proofs_check.papers.haney2017.neighbors.definitions import SMALL, all_pairs
from establish.spec.relations.edge import Edge
from establish.spec.relations.strong import Strong


def _right(most: Formula) -> Comparison:
    """An answer 'few' or 'many' that is right with probability r at Δ and at Δ + αx is so with at most
    ``most``.
    """
    return AtMost(
        Real("c", least=1),
        Real("P(few|few)", least=0, most=1),
        Real("P(few|many)", least=0, most=1),
        Real("r", least=0, most=lambda c, level, few, many: few),
        left=lambda c, level, few, many, right: right,
        right=lambda c, level, few, many, right: most(c, level),
        given=[
            given(
                lambda c, level, few, many, right: right, "<=", lambda c, level, few, many, right: 1 - many
            ),
            given(
                lambda c, level, few, many, right: few, "<=", lambda c, level, few, many, right: level * many
            ),
            given(
                lambda c, level, few, many, right: 1 - many,
                "<=",
                lambda c, level, few, many, right: level * (1 - few),
            ),
        ],
    )


NOT_AT_ALL = _right(lambda c, level: c.number(Fraction(1, 2)))
BY_THE_LEVEL = _right(lambda c, level: level / (1 + level))
"""No better than a guess, and what ε allows."""


@claim(
    "haney2017/sec7-release-the-fact",
    where="Section 7.1, after Theorem 7.2",
    says="Algorithms satisfying Definition 7.2 are not able to release that there are few 19-year-olds, "
    "unless α is very small.",
    states=NOT_AT_ALL,
    meant=BY_THE_LEVEL,
    scope="Δ against Δ + αx of x workers, which are one step apart",
    origin="ours",
)
def the_level_decides_how_well_a_fact_is_released() -> Verdict:
    """An answer that is right with probability c/(1+c), c = e^ε, is private at every α, and no private
    answer is right more often at both: .731 at ε = 1, .982 at ε = 4. So it is ε that must be small for
    the fact to stay hidden; α only says how many 19-year-olds 'many' are.
    """
    return ill_posed(
        exact.refuted(NOT_AT_ALL, **{"c": 2, "P(few|few)": "2/3", "P(few|many)": "1/3", "r": "2/3"}),
        solver.proves(BY_THE_LEVEL),
        condition="an answer that is right with probability more than e^ε/(1+e^ε), so a small ε",
        counterexample="e^ε = 2, any α: 'few' with probability 2/3 at Δ and 1/3 at Δ + αx is private and "
        "right with probability 2/3 at both",
        value="e^ε/(1+e^ε)",
    )


@claim(
    "haney2017/sec7-monotone",
    where="Section 7.1",
    says="At fixed α larger ε means more privacy loss; at fixed ε larger α means less.",
)
def larger_alpha_protects_more() -> Verdict:
    """P ≤ e^ε·Q implies P ≤ e^ε'·Q for ε' ≥ ε. Neighbors for α are neighbors for α' ≥ α, so privacy at
    (α', ε) implies privacy at (α, ε).
    """
    x, y, small, large = z3.Reals("x y alpha alpha2")
    p, q, c, c2 = z3.Reals("p q c c2")
    space = universe(3, ("e", "f"), ("a", "b"))
    edge, strong = Edge(space), Strong(space, 1)
    return holds(
        solver.for_all(
            [x >= 0, small > 0, large >= small, grows(x, y, small)],
            grows(x, y, large),
            "neighbors for α are neighbors for every larger α",
        ),
        solver.for_all([p >= 0, q >= 0, c >= 1, c2 >= c, p <= c * q], p <= c2 * q, "a larger ε asks less"),
        aside(
            exhaustive.for_all(
                all_pairs(),
                lambda pair: strong.related(*pair) or not edge.related(*pair),
                "neighbors of edge privacy, the smallest relation, are strong neighbors",
                f"all pairs of datasets; {SMALL}, α = 1",
            )
        ),
    )
