"""What the theorems on cell suppression are about, and what runs, compared on small tables.

Coq computes with the programs that its theorems name: bounds of dual vectors, tables, directions and clashes
as in spec/, lifted duals as in the presolve, and certificates that are accepted as by the checker. It is
skipped where Coq is not installed.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from establish.impl.suppression.presolve import LOWER, UPPER, Clash, Presolved
from establish.impl.suppression.verify import Check, Refused, number
from establish.proofs_check.formal import coq
from establish.spec.disclosure_limitation.linear_bounds import LinearTable

pytestmark = pytest.mark.small_campaign  # compiles in Coq, whose campaign is make formal

HALF = Fraction(1, 2)
PLACES = 3
FORMS = ((1, 1, 0), (1, -1, 1), (0, 1, 1), (1, 0, 0), (2, -1, 0))
BOXES = (
    ([0, 0, 0], [2, 2, 2]),
    ([0, 0, 0], [None, None, None]),
    ([None, 0, 1], [1, None, 2]),
    ([None, None, None], [None, None, None]),
)
DUALS = tuple(product((-1, 0, HALF, 2), repeat=2))
TARGETS = ((1, 0, 0), (0, 0, 1), (1, -2, 0), (0, HALF, 3), (0, 0, 0))

PRELUDE = """From Coq Require Import ZArith QArith List.
Import ListNotations.
From Establish Require Import linear_tables lifted_duals verified_certificate.
Set Printing Width 100000.
Set Printing Depth 1000000.
Definition at_place (l : list Q) : form := fun j => nth j l 0%Q.
Definition small rows right lows highs := System (length rows) 3
  (fun i j => nth j (nth i rows []) 0%Q) (fun i => nth i right 0%Q)
  (fun j => nth j lows None) (fun j => nth j highs None).
Definition written q := match q with Some q => (Qnum (Qred q), Zpos (Qden (Qred q))) | None => (0, 0)%Z end.
Definition told (b : bool) := (if b then 1 else 0, 1)%Z.
"""


def small_tables() -> list[LinearTable]:
    """Two sums over three unknowns in four boxes, some of them open."""
    return [
        LinearTable([{k: v for k, v in enumerate(form) if v} for form in forms], right, list(low), list(high))
        for forms in product(FORMS, repeat=2)
        for right, (low, high) in zip(((0, 2), (1, 1), (2, 1), (0, 0)), BOXES, strict=True)
    ]


def gallina(value: Any) -> str:
    """A rational, an optional one, or a list of what this function writes."""
    if isinstance(value, list | tuple):
        return f"[{'; '.join(map(gallina, value))}]"
    value = Fraction(value)
    return f"({value.numerator} # {value.denominator})%Q"


def optional(values: Sequence[Any]) -> str:
    return f"[{'; '.join('None' if v is None else f'Some {gallina(v)}' for v in values)}]"


def dense(vector: Mapping[int, Any], size: int) -> list[Any]:
    return [vector.get(place, 0) for place in range(size)]


def system(table: LinearTable) -> str:
    rows = [dense(row, PLACES) for row in table.rows]
    right = gallina(list(table.right))
    return f"(small {gallina(rows)} {right} {optional(table.lower)} {optional(table.upper)})"


SMALL = small_tables()
TABLES = "".join(f"Definition t{at} := {system(table)}.\n" for at, table in enumerate(SMALL))


@pytest.fixture(scope="module")
def workshop(workshop_of: Callable[..., coq.Workshop]) -> coq.Workshop:
    return workshop_of("verified_certificate", "lifted_duals")


def computed(shop: coq.Workshop, asked: Sequence[str]) -> list[Fraction | None]:
    """What Coq computes for lists of type Z * Z, as fractions; None for a denominator of 0."""
    lists = " ++ ".join(asked)
    answer = shop.answers("questions", f"{PRELUDE}{TABLES}Eval vm_compute in {lists}.\n")
    pairs = re.findall(r"(-?\d+)\)?, (\d+)\)", answer.replace("%Z", "").partition(": list")[0])
    return [Fraction(int(top), int(bottom)) if int(bottom) else None for top, bottom in pairs]


def sparse(vector: Sequence[Any]) -> dict[int, Any]:
    return {place: value for place, value in enumerate(vector) if value}


def vectors(every: Sequence[Sequence[Any]]) -> str:
    return f"(map at_place {gallina(list(every))})"


def test_bounds_of_dual_vectors_are_the_same_in_both_languages(workshop):
    asked, expected = [], list[Fraction | None]()
    draw = random.Random(1)
    for at, table in enumerate(SMALL):
        targets, duals = draw.sample(TARGETS, 2), draw.sample(DUALS, 4)
        pairs = f"(list_prod {vectors(targets)} {vectors(duals)})"
        for name, found in (("least", table.least), ("greatest", table.greatest)):
            asked.append(f"map (fun p => written ({name} t{at} (fst p) (snd p))) {pairs}")
            expected += [found(sparse(e), sparse(y)) for e, y in product(targets, duals)]
        for name, clash in (("clashes", table.clashes), ("clashes_in_integers", table.clashes_in_integers)):
            asked.append(f"map (fun y => told ({name} t{at} y)) {vectors(duals)}")
            expected += [Fraction(clash(sparse(y))) for y in duals]
    assert computed(workshop, asked) == expected
    assert expected.count(None) > 100
    assert len(set(expected)) > 20


def test_tables_and_directions_are_the_same_in_both_languages(workshop):
    asked, expected = [], list[Fraction]()
    values, ways = (list(product((0, HALF, 1, 2), repeat=PLACES)), list(product((-1, 0, 1), repeat=PLACES)))
    for at, table in enumerate(SMALL):
        asked.append(f"map (fun x => told (exactly_fits t{at} false x)) values")
        expected += [Fraction(table.is_table(x)) for x in values]
        asked.append(f"map (fun d => told (is_direction t{at} d)) ways")
        expected += [Fraction(table.is_direction(sparse(d))) for d in ways]
    given = f"let values := {vectors(values)} in let ways := {vectors(ways)} in "
    assert computed(workshop, [given + asked[0], *asked[1:]]) == expected
    assert 200 < sum(map(bool, expected)) < len(expected) / 2


def test_lifted_duals_are_the_same_in_both_languages(workshop):
    asked, expected = [], []
    learned = 0
    duals = ((0, 0), (1, 0), (0, -1), (1, 1))
    for at, table in enumerate(SMALL):
        try:
            found = Presolved(table)
        except Clash:
            continue
        sides = ((LOWER, "lower"), (UPPER, "upper"))
        learned += sum(
            bound is not None and bound.dual != {} for side, _ in sides for bound in found.bounds[side]
        )
        low, high = (f"[{'; '.join(map(_known, found.bounds[side]))}]" for side, _ in sides)
        knows = f"(fun e t => nth t match e with lower => {low} | upper => {high} end None)"
        for place, (side, name) in product(range(PLACES), sides):
            lifts = f"lifted t{at} knows {name} (unit_form {place}) y"
            asked.append(
                f"(let knows := {knows} in flat_map (fun y => let z := {lifts} in "
                f"[written (Some (z 0%nat)); written (Some (z 1%nat))]) {vectors(duals)})"
            )
            for dual in duals:
                lifted = found.lifted({place: 1}, sparse(dual), side)
                expected += [Fraction(lifted.get(row, 0)) for row in (0, 1)]
    assert computed(workshop, asked) == expected
    assert learned > 50
    assert len(set(expected)) > 4


def _known(bound: Any) -> str:
    if bound is None:
        return "None"
    return f"Some ({gallina(bound.value)}, at_place {gallina(dense(bound.dual, 2))})"


LAYOUT = {
    "by": ["cell"], "totals": {}, "hierarchies": [], "status": "status", "dash": "unknown", "value": "value",
    "count": "", "lower": "low", "upper": "high", "true": "",
}  # fmt: skip


def checker(table: LinearTable, whole: bool) -> Check:
    """The checker of certificates, for a table whose cells are all suppressed."""
    knows = {"nonnegative": False, "integers": whole, "counts": False, "bounds": True, "box": False}
    rows = [
        {"cell": place, "status": "u", "value": "", "low": low, "high": high}
        for place, (low, high) in enumerate(zip(table.lower, table.upper, strict=True))
    ]
    sums = list(zip(table.rows, table.right, strict=True))
    return Check(LAYOUT, {**knows, "within": None, "base": 0, "knows": []}, rows, sums)


def unbounded(table: LinearTable) -> LinearTable:
    return LinearTable(table.rows, table.right, [None] * PLACES, [None] * PLACES)


def random_certificate(draw: random.Random, table: LinearTable, whole: bool) -> list[list[Any]]:
    """Lines of which some are wrong: tables, directions, and ends mostly as their dual vectors prove them."""
    values = (0, 1, 2) if whole and draw.random() < 0.9 else (0, HALF, 1, 2)
    fitting = [v for v in product(values, repeat=PLACES) if table.is_table(v)]
    present = list(draw.choice(fitting)) if fitting and draw.random() < 0.95 else [0, 1, HALF]
    beyond = [v for v in product(range(-1, 5), repeat=PLACES) if unbounded(table).is_table(v)]
    if beyond and draw.random() < 0.1:
        present = list(draw.choice(beyond))
    lines: list[list[Any]] = [["table", dict(enumerate(present))]]
    if draw.random() < 0.1:
        lines[0][1].pop(draw.randrange(PLACES))
    for place, side in draw.sample(list(product(range(PLACES), ("lower", "upper"))), 6):
        if fitting and draw.random() < 0.5:
            present = list(draw.choice(fitting))
            lines.append(["table", dict(enumerate(present))])
        ways = [v for v in product((-1, 0, 1), repeat=PLACES) if table.is_direction(sparse(v))]
        ways = [v for v in ways if v[place] * (1 if side == "upper" else -1) > 0]
        if ways and draw.random() < 0.8:
            lines.append(["direction", sparse(draw.choice(ways)), [[side, place]]])
            continue
        best = None
        for dual in product((-2, -1, -HALF, 0, HALF, 1, 2), repeat=2):
            found = (table.least if side == "lower" else table.greatest)({place: 1}, sparse(dual))
            if found is not None:
                rank = found if side == "lower" else -found
                best = max(best or (rank, dual, found), (rank, dual, found))
        if best is None:
            lines.append(["direction", {place: 1}, [[side, place]]])
            continue
        _, dual, bound = best
        bound = Fraction(bound)
        if whole:
            bound = Fraction(-(-bound // 1) if side == "lower" else bound // 1)
        wrong = draw.random()
        bound += 0 if wrong < 0.97 else 1
        lines.append(["end", sparse(dual), side, place, bound, present[place]])
    wrong = draw.random()
    if wrong < 0.1:
        lines.pop(draw.randrange(len(lines)))
    elif wrong < 0.2:
        draw.shuffle(lines)
    return lines


def checked(table: LinearTable, whole: bool, lines: list[list[Any]]) -> tuple[int, bool, int]:
    """How many lines the checker reads, whether it then has every end, and how many of them are reached."""
    check = checker(table, whole)
    read = 0
    for kind, pairs, *fact in lines:
        act: Any = {"table": check.table, "direction": check.direction, "end": check.end}[kind]
        exact = {int(k): number(str(v)) for k, v in pairs.items()}
        told = [*fact[:2], *(str(one) for one in fact[2:])]
        try:
            act(exact, *told)
        except (Refused, KeyError):
            return read, False, 0
        read += 1
    ends = {(side, place) for side in ("lower", "upper") for place in range(PLACES)}
    every = not check.off and set(check.proved) == ends
    return read, every, sum(check.proved.values()) if every else 0


def coq_line(line: list[Any]) -> str:
    kind, pairs, *fact = line
    entries = "; ".join(f"({place}%nat, {gallina(value)})" for place, value in pairs.items())
    if kind == "table":
        return f"a_table [{entries}]"
    if kind == "direction":
        ends = "; ".join(f"({side}, {place}%nat)" for side, place in fact[0])
        return f"a_direction [{entries}] [{ends}]"
    side, place, bound, reached = fact
    return f"an_end [{entries}] {side} {place} {gallina(bound)} {gallina(reached)}"


COUNT = """Fixpoint lines_read s w st l := match l with
  | [] => 0%Z
  | one :: rest => match read s w st one with Some next => Z.succ (lines_read s w next rest) | None => 0%Z end
  end.
Definition reached (one : side * nat * finding) := match snd one with
  | end_at b r => Qeq_bool b r | no_end => true end.
Definition judged s w l := (lines_read s w (State [] []) l, match verified s w l with
  | Some all => Z.of_nat (length (filter reached all)) + 1 | None => 0 end)%Z.
"""


def test_the_same_certificates_are_accepted_in_both_languages(workshop):
    draw = random.Random(7)
    cases, asked = [], []
    for case in range(400):
        at, whole = draw.randrange(len(SMALL)), case % 2 == 0
        lines = random_certificate(draw, SMALL[at], whole)
        cases.append((SMALL[at], whole, lines))
        asked.append(f"judged t{at} {str(whole).lower()} [{'; '.join(map(coq_line, lines))}]")
    answer = workshop.answers(
        "certificates", f"{PRELUDE}{TABLES}{COUNT}Eval vm_compute in [{'; '.join(asked)}].\n"
    )
    pairs = re.findall(r"\((\d+), (\d+)\)", answer.replace("%Z", "").partition(": list")[0])
    expected = [checked(*case) for case in cases]
    assert [(int(read), int(ends)) for read, ends in pairs] == [
        (read, reached + 1 if every else 0) for read, every, reached in expected
    ]
    accepted = sum(every for _, every, _ in expected)
    assert 100 < accepted < 300, accepted
