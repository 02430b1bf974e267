"""One table of a plan's TOML, read key by key; what is left over is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from establish.spec.parameters import ParameterError, exact

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(/[0-9]{1,40}|(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?)?")
"""A rational that is small enough to be computed with: at most 40 digits a part."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
"""What a query may be called: its name becomes a file name."""


def rational(what: str, value: object) -> Fraction:
    """A TOML number or text as the rational that is written there; 0.1 is 1/10.

    Raises ParameterError for NaN, an infinity, other types, and more digits than a budget has.
    """
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        raise ParameterError(f"{what} = {value!r} is not a number: write it as 1/10 or 0.1")
    text = str(value).strip()
    if not _NUMBER.fullmatch(text):
        raise ParameterError(f"{what} = {text[:60]} is not a finite rational: write it as 1/10 or 0.1")
    return exact(what, text)


class Section:
    """A TOML table at ``place``. Each ``take`` removes a key; ``end`` refuses what nobody took."""

    def __init__(self, place: str, table: Mapping[str, object]) -> None:
        self.place = place
        self._left = dict(table)
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def names(self) -> list[str]:
        """The keys that nobody took yet, in the order of the file."""
        return list(self._left)

    def take(self, key: str) -> object:
        """The value. Raises ParameterError when the key is missing."""
        self._known.append(key)
        if key not in self._left:
            raise ParameterError(f"{self.place}: {key} is missing")
        return self._left.pop(key)

    def number(self, key: str) -> Fraction:
        """An exact rational."""
        return rational(f"{self.place}: {key}", self.take(key))

    def number_or(self, key: str, default: Fraction) -> Fraction:
        return self.number(key) if self._offered(key) else default

    def numbers_or(self, key: str, default: tuple[int, ...]) -> tuple[Fraction, ...]:
        """A list of exact rationals."""
        values = self.take(key) if self._offered(key) else list(default)
        if not isinstance(values, list):
            raise ParameterError(f"{self.place}: {key} = {values!r} must be a list of numbers")
        return tuple(rational(f"{self.place}: {key}", value) for value in values)

    def whole(self, key: str) -> int:
        value = self.take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ParameterError(f"{self.place}: {key} = {value!r} is not a whole number")
        return value

    def whole_or(self, key: str, default: int) -> int:
        return self.whole(key) if self._offered(key) else default

    def flag(self, key: str) -> bool:
        """true or false; false where it is missing."""
        value = self.take(key) if self._offered(key) else False
        if not isinstance(value, bool):
            raise ParameterError(f"{self.place}: {key} = {value!r} must be true or false")
        return value

    def text(self, key: str) -> str:
        return _text(f"{self.place}: {key}", self.take(key))

    def path(self, key: str, folder: Path) -> Path:
        """A file, relative to ``folder``."""
        text = self.text(key)
        if "\0" in text:
            raise ParameterError(f"{self.place}: {key} is not the name of a file")
        return folder / text

    def text_or(self, key: str, default: str) -> str:
        return self.text(key) if self._offered(key) else default

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of distinct, non-empty texts; it may be empty."""
        return _texts(f"{self.place}: {key}", self.take(key))

    def text_or_texts(self, key: str) -> tuple[str, ...]:
        """A list as for :meth:`texts`, or one text for a list of one."""
        return (self.text(key),) if self.holds_text(key) else self.texts(key)

    def holds_text(self, key: str) -> bool:
        """Whether the value of a key that is still there is a text."""
        return isinstance(self._left.get(key), str)

    def sections(self, key: str) -> list[Section]:
        """A list of tables, numbered from 1 until they tell their names; none when the key is missing."""
        if not self._offered(key):
            return []
        value = self.take(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise ParameterError(f"{self.place}: {key} must be a list of tables, each as [[{key}]]")
        return [Section(f"{key} number {i}", item) for i, item in enumerate(value, start=1)]

    def section(self, key: str, name: str | None = None) -> Section:
        """A table inside."""
        value = self.take(key)
        if not isinstance(value, dict):
            raise ParameterError(
                f"{self.place}: {key} must be a table: [{name or key}]"
                if self.place == "plan"
                else f"{self.place}: {key} must be a table, as in {key} = {{ name = value }}"
            )
        return Section(f"[{name or key}]" if self.place == "plan" else f"{self.place}: {key}", value)

    def section_or_empty(self, key: str) -> Section:
        return self.section(key) if self._offered(key) else Section(f"{self.place}: {key}", {})

    def end(self) -> None:
        """Raises ParameterError that names an unknown key and the known ones."""
        if self._left:
            raise ParameterError(
                f"{self.place}: {next(iter(self._left))} is not known here: the keys are "
                f"{', '.join(self._known) or 'none'}"
            )

    def _offered(self, key: str) -> bool:
        if key not in self._left:
            self._known.append(key)
        return key in self._left


def _text(what: str, value: object) -> str:
    if isinstance(value, str) and not value.strip():
        raise ParameterError(f"{what} is empty: give it a text")
    if not isinstance(value, str):
        raise ParameterError(f'{what} = {value!r} must be a text in quotes, like "sector"')
    return value


def _texts(what: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ParameterError(f'{what} = {value!r} must be a list of texts, like ["place", "sector"]')
    texts = tuple(_text(what, item) for item in value)
    if len(set(texts)) < len(texts):
        raise ParameterError(f"{what} = {list(texts)} names one twice")
    return texts
