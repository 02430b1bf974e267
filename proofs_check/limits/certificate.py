"""How a certificate for the least error of any mechanism is found; `engine.rules.limits` checks it."""

from fractions import Fraction
from math import log

from establish.proofs_check.engine.rules.limits import SCALE, LimitCertificate, excesses, least_decay, ratio


def built(alpha: Fraction, epsilon: Fraction, value: Fraction, per_step: int) -> LimitCertificate | None:
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
