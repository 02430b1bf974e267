"""Laplace noise on counts of jobs: it protects one job, and loses exactly ε."""

from establish import Equal, Evidence, Private, Rational, Real, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import densities, pointwise
from establish.proofs_check.engine.statements import Satisfies
from establish.spec.arithmetic import Number, World
from establish.spec.mechanisms.laplace import EdgeLaplaceMechanism


def _private(queries: str) -> Satisfies:
    return Private(
        Rational("ε", above=0),
        name="Laplace",
        mechanism=EdgeLaplaceMechanism,
        neighbors="edge",
        queries=queries,
        level=lambda c, epsilon: c.number(epsilon),
    )


OF_ALL, OF_SOME = _private("establishment"), _private("worker")


def _loss(c: World, epsilon: Number, o: Number) -> Number:
    made = EdgeLaplaceMechanism(epsilon)
    empty, one = (made.output((count,), c).log_density(o) for count in (0, 1))
    return empty - one


REACHED = Equal(
    Real("ε", above=0), Real("o", most=0), left=_loss, right=lambda c, epsilon, o: c.number(epsilon)
)
"""ln p(o) − ln q(o) = ε at every output o ≤ 0, for an empty cell and a cell with one job."""


def _evidence(statement: Satisfies) -> Evidence:
    return pointwise(statement, *map(solver.proves, densities(statement)))


@claim(
    "establish/laplace-edge",
    where="Laplace noise on counts of jobs",
    says="A count of jobs, or of the jobs of workers with a property, with Laplace noise of scale 1/ε "
    "satisfies ε-differential privacy for one job.",
    states=(OF_ALL, OF_SOME),
    tight=REACHED,
)
def laplace_noise_protects_one_job() -> Verdict:
    """One job more or less changes the count by 1 at most, and so the log-density, of slope ±ε, by ε at
    most. All of it is lost between an empty cell and one job, at every output of at most 0.
    """
    return holds(_evidence(OF_ALL), _evidence(OF_SOME), solver.proves(REACHED), value="total privacy loss ε")
