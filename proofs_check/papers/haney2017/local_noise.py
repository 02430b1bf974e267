"""Section 8.2: noise in proportion to the local sensitivity, before it is smoothed."""

from fractions import Fraction

from establish import SizeUniverse, Verdict, aside, claim, exact, exhaustive, holds, solver
from establish.proofs_check.engine.statements import Below, Equal, Real, given
from establish.spec.relations.growth import largest_growth, may_grow
from establish.spec.relations.strong import Strong
from establish.spec.sensitivity import local_sensitivity

TENTH = Fraction(1, 10)


NEIGHBORS = Equal(left=lambda c: c.number(int(may_grow(19, 20, Fraction(1, 10)))), right=1)
LOUD = Below(
    Real("m", least=0),
    Real("t", least=20),
    left=lambda c, multiple, t: multiple,
    right=lambda c, multiple, t: (
        (t - 19) / c.number(largest_growth(19, Fraction(1, 10)))
        - (t - 20) / c.number(largest_growth(20, Fraction(1, 10)))
    ),
    given=[given(lambda c, multiple, t: t, ">", lambda c, multiple, t: 2 * multiple + 18)],
)
"""ln P(output > t) at 20 workers less that at 19, both with Laplace noise of scale LS/ε, exceeds every
multiple m of ε. The tails are ½·e^(−(t−n)ε/LS) for t ≥ n.
"""


@claim(
    "haney2017/sec8.2-local-not-private",
    states=(NEIGHBORS, LOUD),
    scope="Laplace noise; 19 and 20 workers at one establishment, α = 1/10",
    where="Section 8.2",
    says="Noise in proportion to the local sensitivity does not ensure differential privacy.",
)
def local_scales_differ_between_neighbors() -> Verdict:
    """At α = 1/10 the local sensitivity of the count is 1 at 19 workers and 2 at 20. With Laplace noise of
    scale LS/ε, P(output > t) = ½·e^(−(t−19)ε) against ½·e^(−(t−20)ε/2): the log-ratio (t/2 − 9)·ε exceeds
    every bound, and ε itself from t = 20 on. Fewer workers have equal scales and lose ε at most. (Laplace
    noise in proportion to a smooth bound loses without bound as well; Theorem 8.4 asks for admissible
    noise too.)
    """
    relation = Strong(SizeUniverse(1, 24), TENTH)
    fewer, more = (local_sensitivity(sum, relation, (workers,)) for workers in (19, 20))
    far = Fraction(21)
    return holds(
        exact.decided(NEIGHBORS),
        solver.proves(LOUD),
        exact.compare(int(relation.related((19,), (20,))), "==", 1, "19 and 20 are neighbors"),
        exact.compare(fewer, "==", 1, "local sensitivity at 19 workers, α = 1/10"),
        exact.compare(more, "==", 2, "local sensitivity at 20 workers"),
        exact.compare((far - 19) / fewer - (far - 20) / more, ">", 1, "log-ratio of P(output > 21), over ε"),
        aside(
            exhaustive.for_all(
                range(19),
                lambda x: local_sensitivity(sum, relation, (x,)) == 1,
                "fewer workers have the local sensitivity 1",
                "x < 19, α = 1/10",
            )
        ),
        value="∞",
        condition="Laplace noise; 19 and 20 workers at one establishment, α = 1/10",
    )
