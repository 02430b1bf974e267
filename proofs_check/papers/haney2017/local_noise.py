"""Section 8.2: noise in proportion to the local sensitivity, before it is smoothed."""

from __future__ import annotations

from fractions import Fraction

import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, aside, holds
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import SizeUniverse
from establish.spec.sensitivity import local_sensitivity

TENTH = Fraction(1, 10)


@claim(
    "haney2017/sec8.2-local-not-private",
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
    t, level = z3.Reals("t level")
    return holds(
        exact.compare(int(relation.related((19,), (20,))), "==", 1, "19 and 20 are neighbors"),
        exact.compare(fewer, "==", 1, "local sensitivity at 19 workers, α = 1/10"),
        exact.compare(more, "==", 2, "local sensitivity at 20 workers"),
        exact.compare(
            (far - 19) / fewer - (far - 20) / more, ">", 1, "log-ratio of P(output > 21), over ε"
        ),
        solver.for_all(
            [t >= 20, t > 2 * level + 18],
            (t - 19) / 1 - (t - 20) / 2 > level,
            "and it exceeds every multiple of ε",
        ),
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
