"""Sums of Gaussian weights over the integers, for all parameters, and what follows for means."""

from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Formula, Integer, Side
from establish.proofs_check.engine.statements.domain import Domain, as_tree, computed, number_or
from establish.proofs_check.engine.statements.on_integers import ONE, IntegerMean, OverIntegers, RenyiBound
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.formula import Tree
from establish.proofs_check.terms.owed import whole
from establish.proofs_check.terms.trees import node
from establish.spec.distributions.discrete_gaussian import dual_total, log_weight


def _everywhere(statement: OverIntegers) -> Domain:
    """The parameters and every integer."""
    return beside(statement.domain, Integer("k" if "k" not in statement.domain.names else "k′"))


def _is_gaussian(
    statement: OverIntegers, logarithm: Tree, center: Side, square: Formula, height: Side
) -> Comparison:
    """That a logarithm is −(k − center)²/(2·square) + height at every integer."""
    middle, high = _formula(center), _formula(height)

    def gaussian(c: Any, *v: Any) -> Any:
        *inputs, k = v
        return log_weight(k, middle(c, *inputs), square(c, *inputs), c) + high(c, *inputs)

    return Comparison(_everywhere(statement), logarithm, "==", gaussian)


def _formula(side: Side) -> Formula:
    return number_or(side)  # type: ignore[return-value]


def _whole(statement: OverIntegers, center: Formula, name: str) -> None:
    """Raises RuleError unless the tree of a center shows that it is an integer."""
    if not whole(as_tree(center, statement.domain.terms).term):
        raise RuleError(f"{name}: a center or an index must be a whole number: {statement.text}")


def shifted(
    statement: OverIntegers, square: Side, center: Side, height: Side, *bases: Side
) -> tuple[Comparison, ...]:
    """What `gaussian_shift` owes. center, height: what is summed has the logarithm −(k − center)²/(2·square)
    + height. bases: the whole centers of the law, or of both laws, whose weights have the same square.
    """
    s, m, h = map(_formula, (square, center, height))
    relation = getattr(statement, "relation", "")
    if isinstance(statement, IntegerMean):
        if not statement.normalized or statement.factor.term is not ONE:
            raise RuleError(f"gaussian_shift: needs the mean of one exponential, not {statement.text}")
        laws: tuple[Tree, ...] = (statement.log_weight,)
        summed = statement.tilted
        last = Comparison(statement.domain, lambda c, *v: c.exp(h(c, *v)), relation, statement.bound)
    elif isinstance(statement, RenyiBound):
        laws, summed = statement.weights, statement.joint
        order, bound = statement.orders, statement.bound
        last = Comparison(statement.domain, h, relation, lambda c, *v: (order(c, *v) - 1) * bound(c, *v))
    else:
        raise RuleError(f"gaussian_shift: needs a mean or a divergence on the integers, not {statement!r}")
    if relation not in ("<=", "==") or len(bases) != len(laws):
        raise RuleError(f"gaussian_shift: needs ≤ or =, and {len(laws)} whole centers: {statement.text}")
    for base in map(_formula, (*bases, center) if relation == "==" else bases):
        _whole(statement, base, "gaussian_shift")
    above = (
        [Comparison(statement.domain, 1, "<", statement.orders)] if isinstance(statement, RenyiBound) else []
    )
    return (
        Comparison(statement.domain, 0, "<", s),
        *above,
        *(_is_gaussian(statement, law, base, s, 0) for law, base in zip(laws, bases, strict=True)),
        _is_gaussian(statement, summed, m, s, h),
        last,
    )


@rule
def gaussian_shift(
    statement: OverIntegers,
    square: Side,
    center: Side,
    height: Side,
    bases: tuple[Side, ...],
    *evidence: Evidence,
) -> Evidence:
    """Let T(z) = Σ e^{−(k − z)²/(2s)} over the integers, s > 0. T(z) ≤ T(0): T is continuous with period 1,
    so it is greatest at some z. With u = k + l and v = k − l, which have one parity, T(a)·T(b) = E(a +
    b)·E(a − b) + O(a + b)·O(a − b), where E and O sum e^{−(u − x)²/(4s)} over the even and the odd u. So
    T(z)² = E(2z)·E(0) + O(2z)·O(0), T(2z)·T(0) = E(2z)² + O(2z)² and T(0)² = E(0)² + O(0)²; by Cauchy and
    Schwarz T(z)⁴ ≤ T(2z)·T(0)³ ≤ T(z)·T(0)³. At a whole z, T(z) = T(0).

    So a mean Σ e^{h − (k − z)²/(2s)}/Σ e^{−(k − m)²/(2s)} with m whole is at most e^h. A divergence of two
    laws with whole centers is (h + ln T(z) − ln T(0))/(a − 1), at most h/(a − 1), as a > 1. Both are
    attained where z is whole.
    """
    owed = shifted(statement, square, center, height, *bases)
    return derived(statement, owed, evidence, "gaussian_shift")


def below(statement: IntegerMean, larger: IntegerMean) -> tuple[IntegerMean, Comparison]:
    """What `mean_below` owes: the larger mean is bounded, and at every integer what is averaged is less."""
    own = replace(
        statement,
        of=larger.of,
        exponent=larger.exponent,
        degree=larger.degree,
        size=larger.size,
        beyond=larger.beyond,
    )
    if statement.relation != "<=" or own.identity != larger.identity:
        raise RuleError(f"mean_below: the two must have one domain, law and bound, and ≤: {larger.text}")

    def times(one: IntegerMean) -> Formula:
        return lambda c, *v: one.factor(c, *v) * c.exp(one.exponent(c, *v))

    less = Comparison(_everywhere(statement), times(statement), "<=", times(larger))
    return larger, less


@rule
def mean_below(statement: IntegerMean, larger: IntegerMean, *evidence: Evidence) -> Evidence:
    """Where f ≤ g at every integer and both sums converge, Σ f·w ≤ Σ g·w for weights w > 0."""
    return derived(statement, below(statement, larger), evidence, "mean_below")


def to_second_order(
    statement: IntegerMean, transform: IntegerMean, of: Formula, square: Side
) -> tuple[Any, ...]:
    """What `second_order` owes. transform: E e^{t·f(X)} ≤ e^{s·t²/2} for all real t, its last variable. of:
    f; square: s.
    """
    s = _formula(square)
    *parameters, t = transform.domain.variables
    same = (
        tuple(parameters) == statement.domain.variables
        and not transform.domain.conditions
        and not statement.domain.conditions
        and transform.log_weight.term is statement.log_weight.term
    )
    if not same or (t.field, t.low, t.high) != ("ℝ", None, None):
        raise RuleError(f"second_order: needs the same law, and all real t at last: {transform.text}")
    plain = all(one.normalized for one in (statement, transform)) and transform.factor.term is ONE
    if not plain or transform.relation != "<=" or statement.tilted != statement.log_weight:
        raise RuleError(f"second_order: needs E e^(t·f) ≤ e^(s·t²/2), not {transform.text}")
    squared = statement.relation == "<="
    if not squared and statement.relation != "==":
        raise RuleError(f"second_order: shows E f = 0 or E f² ≤ s, not {statement.text}")
    return (
        transform,
        Comparison(
            _everywhere(transform),
            lambda c, *v: transform.exponent(c, *v),
            "==",
            lambda c, *v: v[-2] * of(c, *v[:-2], v[-1]),
        ),
        Comparison(
            transform.domain, transform.bound, "==", lambda c, *v: c.exp(s(c, *v[:-1]) * v[-1] * v[-1] / 2)
        ),
        Comparison(
            _everywhere(statement),
            statement.factor,
            "==",
            (lambda c, *v: of(c, *v) * of(c, *v)) if squared else of,
        ),
        Comparison(statement.domain, s if squared else 0, "<=" if squared else "==", statement.bound),
    )


@rule
def second_order(
    statement: IntegerMean, transform: IntegerMean, of: Formula, square: Side, *evidence: Evidence
) -> Evidence:
    """If E e^{t·f(X)} ≤ e^{s·t²/2} for all real t, the difference of the sides is least at t = 0, where it
    is 0. Both are smooth there, as the sums converge for all t: so its slope −E f(X) is 0, and its second
    derivative s − E f(X)² is at least 0.
    """
    owed = to_second_order(statement, transform, of, square)
    return derived(statement, owed, evidence, "second_order")


def near_integral(
    statement: IntegerMean, square: Side, center: Side, height: Side = 0
) -> tuple[Comparison, ...]:
    """What `beside_integral` owes: what is summed is e^{height} times Gaussian weights, and the bound lies on
    its side.
    """
    s, m, h = map(_formula, (square, center, height))
    if statement.normalized or statement.factor.term is not ONE or statement.relation not in ("<=", ">="):
        raise RuleError(f"beside_integral: needs the sum of the weights and ≤ or ≥: {statement.text}")
    if statement.relation == ">=":
        _whole(statement, m, "beside_integral")
    more = 1 if statement.relation == "<=" else 0

    def integral(c: Any, *v: Any) -> Any:
        return (c.sqrt(2 * c.pi * s(c, *v)) + c.number(more)) * c.exp(h(c, *v))

    return (
        Comparison(statement.domain, 0, "<", s),
        _is_gaussian(statement, statement.tilted, m, s, h),
        Comparison(statement.domain, integral, statement.relation, statement.bound),
    )


@rule
def beside_integral(
    statement: IntegerMean, square: Side, center: Side, height: Side, *evidence: Evidence
) -> Evidence:
    """e^{−(x − m)²/(2s)} has the integral √(2πs). It rises up to m and falls after, so that each term of its
    sum over the integers is at most the integral over the unit beside it towards m, but for one of the two
    next to m, which is at most 1: the sum is at most √(2πs) + 1. Averaged over 0 ≤ m ≤ 1 the sum is the
    integral, and at whole m it is greatest (`gaussian_shift`): there it is at least √(2πs). The factor
    e^{height} stands before each term.
    """
    owed = near_integral(statement, square, center, height)
    return derived(statement, owed, evidence, "beside_integral")


def single(statement: IntegerMean, at: Side) -> tuple[Comparison, ...]:
    """What `one_term` owes: no term is negative, and the one at the integer ``at`` is at least the bound."""
    place = _formula(at)
    if statement.normalized or statement.relation != ">=":
        raise RuleError(f"one_term: needs a sum and ≥, not {statement.text}")
    _whole(statement, place, "one_term")

    def term(c: Any, *v: Any) -> Any:
        k = place(c, *v)
        return statement.factor(c, *v, k) * c.exp(statement.tilted(c, *v, k))

    return (
        Comparison(_everywhere(statement), 0, "<=", statement.factor),
        Comparison(statement.domain, statement.bound, "<=", term),
    )


@rule
def one_term(statement: IntegerMean, at: Side, *evidence: Evidence) -> Evidence:
    """A sum of terms of which none is negative is at least each of them."""
    return derived(statement, single(statement, at), evidence, "one_term")


def by_poisson(statement: IntegerMean, square: Side) -> IntegerMean:
    """What Poisson's summation formula says of the sum of a statement: a premise, or shown otherwise."""
    terms = statement.domain.terms
    program = replace(computed(_dual), whole=(False,))
    at_square = node("computed", as_tree(_formula(square), terms).term, data=program)
    return replace(statement, relation="==", closed=Tree(at_square, terms, _dual))


def _dual(c: Any, s: Any) -> Any:
    return dual_total(s, c)


def beyond_first(statement: IntegerMean, square: Side) -> tuple[Any, ...]:
    """What `dual_sum` owes: Poisson's formula, weights around 0, and the bound."""
    s = _formula(square)
    if statement.normalized or statement.factor.term is not ONE or statement.relation != "<=":
        raise RuleError(f"dual_sum: needs the sum of the weights and ≤, not {statement.text}")

    def first(c: Any, *v: Any) -> Any:
        return c.sqrt(2 * c.pi * s(c, *v)) * (1 + 2 / (c.exp(2 * c.pi * c.pi * s(c, *v)) - 1))

    return (
        by_poisson(statement, square),
        Comparison(statement.domain, 0, "<", s),
        _is_gaussian(statement, statement.tilted, 0, s, 0),
        Comparison(statement.domain, first, "<=", statement.bound),
    )


@rule
def dual_sum(statement: IntegerMean, square: Side, *evidence: Evidence) -> Evidence:
    """Where Σ e^{−k²/(2s)} = √(2πs)·Σ e^{−2π²s·j²}, it is at most √(2πs)·(1 + 2/(e^{2π²s} − 1)): j² ≥ j for
    j ≥ 1, and Σ e^{−2π²s·j} over j ≥ 1 is a geometric sum.
    """
    return derived(statement, beyond_first(statement, square), evidence, "dual_sum")
