"""Per-record privacy of a mechanism, from its law: on the integers, and normal."""

from typing import Any

from establish.proofs_check.engine.rules.cells import output_of
from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import over_reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Integer, Real, RecordsPrivate
from establish.proofs_check.engine.statements.on_integers import RenyiBound
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.reify import TERMS
from establish.proofs_check.terms.trees import variable
from establish.spec.distributions.gaussian import Gaussian, concentration
from establish.spec.distributions.on_integers import OnIntegers


def _law(statement: RecordsPrivate, kind: type, name: str) -> Any:
    """The law of the output as a function of a world, the parameters and the total. Raises RuleError for a
    mechanism that reads more of a cell than its total, and for another kind of law.
    """

    def law(c: Any, *v: Any) -> Any:
        *inputs, total = v
        found = known(output_of(statement.mechanism(*inputs), total, c))
        if not isinstance(found, kind):
            raise RuleError(f"{name}: {statement.made} has another law than a {kind.__name__}")
        return found

    law(TERMS, *statement.domain.terms, variable("total"))
    return law


def around_totals(statement: RecordsPrivate) -> RenyiBound:
    """What `divergence_of_totals` owes: D_a ≤ a·policy(|r|) between the laws around all whole q + r and q."""
    law, count = _law(statement, OnIntegers, "divergence_of_totals"), len(statement.domain.variables)
    return RenyiBound(
        over_reals(statement.domain, Integer("q"), Integer("r"), Real("a", above=1)),
        lambda c, *v: law(c, *v[:count], v[count] + v[count + 1]),
        lambda c, *v: law(c, *v[: count + 1]),
        lambda c, *v: v[-1],
        "<=",
        lambda c, *v: v[-1] * statement.policy(c, *v[:count], c.absolute(v[count + 1])),
        lambda c, *v: c.number(0),
        finite_by=lambda _: None,
    )


@rule
def divergence_of_totals(statement: RecordsPrivate, *evidence: Evidence) -> Evidence:
    """The law of a cell hangs on its total only. A total q and a record x are among all whole q and r, with
    r = x, and from q + x with r = −x the other way round; |r| is x.
    """
    return derived(statement, (around_totals(statement),), evidence, "divergence_of_totals")


def between_normals(statement: RecordsPrivate) -> tuple[Comparison, ...]:
    """What `normal_divergence` owes, for all real totals q ≥ 0 and records x ≥ 0: one positive standard
    deviation, and (m(q + x) − m(q))²/(2s²) ≤ policy(x).
    """
    law, count = _law(statement, Gaussian, "normal_divergence"), len(statement.domain.variables)
    domain = over_reals(statement.domain, Real("q", least=0), Real("x", least=0))

    def more(c: Any, *v: Any) -> Any:
        return law(c, *v[:count], v[count] + v[count + 1])

    def less(c: Any, *v: Any) -> Any:
        return law(c, *v[: count + 1])

    return (
        Comparison(domain, 0, "<", lambda c, *v: less(c, *v).sd),
        Comparison(domain, lambda c, *v: more(c, *v).sd, "==", lambda c, *v: less(c, *v).sd),
        Comparison(
            domain,
            lambda c, *v: concentration(more(c, *v), less(c, *v)),
            "<=",
            lambda c, *v: statement.policy(c, *v[:count], v[-1]),
        ),
    )


@rule
def normal_divergence(statement: RecordsPrivate, *evidence: Evidence) -> Evidence:
    """The law of a cell hangs on its total only. Between N(m, s²) and N(m', s²), p^a·q^(1−a) is
    e^{a(a−1)(m−m')²/(2s²)} times a normal density around a·m + (1 − a)·m'. So D_a = a·(m − m')²/(2s²) at
    every a > 1, either way round.
    """
    return derived(statement, between_normals(statement), evidence, "normal_divergence")
