"""An object's digest is of what it says: not of how often a part stands, of names, or of what it has kept."""

import gc
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache, partial

import flint
import mpmath
import pytest
import sympy

from establish.proofs_check.terms.content import digest_of
from establish.spec.mechanisms.smooth_gamma import SmoothGammaMechanism

THRESHOLD = [10]


def scaled(by: object) -> Callable[[int], object]:
    return lambda x: (x, by)


def calls_itself(last: int) -> Callable[[int], int]:
    def down(n: int) -> int:
        return last if n == 0 else down(n - 1)

    return down


class Keeps:
    def __init__(self, value: int) -> None:
        self.value = value

    @cached_property
    def square(self) -> int:
        return self.value**2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (scaled(1), scaled(2)),
        (scaled(mpmath.mpf(1)), scaled(mpmath.mpf(2))),
        (scaled(mpmath.mpf(1) + mpmath.mpf(2) ** -50), scaled(mpmath.mpf(1))),
        (scaled(flint.arb(1)), scaled(flint.arb(1) + flint.arb(2) ** -100)),
        (scaled(sympy.Symbol("x")), scaled(sympy.Symbol("x", positive=True))),
        (scaled(math.sqrt), scaled(math.cos)),
        (scaled(Keeps(1)), scaled(Keeps(2))),
        (calls_itself(1), calls_itself(2)),
        (partial(scaled, 1), partial(scaled, 2)),
        (lambda x: x + 1, lambda x: x + 2),
        (lambda x: x < 1, lambda x: x <= 1),
        (scaled({1, 2}), scaled({1, 3})),
        ([1, [2]], [1, [2, 2]]),
        (SmoothGammaMechanism(Fraction(1, 10), 2), SmoothGammaMechanism(Fraction(1, 10), 3)),
        (1, True),
    ],
)
def test_what_differs_in_a_number_a_name_or_a_sign_has_two_digests(one, other):
    assert digest_of(one) != digest_of(other)


@pytest.mark.parametrize("make", [scaled, calls_itself, Keeps, lru_cache(scaled), partial(partial, scaled)])
def test_what_is_made_twice_alike_has_one_digest(make):
    assert digest_of(make(1)) == digest_of(make(1))


def test_equal_functions_of_two_modules_have_one_digest():
    source, made = "function = lambda x: x + 1", []
    for module in ("one", "other"):
        scope: dict[str, object] = {"__name__": module}
        exec(compile(source, "file.py", "exec"), scope)
        made.append(scope["function"])
    assert digest_of(made[0]) == digest_of(made[1])


def test_a_part_that_stands_twice_is_as_two_equal_parts():
    part, again = (Fraction(1, 3), (scaled(1), "x")), (Fraction(1, 3), (scaled(1), "x"))
    assert part is not again
    assert digest_of([part, part]) == digest_of([part, again])


def test_results_that_an_object_keeps_are_not_what_it_says():
    kept = Keeps(3)
    before = digest_of(kept)
    assert kept.square == 9
    assert digest_of(kept) == before


def test_what_mpmath_has_kept_is_not_told_and_its_precision_is():
    """Nodes of quadratures, Bernoulli numbers and the like grow with what was computed before."""
    mp = mpmath.MPContext()
    before = digest_of(mp)
    mp.quad(mp.exp, [0, 1])
    assert digest_of(mp) == before
    with mp.workprec(100):
        assert digest_of(mp) != before


def test_objects_that_are_gone_are_not_taken_for_new_ones():
    digests = set()
    for number in range(200):
        digests.add(digest_of([scaled(k) for k in range(number, number + 3)]))
        gc.collect(0)
    assert len(digests) == 200


def test_a_circle_has_a_digest():
    one: list[object] = [1]
    one.append(one)
    two: list[object] = [2]
    two.append(two)
    assert digest_of(one) != digest_of(two)


def test_what_a_function_without_a_name_reads_of_its_module_counts(monkeypatch):
    def read():
        return lambda x: x + THRESHOLD[0]

    before = digest_of(read())
    monkeypatch.setitem(globals(), "THRESHOLD", [11])
    assert digest_of(read()) != before
