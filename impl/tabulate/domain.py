"""The public values that attributes may take."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from establish.spec.parameters import ParameterError

MAX_CELLS = 50_000_000
"""The most cells that one query may have: three 64-bit numbers each, 1.2 GB."""


@dataclass(frozen=True)
class Domain:
    """Attribute → all its values, in the order in which cells are listed.

    Raises ParameterError for an attribute without values, a value listed twice, or one that is
    neither a non-empty text nor a whole number (44 is the text "44").
    """

    values: Mapping[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        for attribute, values in self.values.items():
            require_values(f"domain of {attribute}", values)
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @classmethod
    def read(cls, path: Path) -> Domain:
        """The table [domain] of a TOML file: ``sex = ["F", "M"]``, one line per attribute.

        Raises ParameterError when the file cannot be read or does not say that.
        """
        try:
            document = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise ParameterError(f"--domain = {path} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML; the file is public
            raise ParameterError(f"--domain = {path} is not TOML: {error}") from None
        table = document.get("domain")
        if not isinstance(table, dict):
            raise ParameterError(f"--domain = {path} has no table [domain]")
        for attribute, values in table.items():
            if not isinstance(values, list):
                raise ParameterError(f"--domain = {path}: {attribute} must be a list of values")
        return cls({a: tuple(_text(value) for value in values) for a, values in table.items()})


def require_values(name: str, values: Sequence[str]) -> None:
    """Raises ParameterError unless ``values`` are different non-empty texts, at least one."""
    if isinstance(values, str):
        raise ParameterError(f"{name} is the text {values!r}: give a list of values")
    if not values:
        raise ParameterError(f"{name} has no values: list at least one")
    for value in values:
        if not isinstance(value, str) or not value:
            raise ParameterError(f"{name} holds {value!r}: a value is a non-empty text")
    if len(set(values)) < len(values):
        raise ParameterError(f"{name} lists a value twice")


def _text(value: Any) -> Any:
    """A whole number of TOML as its text."""
    return str(value) if type(value) is int else value
