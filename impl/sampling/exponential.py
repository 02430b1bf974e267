"""e^x in IEEE + − × and integer operations on bits, with a proved relative error.

x = k·(ln 2)/64 + r with k an integer and |r| ≤ REMAINDER; e^x = 2^⌊k/64⌋ · 2^((k mod 64)/64) · e^r, the
middle factor from a table of 64 and the last from the Taylor polynomial of degree 5. Adding and subtracting
1.5·2^52 rounds x·64/ln 2 to an integer k, whose low bits then stand in the low bits of the float. STEP_HIGH
has so few bits that k·STEP_HIGH is exact for |x| ≤ LARGEST, and STEP_HIGH + STEP_LOW is (ln 2)/64 to 2^−90.
The error in r is therefore at most
    u·|x − k·STEP_HIGH| + u·|k·STEP_LOW| + u·|r| + |k|·2^−90,
then Horner's rule, one product with a rounded table entry, and an exact scaling by a power of two (no
result is subnormal for |x| ≤ 700). Together at most ERROR, relative:
``establish.proofs_check.certification.sampling`` verifies that.
"""

from fractions import Fraction
from math import factorial

import flint
import numpy as np

from establish.impl.arrays import Flags, Floats
from establish.impl.sampling.certified import require_certified
from establish.impl.sampling.reals import TINY, UNIT, UP
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, enclosing

LARGEST = 700.0
"""The largest |x| for which the result is claimed."""

ERROR = 4e-16
"""The relative error of the result for |x| ≤ LARGEST."""

ROUNDER = 1.5 * 2.0**52
"""x + ROUNDER rounds |x| < 2^51 to an integer and keeps it in the low bits."""

DEGREE = 5

with enclosing(128):
    _STEP = ARB.log(flint.arb(2)) / 64
    STEPS_PER_UNIT = float(1 / _STEP)
    STEP_HIGH = float((_STEP * 2**42).floor()) / 2**42
    """(ln 2)/64 cut after 2^−42: 36 bits."""
    STEP_LOW = float(_STEP - flint.arb(STEP_HIGH))
    POWERS = np.array([float(ARB.exp(j * _STEP)) for j in range(64)])
    """2^(j/64), rounded to nearest."""

COEFFICIENTS = tuple(float(Fraction(1, factorial(k))) for k in range(DEGREE + 1))

require_certified("exponential", (STEPS_PER_UNIT, STEP_HIGH, STEP_LOW, POWERS, *COEFFICIENTS))


def exponential(x: Floats, work: Workspace) -> Floats:
    """e^x in a buffer of ``work``; garbage where |x| > LARGEST."""
    shifted, k, r, p = (work.floats(name) for name in ("shifted", "k", "r", "p"))
    np.multiply(x, STEPS_PER_UNIT, out=shifted)
    np.add(shifted, ROUNDER, out=shifted)
    np.subtract(shifted, ROUNDER, out=k)
    np.multiply(k, STEP_HIGH, out=p)
    np.subtract(x, p, out=r)
    np.multiply(k, STEP_LOW, out=p)
    np.subtract(r, p, out=r)
    np.multiply(r, COEFFICIENTS[-1], out=p)
    for coefficient in COEFFICIENTS[-2:0:-1]:
        np.add(p, coefficient, out=p)
        np.multiply(p, r, out=p)
    np.add(p, COEFFICIENTS[0], out=p)
    whole, index = shifted.view(np.int64), work.integers("index")
    np.bitwise_and(whole, 63, out=index)
    np.multiply(p, POWERS.take(index, out=k, mode="clip"), out=p)
    np.right_shift(whole, 6, out=whole)
    np.left_shift(whole, 52, out=whole)
    np.add(p.view(np.int64), whole, out=p.view(np.int64))
    return p


def raised(x: Floats, off: Floats, work: Workspace) -> tuple[Floats, Flags]:
    """e^x in a buffer of ``work``, and where nothing is known of it.

    off: by how much x is off before rounding; on return what e^x is off by, relatively, but for 1 + 2·ERROR.
    """
    np.multiply(off, UP, out=off)
    np.add(off, TINY, out=off)
    unknown = off > 1.0
    square = work.floats("size")
    unknown |= np.abs(x, out=square) > LARGEST
    power = exponential(x, work)
    np.square(off, out=square)
    np.add(off, square, out=off)
    np.add(off, ERROR, out=off)
    return power, unknown


def logarithm(g: Floats, work: Workspace) -> tuple[Floats, Floats]:
    """ln g for g > 0, and a bound of what it is off by: +∞ where that is not known.

    Whatever x is taken for ln g, the computed E of e^x tells how good it is: for r = |fl(g/E) − 1| ≤ 2^−20,
    |ln g − x| ≤ 1.001·(r + 2u + κ), κ the relative error of E.
    """
    x, off = work.floats("logarithm"), work.floats("off")
    np.log(g, out=x)
    np.divide(g, exponential(x, work), out=off)
    np.subtract(off, 1.0, out=off)
    np.abs(off, out=off)
    np.copyto(off, np.inf, where=~(off <= 2.0**-20))
    np.add(off, 2 * UNIT + ERROR, out=off)
    return x, np.multiply(off, 1.001, out=off)
