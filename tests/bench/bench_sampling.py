"""Print samples per second on one core: ours, numpy's unsafe generator, opendp and diffprivlib, in one run.

Ours and opendp's draw from exactly the law rounded to integers; numpy's and diffprivlib's floating-point
noise does not. All get integer centers, one per sample; numpy's time includes adding them. Each figure is
the best of REPETITIONS. The other libraries are left out where they are not installed.

The second table is the share of draws that the exact way decides: Σ 2B/n + 2^−34, where B is the proved
bound of each draw, and what was counted at a scale so large that some are.
"""

import importlib
import time
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.quantile_table import OCTAVES
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import Sampler, draw
from establish.impl.sampling.workspace import CHUNK, Workspace

SIZE = 1 << 22
REPETITIONS = 7
SLOW_SIZE = 20_000
"""Samples of the libraries that draw one by one."""

SCALE = 10.0
EPSILON = Fraction(1, 10)
GAMMA, SPREAD = Fraction(10), Fraction(1, 5)


def rate(act: Callable[[], object], size: int = SIZE, repetitions: int = REPETITIONS) -> float:
    """Samples per second, at best."""
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - start)
    return size / min(seconds)


def ours(counts: np.ndarray) -> dict[str, Callable[[], object]]:
    bits, scale = Bits.secret(), Reals.floats(SCALE)
    spread = Reals.fraction(SPREAD)
    return {
        "Laplace": lambda: laws.laplace(Reals.integers(counts), scale, bits),
        "Gaussian": lambda: laws.gaussian(Reals.integers(counts), scale, bits),
        "1/(1+z⁴)": lambda: laws.heavy_tailed(Reals.integers(counts), scale, bits),
        "log-Laplace": lambda: laws.log_laplace(
            Reals.integers(counts), Reals.fraction(GAMMA), spread, bits
        ),
        "two-sided geometric": lambda: counts + laws.two_sided_geometric(EPSILON, SIZE, bits),
    }


def numpys(counts: np.ndarray) -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng()
    gamma, ratio = float(GAMMA), float(np.exp(-float(EPSILON)))
    return {
        "Laplace": lambda: counts + rng.laplace(0, SCALE, SIZE),
        "Gaussian": lambda: counts + rng.normal(0, SCALE, SIZE),
        "log-Laplace": lambda: (
            (counts + gamma) * np.exp(rng.laplace(0, float(SPREAD), SIZE)) - gamma
        ),
        "two-sided geometric": lambda: (
            counts + rng.geometric(1 - ratio, SIZE) - rng.geometric(1 - ratio, SIZE)
        ),
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
        "two-sided geometric": dp.m.make_geometric(
            space, dp.l1_distance(T=int), 1 / float(EPSILON)
        ),
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
        name: (lambda one=one: [one.randomise(count) for count in counts])
        for name, one in makers.items()
    }


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
            expected_share(build(counts, Reals.floats(s), Grid.INTEGERS), size)
            for s in (10.0, 1e3, 2.0**35)
        ]
        found = draw(build(counts, Reals.floats(2.0**35), Grid.INTEGERS), Bits.secret()).escalated
        print(f"{name:22}" + "".join(f"{x:12.2g}" for x in (*row, found / size)))
    far = [
        laws.log_laplace_sampler(counts, Reals.fraction(GAMMA), Reals.fraction(SPREAD), Grid(e))
        for e in (0, -30)
    ]
    near, fine = (expected_share(sampler, size) for sampler in far)
    found = draw(far[1], Bits.secret()).escalated / size
    print(
        f"log-Laplace, n = 1,000, λ = {SPREAD}: {near:.2g}; grid 2^−30: {fine:.2g}, counted {found:.2g}"
    )


def main() -> None:
    counts = np.random.default_rng(1).integers(0, 10_000, SIZE)
    few = counts[:SLOW_SIZE].tolist()
    fast, unsafe = ours(counts), numpys(counts)
    slow = {"opendp": opendps(few), "diffprivlib": diffprivlibs(few)}
    print(
        f"{'million samples/s':22}{'establish':>12}{'numpy':>12}{'opendp':>12}{'diffprivlib':>12}"
    )
    for name, act in fast.items():
        act()
        figures = [rate(act), rate(unsafe[name]) if name in unsafe else None]
        figures += [
            rate(library[name], SLOW_SIZE, 3) if name in library else None
            for library in slow.values()
        ]
        cells = [f"{x / 1e6:12.3g}" if x else f"{'-':>12}" for x in figures]
        print(f"{name:22}" + "".join(cells), flush=True)
    shares()


if __name__ == "__main__":
    main()
