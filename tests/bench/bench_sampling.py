"""Print samples per processor second on one core: ours, numpy's unsafe generator and others, in one run.

Ours and opendp's draw from exactly the law rounded to integers; numpy's and diffprivlib's floating-point
noise does not. All get integer centers, one per sample; numpy's time includes adding them, and of laws that
it lacks it interpolates a table of 4,096 quantiles. The smooth laws have a scale per cell. Ours and numpy's
take turns, and each figure is the best of REPETITIONS. The other libraries are left out where they are not
installed.

The second table is what one call for TEN cells costs; laws and tables are made once for their parameters:
ours, certificate and checks of the counts included, beside opendp's and diffprivlib's in turn.

The third table is the share of draws that the exact way decides: Σ 2B/n + 2^−34, where B is the proved
bound of each draw, and what was counted at a scale so large that some are.
"""

import importlib
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from establish.impl.cards import of_counts
from establish.impl.mechanisms import mechanism
from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.quantile_table import OCTAVES
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.spec.arithmetic import MP
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.staircase import Staircase
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism

SIZE = 1 << 22
REPETITIONS = 5
SLOW_SIZE = 20_000
"""Samples of the libraries that draw one by one."""

TEN, CALLS = 10, 300
"""Cells of a short call, and how often it is made."""

SCALE = 10.0
EPSILON = Fraction(1, 10)
GAMMA, SPREAD = Fraction(10), Fraction(1, 5)
ALPHA, TIGHT = Fraction(1, 10), Fraction(1)
"""Of the smooth and the growth laws: α and ε."""


Act = Callable[[], object]


def rate(act: Act, size: int = SIZE, repetitions: int = REPETITIONS) -> float:
    """Samples per processor second, at best."""
    return size / min(seconds(act) for _ in range(repetitions))


def seconds(act: Act) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def rates_in_turn(first: Act, second: Act) -> tuple[float, float]:
    """Samples per processor second of both, at best."""
    pairs = [(seconds(first), seconds(second)) for _ in range(REPETITIONS)]
    fastest = [min(column) for column in zip(*pairs, strict=True)]
    return SIZE / fastest[0], SIZE / fastest[1]


def ours(counts: np.ndarray, scales: np.ndarray) -> dict[str, Act]:
    bits, scale, per_cell = Bits.secret(), Reals.floats(SCALE), Reals.floats(scales)
    center, spread, floats = Reals.integers(counts), Reals.fraction(SPREAD), counts.astype(float)
    staircase = SmoothStaircaseMechanism(ALPHA, TIGHT).cell_law(0, 0)
    path = SmoothPathMechanism(ALPHA, TIGHT).cell_law(0, 0)
    growth = GrowthStaircaseMechanism(ALPHA, TIGHT)
    ends, whole = (growth.down, growth.up), WholeStaircaseMechanism(ALPHA, TIGHT)
    return {
        "Laplace": lambda: laws.laplace(center, scale, bits),
        "Gaussian": lambda: laws.gaussian(center, scale, bits),
        "1/(1+z⁴)": lambda: laws.heavy_tailed(center, scale, bits),
        "log-Laplace": lambda: laws.log_laplace(center, Reals.fraction(GAMMA), spread, bits),
        "two-sided geometric": lambda: counts + laws.two_sided_geometric(EPSILON, SIZE, bits),
        "Laplace, per cell": lambda: laws.laplace(center, per_cell, bits),
        "1/(1+z⁴), per cell": lambda: laws.heavy_tailed(center, per_cell, bits),
        "Lomax, per cell": lambda: laws.lomax(center, per_cell, spread, bits),
        "staircase, per cell": lambda: laws.two_sided(center, per_cell, staircase, bits),
        "path, per cell": lambda: laws.two_sided(center, per_cell, path, bits),
        "Growth-Laplace": lambda: laws.growth_laplace(floats, ALPHA, TIGHT, bits),
        "Growth-Staircase": lambda: laws.growth_staircase(floats, ALPHA, *ends, TIGHT, bits),
        "Whole-Staircase": lambda: laws.whole_staircase(floats, whole.scale, whole.ladder, bits),
    }


def numpys(counts: np.ndarray, scales: np.ndarray) -> dict[str, Act]:
    rng = np.random.default_rng()
    gamma, ratio, spread = float(GAMMA), float(np.exp(-float(EPSILON))), float(SPREAD)
    shares = np.linspace(1e-5, 1 - 1e-5, 4096)
    heavy = np.sinh(np.linspace(-5, 5, 4096))
    law = HeavyTailed(MP.number(0), MP.number(1))
    below = np.array([float(law.cdf(MP.number(Fraction(z)))) for z in heavy])
    steps = SmoothStaircaseMechanism(ALPHA, TIGHT).cell_law(0, 0)
    stairs = np.array([float(steps.quantile(MP.number(Fraction(p)))) for p in shares])
    path = SmoothPathMechanism(ALPHA, TIGHT).cell_law(0, 0)
    paths = np.array([float(path.quantile(MP.number(Fraction(p)))) for p in shares])
    growth = GrowthStaircaseMechanism(ALPHA, TIGHT)
    even = Staircase(MP.number(0), growth.down, growth.up, TIGHT)
    uneven = np.array([float(even.quantile(Fraction(p))) for p in shares])
    unit, step = float(1 / ALPHA), float(np.log1p(float(ALPHA)))

    def power_law() -> object:
        signed = 2 * rng.random(SIZE) - 1
        return counts + scales * np.copysign(np.abs(signed) ** -spread - 1, signed)

    def on_growth_scale(noise: np.ndarray) -> object:
        joints = np.maximum(np.ceil(unit - counts), 0)
        y = np.log((counts + joints) / unit) / step - joints + noise
        joints = np.maximum(np.ceil(-y), 0)
        return np.exp((y + joints) * step) * unit - joints

    return {
        "Laplace": lambda: counts + rng.laplace(0, SCALE, SIZE),
        "Gaussian": lambda: counts + rng.normal(0, SCALE, SIZE),
        "1/(1+z⁴)": lambda: counts + SCALE * np.interp(rng.random(SIZE), below, heavy),
        "log-Laplace": lambda: (counts + gamma) * np.exp(rng.laplace(0, spread, SIZE)) - gamma,
        "two-sided geometric": lambda: (
            counts + rng.geometric(1 - ratio, SIZE) - rng.geometric(1 - ratio, SIZE)
        ),
        "Laplace, per cell": lambda: counts + scales * rng.laplace(0, 1, SIZE),
        "1/(1+z⁴), per cell": lambda: counts + scales * np.interp(rng.random(SIZE), below, heavy),
        "Lomax, per cell": power_law,
        "staircase, per cell": lambda: counts + scales * np.interp(rng.random(SIZE), shares, stairs),
        "path, per cell": lambda: counts + scales * np.interp(rng.random(SIZE), shares, paths),
        "Growth-Laplace": lambda: on_growth_scale(rng.laplace(0, 1 / float(TIGHT), SIZE)),
        "Growth-Staircase": lambda: on_growth_scale(np.interp(rng.random(SIZE), shares, uneven)),
        "Whole-Staircase": lambda: on_growth_scale(np.interp(rng.random(SIZE), shares, uneven)),
    }


def installed(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def opendps(counts: list[int]) -> dict[str, Callable[[], object]]:
    dp: Any = installed("opendp.prelude")
    if dp is None:
        return {}
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int))
    makers = {
        "Laplace": dp.m.make_laplace(space, dp.l1_distance(T=int), SCALE),
        "Gaussian": dp.m.make_gaussian(space, dp.l2_distance(T=float), SCALE),
        "two-sided geometric": dp.m.make_geometric(space, dp.l1_distance(T=int), 1 / float(EPSILON)),
    }
    return {name: (lambda draws=draws: draws(counts)) for name, draws in makers.items()}


def diffprivlibs(counts: list[int]) -> dict[str, Callable[[], object]]:
    mechanisms: Any = installed("diffprivlib.mechanisms")
    if mechanisms is None:
        return {}
    makers = {
        "Laplace": mechanisms.Laplace(epsilon=1 / SCALE, sensitivity=1),
        "Gaussian": mechanisms.GaussianAnalytic(epsilon=0.5, delta=1e-6, sensitivity=1),
        "two-sided geometric": mechanisms.Geometric(epsilon=float(EPSILON), sensitivity=1),
    }
    return {
        name: (lambda one=one: [one.randomise(count) for count in counts]) for name, one in makers.items()
    }


def often(act: Act) -> None:
    for _ in range(CALLS):
        act()


def short_calls() -> None:
    """Microseconds of a call for TEN cells, and how many times that of opendp's call for the same law, or for
    its Gaussian where it lacks the law.
    """
    counts = np.arange(TEN) * 37
    bits, few = Bits.secret(), counts.tolist()
    slow = {"opendp": opendps(few), "diffprivlib": diffprivlibs(few)}
    fast: dict[str, Act] = {
        "Laplace": lambda: laws.laplace(Reals.integers(counts), Reals.floats(SCALE), bits),
        "Gaussian": lambda: laws.gaussian(Reals.integers(counts), Reals.floats(SCALE), bits),
        "two-sided geometric": lambda: counts + laws.two_sided_geometric(EPSILON, TEN, bits),
    }
    for name in (name for name, card in of_counts().items() if card.takes == ("alpha", "epsilon")):
        fast[name] = partial(mechanism(name, alpha=ALPHA, epsilon=TIGHT).release, counts, bits)
    heads = ("establish", "beside opendp", *slow)
    print(f"{'µs a call of ten':27}" + "".join(f"{head:>14}" for head in heads))
    for name, act in fast.items():
        act()
        own = 1e6 / rate(partial(often, act), CALLS)
        others = {
            library: 1e6 / rate(partial(often, acts.get(name, acts["Gaussian"])), CALLS)
            for library, acts in slow.items()
            if acts
        }
        ratio = f"{own / others['opendp']:14.2f}" if "opendp" in others else f"{'-':>14}"
        told = [f"{others[x]:14.1f}" if x in others else f"{'-':>14}" for x in slow]
        print(f"{name:27}{own:14.1f}{ratio}" + "".join(told), flush=True)


def expected_share(sampler: Sampler, size: int) -> float:
    """Σ 2B/n + 2^−34."""
    work, total, words = Workspace(), 0.0, Bits.secret().words(size)
    for start in range(0, size, CHUNK):
        part = slice(start, min(start + CHUNK, size))
        work.size = part.stop - start
        signed = words[part].view(np.int64).astype(np.float64)
        _, bound = sampler.evaluate(part, signed, np.abs(signed), 1.0, work)
        total += float(np.minimum(2 * bound, 1).sum())
    return total / size + 2.0**-OCTAVES


def shares() -> None:
    size = 1 << 20
    counts = Reals.integers(np.full(size, 1000))
    builders = {
        "Laplace": laws.laplace_sampler,
        "Gaussian": laws.gaussian_sampler,
        "1/(1+z⁴)": laws.heavy_tailed_sampler,
    }
    print(f"{'escalated share':22}{'scale 10':>12}{'1,000':>12}{'2^35':>12}{'counted':>12}")
    for name, build in builders.items():
        row = [
            expected_share(build(counts, Reals.floats(s), Grid.INTEGERS), size) for s in (10.0, 1e3, 2.0**35)
        ]
        found = draw(build(counts, Reals.floats(2.0**35), Grid.INTEGERS), Bits.secret()).escalated
        print(f"{name:22}" + "".join(f"{x:12.2g}" for x in (*row, found / size)))
    far = [
        laws.log_laplace_sampler(counts, Reals.fraction(GAMMA), Reals.fraction(SPREAD), Grid(e))
        for e in (0, -30)
    ]
    near, fine = (expected_share(sampler, size) for sampler in far)
    found = draw(far[1], Bits.secret()).escalated / size
    print(f"log-Laplace, n = 1,000, λ = {SPREAD}: {near:.2g}; grid 2^−30: {fine:.2g}, counted {found:.2g}")


def main() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 10_000, SIZE)
    scales = np.maximum(0.1 * counts * rng.random(SIZE), 1.0)
    few = counts[:SLOW_SIZE].tolist()
    fast, unsafe = ours(counts, scales), numpys(counts, scales)
    slow = {"opendp": opendps(few), "diffprivlib": diffprivlibs(few)}
    heads = ("establish", "numpy", "ratio", *slow)
    print(f"{'million samples/s':22}" + "".join(f"{head:>12}" for head in heads))
    for name, act in fast.items():
        act()
        own, others = rates_in_turn(act, unsafe[name])
        figures = [
            rate(library[name], SLOW_SIZE, 3) if name in library else None for library in slow.values()
        ]
        cells = [f"{own / 1e6:12.3g}{others / 1e6:12.3g}{own / others:12.3g}"]
        cells += [f"{x / 1e6:12.3g}" if x else f"{'-':>12}" for x in figures]
        print(f"{name:22}" + "".join(cells), flush=True)
    short_calls()
    shares()


if __name__ == "__main__":
    main()
