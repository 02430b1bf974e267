"""The exhaustive method: planted statements about finite universes."""

from itertools import combinations, product

import pytest

from establish import Grade, exhaustive

SQUARES = {n * n for n in range(40)}


def is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, n))


# Each entry: the cases, the predicate, and the first case in which it is false.
FALSE = {
    "false in the first case": (range(100), lambda n: n > 0, 0),
    "false in the last case only": (range(100), lambda n: n != 99, 99),
    "false in the middle only": (range(1000), lambda n: n != 537, 537),
    "n² + n + 41 is prime": (range(60), lambda n: is_prime(n * n + n + 41), 40),
    "odd numbers above 1 are prime": (range(3, 99, 2), is_prime, 9),
    "a product of two is above their sum": (
        product(range(1, 5), repeat=2),
        lambda p: p[0] * p[1] >= sum(p),
        (1, 1),
    ),
    "a relation that is not transitive": (
        ((a, b, c) for a, b, c in product(range(4), repeat=3)),
        lambda t: not (abs(t[0] - t[1]) <= 1 and abs(t[1] - t[2]) <= 1) or abs(t[0] - t[2]) <= 1,
        (0, 1, 2),
    ),
    "a false case of a generator": ((n for n in (4, 9, 10, 16)), lambda n: n in SQUARES, 10),
    "a universe of one case": ([7], lambda n: n < 7, 7),
    "subsets of 4 of 5 have an even sum": (
        combinations(range(5), 4),
        lambda s: sum(s) % 2 == 0,
        (0, 1, 2, 4),
    ),
}
TRUE = {
    "n² − n is even": (range(500), lambda n: (n * n - n) % 2 == 0, 500),
    "Fermat at 7": (range(1, 7), lambda n: pow(n, 6, 7) == 1, 6),
    "the triangle inequality": (
        product(range(6), repeat=3),
        lambda t: abs(t[0] - t[2]) <= abs(t[0] - t[1]) + abs(t[1] - t[2]),
        216,
    ),
    "sums of two squares are not 3 mod 4": (
        product(range(20), repeat=2),
        lambda t: (t[0] ** 2 + t[1] ** 2) % 4 != 3,
        400,
    ),
    "n² + n + 41 is prime below 40": (range(40), lambda n: is_prime(n * n + n + 41), 40),
    "De Morgan": (
        product((False, True), repeat=2),
        lambda t: (not (t[0] and t[1])) == ((not t[0]) or (not t[1])),
        4,
    ),
    "a universe of one case": ([7], lambda n: n == 7, 1),
    "a generator": ((n for n in (4, 9, 16)), lambda n: n in SQUARES, 3),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_at_its_first_false_case(name):
    cases, predicate, first = FALSE[name]
    evidence = exhaustive.for_all(list(cases), predicate, "planted", "the planted universe")
    assert evidence.established is False
    assert evidence.witness == repr(first)


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_established_for_a_universe_whose_size_is_counted(name):
    cases, predicate, size = TRUE[name]
    evidence = exhaustive.for_all(iter(list(cases)), predicate, "planted", "the planted universe")
    assert evidence.established is True
    assert evidence.grade is Grade.EXHAUSTIVE
    assert evidence.scope == f"universe: the planted universe ({size} cases)"


def test_an_empty_universe_proves_nothing():
    assert exhaustive.for_all([], lambda case: True, "planted", "nobody").established is None


def test_a_universe_must_be_named():
    with pytest.raises(ValueError, match="scope"):
        exhaustive.for_all([1], lambda n: n < 1, "planted", "")


def test_an_error_in_one_case_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        exhaustive.for_all([1, 0, 2], lambda n: 1 / n > 0, "planted", "three")
