"""Transformation mechanisms on counts of jobs: what an establishment costs by its size."""

from functools import partial
from typing import Any

from establish import PrivatePerRecord, Rational, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import between_normals, normal_divergence
from establish.spec.mechanisms.transformation import FourthRootMechanism, LogarithmMechanism, RootMechanism

RHO = Rational("ρ", above=0)

BY_ROOT = PrivatePerRecord(RHO, mechanism=lambda rho: RootMechanism(rho), policy=lambda c, rho, x: rho * x)
BY_FOURTH_ROOT = PrivatePerRecord(
    RHO, mechanism=lambda rho: FourthRootMechanism(rho), policy=lambda c, rho, x: rho * c.sqrt(x)
)
BY_LOGARITHM = PrivatePerRecord(
    RHO,
    mechanism=lambda rho: LogarithmMechanism(rho),
    policy=lambda c, rho, x: rho * c.power(c.log(1 + x), 2),
)


def _roots(c: Any, rho: Any, q: Any, x: Any) -> Any:
    return c.sqrt(x) + c.sqrt(q) + c.sqrt(q + x)


def _quotient(c: Any, rho: Any, q: Any, x: Any) -> Any:
    return c.log((1 + q + x) / (1 + q)) + c.log(c.number(1))


def private(statement: Any, hint: Any) -> Verdict:
    """f is concave, so that a total moves f by f(x + o) − f(o) at most, the normal noise has s² = 1/(2ρ), and
    (f(x + o) − f(o))²/(2s²) is the policy.
    """
    return holds(
        normal_divergence(statement, *(solver.proves(one, hint) for one in between_normals(statement)))
    )


for _name, _says, _statement, _hint in (
    ("root", "square root costs an establishment of x jobs ρ·x", BY_ROOT, _roots),
    ("fourth-root", "fourth root costs an establishment of x jobs ρ·√x", BY_FOURTH_ROOT, _roots),
    ("log", "logarithm of n + 1 costs an establishment of x jobs ρ·ln²(1 + x)", BY_LOGARITHM, _quotient),
):
    claim(
        f"establish/{_name}-transformation",
        where="Counts of jobs on a scale of their own",
        says=f"Normal noise with s² = 1/(2ρ) on the {_says}, in per-record zCDP.",
        states=_statement,
    )(partial(private, _statement, _hint))
