"""Table 2: the least ε of Algorithm 3 at given α and δ."""

from fractions import Fraction

from establish import Outcome, Verdict, claim, enclosure, exact, fails, holds_loosely, misprint
from establish.proofs_check.engine.rules import fixed, fixed_at
from establish.proofs_check.engine.statements import AtMost, Comparison, Printed
from establish.proofs_check.engine.statements.printed import PrintedNumber
from establish.proofs_check.papers.haney2017.exact_delta import STRONG, exact_delta_evidence
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.mechanisms import smooth_laplace

LOOSE, STRICT, MEANT = Fraction(1, 20), Fraction(1, 2000), Fraction(1, 200)
"""The two printed values of δ, .05 and 5·10⁻⁴, and the δ = .005 that fits the first column."""

ENTRIES: tuple[tuple[Fraction, Fraction, str], ...] = (
    (LOOSE, Fraction(1, 100), "0.105"),
    (LOOSE, Fraction(1, 10), "1.01"),
    (LOOSE, Fraction(1, 5), "1.932"),
    (STRICT, Fraction(1, 100), "0.15"),
    (STRICT, Fraction(1, 10), "1.45"),
    (STRICT, Fraction(1, 5), "2.13"),
)
"""δ, α and the printed least ε."""


def least(alpha: Fraction, delta: Fraction) -> enclosure.Constant:
    """2·ln(1/δ)·ln(1+α), the least ε that Algorithm 3's condition allows."""
    return lambda c: smooth_laplace.least_epsilon(alpha, delta, c)


def _value(alpha: Fraction, delta: Fraction) -> str:
    with enclosing():
        return enclosure.digits(least(alpha, delta)(ARB))


def _printed(printed: str, alpha: Fraction, delta: Fraction) -> PrintedNumber:
    return Printed(lambda c: smooth_laplace.least_epsilon(alpha, delta, c), printed)


FIRST_COLUMN = tuple((alpha, printed) for delta, alpha, printed in ENTRIES if delta == LOOSE)
AT_LOOSE, AT_MEANT = (
    tuple(_printed(printed, alpha, delta) for alpha, printed in FIRST_COLUMN) for delta in (LOOSE, MEANT)
)


@claim(
    "haney2017/table-2/d.05",
    where="Appendix C, Table 2",
    says="At δ = .05 the least ε is .105 at α = .01, 1.01 at α = .10 and 1.932 at α = .20.",
    states=AT_LOOSE,
    meant=AT_MEANT,
)
def first_column_is_that_of_another_delta() -> Verdict:
    """The least ε is 2·ln(1/δ)·ln(1+α). The three entries agree to their printed digits with δ = .005."""
    found, meant = ([_value(alpha, delta) for alpha, _ in FIRST_COLUMN] for delta in (LOOSE, MEANT))
    return misprint(
        *map(exact.refuted, AT_LOOSE),
        *map(exact.decided, AT_MEANT),
        reading=f"δ = .005: {', '.join(meant)}",
        reading_is=Outcome.HOLDS,
        counterexample="; ".join(
            f"2·ln(20)·ln({float(1 + alpha):g}) = {value}, not {printed}"
            for (alpha, printed), value in zip(FIRST_COLUMN, found, strict=True)
        ),
        value=", ".join(found),
    )


def _allows(alpha: Fraction, delta: Fraction, printed: str) -> Comparison:
    """Algorithm 3's condition on a triple of the table."""
    return AtMost(
        left=lambda c: smooth_laplace.least_epsilon(alpha, delta, c),
        right=lambda c: c.number(Fraction(printed)),
    )


WORKING = tuple(_allows(alpha, delta, printed) for delta, alpha, printed in ENTRIES)
SECOND_COLUMN = tuple(_printed(printed, alpha, delta) for delta, alpha, printed in ENTRIES if delta == STRICT)


@claim(
    "haney2017/table-2/d5e-4",
    where="Section 9 and Appendix C, Table 2",
    says="At δ = 5·10⁻⁴ the least ε is .15 at α = .01, 1.45 at α = .10 and 2.13 at α = .20; the six triples "
    "(δ, α, ε) of the table satisfy the condition of Algorithm 3.",
    states=(*SECOND_COLUMN, *WORKING),
)
def last_entry_violates_the_condition() -> Verdict:
    """The condition 1+α ≤ e^(ε/(2·ln(1/δ))) gives the least ε = 2·ln(1/δ)·ln(1+α). At α = .2 no reading
    that we tried gives the printed number. The first column is far above its least ε; .15 and 2.13 lie below
    theirs, .15126, which is rounded down, and 2.7716.
    """
    least_ones = [_value(alpha, delta) for delta, alpha, _ in ENTRIES if delta == STRICT]
    return fails(
        *map(exact.decided, SECOND_COLUMN[:2]),
        exact.refuted(SECOND_COLUMN[2]),
        exact.refuted(WORKING[3]),
        exact.refuted(WORKING[5]),
        counterexample=f"2·ln(2000)·ln(1.2) = {least_ones[2]}, not 2.13, so that ε = 2.13 does not meet the "
        f"condition at α = .2; nor does ε = .15 < {least_ones[0]} at α = .01, by rounding",
        value=", ".join(least_ones),
    )


AT_ENTRIES = tuple((alpha, Fraction(printed), delta) for delta, alpha, printed in ENTRIES)
"""α, ε and δ of each entry."""


@claim(
    "haney2017/table-2/private-anyway",
    where="Section 9 and Appendix C, Table 2",
    says="At the six triples of Table 2, Algorithm 3 is (α, ε, δ)-ER-EE private.",
    states=tuple(fixed(STRONG, *at) for at in AT_ENTRIES),
    origin="implied",
)
def all_entries_are_private() -> Verdict:
    """By the exact δ* of Algorithm 3 (haney2017/alg-3-exact), all six are private with room, also the two
    that violate the printed condition: the largest δ* is at α = .2, ε = 2.13.
    """
    with enclosing():
        worst = enclosure.digits(smooth_laplace.exact_delta(Fraction(1, 5), Fraction("2.13"), ARB))
    private, _ = exact_delta_evidence()
    return holds_loosely(*(fixed_at(STRONG, at, private) for at in AT_ENTRIES), value=worst)
