"""Statements about laws, parts of data, tables and sums, and the rules that derive them: planted faults
are seen.
"""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from establish import AtMost, Compares, Equal, Integer, Real, RuleError, ShapeUniverse, StatementError, rules
from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.statements import (
    Chains,
    Combines,
    DualsBound,
    EverySum,
    GaussianChains,
    HasMaximum,
    Implies,
    InTurn,
    OfParts,
    Smoothed,
    Together,
)
from establish.proofs_check.papers.haney2017 import exact_delta
from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.relations.edge import Edge
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.requirements import IndividualRequirement, PresenceRequirement, SizeRequirement

PRODUCT = {"level": lambda c, first, second, *_: first * second}
ALONE = {"level": lambda c, first, *_: first}
DELTA = {"slack": lambda c, a, b, first, second: first}
GEOMETRIC = {
    "level": lambda c, level, delta, d: c.power(level, d),
    "slack": lambda c, level, delta, d: delta * (c.power(level, d) - 1) / (level - 1),
}


def of_row(c, y, b):
    return y * b


def of_place(c, r, low, high):
    return c.maximum(r, c.number(0)) * low - c.maximum(-r, c.number(0)) * high


def mixture(along=False, first=lambda c, s: 1 - s, most=1):
    s = Real("s", least=0) if along else Real("s", least=0, most=most)
    one = (lambda c, s: c.number(1)) if along else first
    return Combines(first=one, second=lambda c, s: s, parameter=s, along=along)


def share(relation="<="):
    make = AtMost if relation == "<=" else Equal
    return make(
        Real("m", least=0),
        Real("w", least=0, most=1),
        Real("x", least=lambda c, m, w: m),
        left=lambda c, m, w, x: m * w if relation == "<=" else x * w,
        right=lambda c, m, w, x: x * w,
    )


TRUE = {
    "both": Together("both", **PRODUCT),
    "both, δ": Together(
        "both", **PRODUCT, slack=lambda c, a, b, first, second: 1 - (1 - first) * (1 - second)
    ),
    "beside": Together("beside", **ALONE),
    "beside, δ": Together("beside", **ALONE, **DELTA),
    "chosen": Together("chosen", **PRODUCT),
    "function": Together("function", **ALONE),
    "function, δ": Together("function", **ALONE, **DELTA),
    "in turn": InTurn(level=lambda c, level, d: c.power(level, d)),
    "chain": Chains("neighbors", level=GEOMETRIC["level"]),
    "chain, δ": Chains("neighbors", **GEOMETRIC),
    "establishments": OfParts("strong", "establishments", level=lambda c, level, delta: level),
    "weakly": OfParts(
        "weak", "establishments", level=lambda c, level, delta: level, slack=lambda c, level, delta: delta
    ),
    "records": OfParts("edge", "workers", level=lambda c, level, delta: level),
    "smooth": Smoothed(level=lambda c, first, second: first * second, slide=lambda c, a, b: a),
    "bound": DualsBound(row=of_row, term=of_place),
    "lifted": DualsBound(row=of_row, term=of_place, lifts=True),
    "mixture": mixture(),
    "direction": mixture(along=True),
    "sum": EverySum(share(), shared=["m"]),
    "sum under a constraint": EverySum(
        share(), shared=["m"], under=(lambda c, m, w, x: m + 0 * w, lambda c, m, w, x: x)
    ),
    "maximum": HasMaximum(Real("x", least=0), of=lambda c, x: 1 / (1 + x)),
}
"""True statements, each of another kind."""

FALSE = {
    "both at the level of one": Together("both", **ALONE),
    "both with the larger δ": Together(
        "both", **PRODUCT, slack=lambda c, a, b, first, second: c.maximum(first, second)
    ),
    "chosen for nothing": Together("chosen", **ALONE),
    "a function with less δ": Together("function", **ALONE, slack=lambda c, a, b, first, _: first / 2),
    "in turn for one": InTurn(level=lambda c, level, d: level),
    "a chain with δ once": Chains(
        "neighbors", level=GEOMETRIC["level"], slack=lambda c, level, delta, d: d * delta
    ),
    "workers of strong neighbors": OfParts("strong", "workers", level=lambda c, level, delta: level),
    "workers of weak neighbors": OfParts("weak", "workers", level=lambda c, level, delta: level),
    "a slide alone": Smoothed(level=lambda c, first, second: first, slide=lambda c, a, b: a),
    "half the noise": Smoothed(level=lambda c, first, second: first * second, slide=lambda c, a, b: 2 * a),
    "the wrong end": DualsBound(row=of_row, term=lambda c, r, low, high: of_place(c, r, high, low)),
    "a square": DualsBound(row=lambda c, y, b: y * b - y * y, term=of_place, lifts=True),
    "beyond a mixture": mixture(most=2),
    "sums that are lost": mixture(first=lambda c, s: 1 - s / 2),
    "a maximum at infinity": HasMaximum(Real("x", least=0), of=lambda c, x: x / (1 + x)),
}


ALL = TRUE | FALSE


@pytest.mark.few(5)
@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_not_refuted_and_a_false_neighbor_is(name):
    search = TRUE[name].search()
    assert not search.refuted
    assert search.sees


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted(name):
    assert FALSE[name].search().refuted


@pytest.mark.parametrize("name", [*TRUE])
def test_the_text_begins_with_the_quantifier_or_says_what_has_a_maximum(name):
    text = TRUE[name].text
    assert text.startswith("for all") or "has a largest value" in text


def test_a_counterexample_is_a_point_of_the_statement():
    coin, other = {"P": F(1, 2), "Q": F(1, 2)}, {"P": F(1, 4), "Q": F(3, 4)}
    point = {"levels": (2, 2), "deltas": (0, 0), "laws": ((coin, other), (coin, other))}
    assert exact.refuted(FALSE["both at the level of one"], **point).established
    far = {"levels": (1, 2), "deltas": (0, 0), "laws": ((coin, other), (coin, other))}
    with pytest.raises(StatementError, match="outside the domain"):
        exact.refuted(FALSE["both at the level of one"], **far)


def test_a_chain_is_one_of_steps_that_the_definition_allows():
    once = FALSE["a chain with δ once"]
    assert exact.refuted(once, c=2, δ="1/16", chain=(F(3, 16), F(1, 16), 0)).established
    with pytest.raises(StatementError, match="outside the domain"):
        exact.refuted(once, c=2, δ="1/16", chain=(F(1, 2), 0))


def test_two_parts_of_one_workforce_may_change_at_once():
    point = {
        "α": 1,
        "c": 2,
        "δ": 0,
        "universe": ShapeUniverse(1, 2, 2),
        "D": ((1, 1),),
        "D'": ((2, 2),),
        "speaks": (((1,),), ((1,),)),
    }
    assert exact.refuted(FALSE["workers of weak neighbors"], **point).established
    with pytest.raises(StatementError, match="outside the domain"):
        exact.refuted(FALSE["workers of weak neighbors"], **{**point, "D'": ((1, 1),)})


def smooth_point(*values):
    names = ("ε_1", "ε_2", "γ", "a", "b", "q(x)", "q(y)", "S(x)", "S(y)", "o")
    return dict(zip(names, values, strict=True))


def test_a_smooth_bound_and_admissible_noise_are_asked_for():
    with pytest.raises(StatementError, match="outside the domain"):
        FALSE["half the noise"].at(smooth_point(1, 1, 4, 9, "1/10", 0, 1, 1, 1, 1))


def test_without_a_smooth_bound_there_is_no_other_answer():
    assert TRUE["smooth"].at(smooth_point(1, 1, 4, "1/10", "1/10", 3, 3, 0, 0, 5)).value


def test_a_certified_bound_is_that_of_the_specification():
    table = LinearTable([{0: 1, 1: 1}], [2], [0, 0], [2, 2])
    point = {"table": table, "target": {0: 1}, "dual": {0: F(1)}, "values": (1, 1)}
    assert TRUE["bound"].at(point).value
    assert TRUE["bound"].at({**point, "values": (0, 2)}).value
    with pytest.raises(StatementError, match="does not fit"):
        TRUE["bound"].at({**point, "values": (2, 2)})


@pytest.mark.parametrize("kind", [TRUE["maximum"], FALSE["a maximum at infinity"]])
def test_no_point_decides_whether_there_is_a_largest_value(kind):
    with pytest.raises(StatementError, match="no point decides"):
        kind.at({"x": 1})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Together("beneath", **ALONE), "is not a way to put releases together"),
        (lambda: OfParts("close", "workers", level=lambda c, level, delta: level), "not known"),
        (lambda: EverySum(share(), shared=["w"]), "must be the first"),
        (
            lambda: EverySum(
                Compares(Real("x"), left=lambda c, x: x, relation="<", right=lambda c, x: x + 1)
            ),
            "sums keep",
        ),
        (lambda: HasMaximum(Integer("k", least=2, most=1), of=lambda c, k: k), "empty"),
    ],
)
def test_a_statement_that_says_nothing_is_refused(make, message):
    with pytest.raises(StatementError, match=message):
        make()


@pytest.mark.parametrize(
    "name",
    [
        *("both", "both, δ", "beside", "beside, δ", "chosen", "function", "function, δ"),
        *("both at the level of one", "both with the larger δ", "chosen for nothing"),
        "a function with less δ",
    ],
)
def test_releases_are_settled_output_by_output(name):
    assert bool(rules.settled(ALL[name]).established) is (name in TRUE)


@pytest.mark.parametrize(
    ("level", "derived"), [(lambda c, k, d: c.power(k, d), True), (lambda c, k, d: k * d, None)]
)
def test_d_releases_cost_the_power(level, derived):
    statement = InTurn(level=level)
    pair, *turns = rules.turns_of(statement)
    found = rules.one_after_another(statement, rules.settled(pair), *map(symbolic.proves, turns))
    assert bool(found.established) is bool(derived)


@pytest.mark.parametrize("name", ["chain", "chain, δ", "a chain with δ once"])
def test_a_chain_is_followed_step_by_step_and_multiplies_δ(name):
    found = rules.along_chain(ALL[name], *map(symbolic.proves, rules.links_of_chain(ALL[name])))
    assert bool(found.established) is (name in TRUE)


@pytest.mark.parametrize(
    ("level", "derived"),
    [
        (lambda c, mu, d: d * mu, True),
        (lambda c, mu, d: (d - 1) * mu, False),
        (lambda c, mu, d: (d + 1) * mu / 2, False),
    ],
)
def test_a_gaussian_chain_is_followed_step_by_step(level, derived):
    statement = GaussianChains("neighbors", level=level)
    found = rules.along_gaussian_chain(statement, *map(solver.proves, rules.steps_of_chain(statement)))
    assert bool(found.established) is derived
    assert bool(statement.counterexample(40)[1]) is not derived
    assert all(weaker.counterexample(40)[1] for _, weaker in statement.planted())


@pytest.mark.parametrize("point", [{"μ": 1}, {"μ": 1, "chain": (0, 2)}, {"μ": -1, "chain": (0, 0)}])
def test_a_gaussian_chain_is_refused_where_a_step_is_no_neighbor(point):
    with pytest.raises(StatementError):
        GaussianChains("neighbors", level=lambda c, mu, d: d * mu).at(point)


HALF_A_LEVEL = OfParts("strong", "establishments", level=lambda c, level, delta: c.sqrt(level))


@pytest.mark.parametrize(
    ("statement", "derived"),
    [*((TRUE[name], True) for name in ("establishments", "weakly", "records")), (HALF_A_LEVEL, False)],
)
def test_one_part_changes_and_costs_its_level(statement, derived):
    found = rules.in_one_part(statement, rules.settled(rules.beside_the_others(statement)))
    assert bool(found.established) is derived


@pytest.mark.parametrize("name", ["workers of strong neighbors", "workers of weak neighbors"])
def test_several_parts_of_a_workforce_may_change(name):
    statement = FALSE[name]
    with pytest.raises(RuleError, match="several parts"):
        rules.in_one_part(statement, rules.settled(rules.beside_the_others(statement)))


def split(c, a, b, sx, sy):
    for product in (c.exp(b) * sy, c.exp(b) * sx, sx / sy):
        c.log(product)


@pytest.mark.parametrize(
    ("statement", "derived"),
    [
        (TRUE["smooth"], True),
        (FALSE["a slide alone"], False),
        (FALSE["half the noise"], False),
        (replace(TRUE["smooth"], slide=lambda c, a, b: -3 * a), False),
    ],
)
def test_a_slide_and_a_dilation(statement, derived):
    positive, short, up, down, same, costs = rules.slide_and_dilation(statement)
    found = rules.slide_then_dilate(
        statement,
        solver.owed(positive),
        solver.proves(short),
        solver.proves(up, split),
        solver.proves(down, split),
        symbolic.proves(same),
        solver.proves(costs),
    )
    assert bool(found.established) is derived


def individuals(universe, alpha):
    return IndividualRequirement(universe)


def presence(universe, alpha):
    return PresenceRequirement(universe)


def sizes(universe, alpha):
    return SizeRequirement(universe, alpha)


def strong(universe, alpha):
    return Strong(universe, alpha)


def weak(universe, alpha):
    return Weak(universe, alpha)


def edge(universe, alpha):
    return Edge(universe)


@pytest.mark.parametrize("neighbors", [strong, weak, edge])
@pytest.mark.parametrize(
    ("requirement", "multiple", "derived"),
    [(individuals, 2, True), (individuals, 1, False), (presence, 1, True), (presence, 0, False)],
)
def test_a_record_changes_in_two_steps_and_presence_in_one(neighbors, requirement, multiple, derived):
    statement = Implies("D", neighbors=neighbors, requirement=requirement, multiple=multiple)
    found = rules.leave_and_join(statement, *map(solver.proves, rules.two_steps(statement)))
    assert bool(found.established) is derived


def test_sizes_are_not_about_one_record():
    with pytest.raises(RuleError, match="one worker"):
        rules.two_steps(Implies("D", neighbors=strong, requirement=sizes, multiple=2))


@pytest.mark.parametrize("name", ["bound", "lifted", "the wrong end", "a square"])
def test_a_dual_vector_certifies_term_by_term_and_a_wrong_end_nothing(name):
    owed = map(solver.proves, rules.by_sum_and_place(ALL[name]))
    assert bool(rules.linear_combination(ALL[name], *owed).established) is (name in TRUE)


@pytest.mark.parametrize(
    ("statement", "derived"),
    [
        (TRUE["mixture"], True),
        (TRUE["direction"], True),
        (FALSE["beyond a mixture"], False),
        (FALSE["sums that are lost"], False),
        (replace(mixture(along=True), second=lambda c, s: -s), False),
    ],
)
def test_combinations_fit_sum_by_sum(statement, derived):
    sums, *places = rules.combined(statement)
    found = rules.sum_by_sum(statement, symbolic.proves(sums), *map(solver.proves, places))
    assert bool(found.established) is derived


def above(n, gap):
    """A whole x of at least L > n − gap is at least n."""
    return AtMost(
        Integer("n"),
        Real("L", above=lambda c, n: n - gap, most=lambda c, n: n),
        Integer("x", least=lambda c, n, low: low),
        left=lambda c, n, low, x: n,
        right=lambda c, n, low, x: x,
    )


def difference(c, n, low, x):
    return n - x


@pytest.mark.parametrize(("gap", "derived"), [(1, True), (2, False)])
def test_no_whole_number_lies_between_0_and_1(gap, derived):
    statement = above("n", gap)
    owed = map(solver.owed, rules.at_whole_numbers(statement, difference))
    assert bool(rules.whole_number(statement, difference, *owed).established) is derived


@pytest.mark.parametrize("value", [lambda c, n, low, x: x - low, lambda c, n, low, x: (n - x) / 2])
def test_a_number_that_need_not_be_whole_is_refused(value):
    statement = above("n", 1)
    with pytest.raises(RuleError, match="whole_number"):
        rules.whole_number(statement, value, *map(solver.owed, rules.at_whole_numbers(statement, value)))


def test_what_rises_for_ever_has_no_maximum():
    statement = FALSE["a maximum at infinity"]
    following = lambda c, x: x + 1  # noqa: E731
    found = rules.no_maximum(statement, following, *map(solver.proves, rules.rising(statement, following)))
    assert found.established
    assert found.refutes


@pytest.mark.parametrize(
    ("statement", "following"),
    [
        (TRUE["maximum"], lambda c, x: x + 1),
        (HasMaximum(Real("x", least=0, most=5), of=lambda c, x: x), lambda c, x: x + 1),
    ],
)
def test_what_falls_or_ends_may_have_one(statement, following):
    owed = [solver.owed(one) for one in rules.rising(statement, following)]
    assert not rules.no_maximum(statement, following, *owed).established


def test_sums_are_compared_term_by_term():
    assert rules.term_by_term(TRUE["sum"], solver.proves(TRUE["sum"].term)).established
    false = EverySum(replace(share(), left=share().right, right=share().left), shared=["m"])
    assert false.search().refuted
    assert not rules.term_by_term(false, solver.proves(false.term)).established


TAIL_ENDS = (exact_delta._slide, exact_delta._stretch, exact_delta._low, exact_delta._high)


def test_tails_that_hold_more_than_δ_are_not_enough():
    statement = exact_delta.STRONG
    mass = rules.tails(statement, *TAIL_ENDS)[-1]
    smaller = replace(statement, delta=lambda c, alpha, epsilon, delta: c.number(delta) / 2)
    assert rules.tails(smaller, *TAIL_ENDS)[-1].text != mass.text
    assert rules.smooth_tails(statement, *TAIL_ENDS, solver.owed(mass)).established is None
    half = replace(mass, right=lambda c, *v: mass.right(c, *v) * c.number(F(1, 2)))
    assert half.counterexample(100)[1]


def test_pure_privacy_has_no_tails():
    pure = replace(exact_delta.STRONG, delta=None)
    with pytest.raises(RuleError, match="δ > 0"):
        rules.tails(pure, *TAIL_ENDS)


def test_another_way_to_put_releases_together_is_another_statement():
    both, chosen = (Together(way, level=lambda c, a, b, *_: a * b) for way in ("both", "chosen"))
    assert both.text != chosen.text
