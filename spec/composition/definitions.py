"""The privacy definitions that a budget can be kept for, with the parameters that they fix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from establish.spec.parameters import ParameterError, Rational, nonnegative, positive

UNITS = {
    "edge-dp": "the presence of one job (Haney et al. 2017, Section 6)",
    "node-dp": "the workforce of one establishment (Haney et al. 2017, Section 6)",
    "record-dp": "the records of one person, present or absent (Foote et al. 2019, Section 2)",
}
"""What neighbors differ in, by the name of the definition."""

STRENGTHS = ("strong-er-ee", "weak-er-ee")
"""(α, ε, δ)-ER-EE privacy for strong and for weak α-neighbors (Haney et al. 2017, 7.2, 7.4, 9.1)."""

PSI = ("sqrt", "log", "identity")
"""The neighbor functions √(x+a), ln(x+a) and x, by the names of
:func:`establish.spec.neighbor_functions.named.neighbor_function`."""


@dataclass(frozen=True)
class DifferentialPrivacy:
    """Differential privacy for one of UNITS. ``records``: the most records that one person has."""

    name: str
    records: int = 1

    def __post_init__(self) -> None:
        if self.name not in UNITS:
            raise ParameterError(f"definition = {self.name} is not known: use {', '.join(UNITS)}")
        if isinstance(self.records, bool) or not isinstance(self.records, int) or self.records < 1:
            raise ParameterError(
                f"records_per_person = {self.records} is not allowed: a whole number of at least 1"
            )
        if self.records > 1 and self.name != "record-dp":
            raise ParameterError(f"records_per_person is not used by {self.name}")

    def record(self) -> dict[str, object]:
        """For JSON; two definitions are equal when these are."""
        extra = {"records_per_person": self.records} if self.name == "record-dp" else {}
        return {"definition": self.name, **extra}

    def __str__(self) -> str:
        several = f" of up to {self.records} records" if self.records > 1 else ""
        return f"differential privacy for {UNITS[self.name]}{several}"


@dataclass(frozen=True)
class ErEe:
    """Strong or weak ER-EE privacy with one α > 0 for all releases."""

    name: str
    alpha: Fraction

    @classmethod
    def of(cls, name: str, alpha: Rational) -> ErEe:
        """From what a user writes. Raises ParameterError for a name not in STRENGTHS, or α ≤ 0."""
        if name not in STRENGTHS:
            raise ParameterError(f"definition = {name} is not known: use {' or '.join(STRENGTHS)}")
        return cls(name, positive("alpha", alpha))

    @property
    def strong(self) -> bool:
        return self.name == "strong-er-ee"

    def record(self) -> dict[str, object]:
        """For JSON; two definitions are equal when these are."""
        return {"definition": self.name, "alpha": str(self.alpha)}

    def __str__(self) -> str:
        return f"{'strong' if self.strong else 'weak'} ER-EE privacy with α = {self.alpha}"


@dataclass(frozen=True)
class Attribute:
    """How one confidential attribute is protected: ψ by its name in PSI, γ > 0, and a ≥ 0 in √(x+a)."""

    name: str
    psi: str
    gamma: Fraction
    shift: Fraction = Fraction(0)

    @classmethod
    def of(cls, name: str, psi: str, gamma: Rational, shift: Rational = 0) -> Attribute:
        """From what a user writes. Raises ParameterError for a ψ not in PSI, γ ≤ 0, a < 0, or x + a."""
        if psi not in PSI:
            raise ParameterError(f"psi = {psi} of {name} is not known: use one of {', '.join(PSI)}")
        a = nonnegative(f"shift of {name}", shift)
        if a and psi == "identity":
            raise ParameterError(f"shift = {shift} of {name} is not used by psi = identity")
        return cls(name, psi, positive(f"gamma of {name}", gamma), a)

    @property
    def function(self) -> str:
        """ψ in words: its name, and its shift if there is one."""
        return f"{self.psi} shifted by {self.shift}" if self.shift else self.psi


@dataclass(frozen=True)
class Gedp:
    """Gaussian establishment privacy (Webb et al. 2025, Definition 5.6) with one ψ and γ an attribute.

    attributes: in the order of their names. A dataset's neighbors may change all of them at once.
    """

    attributes: tuple[Attribute, ...]
    name = "gedp"

    @classmethod
    def of(cls, attributes: Iterable[Attribute]) -> Gedp:
        """Raises ParameterError for no attribute, or one name twice."""
        ordered = tuple(sorted(attributes, key=lambda attribute: attribute.name))
        if not ordered:
            raise ParameterError("gedp needs at least one confidential attribute with its psi and gamma")
        names = [attribute.name for attribute in ordered]
        if len(set(names)) < len(names):
            raise ParameterError(f"the attributes {', '.join(names)} are not distinct")
        return cls(ordered)

    @property
    def by_name(self) -> dict[str, Attribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    def record(self) -> dict[str, object]:
        """For JSON; two definitions are equal when these are."""
        return {
            "definition": self.name,
            "attributes": {
                a.name: {"psi": a.psi, "gamma": str(a.gamma), "shift": str(a.shift)} for a in self.attributes
            },
        }

    def __str__(self) -> str:
        each = ", ".join(f"{a.name} by {a.function} at γ = {a.gamma}" for a in self.attributes)
        return f"Gaussian establishment privacy, {each}"


@dataclass(frozen=True)
class PerRecordConcentrated:
    """Per-record zero-concentrated privacy (Seeman et al. 2024) for the presence of an establishment with x
    jobs: its loss is a function of x.
    """

    name = "per-record-zcdp"

    def record(self) -> dict[str, object]:
        """For JSON; two definitions are equal when these are."""
        return {"definition": self.name}

    def __str__(self) -> str:
        return "per-record zero-concentrated privacy for the presence of one establishment with x jobs"


Definition = DifferentialPrivacy | ErEe | Gedp | PerRecordConcentrated
