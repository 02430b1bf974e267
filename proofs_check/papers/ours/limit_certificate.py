"""A certificate for the least error of any mechanism for one establishment, and the check of it.

Let a mechanism be (α, ε)-ER-EE private, P_n its output for one establishment of n, and L = ln(1+α). Outputs
of at most 0 may be taken as a tiny positive number, which only helps. At an output o let f(u) be the density
of P_n as a function of u = ln(o/n). Counts with |ln n − ln n'| ≤ L are neighbors, so f(u) ≤ e^ε·f(v) wherever
|u − v| ≤ L. With g(u) = |e^u − 1|/α the error at n is E g(ln(o/n)), in units of αn.

**What is certified.** Cut the u-axis into cells of width w, s·w < L, and let F_i be the integral of f over
cell i: F_j ≥ q·F_i for |i − j| ≤ s and q ≤ e^(−ε). Let G_i be at most the least value of g − V on cell i. A
certificate is a finite list of amounts m_ij ≥ 0, |i − j| ≤ s, with
    G_j ≥ Σ_i m_ij − q·Σ_k m_jk   for every listed cell j, and G_j ≥ 0 for every other cell.
Then the sum of G_j·F_j over the listed cells is at least Σ m_ij·(F_j − q·F_i) ≥ 0, for every such f.

**Why that bounds the error.** Take P_n at n = e^t for t in a window of length T, and its end values beyond:
that is still private. Let G be the function of the listed cells and 0 elsewhere, so G ≤ g − V, with c = ∫|G|
finite. For each output ∫ f·G ≥ 0; integrated over all outputs, ∫ E G(ln o − t) dt ≥ 0, to which what lies
outside of the window contributes at most 2c. So the mean of E|o − n|/(αn) over the window is at least V −
2c/T. As T grows, no mechanism has a smaller supremum of E|o − n|/(αn) over the n beyond any given one. (Whole
sizes: read P at ⌊e^t⌋; for large t the neighbors of ⌊e^t⌋ reach ⌊e^(t + s·w)⌋, as s·w < L strictly.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log

SCALE = 2**64
"""Numbers are whole multiples of 1/SCALE, rounded to the safe side."""


@dataclass(frozen=True)
class LimitCertificate:
    """V in units of αn; s; the first cell; and the amounts m_ij by (i, j), times SCALE."""

    alpha: Fraction
    epsilon: Fraction
    value: Fraction
    per_step: int
    first: int
    last: int
    amounts: dict[tuple[int, int], int]


def least_decay(epsilon: Fraction) -> int:
    """q·SCALE, rounded down, with q ≤ e^(−ε): e^x ≤ Σ x^k/k! + 2·x^21/21! for 0 ≤ x ≤ 1/2, then squared."""
    halvings = 0
    x = epsilon
    while x > Fraction(1, 2):
        x, halvings = x / 2, halvings + 1
    total = term = Fraction(1)
    for k in range(1, 21):
        term *= x / k
        total += term
    total += 2 * term * x / 21
    power = _up(total)
    for _ in range(halvings):
        power = -(-power * power // (SCALE * SCALE))
    return SCALE**3 // power


def _up(x: Fraction) -> int:
    """x·SCALE², rounded up."""
    return -(-x.numerator * SCALE * SCALE // x.denominator)


def ratio(alpha: Fraction, per_step: int) -> Fraction:
    """e^w, the growth over one cell: a multiple of 2^−64 with its s-th power below 1 + α."""
    low, high = SCALE, 2 * SCALE if alpha <= 1 else SCALE * (1 + int(alpha) + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if middle**per_step < (1 + alpha) * SCALE**per_step:
            low = middle
        else:
            high = middle
    return Fraction(low, SCALE)


def excesses(
    alpha: Fraction, value: Fraction, growth: Fraction, first: int, last: int
) -> list[int]:
    """G_i·SCALE for the cells from ``first`` < 0 to ``last`` ≥ 0, each rounded down.

    |e^u − 1| is least at the lower end of a cell above 0 and at the upper end of one below.
    """
    step, v = int(growth * SCALE), -(-value.numerator * SCALE // value.denominator)
    above, power = [], SCALE
    for _ in range(last + 1):
        above.append((power - SCALE) * alpha.denominator // alpha.numerator - v)
        power = power * step // SCALE
    below, power = [], SCALE
    for _ in range(-first):
        below.append((SCALE - power) * alpha.denominator // alpha.numerator - v)
        power = -(-power * SCALE // step)
    return below[::-1] + above


def verified(certificate: LimitCertificate) -> bool:
    """Whether the certificate shows that no mechanism has a limit of its error below ``value``."""
    c = certificate
    growth = ratio(c.alpha, c.per_step)
    if not growth**c.per_step < 1 + c.alpha or not c.first < 0 <= c.last or c.value <= 0:
        return False
    decay = least_decay(c.epsilon)
    listed = excesses(c.alpha, c.value, growth, c.first, c.last)
    into, out = [0] * len(listed), [0] * len(listed)
    for (i, j), amount in c.amounts.items():
        if (
            amount < 0
            or abs(i - j) > c.per_step
            or not (c.first <= min(i, j) and max(i, j) <= c.last)
        ):
            return False
        out[i - c.first] += amount
        into[j - c.first] += amount
    ends = listed[0] >= 0 and listed[-1] >= 0  # g grows in both directions
    return ends and all(
        g * SCALE >= more * SCALE - decay * less
        for g, more, less in zip(listed, into, out, strict=True)
    )


def built(
    alpha: Fraction, epsilon: Fraction, value: Fraction, per_step: int
) -> LimitCertificate | None:
    """A certificate for ``value``; None when this way of building one finds none.

    Far cells pass their excess inwards, step by step: cell j takes up H_j = G_j + q·H_(j+s). Where H falls
    below 0 begins the middle, whose cells with G < 0 owe −G/q each, within s cells of what takes it up.
    """
    growth, decay = ratio(alpha, per_step), least_decay(epsilon)
    first, last = _range(alpha, epsilon, value, per_step, growth)
    g = dict(enumerate(excesses(alpha, value, growth, first, last), first))
    if g[first] < 0 or g[last] < 0:
        return None
    amounts: dict[tuple[int, int], int] = {}
    room = dict(g)
    ends = []
    for far, near, side in ((last, 0, 1), (first, -1, -1)):
        end = near
        for j in range(far, near - side, -side):
            taken = room.get(j + side * per_step, 0)
            room[j] = g[j] + decay * taken // SCALE
            if room[j] < 0:
                room[j] = g[j]
                end = j + side
                break
            if taken:
                amounts[j, j + side * per_step] = taken
        ends.append(end)
    high, low = ends
    owed = {i: -(g[i] * SCALE // decay) if g[i] < 0 else 0 for i in range(low + 1, high)}
    for takers, payers in (
        (range(min(high + per_step - 1, last), high - 1, -1), range(high - 1, low, -1)),
        (range(max(low - per_step + 1, first), low + 1), range(low + 1, high)),
    ):
        payers_left = [i for i in payers if owed[i] > 0]
        for j in takers:
            while room[j] > 0 and payers_left and abs(j - payers_left[0]) <= per_step:
                i = payers_left[0]
                amount = min(room[j], owed[i])
                amounts[i, j] = amounts.get((i, j), 0) + amount
                room[j] -= amount
                owed[i] -= amount
                if not owed[i]:
                    payers_left.pop(0)
    if any(owed.values()):
        return None
    return LimitCertificate(alpha, epsilon, value, per_step, first, last, amounts)


def _range(
    alpha: Fraction, epsilon: Fraction, value: Fraction, per_step: int, growth: Fraction
) -> tuple[int, int]:
    """Cells far enough out that what lies beyond matters little, and that g ≥ V at both ends."""
    step, a = log(float(growth)), float(alpha)
    decay = float(epsilon) - log(1 + a)
    steps = min(400, int(14 / decay) + 2) if decay > 0 else 40
    up = log(1 + a * float(value)) / step + 2
    room = 1 - a * float(value)
    down = -log(room) / step + 2 if room > 0 else up
    outwards = min(400, int(14 / float(epsilon)) + 2) * per_step
    return -int(down) - outwards, int(up) + steps * per_step
