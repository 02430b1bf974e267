"""The generator of Webb et al. 2025, Appendix A: as published, line by line, and as corrected.

Every random draw is an argument, so that each algorithm is a function of exact rationals. Where a published
line reads what no line has set, the function as published raises UnsetError.
"""


class UnsetError(LookupError):
    """A published line reads a variable that no earlier line has set."""
