"""A reviewer's file whose checks settle nothing."""

from establish import Evidence, Grade, Verdict, claim, holds


@claim("hard/raises", where="Section 1", says="Division works.")
def raises() -> Verdict:
    """Divide."""
    return holds(Evidence("1/0 exists", bool(1 / 0), Grade.STEPS, "division"))


@claim("hard/open", where="Section 2", says="Nobody knows.")
def undecided() -> Verdict:
    """Guess."""
    return holds(Evidence("x > 0", None, Grade.STEPS, "guess", witness="x = 0"))
