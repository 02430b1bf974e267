"""No mechanism has a smaller limit of its error: a certificate, and the check of it in whole numbers.

A certificate is about cells of u = ln(o/n), o an output for n workers. Let w be their width, F_i the
probability of cell i, g(u) = |e^u − 1|/α, and G_i at most the least value of g − V on cell i. It is a finite
list of amounts m_ij ≥ 0, |i − j| ≤ s, with
    G_j ≥ Σ_i m_ij − q·Σ_k m_jk   for every listed cell j, and G_j ≥ 0 for every other cell.
"""

from dataclasses import dataclass
from fractions import Fraction

from establish.proofs_check.engine.rules.rule import by_certificate, rule
from establish.proofs_check.engine.statements.limits import NoLimitBelow
from establish.proofs_check.engine.verdicts import Evidence

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


def excesses(alpha: Fraction, value: Fraction, growth: Fraction, first: int, last: int) -> list[int]:
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
        if amount < 0 or abs(i - j) > c.per_step or not (c.first <= min(i, j) and max(i, j) <= c.last):
            return False
        out[i - c.first] += amount
        into[j - c.first] += amount
    ends = listed[0] >= 0 and listed[-1] >= 0  # g grows in both directions
    return ends and all(
        g * SCALE >= more * SCALE - decay * less for g, more, less in zip(listed, into, out, strict=True)
    )


def given_up(certificate: LimitCertificate, delta: Fraction) -> Fraction:
    """e^(−ε)·δ·Σ_d max_j m_(j−d)j or a little more, as 1 + ε + ε²/2 + … ≤ e^ε."""
    largest: dict[int, int] = {}
    for (i, j), amount in certificate.amounts.items():
        largest[j - i] = max(largest.get(j - i, 0), amount)
    total = term = Fraction(1)
    for k in range(1, 41):
        term *= certificate.epsilon / k
        total += term
    return delta * Fraction(sum(largest.values()), SCALE) / total


@rule
def within_windows(statement: NoLimitBelow, certificate: LimitCertificate) -> Evidence:
    """Let P_n be private, L = ln(1+α), and f the density of an output as a function of u = ln(o/n), for all n
    at once. (Outputs of at most 0 may be taken as a tiny positive number, which only helps.) Counts with
    |ln n − ln n'| ≤ L are neighbors, so f(u) ≤ e^ε·f(v) wherever |u − v| ≤ L. Cells of width w with s·w < L
    then have F_j ≥ q·F_i for |i − j| ≤ s and q ≤ e^(−ε), so that the sum of G_j·F_j over the listed cells is
    at least Σ m_ij·(F_j − q·F_i) ≥ 0. Take P_n at n = e^t for t in a window of length T, and its end values
    beyond: that is still private. Let G be the function of the listed cells and 0 elsewhere, so G ≤ g − V,
    with c = ∫|G| finite. For each output ∫ f·G ≥ 0; integrated over all outputs, ∫ E G(ln o − t) dt ≥ 0, to
    which what lies outside of the window contributes at most 2c. So the mean of E|o − n|/(αn) over the
    window is at least V − 2c/T, for every T. (Whole sizes: read P at ⌊e^t⌋; for large t the neighbors of
    ⌊e^t⌋ reach ⌊e^(t + s·w)⌋, as s·w < L strictly.)
    """
    about = statement.delta == 0 and _about(statement, certificate)
    enough = about and certificate.value >= statement.value and verified(certificate)
    return by_certificate(statement, enough, "within_windows")


@rule
def within_windows_with_delta(statement: NoLimitBelow, certificate: LimitCertificate) -> Evidence:
    """As `within_windows`, with P_n(S) ≤ e^ε·P_m(S) + δ. Integrated over outputs and over t, a term
    m_ij·(F_j − q·F_i) is m_ij times P_n(E_j) − q·P_n'(E_j), where E_j are the outputs with ln(o/n) in cell j,
    and ln(n'/n) = (j − i)·w. For the amounts of one difference d = j − i the E_j are disjoint, and P_n(E) ≥
    e^(−ε)·(P_n'(E) − δ) for their unions. A sum with weights between 0 and their maximum is that maximum
    times a mean of sums over such unions: the sum over j is at least −e^(−ε)·δ·max_j m_(j−d)j. Beyond the
    window n and n' have one law, and nothing is lost but near its ends. So the mean over it is at least
    V − e^(−ε)·δ·Σ_d max_j m_(j−d)j, less a constant over T.
    """
    lower = certificate.value - given_up(certificate, statement.delta)
    enough = _about(statement, certificate) and lower >= statement.value and verified(certificate)
    return by_certificate(statement, enough, "within_windows_with_delta")


def _about(statement: NoLimitBelow, certificate: LimitCertificate) -> bool:
    return (statement.alpha, statement.epsilon) == (certificate.alpha, certificate.epsilon)
