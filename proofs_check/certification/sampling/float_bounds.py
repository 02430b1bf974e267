"""The error bounds of the fast way, where numbers are known badly and few bits are seen.

There every term of a bound is far larger than what rounding does. So a term that is missing, or is too large,
shows: at each corner of what the numbers may be the ideal output must lie within the bound, and at some
corner the bound must not be several times what is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import flint
import numpy as np

from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.workspace import Workspace
from establish.proofs_check.certification.sampling.exact_way import IN_PLACE
from establish.proofs_check.certification.subject import SEED
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec import growth_scale
from establish.spec.arithmetic import MP, Number
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.lomax import Lomax
from establish.spec.mechanisms.growth_staircase import (
    GrowthStaircaseMechanism,
    UnbiasedGrowthStaircaseMechanism,
)
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import (
    SmoothStaircaseMechanism,
    UnbiasedSmoothStaircaseMechanism,
)

GRID = Grid(-2)

ALPHA, EPSILON = Fraction(1, 10), Fraction(1)

STEEP = Fraction(8)
"""An ε at which the smooth staircase is higher than 1."""

GROWTH, COUNT = Fraction(1, 8), 500
"""α for noise on the growth scale, and a count above 1/α, as are its outputs here."""

SIZE = 48
"""Words that are looked at."""

Known = Mapping[str, tuple[Fraction, Fraction]]
"""Numbers, each with how far it may be off."""

Point = Mapping[str, Number]
"""What they are at one corner."""

NUMBERS: Known = {
    "center": (Fraction(37, 8), Fraction(1, 2**9)),
    "scale": (Fraction(29, 4), Fraction(1, 2**9)),
    "gamma": (Fraction(10), Fraction(1, 2**8)),
    "spread": (Fraction(3, 8), Fraction(1, 2**13)),
    "count": (Fraction(50), Fraction(1, 2**7)),
    "share": (GROWTH, Fraction(1, 2**18)),
    "unit": (1 / GROWTH, Fraction(1, 2**12)),
    "step": (Fraction(np.log1p(1 / 8)), Fraction(1, 2**22)),
    "width": (1 / EPSILON, Fraction(1, 2**15)),
}
"""Floats hold them exactly; ln(1+α) is a float that is close to it."""

BADLY = ("center", "scale", "spread", "count")
"""Of those, numbers that are combined."""

PER_CELL = ("center", "scale", "gamma", "count")
"""The others are one number for all cells."""

OFTEN, UNSEEN = 4, 8
"""How many times what is needed a bound may be, where numbers are known badly and where few bits are seen."""

PLACES, SELDOM = 500, 0.01
"""Places on the growth scale, and the share of them that may be left open, so near to a break."""

FAR, SMALL = 2.0**50, 2.0**-36
"""From these words on, not in the tails, what a bound may be relative to output and scale, where numbers are
known well."""


@dataclass(frozen=True)
class Law:
    """A sampler made of numbers by name, and P(output ≤ x) in grid units where they are these."""

    name: str
    made: Callable[[Mapping[str, Reals]], Sampler]
    cdf: Callable[[Point, Number], Number]
    uses: tuple[str, ...]
    unit: Fraction = Fraction(1, 4)


def _in_place(law: Any) -> Callable[[Point, Number], Number]:
    return lambda at, x: law(at["center"], at["scale"], c=MP).cdf(x)


def _laws() -> Iterator[Law]:
    both = ("center", "scale")
    for name, sampler, law in IN_PLACE:
        yield Law(name, _of(sampler, *both), _in_place(law), both)
    yield Law(
        "log-laplace",
        _of(laws.log_laplace_sampler, "count", "gamma", "spread"),
        lambda at, x: LogLaplace(at["count"], at["gamma"], at["spread"]).cdf(x),
        ("count", "gamma", "spread"),
    )
    yield Law(
        "lomax",
        _of(laws.lomax_sampler, *both, "spread"),
        lambda at, x: Lomax(at["center"], at["scale"], 1 + 1 / at["spread"], MP.number(1)).cdf(x),
        (*both, "spread"),
    )
    for kind, epsilon in (
        (SmoothStaircaseMechanism, EPSILON),
        (SmoothStaircaseMechanism, STEEP),
        (UnbiasedSmoothStaircaseMechanism, EPSILON),
        (SmoothPathMechanism, EPSILON),
    ):
        standard = kind(ALPHA, epsilon).cell_law(0, 0)
        yield Law(
            kind.__name__,
            lambda own, standard=standard: laws.two_sided_sampler(  # type: ignore[misc]
                own["center"], own["scale"], standard, GRID
            ),
            lambda at, x, standard=standard: replace(  # type: ignore[misc]
                standard, center=at["center"], scale=at["scale"]
            ).cdf(x),
            both,
        )

    yield from _growth()


def _growth() -> Iterator[Law]:
    """Noise on the growth scale: ln(1+α), 1/α and α are numbers of their own in floats."""
    specified = GrowthStaircaseMechanism(GROWTH, EPSILON)
    unbiased = UnbiasedGrowthStaircaseMechanism(GROWTH, EPSILON)
    ends = specified.down, specified.up
    counts, stairs = np.full(SIZE, float(COUNT)), specified.noisy(MP.number(0))
    for name, base, cdf, more in (
        (
            "growth-laplace",
            laws.growth_laplace_sampler(counts, GROWTH, EPSILON),
            _carried(Laplace(MP.number(0), MP.number(1))),
            ("unit", "width"),
        ),
        (
            "growth-staircase",
            laws.growth_staircase_sampler(counts, GROWTH, *ends, EPSILON),
            _carried(stairs),
            ("unit",),
        ),
        (
            "unbiased growth-staircase",
            laws.unbiased_growth_staircase_sampler(counts, unbiased.outputs(MP)),
            _carried(unbiased.noisy(MP.number(0)), unbiased.outputs(MP).pieces[-1].power),
            (),
        ),
    ):
        yield Law(name, _put_into(base), cdf, ("share", "step", *more), Fraction(1))


def _put_into(base: Any) -> Callable[[Mapping[str, Reals]], Sampler]:
    """With other numbers: fields, or what is derived from α and kept where it was used first."""

    def made(own: Mapping[str, Reals]) -> Sampler:
        names = {field.name for field in fields(base)}
        sampler: Sampler = replace(base, **{name: own[name] for name in own.keys() & names})
        vars(sampler).update({name: own[name] for name in own.keys() - names})
        return sampler

    return made


def _carried(noise: Any, factor: Number | None = None) -> Callable[[Point, Number], Number]:
    """Of large outputs: e^(ln(1+α)·y) times ``factor``, which is 1/α where none is given."""

    def cdf(at: Point, x: Number) -> Number:
        if x <= 0:
            return MP.number(0)
        moved = (MP.log(x / (factor or at["unit"])) - MP.log(at["share"] * COUNT)) / at["step"]
        return noise.cdf(moved / at.get("width", MP.number(1)))

    return cdf


def _of(sampler: Callable[..., Sampler], *names: str) -> Callable[[Mapping[str, Reals]], Sampler]:
    return lambda own: sampler(*(own[name] for name in names), GRID)


def _reals(name: str, badly: bool, cells: int) -> Reals:
    """A number that is known badly or well, for each of some cells; for all in one where there are none."""
    value, error = NUMBERS[name]
    shape = (cells,) if cells and name in PER_CELL else ()
    off = np.full(shape, float(error)) if badly else np.zeros(())
    return Reals(np.full(shape, float(value)), off, lambda _: flint.arb(float(value)))


def _words(unit: float) -> np.ndarray:
    """Signed words on both sides, of which ``unit`` is a small part at least."""
    sizes = 2.0 ** np.linspace(np.log2(max(2.0**33, 16 * unit)), 62.9, SIZE // 2)
    whole = np.rint(sizes / unit) * unit
    return np.concatenate([whole, -whole])


Case = tuple[Law, bool, float, int]
"""A law, whether numbers are known badly, the bits that are not seen as 2^bits, and the cells."""


def _is_bounded(case: Case) -> bool:
    """Whether the ideal output is within the bound at each corner, and the bound is not much more."""
    law, badly, unit, cells = case
    signed = _words(unit)
    sampler = law.made({name: _reals(name, badly, cells and signed.size) for name in law.uses})
    t, bound = _evaluated(sampler, signed, unit)
    corners = [
        {
            name: MP.number(NUMBERS[name][0] + sign * NUMBERS[name][1])
            for name, sign in zip(law.uses, signs, strict=True)
        }
        for signs in product((-1, 1) if badly else (0,), repeat=len(law.uses))
    ]
    if not np.isfinite(bound).all():
        return False
    loosely, least = badly or unit > 1, OFTEN if badly else UNSEEN
    for k, v in enumerate(signed.tolist()):
        low = (int(v) % 2**64) * Fraction(1, 2**64)
        p = MP.number(low), MP.number(low + Fraction(int(unit), 2**64))
        place, most = Fraction(float(t[k])), Fraction(float(bound[k]))
        if not all(_within(law, at, p, place, most) for at in corners):
            return False
        if loosely and all(_within(law, at, p, place, most / least) for at in corners):
            return False
        if not loosely and abs(v) > FAR and most > SMALL * (abs(place) + 32):
            return False
    return True


def _within(law: Law, at: Point, p: tuple[Number, Number], place: Fraction, most: Fraction) -> bool:
    """Whether outputs with these p are within ``most`` of ``place``, in grid units."""
    ends = (MP.number((place + sign * most) * law.unit) for sign in (-1, 1))
    below, upto = (law.cdf(at, end) for end in ends)
    return bool(below <= p[0] and p[1] <= upto)


def _evaluated(sampler: Sampler, signed: np.ndarray, unit: float) -> tuple[np.ndarray, np.ndarray]:
    work = Workspace()
    work.size = signed.size
    t, bound = sampler.evaluate(slice(0, signed.size), signed, np.abs(signed), unit, work)
    return np.array(t), np.array(bound)


def _cases() -> Iterator[Case]:
    for law in _laws():
        for cells in (0, SIZE) if PER_CELL[0] in law.uses or PER_CELL[3] in law.uses else (0,):
            for badly, unit in ((False, 1.0), (True, 1.0), (False, 2.0**48)):
                yield law, badly, unit, cells


def _is_seldom_open(law: Law) -> bool:
    """Whether floats decide all of some draws where numbers are known well."""
    own = {name: _reals(name, False, 20_000) for name in law.uses}
    sampler = law.made(own)
    return draw(sampler, Bits.seeded(SEED)).escalated == 0


Carried = tuple[str, Any, Callable[[Number], Number]]
"""A sampler on the growth scale, and its exact output at a place."""

DEEP = (0, 2**10, 2**20, 2**30)
"""How far below 0 noise leads: far down the rounding of the place is most of what outputs are off by."""


def _carriers() -> Iterator[Carried]:
    unbiased = UnbiasedGrowthStaircaseMechanism(GROWTH, EPSILON).outputs(MP)
    counts = np.full(SIZE, float(COUNT))
    yield (
        "growth-laplace",
        laws.growth_laplace_sampler(counts, GROWTH, EPSILON),
        lambda y: growth_scale.inverse(y, GROWTH, MP),
    )
    yield (
        "unbiased growth-staircase",
        laws.unbiased_growth_staircase_sampler(counts, unbiased),
        unbiased.value,
    )


def _is_carried(case: tuple[Carried, int]) -> bool:
    """Whether outputs at places that are known exactly, but for their rounding, are within the bound."""
    (_, sampler, exactly), deep = case
    draws = np.random.default_rng(SEED).uniform(0, 1, (2, PLACES))
    center, noise = 40 * draws[0], deep + 60 * draws[1]
    work = Workspace()
    work.size = PLACES
    known = replace(sampler)
    vars(known)["drawn"] = lambda *_: (noise.copy(), np.zeros(PLACES))
    t, bound = known.around(center, np.zeros(PLACES), noise, noise, 1.0, work)
    if np.isinf(bound).mean() > SELDOM:
        return False
    return all(
        abs(exactly(MP.number(Fraction(c) - Fraction(w))) - MP.number(Fraction(out))) <= most
        for c, w, out, most in zip(*map(np.ndarray.tolist, (center, noise, t, bound)), strict=True)
    )


Combined = tuple[str, Callable[[Reals, Reals], Reals], Callable[[Fraction, Fraction], Fraction]]

COMBINED: tuple[Combined, ...] = (
    ("a product", Reals.times, lambda a, b: a * b),
    ("a sum", Reals.plus, lambda a, b: a + b),
    ("in units", lambda x, _: x.scaled(5), lambda a, _: 32 * a),
    ("at least", lambda x, _: x.at_least(2), lambda a, _: max(a, Fraction(2))),
)


def _is_combined(case: tuple[Combined, str, str]) -> bool:
    """Whether the error of what is made of two numbers is what the worst of their corners needs."""
    (_, combine, exactly), first, second = case
    found = combine(_reals(first, True, 0), _reals(second, True, 0))
    middle, error = Fraction(float(found.approximate)), Fraction(float(found.error))
    (x, off), (y, other) = NUMBERS[first], NUMBERS[second]
    corners = product((x - off, x + off), (y - other, y + other))
    needed = max(abs(exactly(*corner) - middle) for corner in corners)
    return needed <= error <= max(needed * (1 + Fraction(1, 2**30)), off)


@cache
def float_bounds() -> tuple[Evidence, ...]:
    """Evidence that the bounds of the fast way hold, and are not much larger than they must be."""
    return (
        exhaustive.for_all(
            _cases(),
            _is_bounded,
            "the fast way is off by at most its bound, which is not much larger than it must be",
            f"{SIZE} words for every law, numbers known well and badly at each of their corners, one for all "
            "cells and one per cell, all bits of a word and few",
        ),
        exhaustive.for_all(
            product(_carriers(), DEEP),
            _is_carried,
            "outputs at exact places on the growth scale are off by at most the bound",
            f"{PLACES} places, and as many further down by up to 2^30",
        ),
        exhaustive.for_all(
            product(COMBINED, BADLY, BADLY),
            _is_combined,
            "what is made of numbers that are known badly is off by what the worst of them need",
            f"products, sums, units and maxima of {', '.join(BADLY)}",
        ),
        exhaustive.for_all(
            _laws(),
            _is_seldom_open,
            "floats decide draws where numbers are known well",
            f"20,000 draws of every law, {SIZE} on the growth scale; one is open with probability below 1e-5",
        ),
    )
