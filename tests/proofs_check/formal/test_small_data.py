"""The protected histogram and the groups of MOSE that theorems are about, and those of spec/, on small data.

Coq computes with programs that theorems of small_histogram.v and small_groups.v identify with what is proved
about. It is skipped where Coq is not installed.
"""

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from establish.proofs_check.formal import coq
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.histogram import histogram, joint_mass
from establish.spec.earnings.neighbors import PresenceOfOne
from establish.spec.regression.local import even_grid, local_sensitivity, neighbors
from establish.spec.regression.mose import maximum_observed_sensitivity
from establish.spec.regression.ols import predict

pytestmark = pytest.mark.small_campaign  # compiles in Coq, whose campaign is make formal

PRELUDE = """From Coq Require Import ZArith QArith List.
Import ListNotations.
From Establish Require Import small_histogram small_groups.
Set Printing Width 100000.
Set Printing Depth 1000000.
Definition whole (k : Z) := (k, 1)%Z.
Definition told (b : bool) := (if b then 1 else 0, 1)%Z.
Definition written q := match q with Some q => (Qnum (Qred q), Zpos (Qden (Qred q))) | None => (0, 0)%Z end.
"""
HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def workshop(workshop_of: Callable[..., coq.Workshop]) -> coq.Workshop:
    return workshop_of("small_histogram", "small_groups")


def computed(shop: coq.Workshop, term: str) -> list[Fraction | None]:
    """What Coq computes for a list of Z * Z, as fractions; None for a denominator of 0."""
    answer = shop.answers("questions", f"{PRELUDE}Eval vm_compute in {term}.\n")
    pairs = re.findall(r"(-?\d+)\)?, (\d+)\)", answer.replace("%Z", "").partition(": list")[0])
    return [Fraction(int(top), int(bottom)) if int(bottom) else None for top, bottom in pairs]


def integers(values: Sequence[int]) -> str:
    return f"[{'; '.join(f'({value})' for value in values)}]%Z"


def lists(every: Sequence[Sequence[int]]) -> str:
    return f"[{'; '.join(map(integers, every))}]"


@pytest.mark.parametrize("open_top", [False, True])
def test_bin_counts_are_the_same_in_both_languages(workshop, open_top):
    edges = (0, 3, 5, 9)
    begins = edges[:-1] if open_top else edges  # in Coq an open bin begins at the last edge
    cells = [c for size in range(4) for c in combinations_with_replacement((-1, 0, 2, 3, 5, 9), size)]
    bins = Bins(edges, open_top=open_top)
    found = computed(
        workshop,
        f"flat_map (fun D => map whole (countsb (half_openb {str(open_top).lower()} {integers(begins)}) D)) "
        f"{lists(cells)}",
    )
    expected = [count for cell in cells for count in histogram(cell, bins)]
    assert found == expected
    assert set(expected) == {0, 1, 2, 3}


def test_neighbors_by_one_row_are_the_same_in_both_languages(workshop):
    relation = PresenceOfOne((1, 2, 4), 0, 4)
    cells = list(relation.datasets())
    found = computed(
        workshop, f"map (fun p => told (presenceb (fst p) (snd p))) (list_prod {lists(cells)} {lists(cells)})"
    )
    expected = [int(relation.related(a, b)) for a, b in product(cells, repeat=2)]
    assert found == expected
    assert 0 < sum(expected) < len(expected) / 4


def test_masses_of_protected_counts_are_the_same_in_both_languages(workshop):
    ratio = Fraction(2, 3)
    outputs, counts = list(product((-2, 0, 3), repeat=2)), list(product((0, 1, 4), repeat=2))
    found = computed(
        workshop,
        f"map (fun p => written (Some (joint_massb (2 # 3) (snd p) (fst p)))) "
        f"(list_prod {lists(outputs)} {lists(counts)})",
    )
    expected = [joint_mass(o, q, ratio, EXACT) for o, q in product(outputs, counts)]
    assert found == expected
    assert len(set(expected)) > 10


GRID = even_grid(2)
GROUPS = [group for size in range(6) for group in combinations_with_replacement(tuple(GRID.points()), size)]


def people(groups: Sequence[Sequence[tuple[Fraction, Fraction]]]) -> str:
    def rational(q: Fraction) -> str:
        return f"{q.numerator} # {q.denominator}"

    written = (
        "; ".join(f"({rational(rank)}, {rational(outcome)})" for rank, outcome in group) for group in groups
    )
    return f"[{'; '.join(f'[{group}]' for group in written)}]%Q"


def test_legal_people_are_those_of_the_grid(workshop):
    found = computed(
        workshop, "flat_map (fun p => [written (Some (fst p)); written (Some (snd p))]) legal_people"
    )
    assert found == [number for point in GRID.points() for number in point]


def test_predictions_and_local_sensitivities_are_the_same_in_both_languages(workshop):
    found = computed(
        workshop,
        "flat_map (fun D => [written (if Qeq_bool (spreadb D) 0 then None else Some (predictionb D)); "
        f"written (local_sensitivityb D); written (chib D)]) {people(GROUPS)}",
    )
    expected: list[Fraction | None] = []
    for group in GROUPS:
        here = predict(group, HALF)
        most = None if here is None else local_sensitivity(group, HALF, GRID)
        known = most if isinstance(most, Fraction) else None
        expected += [here, known, None if known is None else len(group) * known]
        if known is not None:
            assert maximum_observed_sensitivity((group,), HALF, GRID) == len(group) * known
        else:
            assert here is None or most == math.inf
    assert found == expected
    assert len(set(expected)) > 20


def test_neighboring_groups_are_the_same_in_both_languages(workshop):
    groups = [group for group in GROUPS if len(group) <= 3]
    found = computed(
        workshop,
        "flat_map (fun D => (Z.of_nat (length (neighborsb D)), 1%Z) :: flat_map (fun E => "
        "[written (Some (sizeb E)); written (Some (ranksb E)); written (Some (squaresb E)); "
        f"written (Some (sumb snd E))]) (neighborsb D)) {people(groups)}",
    )
    at = 0
    for group in groups:
        count = int(found[at] or 0)
        sums = {tuple(found[at + 1 + 4 * k : at + 5 + 4 * k]) for k in range(count)}
        at += 1 + 4 * count
        assert count == len(list(GRID.points())) + len(group)
        assert sums == {
            (len(other), *(sum(f(p) for p in other) for f in (_rank, _square, _outcome)))
            for other in neighbors(group, GRID)
        }
    assert at == len(found)


def _rank(person: tuple[Fraction, Fraction]) -> Fraction:
    return person[0]


def _square(person: tuple[Fraction, Fraction]) -> Fraction:
    return person[0] ** 2


def _outcome(person: tuple[Fraction, Fraction]) -> Fraction:
    return person[1]
