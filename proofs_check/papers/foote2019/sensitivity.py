"""Section 2 and Appendix A: global and local sensitivity, and that of a count."""

from collections.abc import Callable

from establish import Evidence, Verdict, claim, exact, exhaustive, fails, holds, ill_posed, repeats, solver
from establish.proofs_check.engine.statements import AtMost, Comparison, Equal, Every, Integer, Real
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.foote2019.privacy import DOLLARS
from establish.spec.distributions import laplace
from establish.spec.earnings.neighbors import Earnings, PresenceOfOne
from establish.spec.sensitivity import global_sensitivity, local_sensitivity

repeats(
    "foote2019/def-2.3",
    where="Section 2, Definition 2.3",
    says="The sensitivity is the maximum of ‖q(D) − q(D')‖₁ over neighboring tables; 1 for a count.",
    same_as="haney2017/def-2.3",
    origin="implied",
)


def earning_less_than(limit: int) -> Callable[[Earnings], int]:
    """The count query of the rows that earn less than ``limit``."""
    return lambda d: sum(value < limit for value in d)


_REST, _OLD = Integer("rest", least=0), Integer("old", least=0, most=1)
_NEW = Integer("new", least=0, most=1)
"""What the other rows add to a count, and what one row adds to it before and after: 1 or 0."""

ROW_MORE = Equal(
    _REST, _NEW, left=lambda c, rest, new: c.absolute(rest + new - rest), right=lambda c, _, new: new
)
"""A row more moves a count by 1 when it has the attributes, and by 0 when not."""

MORE_AT_MOST = AtMost(_REST, _NEW, left=lambda c, rest, new: c.absolute(rest + new - rest), right=1)
CHANGED_AT_MOST = AtMost(
    _REST, _OLD, _NEW, left=lambda c, rest, old, new: c.absolute(rest + new - (rest + old)), right=1
)
MORE_REACHES = Equal(_REST, left=lambda c, rest: c.absolute(rest + 1 - rest), right=1)
"""A row that counts, more or instead of one that does not."""

COUNT_SENSITIVITY = (MORE_AT_MOST, CHANGED_AT_MOST, MORE_REACHES)
"""The sensitivity of a count is 1: at most that, for a row more and for a row changed, and reached."""


def count_sensitivity() -> tuple[Evidence, ...]:
    """Evidence for each of COUNT_SENSITIVITY."""
    return tuple(solver.proves(statement) for statement in COUNT_SENSITIVITY)


@claim(
    "foote2019/sec2-count-sensitivity",
    where="Section 2, after Definition 2.3",
    says="For count queries the sensitivity is 1.",
    states=COUNT_SENSITIVITY,
    tight=COUNT_SENSITIVITY,
)
def counts_have_sensitivity_one() -> Verdict:
    """A row contributes 0 or 1. Under both neighbor relations the maximum is 1 as soon as the predicate can
    tell: for presence some possible row must satisfy it, for a changed row some must and some must not.
    Otherwise (a predicate that is never true) the sensitivity is 0.
    """
    return holds(
        *count_sensitivity(),
        value="1",
        condition="a predicate that some possible row satisfies (and, for a changed row, some does not)",
    )


ONE_CHANGE = Every(
    "table",
    lambda: PresenceOfOne(DOLLARS, 0, 3).datasets(),
    lambda d: (
        len({abs(_under_two(e) - _under_two(d)) for e in PresenceOfOne(DOLLARS, 0, 3).neighbors(d)}) == 1
    ),
)
"""The right side of Definition 2.4 has one value at every table, for the count of those below 2."""


def _under_two(d: Earnings) -> int:
    return sum(value < 2 for value in d)


@claim(
    "foote2019/def-2.4",
    where="Section 2, Definition 2.4",
    says="The local sensitivity at D is LS_q = ‖q(D) − q(D')‖₁ for D' that differs from D by one element.",
    states=ONE_CHANGE,
    origin="implied",
)
def local_sensitivity_lacks_its_maximum() -> Verdict:
    """D' is not bound: the right side takes several values, and no number LS_q(D) is defined. For
    D = (2) and the query 'earns less than 2', one more row with 1 changes the count by 1, one with 2 does
    not. Read max over D'; then the global sensitivity is its maximum over D.
    """
    relation, query = PresenceOfOne(DOLLARS, 0, 3), earning_less_than(2)
    return ill_posed(
        exact.refuted(ONE_CHANGE, case=(2,)),
        exact.compare(local_sensitivity(query, relation, (2,)), "==", 1, "with the maximum over D'"),
        exact.compare(
            max(local_sensitivity(query, relation, d) for d in relation.datasets()),
            "==",
            global_sensitivity(query, relation),
            "its maximum over D, and the global sensitivity",
        ),
        condition="the maximum over all neighbors D' of D",
        counterexample="D = (2), q = #(earnings < 2): D' = (1, 2) changes q by 1, D' = (2, 2) by 0",
    )


LAPLACE_IS_PRIVATE = AtMost(
    Real("ε", above=0),
    Real("q"),
    Real("q'", least=lambda c, _, q: q - 1, most=lambda c, _, q: q + 1),
    Real("output"),
    left=lambda c, epsilon, q, other, x: (
        laplace.log_density(x, q, 1 / epsilon, c) - laplace.log_density(x, other, 1 / epsilon, c)
    ),
    right=lambda c, epsilon, *_: epsilon,
)
"""Lap(1/ε) around two counts that are at most 1 apart: the log-ratio of the densities at every output."""


@claim(
    "foote2019/app-a",
    where="Appendix A, (A.1)",
    says="A count changes by 1 if the differing observation has the attributes and by 0 otherwise; adding "
    "Lap(1/ε) is ε-private.",
    states=(ROW_MORE, MORE_AT_MOST, LAPLACE_IS_PRIVATE),
    tight=MORE_REACHES,
)
def appendix_proves_the_sensitivity_of_a_count() -> Verdict:
    """For neighbors by presence the differing row is one row, which counts or does not. The Laplace law
    slid by 1 has loss 1/scale, which is ε at scale 1/ε.
    """
    stated = (ROW_MORE, MORE_AT_MOST, LAPLACE_IS_PRIVATE, MORE_REACHES)
    return holds(
        *(solver.proves(statement) for statement in stated),
        value="1",
        condition="neighbors differ in the presence of one row",
    )


def _when_changed(counts: Formula) -> Comparison:
    return Equal(_OLD, _NEW, left=lambda c, old, new: c.absolute(new - old), right=counts)


CHANGE_READINGS = (
    _when_changed(lambda c, old, new: c.maximum(c.number(old), c.number(new))),
    _when_changed(lambda c, old, _: old),
    _when_changed(lambda c, _, new: new),
)
"""(A.1) for a changed row: it has the attributes before or after, before, or after."""

CHANGE_MEANT = _when_changed(lambda c, old, new: old * (1 - new) + new * (1 - old))
"""Exactly one of the two values has them."""


@claim(
    "foote2019/app-a-change",
    where="Appendix A, (A.1) with the change of Section 3.2",
    says="(A.1) also gives the change of a count when the earnings of one observation change.",
    states=CHANGE_READINGS,
    tight=CHANGE_MEANT,
    origin="ours",
)
def a_change_of_value_needs_both_values() -> Verdict:
    """A changed observation has attributes before and after. If both count, the count does not change,
    although 'the differing observation has the attributes', whether its old value is meant, its new one, or
    both. What is true: 1 when exactly one of them counts. (Nothing is misprinted: (A.1) is stated, and true,
    for a row that is there or not.)
    """
    return fails(
        *(exact.refuted(reading, old=1, new=1) for reading in CHANGE_READINGS),
        exhaustive.proves(CHANGE_MEANT),
        counterexample="q = #(earnings < 2): from (0) to (1) it stays 1, though both have the attribute",
        value="1 if exactly one of the two values has the attributes",
    )
