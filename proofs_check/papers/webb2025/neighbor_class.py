"""Section 1: the neighbor functions are precisely those whose intervals behave as intended."""

from establish import Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import class_by_intervals, midpoints_and_slopes
from establish.proofs_check.engine.statements import ClassByIntervals
from establish.proofs_check.papers.webb2025 import interval_lengths

PRECISELY = ClassByIntervals()


@claim(
    "webb2025/def-5.1-precise",
    where="Section 1, contributions, and Theorem 5.3",
    says="The neighbor functions are precisely the functions for which uncertainty grows with size in "
    "absolute and shrinks in relative terms.",
    states=PRECISELY,
)
def the_class_is_characterized_by_its_intervals() -> Verdict:
    """Let ψ be real on x ≥ 0, continuous, strictly increasing and unbounded. That the class suffices is
    Theorem 5.3. It is necessary: put h = ψ⁻¹. Lengths that do not shrink mean that h(u+t) − h(u−t) does not
    decrease in u; at u = a+t and a+3t this reads h(a+4t) − h(a+2t) ≥ h(a+2t) − h(a), so h is midpoint
    convex, being continuous convex, and ψ is concave. Then ψ has a slope outside a countable set, and for
    t → 0 the relative length over 2t tends to 1/(xψ'(x)): if it never grows, xψ' never decreases, and
    ψ∘exp, whose slope that is, is convex. "Grows" and "shrinks" must not be strict: x and log are limits.
    """
    return holds(
        class_by_intervals(
            PRECISELY,
            interval_lengths.no_shorter(interval_lengths.LONGER[0]),
            interval_lengths.relatively_no_longer(interval_lengths.RELATIVE[0]),
            *map(solver.proves, midpoints_and_slopes()),
        ),
        condition="among continuous, strictly increasing, unbounded ψ that are real on x ≥ 0, and with "
        "'not less' and 'not more'; on x > 0 alone log has the same property and is left out",
    )
