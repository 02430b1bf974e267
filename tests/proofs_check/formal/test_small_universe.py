"""The neighbor relations that theorems are about and those of spec/, compared on a small universe.

Coq computes Boolean versions, which theorems of small_universe.v identify with the relations. It is skipped
where Coq is not installed.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from establish.proofs_check.formal import coq
from establish.spec.relations.psi import Psi
from establish.spec.relations.relation import OneEstablishmentRelation
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.tables import Worker, Workplace
from establish.spec.universe import Universe, Workforce

pytestmark = pytest.mark.small_campaign  # compiles in Coq, whose campaign is make formal

WORKERS = 3
SHARES = (Fraction(1, 2), Fraction(1), Fraction(3))


def workforces(count: int) -> list[Workforce]:
    """In the order of the Coq file: the last worker varies fastest, absent first."""
    if count == 0:
        return [frozenset()]
    number = count - 1
    kinds = (Worker(f"w{number}", ("true",)), Worker(f"w{number}", ("false",)))
    return [
        more
        for smaller in workforces(number)
        for more in (smaller, smaller | {kinds[0]}, smaller | {kinds[1]})
    ]


def expected(relation: OneEstablishmentRelation) -> list[int]:
    """The numbers of related pairs; a workforce is related to itself, as in Coq."""
    every = workforces(WORKERS)
    pairs = [(small, large) for small in every for large in every]
    return [
        number
        for number, (small, large) in enumerate(pairs)
        if small == large or relation.close(small, large)
    ]


@pytest.fixture(scope="module")
def workshop(workshop_of: Callable[..., coq.Workshop]) -> coq.Workshop:
    return workshop_of("small_universe", "small_values")


def computed(shop: coq.Workshop, name: str, alpha: Fraction) -> list[int]:
    question = f"related ({name} {alpha.numerator} {alpha.denominator}) {WORKERS}"
    return numbers(shop, "small_universe", question)


def numbers(shop: coq.Workshop, stem: str, question: str) -> list[int]:
    """The list of natural numbers that Coq computes."""
    answer = shop.answers(
        "questions",
        "From Coq Require Import List.\nImport ListNotations.\n"
        f"From Establish Require Import {stem}.\nSet Printing Width 100000.\n"
        f"Eval vm_compute in {question}.\n",
    )
    return [
        int(number) for number in re.findall(r"\d+", answer.partition(": list nat")[0].replace("%nat", ""))
    ]


@pytest.mark.parametrize("alpha", SHARES, ids=str)
def test_strong_and_weak_neighbors_are_the_same_in_both_languages(workshop, alpha):
    universe = Universe(
        (Workplace("e", ()),), tuple(f"w{number}" for number in range(WORKERS)), (("true",), ("false",))
    )
    strong, weak = Strong(universe, alpha), Weak(universe, alpha)
    found = computed(workshop, "strongb", alpha), computed(workshop, "weakb", alpha)
    assert found == (expected(strong), expected(weak))
    assert len(workforces(WORKERS)) == 27 < len(found[1]) <= len(found[0]) < 27**2
    if alpha == 3:  # one worker may become three: a kind that had none then gains two
        assert len(found[1]) < len(found[0])


ROOTS, PLACES = 4, 2
"""Values 0, 1, 4, 9 of two establishments."""


@pytest.mark.parametrize("gamma", [1, 2])
def test_neighbors_under_root_are_the_same_in_both_languages(workshop, gamma):
    relation = Psi("sqrt", gamma, [root**2 for root in range(ROOTS)], PLACES)
    every = [tuple(root**2 for root in roots) for roots in product(range(ROOTS), repeat=PLACES)]
    expected_pairs = [
        number
        for number, (d, d2) in enumerate(product(every, repeat=2))
        if d == d2 or relation.related(d, d2)
    ]
    found = numbers(workshop, "small_values", f"related_values {gamma} {ROOTS} {PLACES}")
    assert found == expected_pairs
    assert len(every) < len(found) < len(every) ** 2
