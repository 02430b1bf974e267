"""Normal noise on a transformed total, f(q + o) + N(0, s²), f concave and o ≥ 0 an offset (Finley et al.
2024): its per-record policy, and what estimates the total without bias.

A record that adds x to a total q ≥ 0 moves the answer by f(q + x + o) − f(q + o), at most by f(x + o) − f(o).
The formulas take numbers of a world.
"""

from collections.abc import Callable

from establish.spec.arithmetic import Number, World

Transformation = Callable[[Number, World], Number]


def root(x: Number, c: World) -> Number:
    """√x, for x ≥ 0."""
    return c.sqrt(c.number(x))


def fourth_root(x: Number, c: World) -> Number:
    """x^(1/4), for x ≥ 0."""
    return c.sqrt(c.sqrt(c.number(x)))


def logarithm(x: Number, c: World) -> Number:
    """ln x, for x > 0."""
    return c.log(c.number(x))


def identity(x: Number, c: World) -> Number:
    """x itself: normal noise on the total."""
    return c.number(x)


def policy(f: Transformation, x: Number, offset: Number, sd: Number, c: World) -> Number:
    """(f(x + o) − f(o))²/(2s²), the ρ of a record that adds x ≥ 0 to a total, for an f that is concave."""
    return loss(f, c.number(0), x, offset, sd, c)


def loss(f: Transformation, total: Number, x: Number, offset: Number, sd: Number, c: World) -> Number:
    """(f(q + x + o) − f(q + o))²/(2s²), the ρ of a record that adds x ≥ 0 to the total q ≥ 0."""
    start = c.number(total) + c.number(offset)
    return c.power(f(start + c.number(x), c) - f(start, c), 2) / (2 * c.power(sd, 2))


def unbiased_from_fourth_root(answer: Number, sd: Number, c: World) -> Number:
    """ω⁴ − 6s²ω² + 3s⁴, whose mean is the total plus the offset where ω has its fourth root as mean."""
    square, variance = c.power(answer, 2), c.power(sd, 2)
    return square * square - 6 * variance * square + 3 * variance * variance


def variance_from_fourth_root(x: Number, sd: Number, c: World) -> Number:
    """16s²x^(3/2) + 72s⁴x + 96s⁶√x + 24s⁸, the variance of that estimate of x > 0."""
    r, v = c.sqrt(x), c.power(sd, 2)
    return 16 * v * r * r * r + 72 * v * v * r * r + 96 * v * v * v * r + 24 * v * v * v * v
