"""Sums, bounds, scales and fits on establishment microdata, without any noise, computed a second time."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np

from establish.impl.microdata.establishments import LARGEST_TOTAL, Establishments, measure, read
from establish.impl.microdata.group_by import Codes, Groups, largest, level_of, sums
from establish.impl.microdata.least_squares import Answered, finest, least_squares
from establish.impl.microdata.neighbor_functions import NeighborFunction, neighbor_function
from establish.impl.microdata.probably_no_clipping import (
    ProbablyNoClipping,
    clipped_sums,
    margin,
    upper_bounds,
)
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.proofs_check.certification.compared import Triple, agree, close
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec import least_squares as specified_fit
from establish.spec.arithmetic import MP, Number
from establish.spec.mechanisms import probably_no_clipping as specified
from establish.spec.neighbor_functions.named import neighbor_function as named

KINDS = (("sqrt", "0"), ("sqrt", "3/8"), ("log", "1"), ("log", "1/1000"), ("identity", "0"))
BOUNDS = (1, 2, 7, 1_000, 10**9, LARGEST_TOTAL)
SHARES = (Fraction(1, 10), Fraction(1, 2), Fraction(50))


def _psi(kind: str, shift: str) -> tuple[NeighborFunction, Any]:
    """What runs, and what the specification calls so."""
    words = kind if shift == "0" else f"{kind}(x+{shift})"
    return neighbor_function(kind, shift), named(words)


def _scaled() -> Iterator[Triple]:
    """Values of ψ within their errors, scales that are at least what is needed, and their grids."""
    for kind, shift in KINDS:
        runs, psi = _psi(kind, shift)
        x = np.array([0, *BOUNDS])
        values, errors = runs.transformed(x)
        for k, whole in enumerate(x.tolist()):
            exact = psi.value(MP.number(whole), MP)
            off = abs(MP.number(Fraction(float(values[k]))) - exact)
            most = MP.number(Fraction(float(errors[k])))
            close = off <= most <= abs(exact) * MP.number(Fraction(1, 2**49)) + MP.number(Fraction(1, 2**89))
            yield f"{runs.name} at {whole}", bool(close), True
        yield f"{runs.name} at 0", runs.at_zero(), float(psi.value(MP.number(0), MP))
        for gamma, mu in product(SHARES, (Fraction(3, 20), Fraction(2))):
            yield from _noise(runs, psi, gamma, mu)
        for sd in (0.1, 2.0):
            total = 1234
            estimates = runs.unbiased(values, sd), runs.variance(values, sd)
            yield "finite", bool(np.isfinite(np.concatenate(estimates)).all()), True
            spread = runs.deviation(total, sd)
            yield f"deviation of {runs.name}", spread, _deviation(kind, Fraction(shift), total, sd)


def _deviation(kind: str, shift: Fraction, x: int, sd: float) -> float:
    """The standard deviation of the unbiased estimate, from the moments of a normal or log-normal law.

    √: ω² has the variance 4μ²s² + 2s⁴ with μ² = x + a. log: e^ω/e^(s²/2) has (x + a)²(e^(s²) − 1).
    """
    s, place = MP.number(Fraction(sd)), MP.number(x + shift)
    if kind == "sqrt":
        return float(MP.sqrt(4 * place * s**2 + 2 * s**4))
    return float(place * MP.sqrt(MP.exp(s**2) - 1)) if kind == "log" else sd


def _noise(runs: NeighborFunction, psi: Any, gamma: Fraction, mu: Fraction) -> Iterator[Triple]:
    words = f"{runs.name}, γ = {gamma}, μ = {mu}"
    pnc = ProbablyNoClipping(runs, gamma, mu)
    for bound, scale in zip(BOUNDS, pnc.scales(np.array(BOUNDS)).tolist(), strict=True):
        needed = specified.sensitivity(psi, MP.number(bound), MP.number(gamma), MP) / MP.number(mu)
        at_least = needed <= MP.number(Fraction(scale)) <= needed * (1 + MP.number(Fraction(1, 2**46)))
        yield f"scale {words} of {bound}", bool(at_least), True
        yield f"deviation {words} of {bound}", pnc.deviation(bound), scale
    least = pnc.deviation(1)
    yield f"grid {words}", pnc.grid.unit <= max(least / 64, 1 / 64), True
    yield f"no finer {words}", pnc.grid.unit > max(least / 256, 1 / 128), True
    if gamma / mu > runs.largest_sd:
        return
    answers = PsiMechanism(runs, gamma, mu)
    exact = Fraction(answers.sd) >= gamma / mu > Fraction(math.nextafter(answers.sd, 0))
    yield f"deviation {words}", exact, True
    most = max(abs(answers.psi.at_zero()), float(answers.psi.transformed(np.array([LARGEST_TOTAL]))[0][0]))
    reach, unit = most + 40 * answers.sd, answers.grid.unit
    yield (
        f"grid of ψ {words}",
        (reach <= unit * 2**52, unit <= max(answers.sd / 2**20, reach / 2**51)),
        (True, True),
    )
    yield f"no finer ψ {words}", unit > max(answers.sd / 2**22, reach / 2**53), True
    for tau in (1.5, 40.0):
        noisy = np.array([0.0, float(answers.psi.transformed(np.array([50]))[0][0])])
        found = upper_bounds(answers, noisy, tau).tolist()
        z = [MP.number(Fraction(float(w))) + MP.number(Fraction(tau * answers.sd)) for w in noisy]
        meant = [psi.inverse(max(psi.value(MP.number(0), MP), one), MP) for one in z]
        whole = [min(max(math.ceil(float(x) * (1 - 1e-12)), 1), LARGEST_TOTAL) for x in meant]
        yield (
            f"bounds {words}",
            [abs(a - b) <= 1 + b * 1e-9 for a, b in zip(found, whole, strict=True)],
            [True, True],
        )


def _margins() -> Iterator[Triple]:
    for zeta, bounds in product(("1/100", "2/5", "9/10", "1/10000000"), (1, 7, 10**6)):
        meant = float(specified.margin(zeta, bounds, MP))
        yield f"margin {zeta} of {bounds}", margin(zeta, bounds), meant
    for end in (0, 1):
        yield f"margin at {end}", refused(margin, end, 3), True


def _ends() -> Iterator[Triple]:
    """Functions, deviations and totals at the ends of their domains."""
    for kind, shift, good in (
        ("sqrt", 0, True), ("sqrt", -1, False), ("sqrt", Fraction(1, 10**8), True), ("log", 0, False),
        ("sqrt", Fraction(9, 10**9), False), ("log", 2**45, True), ("log", 2**45 + 1, False),
        ("identity", 1, False), ("identity", 0, True), ("square", 0, False),
    ):  # fmt: skip
        yield f"{kind} with {shift}", refused(neighbor_function, kind, shift), not good
    log, root = neighbor_function("log", 1), neighbor_function("sqrt", 0)
    for psi, gamma, mu, good in (
        (log, 8, 1, True), (log, 9, 1, False), (root, 9, 1, True), (root, 0, 1, False), (root, 1, 0, False),
        (root, 1, Fraction(1, 10**31), False), (root, Fraction(1, 10**101), 1, False),
    ):  # fmt: skip
        yield (f"{psi.name} with γ = {gamma}, μ = {mu}", refused(PsiMechanism, psi, gamma, mu), not good)
    for zeta, good in ((0, False), (1, False), ("1/2", True)):
        yield f"ζ = {zeta}", refused(ProbablyNoClipping, root, 1, 1, zeta), not good
    for given, good in (
        ([0, LARGEST_TOTAL], True), ([1, LARGEST_TOTAL], False), ([-1], False), ([0.5], False),
        ([float("nan")], False),
    ):  # fmt: skip
        yield f"measure {given}", refused(measure, "m", given), not good


ROWS = (
    ("e4", "311", "n", 5), ("e1", "332", "n", 0), ("e2", "44", "s", 9),
    ("e5", "451", "s", 2), ("e3", "52", "n", 7), ("e6", "311", "s", 1),
)  # fmt: skip
"""Establishments with industry, county and jobs."""

LEVELS = ((), ("id",), ("county",), ("naics",), ("naics[:2]",), ("sector(naics)",), ("county", "naics[:1]"))
SECTORS = {"31": "31-33", "33": "31-33", "44": "44-45", "45": "44-45"}


def _label(row: tuple[str, str, str, int], level: str) -> str:
    at = {"id": row[0], "county": row[2], "naics": row[1], "naics[:2]": row[1][:2], "naics[:1]": row[1][:1]}
    return at[level] if level in at else SECTORS.get(row[1][:2], row[1][:2])


def _data(folder: Path, rows: Sequence[Sequence[Any]] = ROWS) -> Establishments:
    path = folder / "e.csv"
    lines = ["id,naics,county,jobs", *(",".join(map(str, row)) for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return read(path, identifier="id", attributes=["naics", "county"], measures=["jobs"])


def _grouped() -> Iterator[Triple]:
    """Groups, their sums, largest and clipped sums, and files that are refused."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, rows = _data(folder), sorted(ROWS)
        yield "identifiers", data.identifiers.tolist(), [row[0] for row in rows]
        for by in LEVELS:
            formed = data.groups(by)
            named_groups = list(zip(*(labels.tolist() for labels in formed.labels), strict=True)) or [()]
            own = [tuple(_label(row, level) for level in by) for row in rows]
            yield f"groups by {by}", named_groups, sorted(set(own))
            yield f"places by {by}", [named_groups[k] for k in formed.index.tolist()], own
            jobs = [
                [row[3] for row, group in zip(rows, own, strict=True) if group == one] for one in named_groups
            ]
            yield (f"sums by {by}", sums(formed, data.measures["jobs"]).tolist(), [sum(x) for x in jobs])
            yield (
                f"largest by {by}",
                largest(formed, data.measures["jobs"]).tolist(),
                [max(x) for x in jobs],
            )
            most = np.arange(formed.number) + 1
            clipped = [sum(min(x, k + 1) for x in own_jobs) for k, own_jobs in enumerate(jobs)]
            yield (f"clipped by {by}", clipped_sums(formed, data.measures["jobs"], most).tolist(), clipped)
        for bad in (("county", "county"), ("size",), ("id", "county")):
            yield f"by {bad}", refused(data.groups, bad), True
        for wrong in (
            (*ROWS, ("e1", "1", "n", 1)), (*ROWS, ("", "1", "n", 1)), (*ROWS, ("e7", "", "n", 1)),
            (*ROWS, ("e7", "1", "n", "")), (*ROWS, ("e7", "1", "n", -1)), (),
        ):  # fmt: skip
            yield f"{len(wrong)} rows", refused(_data, folder, wrong), True
        codes = Codes(np.array([1, 0]), np.array(["7", "12"], dtype=object))
        yield "a level", level_of(codes, "x[:1]").labels.tolist(), ["1", "7"]


def _formed(*labels: int) -> Groups:
    return Groups(np.array(labels), max(labels) + 1, ())


CELLS = 5
QUERIES = (
    (_formed(0, 1, 2, 3, 4),),
    (_formed(0, 1, 2, 3, 4), _formed(0, 0, 1, 1, 1), _formed(0, 0, 0, 0, 0)),
    (_formed(0, 0, 0, 0, 0), _formed(0, 1, 0, 1, 1), _formed(0, 1, 2, 3, 4), _formed(0, 0, 1, 1, 0)),
)
"""One query, a hierarchy, and two that cross; the last two come in any order."""

ANSWERS = (
    (3, -2, 5, Fraction(1, 2), -1), (4, 4, -8, 2, -3), (9, 1, 3, 7, 2),
)  # fmt: skip


def _fitted() -> Iterator[Triple]:
    """Least squares by exact rationals; with all cells at least 0 by trying every set of cells that are 0."""
    for formed, cells in product(QUERIES, ANSWERS):
        answered, rows, answers, variances = [], [], [], []
        for place, groups in enumerate(formed):
            values = [Fraction(0)] * groups.number
            for cell, group in zip(cells, groups.index.tolist(), strict=True):
                values[group] += cell
            values = [value + Fraction(place * (k + 1), 4) for k, value in enumerate(values)]
            spread = [Fraction(place + k + 1, 2) for k in range(groups.number)]
            answered.append(Answered(groups, np.array(values, float), np.array(spread, float)))
            rows += [[int(g == k) for g in groups.index.tolist()] for k in range(groups.number)]
            answers += values
            variances += spread
        words = f"{len(formed)} queries about {cells}"
        exact = specified_fit.estimate(rows, answers, variances)
        yield f"fit of {words}", least_squares(answered).tolist(), [float(x) for x in exact]
        bounded = _bounded(rows, answers, variances)
        found = least_squares(answered, nonnegative=True).tolist()
        yield f"fit from 0 of {words}", found, [float(x) for x in bounded]
    yield "the base", finest(QUERIES[2]), 2
    yield "no base", refused(finest, QUERIES[2][1:4:2]), True
    one = QUERIES[0][0]
    for wrong, off in (((1.0,) * 4, (1.0,) * 5), ((math.nan,) * 5, (1.0,) * 5), ((1.0,) * 5, (0.0,) * 5)):
        yield "answers", refused(Answered, one, np.array(wrong), np.array(off)), True


def _bounded(rows: Any, answers: Any, variances: Any) -> Sequence[Number]:
    """The least objective among those whose cells, some held at 0, come out at 0 or more."""
    best, least = None, None
    for free in product((False, True), repeat=CELLS):
        kept = [k for k in range(CELLS) if free[k]]
        cells = [Fraction(0)] * CELLS
        if kept:
            own = [[row[k] for k in kept] for row in rows]
            used = [k for k, row in enumerate(own) if any(row)]
            found = specified_fit.estimate(
                [own[k] for k in used], [answers[k] for k in used], [variances[k] for k in used]
            )
            for k, value in zip(kept, found, strict=True):
                cells[k] = value
        objective = specified_fit.objective(rows, answers, variances, cells)
        if min(cells) >= 0 and (least is None or objective < least):
            best, least = cells, objective
    assert best is not None
    return best


@cache
def fits_conform() -> Evidence:
    """Evidence for what microdata mechanisms compute besides their noise."""
    return agree(
        chain(_scaled(), _margins(), _ends(), _grouped(), _fitted()),
        "sums, bounds, scales, grids and fits on microdata are those of the specification",
        f"{len(KINDS)} ψ, bounds from 1 to 2^45, six establishments by {len(LEVELS)} lists of levels, "
        f"{len(QUERIES)} lists of queries about {CELLS} cells",
        partial(close, slack=1e-9),
    )
