"""Pairs of query answers on which published tools compare themselves, and the ε that is claimed there.

A dataset is a tuple of answers, each of which may change by 1 (Ding et al. 2018, Table 2: one above, one
below, one above and the rest below, one below and the rest above, half and half, all above, X shape).
"""

from fractions import Fraction

from establish.proofs_check.audit.question.custom import custom
from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.result import Pair

EPSILON = Fraction(1, 10)
"""What every mechanism of the suite claims."""

MAXIMA, THRESHOLDED = 5, 10
"""Answers that a noisy maximum, and a sparse vector, is given in the published runs."""


def patterns(answers: int) -> tuple[Pair, ...]:
    """The pairs for so many answers."""
    half = answers // 2
    ones, rest = (1,) * answers, answers - 1
    moved = (
        (2, *(1,) * rest),
        (0, *(1,) * rest),
        (2, *(0,) * rest),
        (0, *(2,) * rest),
        (2,) * half + (0,) * (answers - half),
        (2,) * answers,
        (0,) * answers,
    )
    crossed = (1,) * half + (0,) * (answers - half), (0,) * half + (1,) * (answers - half)
    return (*((ones, other) for other in moved), crossed)


def one_answer_moves(answers: int) -> tuple[Pair, ...]:
    """The pairs for a histogram, where one record changes one count."""
    return patterns(answers)[:2]


def claimed(pairs: tuple[Pair, ...], name: str) -> AuditDefinition:
    """ε-indistinguishability on these pairs."""
    return custom(pairs, EPSILON, name=name)
