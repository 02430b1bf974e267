"""Sums over the integers by what telescopes, by a moved index, as quotients, and beside an integral."""

from typing import Any

from establish.proofs_check.engine.rules.on_integers import _formula as formula_of
from establish.proofs_check.engine.rules.on_integers import _is_gaussian as is_gaussian
from establish.proofs_check.engine.rules.on_integers import _whole as require_whole
from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Bound, Comparison, Domain, Formula, Integer, Side
from establish.proofs_check.engine.statements.on_integers import ONE, IntegerMean
from establish.proofs_check.engine.verdicts import Evidence


def everywhere(statement: IntegerMean, least: Bound = None, most: Bound = None) -> Domain:
    """The parameters and every integer, or those from ``least`` on, or up to ``most``."""
    name = "k" if "k" not in statement.domain.names else "k′"
    index = Integer(name, least=least, most=most)
    return beside(statement.domain, index)


def _small(statement: IntegerMean, one: Formula, size: Formula, degree: int, **part: Any) -> Comparison:
    """That |one(k)| ≤ size·(1 + |k|)^degree at the integers of a part."""
    return Comparison(
        everywhere(statement, **part),
        lambda c, *v: c.absolute(one(c, *v)),
        "<=",
        lambda c, *v: size(c, *v[:-1]) * c.power(1 + c.absolute(v[-1]), degree),
    )


def steps_of_sum(
    statement: IntegerMean, right: Formula, left: Formula, degree: int = 0, size: Side = 1, start: Side = 0
) -> tuple[Comparison, ...]:
    """What `telescoped` owes. right, left: formulas of a world, the parameters and k; size, start: of the
    parameters, and start is whole. What is summed has a factor f and a logarithm l.
    """
    first = formula_of(start)
    require_whole(statement, first, "telescoped")
    if statement.normalized:
        raise RuleError(f"telescoped: needs a sum of the weights as they are, not {statement.text}")
    relation, logarithm = statement.relation, statement.tilted

    def step(one: Formula, by: int) -> Formula:
        def fallen(c: Any, *v: Any) -> Any:
            *inputs, k = v
            ratio = c.exp(logarithm(c, *inputs, k + by) - logarithm(c, *inputs, k))
            return one(c, *inputs, k) - one(c, *inputs, k + by) * ratio

        return fallen

    def ends(c: Any, *v: Any) -> Any:
        k = first(c, *v)
        upper = right(c, *v, k) * c.exp(logarithm(c, *v, k))
        return upper + left(c, *v, k - 1) * c.exp(logarithm(c, *v, k - 1))

    def before(c: Any, *v: Any) -> Any:
        return first(c, *v) - 1

    return (
        Comparison(everywhere(statement, least=first), statement.factor, relation, step(right, 1)),
        Comparison(everywhere(statement, most=before), statement.factor, relation, step(left, -1)),
        _small(statement, right, formula_of(size), degree, least=first),
        _small(statement, left, formula_of(size), degree, most=before),
        Comparison(statement.domain, ends, relation, statement.bound),
    )


@rule
def telescoped(
    statement: IntegerMean,
    right: Formula,
    left: Formula,
    degree: int,
    size: Side,
    start: Side,
    *evidence: Evidence,
) -> Evidence:
    """Let w(k) = e^{l(k)} and m = start. Where f(k)·w(k) = F(k) − F(k + 1) for k ≥ m, with F(k) =
    right(k)·w(k), the terms from m to n add up to F(m) − F(n + 1). |F(k)| ≤ size·(1 + |k|)^degree·w(k) tends
    to 0, as from some k on w is at most a geometric sequence: so all of them add up to F(m). Likewise from
    m − 1 downwards with left. With ≤ or ≥ for each term the sums compare likewise.
    """
    owed = steps_of_sum(statement, right, left, degree, size, start)
    return derived(statement, owed, evidence, "telescoped")


def index_moved(
    statement: IntegerMean, of: Formula, exponent: Formula, by: Side, degree: int = 0, size: Side = 1
) -> tuple[Comparison, ...]:
    """What `moved_index` owes. of, exponent: formulas of a world, the parameters and k; by: whole."""
    far, logarithm = formula_of(by), statement.tilted
    require_whole(statement, far, "moved_index")
    if statement.relation != "==":
        raise RuleError(f"moved_index: needs a sum that is 0, not {statement.text}")

    def lost(c: Any, *v: Any) -> Any:
        *inputs, k = v
        there = k + far(c, *inputs)
        moved = exponent(c, *inputs, there) + logarithm(c, *inputs, there) - logarithm(c, *inputs, k)
        return of(c, *v) * c.exp(exponent(c, *v)) - of(c, *inputs, there) * c.exp(moved)

    def whole(c: Any, *v: Any) -> Any:
        return of(c, *v) * c.exp(exponent(c, *v))

    return (
        Comparison(everywhere(statement), statement.factor, "==", lost),
        _small(statement, whole, formula_of(size), degree),
        Comparison(statement.domain, statement.bound, "==", 0),
    )


@rule
def moved_index(
    statement: IntegerMean,
    of: Formula,
    exponent: Formula,
    by: Side,
    degree: int,
    size: Side,
    *evidence: Evidence,
) -> Evidence:
    """Let F(k) = of(k)·e^{exponent(k)}·w(k), with |F(k)| ≤ size·(1 + |k|)^degree·w(k), whose sum converges. A
    whole d = by moves the index: Σ F(k) = Σ F(k + d). So Σ f(k)·w(k) with f(k)·w(k) = F(k) − F(k + d) is 0.
    """
    owed = index_moved(statement, of, exponent, by, degree, size)
    return derived(statement, owed, evidence, "moved_index")


def above_and_below(statement: IntegerMean, above: IntegerMean, below: IntegerMean) -> tuple[Any, ...]:
    """What `quotient` owes. above: of the sum of what is averaged; below: of the sum of the weights."""
    plain = not (above.normalized or below.normalized) and statement.normalized
    same = above.domain == below.domain == statement.domain
    trees = (above.tilted.term, above.factor.term, below.tilted.term, below.factor.term)
    own = (statement.tilted.term, statement.factor.term, statement.log_weight.term, ONE)
    alike = all(one is other for one, other in zip(trees, own, strict=True))
    sides = {"<=": ("<=", ">="), "==": ("==", "=="), ">=": (">=", "<=")}[statement.relation]
    if not (plain and same and alike and (above.relation, below.relation) == sides):
        raise RuleError(f"quotient: the two sums must be those of {statement.text}")

    def divided(c: Any, *v: Any) -> Any:
        return above.bound(c, *v) / below.bound(c, *v)

    return (
        above,
        below,
        Comparison(statement.domain, 0, "<=", above.bound),
        Comparison(statement.domain, 0, "<", below.bound),
        Comparison(statement.domain, divided, statement.relation, statement.bound),
    )


@rule
def quotient(statement: IntegerMean, above: IntegerMean, below: IntegerMean, *evidence: Evidence) -> Evidence:
    """A mean is the sum of what is averaged over the sum of the weights, which is positive. A/B ≤ a/b where
    A ≤ a, B ≥ b > 0 and a ≥ 0, and A/B ≥ a/b where A ≥ a ≥ 0 and 0 < B ≤ b.
    """
    return derived(statement, above_and_below(statement, above, below), evidence, "quotient")


def tail_and_integral(statement: IntegerMean, square: Side, start: Side) -> tuple[Comparison, ...]:
    """What `tail_beside_integral` owes. square: s; start: m, a whole number of at least 1."""
    s, m = map(formula_of, (square, start))
    require_whole(statement, m, "tail_beside_integral")
    plain = statement.normalized and statement.tilted == statement.log_weight
    if not plain or statement.relation != "<=":
        raise RuleError(f"tail_beside_integral: needs a probability and ≤, not {statement.text}")

    def share(c: Any, *v: Any) -> Any:
        return (1 - c.erf((m(c, *v) - 1) / c.sqrt(2 * s(c, *v)))) / 2

    def from_start(c: Any, *v: Any) -> Any:
        *inputs, k = v
        return c.number(1) if k >= m(c, *inputs) else c.number(0)

    return (
        Comparison(statement.domain, 0, "<", s),
        Comparison(statement.domain, 1, "<=", m),
        is_gaussian(statement, statement.log_weight, 0, s, 0),
        Comparison(everywhere(statement), statement.factor, "<=", from_start),
        Comparison(statement.domain, share, "<=", statement.bound),
    )


@rule
def tail_beside_integral(statement: IntegerMean, square: Side, start: Side, *evidence: Evidence) -> Evidence:
    """For k ≥ m ≥ 1, e^{−k²/(2s)} is at most the integral of e^{−x²/(2s)} from k − 1 to k, as that falls for
    x ≥ 0. So these terms add up to at most the integral from m − 1 on, √(2πs)·(1 − erf((m − 1)/√(2s)))/2, and
    all terms to at least √(2πs) (`beside_integral`).
    """
    owed = tail_and_integral(statement, square, start)
    return derived(statement, owed, evidence, "tail_beside_integral")


def below_together(statement: IntegerMean, *larger: IntegerMean) -> tuple[Any, ...]:
    """What `means_below` owes: the larger means are bounded, at every integer what is averaged is at most
    what they average together, and so are the bounds.
    """
    for one in larger:
        same = one.log_weight.term is statement.log_weight.term and one.domain == statement.domain
        if one.relation != "<=" or not same or one.normalized != statement.normalized:
            raise RuleError(f"means_below: the means must have one domain and law, and ≤: {one.text}")
    if statement.relation != "<=" or not larger:
        raise RuleError(f"means_below: needs ≤, and means that are larger: {statement.text}")

    def times(one: IntegerMean) -> Formula:
        return lambda c, *v: one.factor(c, *v) * c.exp(one.exponent(c, *v))

    def together(c: Any, *v: Any) -> Any:
        return sum((times(one)(c, *v) for one in larger[1:]), times(larger[0])(c, *v))

    def bound(c: Any, *v: Any) -> Any:
        return sum((one.bound(c, *v) for one in larger[1:]), larger[0].bound(c, *v))

    less = Comparison(everywhere(statement), times(statement), "<=", together)
    return (*larger, less, Comparison(statement.domain, bound, "<=", statement.bound))


@rule
def means_below(statement: IntegerMean, larger: tuple[IntegerMean, ...], *evidence: Evidence) -> Evidence:
    """Where f ≤ g_1 + … + g_n at every integer and all sums converge, Σ f·w ≤ Σ g_1·w + … + Σ g_n·w for
    weights w > 0, which is at most the sum of the bounds of these means.
    """
    return derived(statement, below_together(statement, *larger), evidence, "means_below")
