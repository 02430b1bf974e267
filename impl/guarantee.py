"""What a released table satisfies: what theorems grant at the parameters, in the words of the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from establish.spec.policies import POLICIES

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


@dataclass(frozen=True)
class Grant:
    """What a theorem grants to a mechanism at all its parameters, as its certificate carries it.

    calibration: of the mechanism. neighbors, queries: one of KINDS. level, delta: multiples of parameters
    that add up, as {"epsilon": "1"}; delta is empty for pure privacy. theorems: the claims whose objects they
    are. digest: sha256 of what those objects say. joined: the argument by which several claims give it; empty
    where one object says it.
    """

    calibration: str
    neighbors: str
    queries: str
    level: Mapping[str, str]
    delta: Mapping[str, str]
    theorems: tuple[str, ...]
    digest: str
    joined: str = ""

    @staticmethod
    def parse(data: Mapping[str, Any]) -> Grant:
        """What a certificate says. Raises TypeError, KeyError or ValueError when it is none."""
        read = Grant(**{**data, "theorems": tuple(data["theorems"])})
        if read.kind not in KINDS:
            raise ValueError
        for multiple in (*read.level.values(), *read.delta.values()):
            Fraction(multiple)
        return read

    @property
    def kind(self) -> tuple[str, str]:
        return self.neighbors, self.queries

    def at(self, parameters: Mapping[str, Any], scope: str = "") -> Guarantee:
        """The guarantee at exact parameters. scope: what the mechanism says of it, where it says so.

        Raises KeyError for a parameter that is missing.
        """
        words = KINDS[self.kind]
        given = {
            **parameters,
            "level": total(self.level, parameters),
            "multiple": "".join(value for value in self.level.values() if value != "1"),
            "slack": f", δ = {total(self.delta, parameters)}" if self.delta else "",
            "symbols": "(α, ε, δ)" if self.delta else "(α, ε)",
        }
        return Guarantee(words.definition.format(**given), words.applies_to, scope or words.scope)


def total(multiples: Mapping[str, str], parameters: Mapping[str, Any]) -> Fraction:
    """Σ multiple·parameter, exact."""
    terms = (Fraction(m) * Fraction(str(parameters[name])) for name, m in multiples.items())
    return sum(terms, Fraction(0))


class Words(NamedTuple):
    """One definition in the words of the record, with what :meth:`Grant.at` fills in."""

    definition: str
    applies_to: str
    scope: str


KINDS = {
    ("strong", "establishment"): Words(
        "strong {symbols}-ER-EE privacy with α = {alpha}, ε = {level}{slack}",
        "cells formed by establishment attributes only, counting all workers in them",
        _TABLE.format(unit="an establishment"),
    ),
    ("weak", "worker"): Words(
        "weak {symbols}-ER-EE privacy with α = {alpha}, ε = {level}{slack}",
        "a cell that counts some workers only, by their attributes",
        _TABLE.format(unit="an establishment"),
    ),
    ("node", "establishment"): Words(
        "node differential privacy with ε = {level}{slack}",
        "cells formed by establishment attributes only; a cell that is also formed by worker "
        "attributes costs as much again",
        _TABLE.format(unit="an establishment"),
    ),
    ("edge", "worker"): Words(
        "edge differential privacy with ε = {level}{slack}",
        "any cells; hides whether one job is present, not the size of an establishment",
        _TABLE.format(unit="a job"),
    ),
    ("record", "presence"): Words(
        "differential privacy with {multiple}ε = {level}",
        "neighbors that differ in the presence of one person's record",
        "",
    ),
    ("record", "change"): Words(
        "differential privacy with {multiple}ε = {level}",
        "neighbors that differ in one person's earnings or cell (one record removed, one added)",
        "",
    ),
    ("establishment", "sum"): Words(
        "Gaussian establishment differential privacy with ψ = {psi}, γ = {gamma}, μ = {level}",
        "neighbors that differ in one establishment, by at most γ in ψ of this attribute",
        "The establishments and their public attributes, and so the groups, are taken as public. The "
        "budgets of several queries and attributes add up as root of the sum of squares, and so do "
        "those of several releases.",
    ),
    **{
        ("establishment", policy): Words(
            "per-record zero-concentrated privacy, where an establishment with x jobs costs ρ(x) = {level}·"
            + policy,
            "cells formed by establishment attributes only, counting all workers in them",
            _TABLE.format(unit="an establishment"),
        )
        for policy in POLICIES
    },
}
"""By neighbors and queries: Haney et al. 2017, Definitions 7.2 and 7.4, or 9.1 with δ; 2.2 where neighbors
differ in an establishment, and where they differ in one job (Section 6); Foote et al. 2019, Section 2; Webb
et al. 2025, Definition 5.6, for one query on one confidential attribute; Seeman et al. 2024, by policies."""

DEFINITIONS: Mapping[str, tuple[str, str]] = {
    "weak-er-ee": ("weak", "worker"),
    "strong-er-ee": ("strong", "establishment"),
    "edge-dp": ("edge", "worker"),
    "node-dp": ("node", "establishment"),
    "record-dp": ("record", "presence"),
    "gedp": ("establishment", "sum"),
}
"""What a mechanism must be granted to answer queries under a definition of budgets, by its name. The first
that is granted is what the budget of one table is kept for: it may be about some workers only."""


LARGEST_POLICY = "x²"
"""Every other policy is at most this one at whole sizes."""


def policy_of(grants: Iterable[Grant]) -> str:
    """By which policy a table is charged: the one that is granted, or the largest, where none is."""
    return next((grant.queries for grant in grants if grant.queries in POLICIES), LARGEST_POLICY)


def guarantees(
    grants: Iterable[Grant], calibration: str, parameters: Mapping[str, Any], scope: str = ""
) -> tuple[Guarantee, ...]:
    """What is granted to a mechanism at this calibration and these parameters."""
    return tuple(g.at(parameters, scope) for g in grants if g.calibration == calibration)
