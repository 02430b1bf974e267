"""The definitions of an audit: their pairs are neighbors, cover what matters, and are in order."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import stats

from establish import AuditError, ParameterError, custom, dp, edge, gedp, node, strong_er_ee, weak_er_ee
from establish.proofs_check.audit import audit
from establish.proofs_check.audit.question.boundaries import steps
from establish.proofs_check.audit.question.candidates import size
from establish.proofs_check.audit.question.level import Approximate, Gaussian
from establish.proofs_check.audit.scan.scan import MOST_NAMED
from establish.spec.relations.record import UnitCount
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse

DEFINITIONS = {
    "count": dp(1),
    "count by substitution": dp(1, neighbors="substitution"),
    "records": dp(1, records="abc"),
    "records by substitution": dp(1, "1/100", "substitution", "abc"),
    "edge": edge(1),
    "edge by attribute": edge(1, attributes=2),
    "node": node(1),
    "strong": strong_er_ee("1/10", 2),
    "strong by attribute": strong_er_ee(0.25, 2, attributes=3),
    "weak": weak_er_ee("1/10", 2),
    "weak by attribute": weak_er_ee("1/10", 2, attributes=2),
    "gedp": gedp(1, "sqrt", "1/2"),
    "gedp log": gedp(1, "log", "1/10"),
    "gedp of two attributes": gedp(1, "sqrt", ("1/2", 1)),
}


@pytest.mark.parametrize("definition", DEFINITIONS.values(), ids=DEFINITIONS)
def test_every_pair_is_of_neighbors_comes_once_in_both_orders_and_is_small_enough(definition):
    pairs = list(definition.pairs(3000))
    assert len(pairs) >= 10
    assert len(set(pairs)) == len(pairs)
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        assert first == second[::-1]
    assert all(definition.related(*pair) for pair in pairs)
    assert max(size(pair) for pair in pairs) <= 3000


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("strong", ((0,), (1,))),
        ("strong", ((1,), (2,))),
        ("strong", ((9,), (10,))),
        ("strong", ((10,), (11,))),
        ("strong", ((20,), (22,))),
        ("strong", ((1000,), (1100,))),
        ("strong", ((10_000,), (11_000,))),
        ("strong", ((0, 0), (1, 0))),
        ("strong", ((100, 1), (110, 1))),
        ("strong", ((100, 1100), (110, 1100))),
        ("strong", ((1100, 100), (1100, 110))),
        ("strong by attribute", (((100, 0, 0),), ((100, 0, 25),))),
        ("weak by attribute", (((100, 100),), ((110, 110),))),
        ("node", ((0,), (100,))),
        ("node", ((0,), (10_000,))),
        ("edge", ((10_000,), (10_001,))),
        ("count", (0, 1)),
        ("records by substitution", (("a",), ("b",))),
        ("gedp", ((0.0,), (0.25,))),
        ("gedp", ((100.0,), (110.25,))),
        ("gedp of two attributes", (((100.0, 100.0),), ((110.25, 121.0),))),
    ],
)
def test_the_pairs_that_matter_are_there(name, pair):
    def of(d):
        return tuple(sorted(d)) if name in ("strong", "node", "edge") else d

    assert tuple(map(of, pair)) in [tuple(map(of, one)) for one in DEFINITIONS[name].pairs()]


def test_weak_neighbors_are_fewer_than_strong_ones():
    strong, weak = (make("1/10", 1, attributes=2) for make in (strong_er_ee, weak_er_ee))
    rare = (((100, 0),), ((100, 10),))
    assert strong.related(*rare)
    assert not weak.related(*rare)
    assert rare in list(strong.pairs())
    assert rare not in list(weak.pairs())


@pytest.mark.parametrize(
    ("name", "universe"),
    [
        ("edge", SizeUniverse(2, 4)),
        ("node", SizeUniverse(2, 3)),
        ("strong", SizeUniverse(1, 30)),
        ("weak by attribute", ShapeUniverse(1, 2, 3)),
        ("count", 5),
        ("records", 2),
        ("gedp", (0.0, 0.25, 1.0)),
    ],
)
def test_a_universe_is_enumerated_completely(name, universe):
    definition = DEFINITIONS[name]
    found = list(definition.pairs_in(universe))
    datasets = list(definition.within(universe).datasets())
    assert found
    assert set(found) == {(d, d2) for d in datasets for d2 in datasets if definition.related(d, d2)}


def test_parameters_are_read_exactly():
    definition = strong_er_ee(0.1, 0.3, 0.001)
    assert definition.parameters["alpha"] == Fraction(1, 10)
    assert definition.level == Approximate(Fraction(3, 10), Fraction(1, 1000))
    assert str(definition) == "(1/10, 3/10, 1/1000)-ER-EE privacy"
    assert gedp(0.5).level == Gaussian(Fraction(1, 2))


def test_a_relation_of_ones_own_comes_as_pairs_as_a_strategy_or_as_a_relation():
    listed = custom([(1, 3), (3, 5)], 1)
    assert list(listed.pairs()) == [(1, 3), (3, 1), (3, 5), (5, 3)]
    assert listed.related(3, 1)
    assert not listed.related(1, 5)
    pairs = list(custom(st.integers(0, 5).map(lambda n: (n, n + 2)), mu=1, name="far").pairs())
    assert pairs
    assert pairs == list(custom(st.integers(0, 5).map(lambda n: (n, n + 2)), mu=1).pairs())
    assert all(abs(a - b) == 2 for a, b in pairs)
    assert list(custom(UnitCount(2), 1).pairs()) == [(0, 1), (1, 0), (1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: dp(0), "epsilon = 0"),
        (lambda: dp("x"), "epsilon = x"),
        (lambda: dp(1, 1), "delta = 1"),
        (lambda: dp(1, neighbors="both"), "neighbors = both"),
        (lambda: dp(1, neighbors="substitution", records="a"), "two different records"),
        (lambda: dp(1, records=()), "domain"),
        (lambda: edge(1, attributes=0), "attributes = 0"),
        (lambda: strong_er_ee(0, 1), "alpha = 0"),
        (lambda: weak_er_ee("1/10", -1), "epsilon = -1"),
        (lambda: gedp(0), "mu = 0"),
        (lambda: gedp(1, "cube"), "psi = cube"),
        (lambda: gedp(1, gamma=-1), "gamma = -1"),
        (lambda: custom([(0, 1)]), "either epsilon"),
        (lambda: custom([(0, 1)], 1, mu=1), "either epsilon"),
        (lambda: custom([], 1), "no pairs"),
        (lambda: list(custom([(0, 1)], 1).pairs_in(3)), "no finite universe"),
    ],
)
def test_a_parameter_outside_its_domain_is_named(make, named):
    with pytest.raises(ParameterError, match=named):
        make()


def test_the_least_epsilon_is_the_logarithm_of_the_ratio():
    level = Approximate(Fraction(1))
    assert level.least(0.5, 0.25) == pytest.approx(0.6931471805599453)
    assert level.least(0.2, 0.4) == 0
    assert level.least(0.5, 0.0) == np.inf
    # 0.5 ≤ e^ε · 0.2 + 0.1 from ε = ln 2 on; at ε = 1 the least δ is 0 there, and 0.5 − 0.1e beyond.
    assert Approximate(Fraction(1), Fraction(1, 10)).least(0.5, 0.2) == pytest.approx(np.log(2))
    assert level.least_delta(0.5, 0.1) == pytest.approx(0.5 - 0.1 * np.e)
    assert level.least_delta(0.1, 0.5) == 0


def test_the_least_mu_is_the_distance_of_two_normal_laws():
    level = Gaussian(Fraction(1))
    p, q = stats.norm.cdf(0.8), stats.norm.cdf(-0.5)
    assert level.least(p, q) == pytest.approx(1.3)
    assert level.least(q, p) == 0


@pytest.mark.parametrize("level", [Approximate(Fraction(1)), Gaussian(Fraction(1))])
def test_the_reference_violation_needs_what_it_says(level):
    for least in (0.5, 1.0, 3.0):
        assert level.least(*level.reference(least)) == pytest.approx(least)


@pytest.mark.parametrize("level", [Approximate(Fraction(1)), Gaussian(Fraction(1))])
def test_a_score_is_zero_at_the_bound_and_grows_by_the_root_of_the_size(level):
    p, q = (np.array(share) for share in level.reference(1.0))
    assert level.score(p, q, 10_000) == pytest.approx(0, abs=0.05)
    p, q = (np.array(share) for share in level.reference(1.2))
    assert level.score(p, q, 40_000) == pytest.approx(2 * level.score(p, q, 10_000), rel=1e-2)
    assert level.score(np.array(1e-6), np.array(0.0), 10_000) == -np.inf, "it was hardly ever seen"


class Faulty:
    """Laplace noise of scale 1 on a function of the total; ``moved`` says where it jumps."""

    def __init__(self, moved):
        self.moved = moved

    def sample(self, d, size, rng):
        return self.moved(d) + rng.laplace(0.0, 1.0, size)


def total(d):
    return sum(map(total, d)) if isinstance(d, tuple) else d


def dominated(d):
    return total(d) > 0 and max(d) >= 0.75 * total(d) and len([x for x in d if x]) > 1


def not_empty(d):
    return [x for x in d if x]


def dominated_among_three(d):
    return len(not_empty(d)) > 2 and max(d) > 0.8 * total(d)


def held_by_two(d):
    return len(not_empty(d)) > 2 and sum(sorted(d)[-2:]) > 0.85 * total(d)


def held_by_three(share):
    return lambda d: total(d) + 50 * (sum(sorted(d)[-3:]) >= share * total(d))


def in_bits(bits, number):
    return (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def closely_followed(d):
    largest = sorted(d)[::-1]
    return len(d) > 2 and sum(largest[2:]) < 0.15 * largest[0]


BOUNDARY_FAULTS = {
    "suppression of totals below 3": lambda d: total(d) if total(d) >= 3 else -50,
    "a class from 250 workers": lambda d: total(d) + 50 * (total(d) >= 250),
    "another rule from 100,000 workers": lambda d: total(d) + 50 * (total(d) >= 100_000),
    "a class from 1,500 workers": lambda d: total(d) + 50 * (total(d) >= 1500),
    "two against three establishments": lambda d: total(d) + 50 * (len(not_empty(d)) >= 3),
    "four against five establishments": lambda d: total(d) + 50 * (len(not_empty(d)) >= 5),
    "nine against ten establishments": lambda d: total(d) + 50 * (len(not_empty(d)) >= 10),
    "a dominance rule": lambda d: total(d) + 50 * dominated(d),
    "a dominance rule after one of counts": lambda d: total(d) + 50 * dominated_among_three(d),
    "a dominance rule of the two largest": lambda d: total(d) + 50 * held_by_two(d),
    "three hold 75%": held_by_three(0.75),
    "three hold 80%": held_by_three(0.8),
    "three hold 85%": held_by_three(0.85),
    "three hold 90%": held_by_three(0.9),
    "a p% rule": lambda d: total(d) + 50 * closely_followed(d),
    "an overflow of 8 bits": lambda d: total(d) % 2**8,
    "an overflow of 16 bits": lambda d: total(d) % 2**16,
    "an overflow of 32 bits": lambda d: (total(d) + 2**31) % 2**32,
    "an overflow of the hundredfold": lambda d: in_bits(32, 100 * total(d)) / 100,
    "an overflow of the thousandfold": lambda d: in_bits(32, 1000 * total(d)) / 1000,
    "single precision": lambda d: total(d) + 50 * (float(np.float32(total(d))) - total(d)),
    "an empty establishment": lambda d: total(d) + 50 * (0 in d),
    "a top code at a million": lambda d: min(total(d), 10**6) + 50 * (total(d) > 10**6),
}


@pytest.mark.few(2, 2)
@pytest.mark.parametrize("moved", BOUNDARY_FAULTS.values(), ids=BOUNDARY_FAULTS)
def test_the_pairs_cross_the_boundaries_that_agencies_use(moved):
    result = audit(Faulty(moved), edge(1), samples=500_000, seed=1)
    assert result.violated
    assert result.pairs_listed < 150 + MOST_NAMED, "a list for scalar mechanisms stays short"


@pytest.mark.small_campaign
@pytest.mark.parametrize("factor", [100, 1000])
def test_a_multiple_that_is_kept_in_enough_bits_is_not_accused(factor):
    kept = Faulty(lambda d: in_bits(64, factor * total(d)) / factor)
    assert not audit(kept, edge(1), samples=400_000, seed=1).violated


VALUE_FAULTS = {
    "two against three establishments": lambda d: 50.0 * (len(not_empty(d)) >= 3),
    "four against five establishments": lambda d: 50.0 * (len(not_empty(d)) >= 5),
    "an overflow of 16 bits": lambda d: 50.0 * (total(d) >= 2**15),
    "an overflow of 32 bits": lambda d: 50.0 * (total(d) >= 2**31),
    "an overflow of the thousandfold": lambda d: 50.0 * (1000 * total(d) >= 2**31),
}


@pytest.mark.parametrize("claims", [gedp(1), gedp(1, "sqrt", (1, 1))], ids=["one", "two values"])
@pytest.mark.parametrize("moved", VALUE_FAULTS.values(), ids=VALUE_FAULTS)
def test_the_pairs_of_values_cross_these_boundaries_too(claims, moved):
    def of_the_first(d):
        return moved(tuple(x[0] if isinstance(x, tuple) else x for x in d))

    assert any(of_the_first(first) != of_the_first(second) for first, second in claims.listed())


RECORD_FAULTS = {
    "the last kind": lambda d: d.count("f"),
    "the fourth kind": lambda d: d.count("d"),
    "the last kind but one": lambda d: d.count("e"),
    "five of a kind": lambda d: d.count("a") >= 5,
    "ten of the last kind": lambda d: d.count("f") >= 10,
    "fifty of a kind": lambda d: d.count("b") >= 50,
}


@pytest.mark.parametrize("neighbors", ["add-remove", "substitution"])
@pytest.mark.parametrize("moved", RECORD_FAULTS.values(), ids=RECORD_FAULTS)
def test_the_pairs_of_records_cross_thresholds_of_every_kind_that_is_tried(neighbors, moved):
    claims = dp(1, 0, neighbors, "abcdef")
    assert any(moved(first) != moved(second) for first, second in claims.listed())


@pytest.mark.small_campaign
def test_a_kind_between_the_third_and_the_last_without_noise_is_found_and_with_noise_is_not():
    def histogram(exact):
        def draw(d, size, rng):
            drawn = [rng.laplace(d.count(kind), 1.0, size) for kind in "abcd"]
            return np.stack([*drawn[:3], drawn[3] if not exact else drawn[3] * 0 + d.count("d")])

        return type("Histogram", (), {"sample": staticmethod(lambda *asked: draw(*asked).T)})

    claims = dp(1, records="abcdef")
    found = audit(histogram(exact=True), claims, samples=50_000, seed=1)
    assert found.violated
    assert any("d" in dataset for dataset in found.pair)
    assert not audit(histogram(exact=False), claims, samples=50_000, seed=1).violated


def test_a_mechanism_may_fail_on_large_datasets_of_our_list_and_its_user_is_told():
    def records(d, rng):
        if sum(d) > 50_000:
            raise MemoryError("too many records")
        return sum(d) + rng.laplace()

    result = audit(records, edge(1), samples=30_000)
    assert 0 < result.pairs_tried < result.pairs_listed
    assert any("could not be tried" in note for note in result.notes)
    with pytest.raises(AuditError, match="MemoryError"):
        audit(records, edge(1), pairs=[((60_000,), (60_001,))], samples=30_000)


def test_one_record_per_worker_is_refused_by_the_limit_and_not_by_the_system():
    def expanded(d, rng):
        return float(np.ones(sum(d), dtype=np.float64).sum()) + rng.laplace()

    result = audit(expanded, edge(1), samples=8_000, seconds=30)
    assert result.pairs_tried < result.pairs_listed
    assert not result.violated


def test_the_list_of_boundaries_comes_in_order_with_a_reason_each():
    listed = list(steps((Fraction(1, 10),), 10**9))
    assert listed[0][:3] == (0, 1, ())
    assert all(step.why for step in listed)
    reasons = list(dict.fromkeys(step.why for step in listed))
    assert reasons.index("a small count") < reasons.index("a threshold of totals")
    assert reasons[-1] == "the end of an integer type"
