"""Section 8.2: noise in proportion to the local sensitivity, before it is smoothed."""

from fractions import Fraction

from establish import Below, Equal, Real, SizeUniverse, Verdict, claim, exact, holds, solver
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import aside
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.relations.growth import largest_growth, may_grow
from establish.spec.relations.strong import Strong
from establish.spec.sensitivity import local_sensitivity

TENTH = Fraction(1, 10)


NEIGHBORS = Equal(left=lambda c: c.number(int(may_grow(19, 20, Fraction(1, 10)))), right=1)


def _released(c: World, workers: int, epsilon: Number) -> Laplace:
    """The count with Laplace noise of scale LS/ε."""
    return Laplace(c.number(workers), c.number(largest_growth(workers, Fraction(1, 10))) / epsilon, c)


LOUD = Below(
    Real("ε", above=0),
    Real("loss", least=0),
    Real("o", above=lambda c, epsilon, loss: 2 * (loss + 1) / epsilon + 20),
    left=lambda c, epsilon, loss, o: loss,
    right=lambda c, epsilon, loss, o: (
        _released(c, 20, epsilon).log_density(o) - _released(c, 19, epsilon).log_density(o)
    ),
)
"""Whatever loss is named, the densities of the releases of 20 and of 19 workers differ by more, at every
output that is large enough.
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
        solver.proves(LOUD, lambda c, *_: c.log(c.number(1) / 2)),
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
