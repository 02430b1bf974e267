"""The least error of noise S·Z for cells of many establishments: a linear program and a certificate."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, exp, floor

import numpy as np
import scipy

from establish.proofs_check.engine.rules.additive_errors import AdditiveCertificate, Direction, Move, shown_by
from establish.proofs_check.engine.rules.limits import SCALE
from establish.proofs_check.engine.verdicts import UnsettledError

DIGITS = 10**6
"""Values are given in multiples of 1/DIGITS."""

REACHES = ((4, 40), (6, 20), (12, 10), (48, 4))
"""How far cells go, in units of the scale, and how many there are per unit, so that there are some 300."""

METHODS = "highs-ipm", "highs"
"""HiGHS's interior points are four times as fast as its simplex method, where they find an optimum."""

PARTS = 12
"""Cells reach to about where the density has fallen by e^(−PARTS)."""


@dataclass
class Program:
    """A linear program: the largest V with rows·(V, others ≥ 0) ≤ right; V is at most the largest of those.

    terms: (row, variable, factor). Variable 0 is V.
    """

    right: list[float]
    variables: int = 1
    terms: list[tuple[int, int, float]] = field(default_factory=list)

    def new(self, many: int = 2) -> int:
        """The first of so many new variables."""
        self.variables += many
        return self.variables - many

    def solved(self) -> list[float]:
        """Raises UnsettledError where the solver finds no optimum."""
        rows, columns, factors = zip(*self.terms, strict=True)
        shape = len(self.right), self.variables
        for method in METHODS:
            found = scipy.optimize.linprog(
                np.eye(1, self.variables)[0] * -1,
                A_ub=scipy.sparse.csr_matrix((factors, (rows, columns)), shape=shape),
                b_ub=self.right,
                bounds=[(0, max(self.right)), *[(0, None)] * (self.variables - 1)],
                method=method,
            )
            if found.success:
                break
        else:
            raise UnsettledError(f"the linear program was not solved: {found.message}")
        return [float(x) for x in found.x]


def moves(alpha: Fraction, per_unit: int) -> list[Move]:
    """By one unit with and without a new largest establishment, and by parts of a unit without."""
    p, r = alpha.numerator, alpha.denominator
    parts = 10 if per_unit % 10 == 0 else per_unit
    shorter = [k for k in range(1, parts) if k * (1 + alpha) <= parts]
    one = [Move(1, 0, 1)] if alpha <= 1 else []
    return [*one, Move(r, r, p), *(Move(parts * r, k * r, k * p) for k in shorter)]


def built(alpha: Fraction, epsilon: Fraction) -> AdditiveCertificate:
    """The certificate of the linear program in amounts that are linear on cells.

    Where images of cells are no cells, a linear bound stands for what is taken from a cell. Raises
    UnsettledError where the solver finds no optimum.
    """
    wanted = min(ceil(PARTS / epsilon), REACHES[-1][0])
    reach, per_unit = next(pair for pair in REACHES if pair[0] >= wanted)
    last = reach * per_unit
    cells = range(-last, last)
    ends = [abs(i + side) / per_unit for i in cells for side in (0, 1)]
    program, q = Program(ends), exp(-float(epsilon))
    program.terms += [(row, 0, 1.0) for row in range(len(ends))]
    places: dict[tuple[Move, Direction, int], int] = {}
    for move in moves(alpha, per_unit):
        shift, factor = move.shift_and_factor(alpha)
        both: tuple[Direction, ...] = ("there", "back")
        for direction in both:
            taken: dict[int, int] = {}
            for i in cells:
                start, end = Fraction(i, per_unit), Fraction(i + 1, per_unit)
                if direction == "there":
                    start, end = (start - shift) / factor, (end - shift) / factor
                else:
                    start, end = factor * start + shift, factor * end + shift
                images = range(floor(start * per_unit), ceil(end * per_unit))
                if images[0] < -last or images[-1] >= last:
                    continue
                places[move, direction, i] = given = program.new()
                row = 2 * (i + last)
                program.terms += [(row, given, -q), (row + 1, given + 1, -q)]
                if factor == 1 and len(images) == 1:
                    row = 2 * (images[0] + last)
                    program.terms += [(row, given, 1.0), (row + 1, given + 1, 1.0)]
                    continue
                for j in images:
                    if j not in taken:
                        taken[j] = most = program.new()
                        row = 2 * (j + last)
                        program.terms += [(row, most, 1.0), (row + 1, most + 1, 1.0)]
                    for z in (max(start, Fraction(j, per_unit)), min(end, Fraction(j + 1, per_unit))):
                        here = float((z - start) / (end - start))
                        there = float(z * per_unit - j)
                        row = len(program.right)
                        program.right.append(0.0)
                        program.terms += [
                            (row, given, 1 - here),
                            (row, given + 1, here),
                            (row, taken[j], there - 1),
                            (row, taken[j] + 1, -there),
                        ]
    found = program.solved()
    amounts = {
        key: (floor(max(found[at], 0.0) * SCALE), floor(max(found[at + 1], 0.0) * SCALE))
        for key, at in places.items()
    }
    listed = {key: pair for key, pair in amounts.items() if any(pair)}
    return AdditiveCertificate(alpha, epsilon, per_unit, listed)


def least_error(certificate: AdditiveCertificate) -> Fraction:
    """What the certificate shows, rounded down to a multiple of 1/DIGITS, at least 0."""
    shown = shown_by(certificate) or Fraction(0)
    return max(Fraction(0), Fraction(floor(shown * DIGITS), DIGITS))
