"""Neighbor functions as a class: by their intervals, and releases under two of them."""

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import (
    AdaptiveComposition,
    Comparison,
    ComparisonOfPsi,
    Domain,
    EveryPsi,
    Real,
)
from establish.proofs_check.engine.statements.heterogeneous import BUDGETS, JointlyPrivate
from establish.proofs_check.engine.statements.neighbor_class import RELATIONS, ClassByIntervals
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.mechanisms.clipped_inverse import interval_length


def midpoints_and_slopes() -> tuple[Comparison, Comparison]:
    """What `class_by_intervals` owes beside its half on every ψ: equal steps of h = ψ⁻¹ that do not shrink
    make it midpoint convex; and where 1/(xψ'(x)) does not grow, xψ'(x) does not decrease.
    """
    steps = (
        Real("h(u)"),
        Real("h(u + 2t)", above=lambda c, low: low),
        Real("h(u + 4t)", least=lambda c, low, middle: 2 * middle - low),
    )
    middle = Comparison(
        Domain(steps),
        lambda c, low, middle, high: middle,
        "<=",
        lambda c, low, middle, high: (low + high) / 2,
    )
    slopes = (
        Real("x", above=0),
        Real("y", above=lambda c, x: x),
        Real("ψ'(x)", above=0),
        Real("ψ'(y)", least=lambda c, x, y, p: 1 / (y * (1 / (x * p)))),
    )
    rising = Comparison(Domain(slopes), lambda c, x, y, p, q: x * p, "<=", lambda c, x, y, p, q: y * q)
    return middle, rising


def both_relations() -> tuple[ComparisonOfPsi, ComparisonOfPsi]:
    """What `class_by_intervals` owes of every ψ of the class: for x < y the interval around y is at least as
    long as that around x, and relative to its value no longer, y being r·x.
    """
    t = Real("t", least=0)
    longer = EveryPsi(
        Real("x", least=0),
        Real("y", above=lambda c, x: x),
        t,
        left=lambda psi, c, x, y, t: interval_length(psi, x, t, c),
        relation="<=",
        right=lambda psi, c, x, y, t: interval_length(psi, y, t, c),
    )
    relative = EveryPsi(
        Real("x", above=0),
        Real("r", above=1),
        t,
        left=lambda psi, c, x, r, t: interval_length(psi, r * x, t, c) / (r * x),
        relation="<=",
        right=lambda psi, c, x, r, t: interval_length(psi, x, t, c) / x,
    )
    return longer, relative


@rule
def class_by_intervals(statement: ClassByIntervals, *evidence: Evidence) -> Evidence:
    """Forward: both relations for every ψ of the class are owed as they are. Back: put h = ψ⁻¹. Lengths that
    do not shrink say that h(u + t) − h(u − t) does not decrease in u; at u + t and u + 3t this is h(u + 4t) −
    h(u + 2t) ≥ h(u + 2t) − h(u), so h is midpoint convex (owed), being continuous convex, and ψ is concave. ψ
    then has a slope ψ' > 0 outside a countable set, and the relative length over 2t tends to 1/(xψ'(x)) as
    t → 0. It does not grow, so xψ' does not decrease (owed): that is the slope of ψ∘exp, which is convex.
    """
    if set(statement.relations) != set(RELATIONS):
        raise RuleError(f"class_by_intervals: needs both relations: {statement.text}")
    owed = (*both_relations(), *midpoints_and_slopes())
    return derived(statement, owed, evidence, "class_by_intervals")


def total_of_both(statement: JointlyPrivate, composition: AdaptiveComposition) -> Comparison:
    """What `neighbors_of_both` owes beside composition: the level is at least its total of both budgets."""
    return Comparison(Domain(BUDGETS), lambda c, a, b: composition.total(c, [a, b]), "<=", statement.level)


@rule
def neighbors_of_both(
    statement: JointlyPrivate, composition: AdaptiveComposition, *evidence: Evidence
) -> Evidence:
    """y lies in the interval of x exactly when |ψ(x) − ψ(y)| ≤ γ. So values that are close under a ψ* whose
    intervals lie inside both are close under both, in every attribute, and neighbors for ψ* are neighbors
    for A and for B: on them the releases have μ_A- and μ_B-Gaussian indistinguishable laws, and composition,
    which is owed, speaks of one pair of datasets.
    """
    owed = (composition, total_of_both(statement, composition))
    return derived(statement, owed, evidence, "neighbors_of_both")
