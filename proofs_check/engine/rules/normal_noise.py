"""Normal noise of any dimension, from one inequality between numbers."""

from typing import Any

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, NormalNoise, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.distributions import gaussian


def along_one_line(statement: NormalNoise) -> tuple[Comparison, ...]:
    """What `rotated_normals` owes: for every distance, that distance is at most level times standard
    deviation, which is positive; and that the log-ratio of two normal densities rises with the output.
    """
    parameters = statement.domain.variables
    apart = Real("distance", least=0, most=statement.sensitivity)
    output = Real("o"), Real("higher", above=lambda c, *v: v[-1])

    def ratio(c: Any, distance: Any, sd: Any, at: Any) -> Any:
        return gaussian.log_density(at, distance, sd, c) - gaussian.log_density(at, c.number(0), sd, c)

    return (
        Comparison(
            Domain((*parameters, apart), statement.domain.conditions),
            lambda c, *v: v[-1],
            "<=",
            lambda c, *v: statement.level(c, *v[:-1]) * statement.sd(c, *v[:-1]),
        ),
        Comparison(statement.domain, 0, "<", statement.sd),
        Comparison(
            Domain((Real("s", above=0), Real("d", above=0), *output)),
            lambda c, sd, distance, o, higher: ratio(c, distance, sd, o),
            "<",
            lambda c, sd, distance, o, higher: ratio(c, distance, sd, higher),
        ),
    )


@rule
def rotated_normals(statement: NormalNoise, *evidence: Evidence) -> Evidence:
    """Rotate so that y − x = (‖x − y‖₂, 0, …, 0), which leaves N(0, s²·I) as it is: all coordinates but the
    first have the same law for both answers, and are independent of it. The likelihood ratio rises with the
    first coordinate, so that by Neyman and Pearson the best event of each probability is a half-line in it,
    on which Φ⁻¹ of the probabilities differs by ‖x − y‖₂/s: at most the level where ‖x − y‖₂ ≤ level·s.
    """
    return derived(statement, along_one_line(statement), evidence, "rotated_normals")
