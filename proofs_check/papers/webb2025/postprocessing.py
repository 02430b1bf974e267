"""Section 3: what may be done with an output, and what is learned from none."""

from establish import Equal, Real, Verdict, claim, given, holds, solver
from establish.proofs_check.papers.webb2025.gaussian import events_and_tests, trade_off_is_of_the_class


@claim(
    "webb2025/sec3-postprocessing",
    where="Section 3, postprocessing invariance",
    says="If M satisfies μ-GDP, then so does A∘M for every (randomized) algorithm A on its outputs.",
)
def processing_an_output_is_a_test_of_it() -> Verdict:
    """A∘M falls into S with the probability E φ(M), φ(y) = P(A(y) ∈ S): a test with values in [0, 1], that
    is a mixture of the events {φ > u}. The bound G_μ on events carries over to mixtures because G_μ is
    concave; two events are shown, more follow one after another. For a deterministic A the event is the
    one that A(M) ∈ S is, and nothing is needed. A uses fresh randomness and sees the data only through M.
    """
    return holds(
        *trade_off_is_of_the_class(), events_and_tests(), condition="A's randomness is independent of M's"
    )


SAME_LAW = Equal(
    Real("P_1", least=0, most=1),
    Real("P_2", least=0, most=1),
    left=lambda c, first, second: second,
    right=lambda c, first, second: first,
    given=[
        given(lambda c, first, second: second, "<=", lambda c, first, second: first),
        given(lambda c, first, second: 1 - second, "<=", lambda c, first, second: 1 - first),
    ],
)
"""The bound with f(x) = x, on an event and on its complement, makes the probabilities of it equal."""


@claim(
    "webb2025/sec3-perfect",
    where="Section 3, after Definition 3.1",
    says="With f(x) = x an attacker does no better than random guessing.",
    states=SAME_LAW,
    tight=SAME_LAW,
    scope="all events",
)
def the_identity_leaves_no_difference() -> Verdict:
    """P2(S) ≤ P1(S) for S and for its complement is P2(S) = P1(S): both outputs have one law, and every test
    has equal true and false positive rates. One event alone does not show it: P2 ≤ P1 may hold on it while
    the laws differ.
    """
    return holds(solver.proves(SAME_LAW), value="P1 = P2")
