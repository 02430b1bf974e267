"""Whether a printed decimal is the rounding of a number that other printed numbers determine."""

from fractions import Fraction

from establish import Evidence, exact


def half_unit(printed: str) -> Fraction:
    """Half a unit of the last printed digit: 1/200 for 1.22, 1/2 for 364."""
    decimals = len(printed.partition(".")[2])
    return Fraction(1, 2 * 10**decimals)


def root_rounds(square: Fraction, printed: str, says: str) -> Evidence:
    """Evidence that the root of ``square`` lies within half a unit of the printed number."""
    middle, half = Fraction(printed), half_unit(printed)
    below = square < middle**2
    end = middle - half if below else middle + half
    return exact.compare(
        square,
        ">=" if below else "<=",
        end**2,
        f"{says} is the root of {square}, {printed} rounded: against the square of {end}",
    )
