"""Tables of whole numbers: by HiGHS or by branching on exact optima; and proofs that there is none."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

import flint
import numpy as np

from establish.impl.suppression.engines import ExactEngine, HighsEngine, Infeasible, highs
from establish.impl.suppression.programs import Program, Ratios

PRIMES = (2, 3, 5, 7)
"""Sums that contradict each other modulo one of these have no whole solution."""

BRANCHES = 2000
"""Linear programs that branching may take."""


def least_whole_point(program: Program, cost: Mapping[int, int]) -> Sequence[int] | None:
    """A whole point where cost·x is least, or near it; None when none was found. Nobody has checked it."""
    module = highs()
    if module is None:
        return _branch(program, cost)
    try:
        hint = HighsEngine(program, module, integers=True).least(cost)
    except Infeasible:
        return None
    if hint is None or isinstance(hint.point, Ratios):
        return None
    return [int(v) for v in np.rint(hint.point)]


def _branch(program: Program, cost: Mapping[int, int]) -> Sequence[int] | None:
    """Depth first; a branch ends at a whole optimum, or where it cannot beat the best one."""
    best: list[int] | None = None
    left = [program]
    for _ in range(BRANCHES):
        if not left:
            break
        part = left.pop()
        try:
            hint = ExactEngine(part).least(cost)
        except Infeasible:
            continue
        if hint is None:
            return None
        point = [Fraction(hint.point[k]) for k in range(len(program.lower))]
        value = sum(v * point[k] for k, v in cost.items())
        if best is not None and value >= sum(v * best[k] for k, v in cost.items()):
            continue
        broken = next((k for k, v in enumerate(point) if v.denominator > 1), None)
        if broken is None:
            best = [int(v) for v in point]
            continue
        lower, upper = list(part.lower), list(part.upper)
        lower[broken], upper[broken] = ceil(point[broken]), floor(point[broken])
        left.append(Program(part.rows, part.right, lower, part.upper))
        left.append(Program(part.rows, part.right, part.lower, upper))
    return best


def whole_clash(program: Program) -> dict[int, Fraction] | None:
    """y with y·A whole and y·b not: no whole x satisfies the sums. None where no prime shows it."""
    m, n = len(program.rows), len(program.lower)
    for prime in PRIMES:
        columns = flint.nmod_mat(n, m, prime)
        for at, row in enumerate(program.rows):
            for k, value in row.items():
                columns[k, at] = value
        space, rank = columns.nullspace()
        for j in range(rank):
            dual = {at: int(space[at, j]) for at in range(m) if int(space[at, j])}
            if sum(v * program.right[at] for at, v in dual.items()) % prime:
                return {at: Fraction(v, prime) for at, v in dual.items()}
    return None
