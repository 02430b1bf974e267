"""The losses and definitions that claims about a budget go through, one by one."""

from fractions import Fraction

from establish.spec.composition import Attribute, DifferentialPrivacy, ErEe, Gedp

PLACE = "What spends a budget"
"""Where the claims stand in the table."""

PARTS = tuple(map(Fraction, ("0", "1/100", "1/10", "1/2")))
"""Values of ε, of δ and of μ²."""


_ATTRIBUTES = (
    Attribute.of("jobs", "sqrt", "1/2", "3/8"),
    Attribute.of("jobs", "log", 2, 1),
    Attribute.of("jobs", "identity", 3),
    Attribute.of("wages", "log", "1/10"),
)

DEFINITIONS: tuple[DifferentialPrivacy | ErEe | Gedp, ...] = (
    DifferentialPrivacy("edge-dp"),
    DifferentialPrivacy("node-dp"),
    DifferentialPrivacy("record-dp"),
    DifferentialPrivacy("record-dp", 3),
    ErEe.of("strong-er-ee", "1/10"),
    ErEe.of("weak-er-ee", "1/10"),
    ErEe.of("weak-er-ee", 1),
    *(Gedp.of([attribute]) for attribute in _ATTRIBUTES),
    Gedp.of([_ATTRIBUTES[3], _ATTRIBUTES[0]]),
)
"""Definitions of every kind."""
