"""The JSON record beside a released table: what was done, what it satisfies, what it rests on."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from establish.impl.certificate import granted, stamp
from establish.impl.guarantee import Grant, guarantees

ROUNDED_BEFORE = (
    "The noise is drawn exactly: a released value is the ideal one, rounded to the nearest whole number "
    "where that is no whole number itself, which moves it by at most 1/2. Values beyond 2^52 are moved there."
)
"""What records of earlier versions say for how a mechanism on counts rounds."""

CUT = "negative ones set to 0"
"""What the noise of a mechanism without negative outputs says of them."""

SEEDED = "seeded: reproducible, for tests, not secret"
FROM_ENTROPY = "operating-system entropy"


class Described(Protocol):
    """What a mechanism says about itself."""

    @property
    def name(self) -> str: ...
    @property
    def calibration(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, object]: ...
    @property
    def noise(self) -> str: ...
    @property
    def constants(self) -> Mapping[str, float]: ...
    @property
    def domain(self) -> str: ...
    @property
    def scope(self) -> str: ...
    @property
    def rests_on(self) -> tuple[str, ...]: ...
    @property
    def expected_error(self) -> Mapping[str, str]: ...


def signs(mechanisms: Iterable[Described]) -> str:
    """Whether counts may be negative, for the notes of a record."""
    cut = all(CUT in mechanism.noise for mechanism in mechanisms)
    told = ", none of them negative." if cut else " and may be negative."
    return f"Noisy counts are whole numbers{told}"


def seeding(seed: int | None) -> str:
    """Where the noise comes from, in the words of the record."""
    return FROM_ENTROPY if seed is None else SEEDED


def describe(
    mechanism: Described, verdicts: Mapping[str, str], grants: Sequence[Grant] | None = None
) -> dict[str, object]:
    """The part of the record that the mechanism decides.

    verdicts: recorded verdict by claim id; a claim without one reads "not recorded". grants: what
    theorems grant to the mechanism, by default what its certificate says. The expected error is a
    formula in n, the true count, and largest, its largest establishment; neither is evaluated. Raises
    CertificateError where there is no certificate.
    """
    by = granted(mechanism.name) if grants is None else grants
    satisfied = guarantees(by, mechanism.calibration, mechanism.parameters, mechanism.scope)
    return {
        "mechanism": mechanism.name,
        "calibration": mechanism.calibration,
        "parameters": mechanism.parameters,
        "noise": mechanism.noise,
        "constants": mechanism.constants,
        "domain": mechanism.domain,
        "satisfies": [asdict(guarantee) for guarantee in satisfied],
        "rests_on": resting_on(mechanism.rests_on, verdicts),
        "expected_error": mechanism.expected_error,
    }


def resting_on(claims: Iterable[str], verdicts: Mapping[str, str]) -> list[dict[str, str]]:
    """The claims, each with its recorded verdict."""
    return [{"claim": claim, "verdict": verdicts.get(claim, "not recorded")} for claim in claims]


def about(name: str, record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a workbook says beside its table, in lines of a title and a text.

    name: of the record's file. record: of one table, or of a plan with an answer for each query.
    """
    lines = [("record", name), ("check it with", f"establish verify {name}")]
    for use in record.get("answers", [record]):
        lines += [("query", use["query"])] if "query" in use else []
        lines.append(("mechanism", f"{use['mechanism']} ({use['calibration']} calibration)"))
        lines += [
            ("satisfies", f"{each['definition']}, for {each['applies_to']}") for each in use["satisfies"]
        ]
    return [*lines, *(("note", str(note)) for note in record["notes"])]


def certificates(mechanisms: Iterable[str]) -> dict[str, object]:
    """By mechanism, which code ran and by which certificate. Raises CertificateError."""
    return {"certificates": {name: stamp(name) for name in dict.fromkeys(mechanisms)}}


def versions() -> dict[str, str]:
    """Versions of what took part in the release."""
    found = {"python": platform.python_version()}
    for distribution in ("establish", "numpy", "duckdb", "cryptography", "python-flint"):
        try:
            found[distribution] = version(distribution)
        except PackageNotFoundError:
            found[distribution] = "not installed as a distribution"
    return found
