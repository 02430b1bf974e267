"""Quantiles of |η| by Taylor polynomials on dyadic pieces, in IEEE + − × ÷, with a proved error bound.

Let Q(U) be the z ≥ 0 with P(|η| > z) = U. A piece is one of 2^n equal parts of an octave of U. On the piece
with middle C put s = U/C − 1, so |s| ≤ h = 2^−(n+1); Q(C(1+s)) is evaluated by Horner's rule on the float
coefficients c_0, ..., c_d. Its argument is a float a > 0 that stands for the real number A = 2^63·U.

**Assumptions.** Float64 operations + − × ÷ and the conversion from int64 round to nearest: |fl(x) − x| ≤
u·|x| and ≤ u·|fl(x)|, u = 2^−53, when the result is 0 or normal, and lose at most 2^−1074 otherwise. Each
ufunc rounds once: nothing is fused across two of them.

**Evaluation.** The middle c of the piece of a is a float (built from the bits of a). As a/2 ≤ c ≤ 2a, the
difference a − c is exact (Sterbenz), so ŝ = fl((a − c)/c) has relative error ≤ u. Horner's rule computes
v_d = c_d and v_k = fl(fl(v_{k+1}·ŝ) + c_k). Let q_k be the exact Taylor coefficients, |c_k − q_k| ≤ ε_k,
let V_k bound |v_k|, and let e_k bound the distance of v_k from the exact partial sum Σ_{j≥k} q_j·s^{j−k}.
Then
    e_d = ε_d,   e_k = h·e_{k+1} + V_{k+1}·(u·h + u·(1+u)·h) + u·V_k + ε_k + 2^−1000:
the product carries the error of v_{k+1}, that of ŝ (u·h) and its own rounding, the sum rounds once
(u·|v_k|), and 2^−1000 covers subnormals. The Taylor remainder is at most h^(d+1)·max|q_{d+1}| over the
piece (Lagrange). The sum e_0 + remainder is at most E0 + E1·Q on every piece:
``establish.proofs_check.certification.sampling`` verifies that with Arb, for the floats c_k that are used.

**Width.** A is known to lie within w = unit + u·a of a: one *whole* unit, because A lies in (v, v + 1) for
the signed integer v that was drawn, and u·a for the conversion. Where ρ0 + ρ1·Q bounds U·|Q'(U)| (0 ≤ ρ1 ≤
1), the function y = ρ0/ρ1 + Q satisfies |dy/d ln U| ≤ ρ1·y, so y(a − w) ≤ y(a)·(a/(a − w))^ρ1 ≤ y(a)·(1 +
ρ1·w/(a − w)) and
    |Q(A) − Q(a)| ≤ (ρ0 + ρ1·Q(a))·w/(a − w)
(the other side, A > a, is shorter; ρ1 = 0 is the limit). With g = unit/a ≤ 1/2 the quotient is at most
g/(1 − g) + 4.1·u, so the total error is at most
    b = E0 + E1·Q + (ρ0 + ρ1·Q)·(unit/(a − unit) + 4.1·u)      for a ≥ max(FLOOR, 2·unit).
Replacing Q by its computed value changes this by relative amounts far below UP.
"""

from dataclasses import dataclass

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.sampling.reals import UNIT, UP
from establish.impl.sampling.workspace import Workspace

OCTAVES = 34
"""Octaves of U with a table. The share 2^−34 of all draws lies below and takes the exact way."""

FLOOR = 2.0 ** (63 - OCTAVES)
"""The least a that the table covers."""


@dataclass(frozen=True, eq=False)
class QuantileTable:
    """One law's Q; see the module's text. Tables are told apart by their identity.

    piece_bits: n. coefficients: c_0, ..., c_d, each a number for all pieces or an array by piece, from
    FLOOR upwards, and one piece above U = 1 (a may round up to it). error: (E0, E1). slope: (ρ0, ρ1).
    """

    name: str
    piece_bits: int
    coefficients: tuple[Floats | float, ...]
    error: tuple[float, float]
    slope: tuple[float, float]

    @property
    def first_piece(self) -> int:
        """The leading bits of FLOOR, as those of a float, down to the piece."""
        return int(np.float64(FLOOR).view(np.int64)) >> (52 - self.piece_bits)

    def quantile(self, a: Floats, work: Workspace) -> Floats:
        """Q at each a, in a buffer of ``work``; garbage where a < FLOOR."""
        bits, index = a.view(np.int64), work.integers("index")
        half = 1 << (51 - self.piece_bits)
        np.right_shift(bits, 52 - self.piece_bits, out=index)
        np.subtract(index, self.first_piece, out=index)
        middle, s, q, term = (work.floats(x) for x in ("middle", "s", "q", "term"))
        np.bitwise_and(bits, -2 * half, out=middle.view(np.int64))
        np.bitwise_or(middle.view(np.int64), half, out=middle.view(np.int64))
        np.subtract(a, middle, out=s)
        np.divide(s, middle, out=s)
        q[...] = self._gather(-1, index, q)
        for k in range(len(self.coefficients) - 2, -1, -1):
            np.multiply(q, s, out=q)
            np.add(q, self._gather(k, index, term), out=q)
        return q

    def _gather(self, k: int, index: Integers, out: Floats) -> Floats | float:
        values = self.coefficients[k]
        return values if isinstance(values, float) else values.take(index, out=out, mode="clip")

    def bound(self, a: Floats, q: Floats, unit: float, work: Workspace) -> Floats:
        """b of the module's text, for a ≥ max(FLOOR, 2·unit); anything elsewhere."""
        (e0, e1), (rho0, rho1) = self.error, self.slope
        b, width = work.floats("b"), work.floats("width")
        np.subtract(a, unit, out=width)
        np.divide(unit * UP, width, out=width)
        np.add(width, 4.1 * UNIT, out=width)
        if rho1:
            np.multiply(q, rho1, out=b)
            np.add(b, rho0, out=b)
            np.multiply(width, b, out=width)
        else:
            np.multiply(width, rho0, out=width)
        np.multiply(q, e1 * UP, out=b)
        np.add(b, e0 * UP, out=b)
        return np.add(b, width, out=b)
