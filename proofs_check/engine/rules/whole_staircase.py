"""Privacy of the staircase law on whole numbers."""

from typing import Any

from establish.proofs_check.engine.rules.privacy import over_reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.rules.whole_ladder import cuts_rise, pieces_meet, tails_meet
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, Real
from establish.proofs_check.engine.statements.privacy import BOUNDED, Satisfies
from establish.proofs_check.engine.statements.terms import Term
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World
from establish.spec.distributions.geometric import mass
from establish.spec.distributions.staircase import height, ratio
from establish.spec.distributions.whole_staircase import receding
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism
from establish.spec.whole_scale import HALF, gap, takeover_from


def whole_steps() -> tuple[Comparison, ...]:
    """What `on_whole_scale` owes of φ: the share of an establishment is one of the whole cell; each of k gaps
    is at most 1/k; from the takeover on, the gap after m is at most that of the logarithm; and the logarithm
    rises by at most 1.
    """
    cell = Domain((Real("α", above=0), Real("x", least=0), Real("rest", least=0)))
    gaps = Domain((Real("k", least=1), Real("m", least=lambda c, k: k)))
    late = Domain((Real("α", above=0), Real("m", least=lambda c, alpha: takeover_from(alpha, c))))
    grown = Domain((Real("α", above=0), Real("n", above=0), Real("M", above=0)))
    return (
        Comparison(
            cell, lambda c, alpha, x, rest: alpha * x, "<=", lambda c, alpha, x, rest: alpha * (x + rest)
        ),
        Comparison(gaps, lambda c, k, m: gap(m), "<=", lambda c, k, m: gap(k)),
        Comparison(
            late,
            lambda c, alpha, m: c.log(1 + c.number(alpha)),
            "<=",
            lambda c, alpha, m: (alpha * m - 1) * c.log((m + 1) / m),
        ),
        Comparison(
            grown,
            lambda c, alpha, n, last: c.log((1 + c.number(alpha)) * n / last),
            "<=",
            lambda c, alpha, n, last: c.log(n / last) + c.log(1 + c.number(alpha)),
        ),
    )


def _own(power: Any) -> Any:
    return 1 - receding(power)


def whole_ladder() -> tuple[Comparison, ...]:
    """What `on_whole_scale` owes of Λ, with p = e^(−εd): from one place to the next no share of a kind falls
    by more than q = e^(−ε), in either direction; the steps beside the center take no more than all mass, and
    those on one side no more than half of it.
    """
    powers = Real("q", above=0, below=1), Real("p", above=0, most=1)

    def falls(share: Any, there: int, back: int) -> Comparison:
        return Comparison(
            Domain(powers), lambda c, q, p: q * share(p * q**there), "<=", lambda c, q, p: share(p * q**back)
        )

    def room(shares: Formula, second_half: bool) -> Comparison:
        half = {"least": HALF, "most": 1} if second_half else {"least": 0, "most": HALF}

        def taken(c: World, q: Any, p: Any, v: Any, f: Any) -> Any:
            below, here, above = shares(c, q, p)
            middles = here + (above if second_half else below)
            step = q / (1 - q) * mass(0, q, c)
            return step * (2 - middles) + v * ((1 - f) * below + here + f * above)

        domain = Domain((*powers, Real("v", least=0, most=HALF), Real("f", **half)))
        return Comparison(domain, taken, "<=", 1)

    def half(shares: Formula, second_half: bool) -> Comparison:
        part = {"least": HALF, "most": 1} if second_half else {"least": 0, "most": HALF}

        def taken(c: World, q: Any, p: Any, v: Any, f: Any) -> Any:
            _, here, above = shares(c, q, p)
            step = q / (1 - q) * mass(0, q, c)
            middle = above if second_half else here
            return step * (1 - middle) + v * ((1 - f) * here + f * above)

        domain = Domain((*powers, Real("v", least=0, most=HALF), Real("f", **part)))
        return Comparison(domain, taken, "<=", HALF)

    def after(c: World, q: Any, p: Any) -> Any:
        return _own(p), _own(p * q), _own(p * q * q)

    def before(c: World, q: Any, p: Any) -> Any:
        return receding(p * q * q), receding(p * q), receding(p)

    def turning(c: World, q: Any, p: Any) -> Any:
        return receding(q), c.number(HALF), _own(q)

    return (
        *(falls(share, *way) for share in (_own, receding) for way in ((0, 1), (1, 0))),
        *(room(shares, later) for shares in (after, before, turning) for later in (False, True)),
        *(half(shares, later) for shares in (after, before, turning) for later in (False, True)),
        Comparison(
            Domain((Real("ε", above=0), Real("r", least=0))),
            lambda c, epsilon, width: ratio(epsilon, c) * height(width, 0, epsilon, c),
            "<=",
            HALF,
        ),
    )


def whole_level(statement: Satisfies) -> Comparison:
    """What `on_whole_scale` owes of the parameters: the level is at least ε.

    Raises RuleError unless its output is that of `WholeStaircaseMechanism`, at the growth of the neighbors.
    """
    kind, alpha = statement.mechanism, statement.alpha
    refused = RuleError(f"on_whole_scale: no staircase law on whole numbers in: {statement.text}")
    if alpha is None or statement.delta is not None:
        raise refused
    if not isinstance(kind, type) or not issubclass(kind, WholeStaircaseMechanism):
        raise refused
    kept = ("__init__", "choose", "output", "scale", "ladder")
    if any(getattr(kind, name) is not getattr(WholeStaircaseMechanism, name) for name in kept):
        raise refused
    names: list[Any] = [Term(v.name) for v in statement.domain.variables]
    if str(kind(*names).alpha) != str(alpha(*names)):
        raise refused
    if BOUNDED.get((statement.neighbors, statement.queries)) != "share":
        raise RuleError(f"on_whole_scale: counts have no growth by a share in: {statement.text}")
    return Comparison(
        over_reals(statement.domain), lambda c, *v: c.number(kind(*v).epsilon), "<=", statement.level
    )


@rule
def on_whole_scale(statement: Satisfies, *evidence: Evidence) -> Evidence:
    """The output is computed from a number s, which around the center t = φ(n) has the density e^(−εk), k the
    least whole number ≥ 0 with low(t − k) ≤ s ≤ high(t + k).

    **φ.** Neighbors differ in one establishment, which grows from x to y ≤ (1+α)x or y = x + 1, all whole: so
    the cell grows from n = x + rest to at most g(n) = n + max(1, ⌊αn⌋), as αx ≤ αn. φ never falls, and
    φ(g(n)) ≤ φ(n) + 1: the gaps to g(n) are k = max(1, ⌊αn⌋) in number, and each of them, 1/max(1, ⌊αm⌋) with
    m ≥ n, is at most 1/k. That is so up to M. If n < M < g(n), then αn ≥ 1, as n + 1 ≤ M otherwise; so (1+α)n
    ≥ g(n) > M, which makes n at least `takeover_from`, and for every m from there on 1/⌊αm⌋ ≤ 1/(αm − 1) ≤
    (ln(m+1) − ln m)/ln(1+α); all gaps to g(n) are then at most those of the logarithm, and so they are from M
    on: together at most ln(g(n)/n)/ln(1+α) ≤ 1.

    **Λ.** Between whole places j and j + 1 it has a mass in the middle and a density, each a constant times
    its share at j, and what it begins with is what the piece before ends with (owed of every piece, and of
    cut, which does not fall). As no share falls by more than q from one j to the next, Λ(b±1) − Λ(a±1) ≥
    q·(Λ(b) − Λ(a)) for a ≤ b, which says that low and high never fall. A window from t − 1 to t + 1 has two
    middles and a density over j − 1, j and j + 1, and c times all of it is at most 1: low(t) ≤ high(t). So
    the density adds up to 1: with q the steps telescope (the tails are owed, step by step). (Of a window from
    t to t + 1 it is at most 1/2, so that low(t) ≤ Λ(t) ≤ high(t), and one half of the mass lies on each side
    of Λ(t): so the sampler may look at one side.)

    **Loss.** For t ≤ t' ≤ t + 1: if low(t − k) ≤ s ≤ high(t + k), then low(t' − (k+1)) ≤ low(t − k) and
    high(t + k) ≤ high(t' + k + 1), so that s lies within k + 1 steps around t'. In the other direction low(t
    − (k+1)) ≤ low(t' − k) and high(t' + k) ≤ high(t + k + 1). So the log-ratio of the densities is at most ε.
    """
    read = (*pieces_meet(), *cuts_rise(), *tails_meet())
    owed = (whole_level(statement), *whole_steps(), *whole_ladder(), *read)
    return derived(statement, owed, evidence, "on_whole_scale")
