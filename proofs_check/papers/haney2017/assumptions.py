"""Section 1: what must be assumed of an attacker under each definition."""

from establish import Verdict, claim, holds, rules, solver
from establish.proofs_check.engine.statements import AtNoMultiple
from establish.proofs_check.papers.haney2017.graph_privacy.establishments import EDGE
from establish.proofs_check.papers.haney2017.graph_privacy.workers import EDGE_INDIVIDUALS_TWICE
from establish.proofs_check.papers.haney2017.implications.theorems import STRONG, WEAK, individuals, sizes
from establish.proofs_check.papers.haney2017.requirement_table import INDIVIDUALS

INDEPENDENT = (EDGE_INDIVIDUALS_TWICE, INDIVIDUALS)
"""What is inferred of a record is bounded for attackers to whom workers are independent."""

CORRELATED = tuple(AtNoMultiple(of(requirement=individuals, attackers="correlated")) for of in (EDGE, STRONG))
"""And for others it is not, at whatever multiple of ε."""


@claim(
    "haney2017/sec1-same-assumptions",
    where="Section 1",
    says="For queries on employer attributes ER-EE privacy assumes of the attacker exactly what differential "
    "privacy must assume, so that what is inferred is bounded.",
    states=(*INDEPENDENT, *CORRELATED),
    scope="inferences about one record",
)
def both_need_independent_workers() -> Verdict:
    """Independent beliefs about workers, as products are, suffice under both definitions, at level 2ε. Under
    both they are needed: who knows that k+1 workers, each at an employer of their own, are all employed or
    all absent learns from a private answer at e^((k+1)ε) whether one of them is.
    (Sizes and shapes are bounded under neither: haney2017/table-1/edge-dp, haney2017/table-1/er-ee-size.)
    """
    return holds(
        *(rules.leave_and_join(one, *map(solver.proves, rules.two_steps(one))) for one in INDEPENDENT),
        *(
            rules.all_or_nobody(one, *map(solver.proves, rules.more_steps_than_any_multiple(one)))
            for one in CORRELATED
        ),
        value="2ε for independent workers; no finite multiple of ε for correlated ones",
        condition="at level 2ε",
    )


NO_WEAK_SIZES = AtNoMultiple(WEAK(requirement=sizes))
"""Weak privacy bounds what attackers with any product prior infer about sizes at no multiple of ε."""


@claim(
    "haney2017/sec1-more-assumptions",
    where="Section 1",
    says="For queries over employer and employee attributes, which weak privacy is for, more must be assumed "
    "of the attacker.",
    states=NO_WEAK_SIZES,
    scope="inferences about sizes, which Theorem 7.2 bounds for weak adversaries only",
)
def products_are_not_enough_under_weak_privacy() -> Verdict:
    """An attacker who knows x workers of e, and half believes of each of k more that they are at e or at an
    employer of their own, learns the size of e by a factor of e^((k+1)ε). (What Theorem 7.2 assumes beyond
    products does not suffice either: haney2017/thm-7.2-req2.)
    """
    owed = rules.more_steps_than_any_multiple(NO_WEAK_SIZES)
    return holds(
        rules.employer_by_employer(NO_WEAK_SIZES, *map(solver.proves, owed)),
        value="no finite multiple of ε for product priors",
    )
