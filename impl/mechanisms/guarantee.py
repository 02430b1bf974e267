"""What a released table satisfies, in the words of the sidecar."""

from __future__ import annotations

from dataclasses import dataclass

_TABLE = (
    "The rows must be disjoint cells: {unit} appears in one row only. Where rows overlap, and over "
    "several releases, the privacy losses add up. The labels, the choice of rows and their order "
    "are taken as public."
)


@dataclass(frozen=True)
class Guarantee:
    """One privacy definition, where it is satisfied, and the scope of the statement."""

    definition: str
    applies_to: str
    scope: str


def employer_employee(parameters: str) -> tuple[Guarantee, ...]:
    """Haney et al. 2017, Definitions 7.2 and 7.4, or 9.1 when ``parameters`` names δ."""
    symbols = "(α, ε, δ)" if "δ" in parameters else "(α, ε)"
    scope = _TABLE.format(unit="an establishment")
    return (
        Guarantee(
            f"strong {symbols}-ER-EE privacy with {parameters}",
            "cells formed by establishment attributes only, counting all workers in them",
            scope,
        ),
        Guarantee(
            f"weak {symbols}-ER-EE privacy with {parameters}",
            "a cell that counts some workers only, by their attributes",
            scope,
        ),
    )


def node(parameters: str) -> tuple[Guarantee, ...]:
    """Haney et al. 2017, Definition 2.2 where neighbors differ in an establishment (Section 6)."""
    return (
        Guarantee(
            f"node differential privacy with {parameters}",
            "cells formed by establishment attributes only; a cell that is also formed by worker "
            "attributes costs as much again",
            _TABLE.format(unit="an establishment"),
        ),
    )


def edge(parameters: str) -> tuple[Guarantee, ...]:
    """Haney et al. 2017, Definition 2.2 where neighbors differ in one job (Section 6)."""
    return (
        Guarantee(
            f"edge differential privacy with {parameters}",
            "any cells; hides whether one job is present, not the size of an establishment",
            _TABLE.format(unit="a job"),
        ),
    )


def establishment(parameters: str) -> tuple[Guarantee, ...]:
    """Webb et al. 2025, Definition 5.6, for one query on one confidential attribute."""
    return (
        Guarantee(
            f"Gaussian establishment differential privacy with {parameters}",
            "neighbors that differ in one establishment, by at most γ in ψ of this attribute",
            "The establishments and their public attributes, and so the groups, are taken as public. The "
            "budgets of several queries and attributes add up as root of the sum of squares, and so do "
            "those of several releases.",
        ),
    )
