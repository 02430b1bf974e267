"""What releases cost together, from inequalities between the probabilities of single outputs."""

from typing import Any

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, Real, Variable
from establish.proofs_check.engine.statements.releases import (
    TURNS,
    VARIABLES,
    ReleasesInTurn,
    ReleasesTogether,
)
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World

PICKING = ("both", "chosen")
"""The ways in which an output has the probability m_1·m_2."""


def _bounded(m: str, q: str, place: int) -> tuple[Variable, Variable]:
    """q ≥ 0 and then 0 ≤ m ≤ c·q, for the release whose level stands at ``place``."""
    return Real(q, least=0), Real(m, least=0, most=lambda c, *v: v[place] * v[-1])


def per_output(statement: ReleasesTogether) -> Comparison:
    """What is owed of single outputs, where m_i ≤ c_i·q_i."""
    count, level = len(VARIABLES), statement.level
    first = _bounded("m_1", "q_1", 0)

    def bound(c: World, v: Any, q: Any) -> Any:
        return level(c, *v[:count]) * q

    if statement.way in PICKING:
        variables = (*VARIABLES, *first, *_bounded("m_2", "q_2", 1))
        return Comparison(
            Domain(variables),
            lambda c, *v: v[count + 1] * v[count + 3],
            "<=",
            lambda c, *v: bound(c, v, v[count] * v[count + 2]),
        )
    if statement.way == "beside":
        beside = (*VARIABLES, *first, Real("t", least=0))
        return Comparison(
            Domain(beside),
            lambda c, *v: v[count + 1] * v[count + 2],
            "<=",
            lambda c, *v: bound(c, v, v[count] * v[count + 2]),
        )
    several = (*VARIABLES, *first, *_bounded("m_1'", "q_1'", 0))
    return Comparison(
        Domain(several),
        lambda c, *v: v[count + 1] + v[count + 3],
        "<=",
        lambda c, *v: bound(c, v, v[count] + v[count + 2]),
    )


def left_over(statement: ReleasesTogether) -> Comparison:
    """What is owed of the rest r_i = p_i − m_i, which sums to R_i ≤ δ_i."""
    count, slack = len(VARIABLES), statement.slack
    first = Real("R_1", least=0, most=lambda c, *v: v[2])
    two = Real("R_2", least=0, most=lambda c, *v: v[3])
    picking = statement.way in PICKING
    variables = (*VARIABLES, first, *((two,) if picking else ()))

    def rest(c: World, *v: Any) -> Any:
        return v[count] + (1 - v[count]) * v[count + 1] if picking else v[count]

    return Comparison(Domain(variables), rest, "<=", lambda c, *v: slack(c, *v[:count]))


def obligations_of(statement: ReleasesTogether) -> tuple[Comparison, ...]:
    """What `output_by_output` owes."""
    owed = per_output(statement)
    return (owed,) if statement.pure else (owed, left_over(statement))


@rule
def output_by_output(statement: ReleasesTogether, *evidence: Evidence) -> Evidence:
    """Split each law at every output (of densities the same with integrals for sums): p_i = m_i + r_i
    with m_i = min(p_i, c_i·q_i). The r_i sum to P_i(S) − c_i·Q_i(S) ≤ δ_i for S = {p_i > c_i·q_i}: call
    it R_i, so that the m_i sum to 1 − R_i. An output of both has the probability p_1·p_2 = m_1·m_2 +
    m_1·r_2 + r_1·p_2, also when the first output picks the second release, for then p_2 is a law for
    every first output; its rest sums to at most R_1 + (1 − R_1)·R_2, with the largest R_2. Beside a law
    t that is the same: p_1·t = m_1·t + r_1·t, and t sums to 1, so the rest to R_1. Under a function
    probabilities of outputs are summed (with coins, weighted by one law t): a bound for two adds up to
    all, and the rest to R_1. With the bound for every output, every event has P(S) ≤ level·Q(S) plus
    the rest; the other order of datasets is the same with P_i and Q_i exchanged.
    """
    return derived(statement, obligations_of(statement), evidence, "output_by_output")


def settled(statement: ReleasesTogether) -> Evidence:
    """Evidence for a statement by `output_by_output` and the solver."""
    first, *rest = obligations_of(statement)
    return output_by_output(statement, solver.proves(first), *map(solver.owed, rest))


PAIR = ReleasesTogether("both", lambda c, a, b, *_: a * b, lambda c, *_: c.number(0), pure=True)
"""Two releases of independent coins cost e^(ε_1 + ε_2)."""


def turns_of(statement: ReleasesInTurn) -> tuple[ReleasesTogether, Comparison, Comparison]:
    """What `one_after_another` owes: two releases, one release, and how a further one changes the level."""
    level = statement.level
    return (
        PAIR,
        Comparison(Domain(TURNS[:1]), lambda c, k: level(c, k, 1), "==", lambda c, k: k),
        Comparison(
            Domain(TURNS), lambda c, k, d: level(c, k, d + 1), "==", lambda c, k, d: level(c, k, d) * k
        ),
    )


@rule
def one_after_another(statement: ReleasesInTurn, *evidence: Evidence) -> Evidence:
    """By induction on d: the first d releases together are one with the level for d, beside which the
    next one has the level c. Two releases cost the product of their levels, which is owed.
    """
    return derived(statement, turns_of(statement), evidence, "one_after_another")
