"""What the forms take from a record: texts only, each without what moves a cursor or breaks a line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from establish.proofs_check.certification.record import Record
from establish.spec.composition import read_definition, read_loss

TO_FILL_IN = "TO FILL IN"


class SaidOfUse(NamedTuple):
    """One use of a mechanism. query: empty for a single table."""

    query: str
    mechanism: str
    noise: str
    calibration: str
    parameters: str
    error: str
    bias: str

    @property
    def title(self) -> str:
        return f"{self.query}, {self.mechanism}" if self.query else self.mechanism


@dataclass(frozen=True)
class Said:
    """One release."""

    title: str
    time: str
    dataset: str
    definition: str
    loss: str
    parameters: Mapping[str, str]
    ledger: str
    signed_by: str
    seed: str
    tables: tuple[str, ...]
    uses: tuple[SaidOfUse, ...]
    claims: tuple[str, ...]
    certified: bool
    notes: tuple[str, ...]
    versions: str
    domain_is_public: bool


def escaped(text: str) -> str:
    """A text whose signs Markdown does not read as markup."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in text)


def said_of(record: Record) -> Said:
    """Raises KeyError, TypeError, AttributeError or ParameterError where the record lacks something."""
    content = record.content
    ledger = content["ledger"]
    definition, loss = read_definition(content), read_loss(content["loss"])
    claims = dict.fromkeys((*record.claims, *(claim for use in record.uses for claim in use.claims)))
    return Said(
        title=_text(content["title"]),
        time=_text(content["time"]),
        dataset=_text(content["dataset"]),
        definition=str(definition),
        loss=str(loss),
        parameters={key: _text(value) for key, value in content["loss"].items()},
        ledger=f"entry {_text(ledger['entry'])}" if isinstance(ledger, dict) else _text(ledger),
        signed_by=_text(content["signed_by"]),
        seed=_text(content["seed"]),
        tables=tuple(_text(name) for name in record.tables),
        uses=tuple(_use(use.query, use.said) for use in record.uses),
        claims=tuple(_text(claim) for claim in claims),
        certified=all(stamp.current for stamp in record.stamps.values()),
        notes=tuple(_text(note) for note in content["notes"]),
        versions=", ".join(f"{_text(k)} {_text(v)}" for k, v in content["versions"].items()),
        domain_is_public="two_jobs" in content or str(content.get("cells", "")).startswith("listed"),
    )


def _use(query: str, said: Mapping[str, Any]) -> SaidOfUse:
    given = ", ".join(f"{_text(k)} = {_text(v)}" for k, v in said["parameters"].items())
    errors = said["expected_error"]
    errors = errors if isinstance(errors, dict) else {}
    measure = f" ({_text(said['measure'])})" if "measure" in said else ""
    return SaidOfUse(
        _text(query) + measure,
        _text(said["mechanism"]),
        _text(said["noise"]),
        _text(said["calibration"]),
        given,
        _text(next(iter(errors.values()), "")),
        _text(errors.get("bias", "not stated")),
    )


def _text(value: object) -> str:
    return "".join(c if c.isprintable() else " " for c in str(value))
