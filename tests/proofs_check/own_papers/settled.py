"""A reviewer's file: one claim holds, one fails."""

from establish import Evidence, Grade, Verdict, claim, fails, holds


def shown(says: str) -> Evidence:
    return Evidence(says, True, Grade.STEPS, "arithmetic")


@claim("mine/sum", where="Section 2, Lemma 2.1", says="Two and two\n are [bold]four[/bold].")
def sum_of_twos() -> Verdict:
    """Count them."""
    return holds(shown("2 + 2 = 4"), value="4")


@claim("mine/order", where="Section 1", says="Every number is below three.")
def order() -> Verdict:
    """Try three."""
    return fails(shown("3 is not below 3"), counterexample="3 < 3 is false")
