"""Losses and definitions back from the exact text that their ``record`` wrote."""

from collections.abc import Mapping
from typing import Any

from establish.spec.composition.definitions import (
    STRENGTHS,
    Attribute,
    Definition,
    DifferentialPrivacy,
    ErEe,
    Gedp,
    PerRecordConcentrated,
)
from establish.spec.composition.losses import Approximate, Gaussian, Loss, PerRecord
from establish.spec.parameters import ParameterError, nonnegative


def read_loss(record: Mapping[str, Any]) -> Loss:
    """Raises ParameterError unless ``record`` is what the ``record`` of a loss writes."""
    if set(record) == {"mu_squared"}:
        return Gaussian(nonnegative("mu_squared", record["mu_squared"]))
    if set(record) == {"epsilon", "delta"}:
        return Approximate.of(record["epsilon"], record["delta"])
    if set(record) == {"rho"} and isinstance(record["rho"], Mapping):
        return PerRecord.of(record["rho"])
    raise ParameterError(f"a loss has epsilon and delta, mu_squared, or rho, not {', '.join(record)}")


def read_definition(record: Mapping[str, Any]) -> Definition:
    """Raises ParameterError unless ``record`` is what the ``record`` of a definition writes."""
    try:
        name = record["definition"]
        if name in STRENGTHS:
            found: Definition = ErEe.of(name, record["alpha"])
        elif name == Gedp.name:
            found = Gedp.of(
                Attribute.of(key, own["psi"], own["gamma"], own["shift"])
                for key, own in record["attributes"].items()
            )
        elif name == PerRecordConcentrated.name:
            found = PerRecordConcentrated()
        else:
            found = DifferentialPrivacy(name, record.get("records_per_person", 1))
    except (KeyError, TypeError, AttributeError):
        raise ParameterError(f"{dict(record)} is not a privacy definition") from None
    return found
