"""Privacy of noise that is added on a scale where every step to a neighbor is at most 1."""

from typing import Any

from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import both_ways, on_parameters, over_reals, reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Condition, Domain, Formula, Real
from establish.proofs_check.engine.statements.privacy import BOUNDED, Satisfies
from establish.proofs_check.engine.statements.terms import TEXT, Term
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World
from establish.spec.distributions.staircase import Staircase, step_log_density
from establish.spec.growth_scale import piece
from establish.spec.mechanisms.on_growth_scale import OnGrowthScaleMechanism


def growth_steps(statement: Satisfies) -> tuple[Comparison, Comparison, Comparison]:
    """What `on_growth_scale` owes of the pieces of φ, for counts x + rest and y + rest with 0 ≤ x ≤ y, at
    every real j ≥ 0 at which their logarithms exist: growth by a share and growth by one worker raise them
    by at most 1, the latter against the next piece, and they do not fall.
    """
    parameters, alpha = reals(statement.domain), statement.alpha
    if alpha is None or BOUNDED.get((statement.neighbors, statement.queries)) != "share":
        raise RuleError(f"on_growth_scale: counts have no growth by a share in: {statement.text}")
    count = len(parameters)

    def at(place: int, more: int = 0) -> Formula:
        def value(c: World, *v: Any) -> Any:
            own, rest, j = v[count + place], v[count + 2], v[count + 3]
            return piece(own + rest, j + more, alpha(*v[:count]), c)

        return value

    def one_more(formula: Formula) -> Formula:
        return lambda c, *v: 1 + formula(c, *v)

    def step(most: Formula | None, positive: int, left: Formula, right: Formula) -> Comparison:
        exists = Condition(
            lambda c, *v: v[count + positive] + v[count + 2] + v[count + 3], ">", lambda c, *v: 0
        )
        domain = Domain(
            (
                *parameters,
                Real("x", least=0),
                Real("y", least=lambda c, *v: v[count], most=most),
                Real("rest", least=0),
                Real("j", least=0),
            ),
            (*on_parameters(statement.domain), exists),
        )
        return Comparison(domain, left, "<=", right)

    def by_share(c: World, *v: Any) -> Any:
        return (1 + c.number(alpha(*v[:count]))) * v[count]

    def by_one(c: World, *v: Any) -> Any:
        return v[count] + 1

    return (
        step(by_share, 0, at(1), one_more(at(0))),
        step(by_one, 1, at(1), one_more(at(0, 1))),
        step(None, 0, at(0), at(1)),
    )


def growth_noise(statement: Satisfies) -> tuple[Comparison, ...]:
    """What it owes of the noise, around any m: a slide by 0 to 1 costs at most the level at every w."""
    if statement.delta is not None:
        raise RuleError(f"on_growth_scale: needs δ = 0: {statement.text}")
    count = len(statement.domain.variables)
    domain = over_reals(statement.domain, Real("m"), Real("d", least=0, most=1), Real("w"))

    def logarithms(c: World, *v: Any) -> tuple[Any, Any]:
        made, (m, d, w) = statement.mechanism(*v[:count]), v[count:]
        p, q = (known(made.noisy(center, c)).log_density(w) for center in (m, m + d))
        return p, q

    return both_ways(domain, logarithms, lambda c, *v: statement.level(c, *v[:count]))


def _made(statement: Satisfies) -> Any:
    """The mechanism read at names in place of numbers, for all parameters at once.

    Raises RuleError unless its output is that of `OnGrowthScaleMechanism`: φ⁻¹ of noise around φ of the
    count, at the growth of the neighbors.
    """
    kind = statement.mechanism
    refused = RuleError(f"on_growth_scale: no noise on the growth scale in: {statement.text}")
    if statement.alpha is None or not isinstance(kind, type):
        raise refused
    if getattr(kind, "output", None) is not OnGrowthScaleMechanism.output:
        raise refused
    names = [Term(v.name) for v in statement.domain.variables]
    made: Any = kind(*names)
    if str(made.alpha) != str(statement.alpha(*names)):
        raise refused
    return made


@rule
def on_growth_scale(statement: Satisfies, *evidence: Evidence) -> Evidence:
    """The output is a function of φ(n) + W, with φ(x) the largest of its pieces over whole j ≥ 0. Neighbors
    differ in one establishment that grows from x to y ≤ (1+α)x or y ≤ x + 1, beside others of sum rest. Where
    φ(y + rest) is attained at j, the first case gives at most 1 more than piece j at x + rest, the second at
    most 1 more than piece j + 1, neither of them above φ(x + rest); and no piece falls. (If x + rest + j = 0,
    then x = 0, and the second case applies.) So φ(y + rest) − φ(x + rest) lies between 0 and 1, and what the
    noise loses under such a slide bounds the loss of every event, also for what is computed from the output.
    """
    _made(statement)
    owed = (*growth_steps(statement), *growth_noise(statement))
    return derived(statement, owed, evidence, "on_growth_scale")


def staircase_steps(statement: Satisfies) -> tuple[Comparison, ...]:
    """What `on_growth_staircase` owes of the noise: every step is lower than the one before by ε; where −r1 −
    k ≤ w ≤ r2 + k, a slide by d of 0 to 1 in either direction stays within −r1 − (k+1) and r2 + (k+1), and
    the loss of one step is at most the level.
    """
    domain = Domain(
        (
            Real("r1"),
            Real("r2"),
            Real("k", least=0),
            Real("d", least=0, most=1),
            Real("w", least=lambda c, down, up, k, d: -down - k, most=lambda c, down, up, k, d: up + k),
        )
    )

    def low(c: World, down: Any, up: Any, k: Any, *_: Any) -> Any:
        return -down - (k + 1)

    def high(c: World, down: Any, up: Any, k: Any, *_: Any) -> Any:
        return up + (k + 1)

    def slid(sign: int) -> Formula:
        return lambda c, down, up, k, d, w: w + sign * d

    return (
        *(Comparison(domain, low, "<=", slid(sign)) for sign in (1, -1)),
        *(Comparison(domain, slid(sign), "<=", high) for sign in (1, -1)),
        Comparison(
            Domain((Real("ε", above=0), Real("r1", least=0), Real("r2", least=0), Real("k", least=0))),
            lambda c, e, down, up, k: (
                step_log_density(k, down, up, e, c) - step_log_density(k + 1, down, up, e, c)
            ),
            "==",
            lambda c, e, down, up, k: e,
        ),
        Comparison(over_reals(statement.domain), _step_loss(statement), "<=", statement.level),
    )


def _step_loss(statement: Satisfies) -> Formula:
    if statement.delta is not None:
        raise RuleError(f"on_growth_staircase: needs δ = 0: {statement.text}")
    return lambda c, *v: c.number(statement.mechanism(*v).epsilon)


@rule
def on_growth_staircase(statement: Satisfies, *evidence: Evidence) -> Evidence:
    """As for `on_growth_scale`, with a staircase law for the noise: its density is lower by e^(−ε) for every
    step that lies between the flat part and w, and their number is the least whole k ≥ 0 with −r1 − k ≤ w ≤
    r2 + k, whatever the ends. A slide by at most 1, in either direction, adds at most one step and so, slid
    back, takes at most one away: the log-ratio of the densities is at most ε in both directions.
    """
    made = _made(statement)
    center, made.down, made.up = Term("φ(n)"), Term("r1"), Term("r2")
    law = made.noisy(center, TEXT)
    if not isinstance(law, Staircase):
        raise RuleError(f"on_growth_staircase: no staircase on the growth scale in: {statement.text}")
    its_own = law.center is center and law.down is made.down and law.up is made.up
    if not its_own or law.epsilon is not made.epsilon:
        raise RuleError(f"on_growth_staircase: the steps are not those of ε in: {statement.text}")
    owed = (*growth_steps(statement), *staircase_steps(statement))
    return derived(statement, owed, evidence, "on_growth_staircase")
