"""A draw by a score that one individual changes little."""

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, Real, Sums, given
from establish.proofs_check.engine.statements.one_draw import RATIO, DrawnByGaps
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.earnings.equal_gaps import miss


def one_more(statement: DrawnByGaps) -> tuple[Comparison, Sums, Comparison]:
    """What `by_one_gap` owes: a gap's miss changes by at most 1 when its count does; numerators x·q with x
    ≤ r have sums that are at most r times those of the q; and p ≤ r·q over sums with Z' ≤ r·Z is at most
    level times q over Z'.
    """
    moved = Comparison(
        Domain((Real("n", least=0), Real("t"))),
        lambda c, n, t: c.absolute(miss(n + 1, t, c) - miss(n, t, c)),
        "<=",
        lambda c, n, t: c.number(1),
    )
    mass = Real("q", above=0)
    sums = Comparison(
        Domain((RATIO, mass, Real("x", above=0, most=lambda c, r, q: r))),
        lambda c, r, q, x: x * q,
        "<=",
        lambda c, r, q, x: r * q,
    )
    level = statement.level
    positive = (mass, *(Real(name, above=0) for name in ("Z'", "p", "Z")))
    quotients = Comparison(
        Domain(
            (RATIO, *positive),
            (
                given(lambda c, r, q, other, p, z: p, "<=", lambda c, r, q, other, p, z: r * q),
                given(lambda c, r, q, other, p, z: other, "<=", lambda c, r, q, other, p, z: r * z),
            ),
        ),
        lambda c, r, q, other, p, z: p / z,
        "<=",
        lambda c, r, q, other, p, z: level(c, r) * (q / other),
    )
    return moved, Sums(sums, 1), quotients


@rule
def by_one_gap(statement: DrawnByGaps, *evidence: Evidence) -> Evidence:
    """The candidates cut the amounts into ranges that are disjoint and cover all: one individual more is in
    one of them, one n_j rises by 1, and u changes by at most 1 (owed), whatever T and y are. W, the aims and
    the list of totals do not depend on the data. So every numerator changes by a factor between 1/r and r,
    their sum as well (owed), and a chance, which is one over the other, by at most the level (owed).
    """
    return derived(statement, one_more(statement), evidence, "by_one_gap")
