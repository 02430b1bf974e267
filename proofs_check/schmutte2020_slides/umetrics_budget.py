"""UMETRICS employee reports: budgets over years, statistics and universities, per person."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import z3

from establish.proofs_check.methods import exact, solver
from establish.proofs_check.register import claim
from establish.proofs_check.schmutte2020_slides.groups import no_level_suffices, tail_log_ratio
from establish.proofs_check.schmutte2020_slides.laplace_noise import coin, jointly
from establish.proofs_check.verdicts import (
    Evidence,
    Verdict,
    holds,
    ill_posed,
)
from establish.spec.indistinguishability import likelihood_ratio_bound
from establish.spec.regression.mose import envelope


def losses_add_up() -> Evidence:
    """One more release of the same person multiplies the bound by its e^ε."""
    p, q, total, r, s, c = z3.Reals("p q total r s c")
    return solver.for_all(
        [p >= 0, q >= 0, r >= 0, s >= 0, total >= 1, c >= 1, p <= total * q, r <= c * s],
        p * r <= (total * c) * (q * s),
        "one more release multiplies the bound by its own e^ε",
    )


def _report_loss(levels: list[Fraction]) -> Fraction:
    """e^loss between a person's absence and presence in every release of the given e^ε."""
    present = jointly(*(coin(c, True) for c in levels))
    absent = jointly(*(coin(c, False) for c in levels))
    return Fraction(likelihood_ratio_bound(present, absent))


@claim(
    "schmutte2020_slides/umetrics-budget",
    where="Slides, UMETRICS, Privacy Analysis",
    says="The total privacy loss of the report of university s is ε^s = Σ_t (ε_emp,t + ε_earn,t).",
)
def report_costs_the_sum_over_years() -> Verdict:
    """Neighbors differ in a whole history. In year t the person is in one cell, so all cells of the year cost
    ε_emp,t + ε_earn,t (parallel over cells, sequential over the two statistics), and the years add up. It is
    attained by a person who works in every year. It is a loss only if both releases of every year are
    private; see umetrics-budget/mose.
    """
    levels = [Fraction(2), Fraction(3), Fraction(2), Fraction(5)]
    return holds(
        losses_add_up(),
        exact.compare(
            _report_loss(levels),
            "==",
            prod(levels),
            "e^ε = 2, 3 in year 1 and 2, 5 in year 2: e^loss",
        ),
        value="Σ_t (ε_emp,t + ε_earn,t), attained",
        condition="each release private for one person's record of the year; one cell per person and year; "
        "independent coins",
    )


@claim(
    "schmutte2020_slides/umetrics-budget/universities",
    where="Slides, UMETRICS, Desired outputs (one table per University) and Privacy Analysis",
    says="Each person's loss from all reports is that of one university's report.",
)
def people_may_be_at_several_universities() -> Verdict:
    """If nobody is in the files of two universities the reports compose in parallel, with max_s ε^s. A
    graduate student of one university who becomes a postdoc at another is in both, and loses the sum of both:
    per person it is the sum over that person's universities.
    """
    reports = [Fraction(2) * 3, Fraction(2) * 5]
    return ill_posed(
        losses_add_up(),
        exact.compare(
            _report_loss(reports),
            ">",
            max(reports),
            "e^(ε^s) = 6 and 10: e^loss of a person in both",
        ),
        exact.compare(_report_loss(reports), "==", 60, "which is 6·10"),
        condition="nobody is in the files of two universities",
        counterexample="e^(ε^s) = 6 and 10: a person in both files loses e^ε = 60 > 10",
        value="Σ of ε^s over the universities of the person",
    )


def mean_release(outcomes: list[int]) -> tuple[Fraction, Fraction]:
    """Mean of one cell, and the scale of MOSE at ε = 1: legal outcomes 0 and 1, one person more or less."""
    rests = [outcomes[:i] + outcomes[i + 1 :] for i in range(len(outcomes))]
    neighbors = [[*outcomes, 0], [*outcomes, 1], *rests]
    here = Fraction(sum(outcomes), len(outcomes))
    local = max(abs(Fraction(sum(other), len(other)) - here) for other in neighbors)
    return here, envelope(len(outcomes) * local, len(outcomes))


@claim(
    "schmutte2020_slides/umetrics-budget/mose",
    where="Slides, UMETRICS, Methods and Privacy Analysis",
    says="ε^s is a privacy loss although average earnings are released by modified MOSE.",
)
def earnings_by_mose_have_no_loss_bound() -> Verdict:
    """The sum is over losses, and MOSE has none if χ and the cell's size come from the data. For a mean: two
    people with the least outcome have local sensitivity 1/3, three 1/4: scales 1/(3ε) and 1/(4ε), and the
    tails tell them apart at every level. The modification and its 'upper bound' are not printed.
    """
    wide, narrow = mean_release([0, 0]), mean_release([0, 0, 0])
    return ill_posed(
        exact.compare(
            tail_log_ratio(wide, narrow, Fraction(2)), ">", 1, "ε = 1: ln P(Y>2)/P'(Y>2)"
        ),
        no_level_suffices(),
        losses_add_up(),
        condition="the modified MOSE is ε_earn,t-private, for example with public scales that bound "
        "every dataset",
        counterexample="outcomes 0, 0 and 0, 0, 0, ε = 1: P(Y > t) = ½·e^(−3t) against ½·e^(−4t), ratio e^t",
        value="∞ with MOSE as published",
    )
