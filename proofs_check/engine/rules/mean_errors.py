"""No mechanism has a smaller mean error over small counts: a certificate, checked in whole numbers."""

from dataclasses import dataclass
from fractions import Fraction

from establish.proofs_check.engine.rules.limits import SCALE, least_decay
from establish.proofs_check.engine.rules.rule import by_certificate, rule
from establish.proofs_check.engine.statements.mean_errors import NoMeanErrorBelow
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import EXACT
from establish.spec.relations.growth import growth_bound, largest_growth


@dataclass(frozen=True)
class MeanCertificate:
    """Amounts m_o(i, j) ≥ 0 by (o, i, j), times SCALE, for outputs and counts from 0 to ``most``."""

    alpha: Fraction
    epsilon: Fraction
    most: int
    amounts: dict[tuple[int, int, int], int]


def shown_by(certificate: MeanCertificate) -> Fraction | None:
    """The mean error that the certificate shows to be necessary; None where an amount is none of those.

    For every n it is the least, over the outputs o, of |o − n|/max(αn, 1) − Σ_i m_o(i, n) + q·Σ_j m_o(n, j),
    and of these the mean.
    """
    c = certificate
    counts, decay = range(c.most + 1), least_decay(c.epsilon)
    reach = [n + largest_growth(n, c.alpha) for n in counts]
    moved = [[0] * len(counts) for _ in counts]
    for (o, i, j), amount in c.amounts.items():
        low, high = min(i, j), max(i, j)
        if amount < 0 or not (0 <= low < high <= c.most and 0 <= o <= c.most) or high > reach[low]:
            return None
        moved[o][j] -= amount * SCALE
        moved[o][i] += amount * decay
    total = Fraction(0)
    for n in counts:
        unit = Fraction(growth_bound(n, c.alpha, EXACT))
        total += min(abs(o - n) / unit + Fraction(moved[o][n], SCALE**2) for o in counts)
    return total / len(counts)


@rule
def by_amounts(statement: NoMeanErrorBelow, certificate: MeanCertificate) -> Evidence:
    """Let P_n be private, w_n = 1/max(αn, 1), and q ≤ e^(−ε). The laws have densities p_n(o) with respect to
    one measure, and neighbors have p_j ≥ q·p_i almost everywhere. So for a whole o from 0 to N the sum of
    m_o(i, j)·(p_j − q·p_i) is at least 0, whatever the amounts m_o ≥ 0 of pairs of neighbors are: with y_n
    at most what the certificate names for o, Σ_n (w_n·|o − n| − y_n)·p_n ≥ 0 for any p ≥ 0 that meets those
    inequalities. Between two whole outputs w_n·|o − n| is linear in o for every n, and beyond 0 and N it is
    larger than there, so that the same holds at every real o. Integrated over o, Σ_n w_n·E|X − n| ≥ Σ_n y_n.
    """
    fits = (statement.alpha, statement.epsilon, statement.most) == (
        certificate.alpha,
        certificate.epsilon,
        certificate.most,
    )
    shown = shown_by(certificate) if fits else None
    enough = shown is not None and shown >= statement.value
    return by_certificate(statement, enough, "by_amounts")
