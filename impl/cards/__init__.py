"""The cards of mechanisms, one a file: a file that is put here is a mechanism, found by its name."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from establish.impl.card import Card

NAMES = tuple(sorted(found.name.replace("_", "-") for found in iter_modules(__path__)))
"""Every mechanism that runs; no card is loaded for it."""


def place(name: str) -> str:
    """The module of the card of a mechanism."""
    return f"{__name__}.{name.replace('-', '_')}"


@cache
def cards() -> Mapping[str, Card]:
    """Every card, by the name of the mechanism."""
    return {name: import_module(place(name)).CARD for name in NAMES}


def names_under(*definitions: str) -> tuple[str, ...]:
    """The mechanisms that plans take for one of these definitions of budgets."""
    return tuple(name for name, card in cards().items() if {*definitions} & {*card.under})


def classes() -> Mapping[str, str]:
    """By name, the module below ``establish`` of every public class that runs: all but those on earnings."""
    public = [card.runs for card in cards().values() if "record-dp" not in card.under]
    return {kind: f"impl.{home}" for home, _, kind in (runs.rpartition(".") for runs in public)}


def of_counts() -> Mapping[str, Card]:
    """Those that release a table of counts as it is, with noise on each."""
    return {name: card for name, card in cards().items() if card.takes}
