"""What whoever releases must see, and not only find in the record: noise that protects nobody as stated."""

from collections.abc import Mapping
from typing import Any

from establish.impl.publish.sidecar import FROM_ENTROPY


def cautions(record: Mapping[str, Any]) -> list[str]:
    """Lines about uncertified code and seeded noise; none for a release that may be published."""
    stamps = record["certificates"].items()
    lines = [f"CAUTION: {name}: {s['status']}" for name, s in stamps if s["status"] != "current"]
    if record["seed"] != FROM_ENTROPY:
        lines.append(f"CAUTION: the noise is {record['seed']}: do not publish this")
    if not isinstance(record["ledger"], Mapping):
        lines.append(f"CAUTION: ledger: {record['ledger']}")
    return lines
