"""A card says of its mechanism what the class says, and no mechanism is without one."""

from inspect import signature
from pathlib import Path

import pytest

from establish.impl.cards import NAMES, cards, classes, of_counts
from establish.impl.mechanisms.on_counts import OnCounts
from establish.proofs_check.engine.references import mechanism_classes

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "reference" / "mechanisms.md"

each = pytest.mark.parametrize(("name", "card"), cards().items(), ids=NAMES)


@each
def test_the_file_of_a_card_is_named_as_its_mechanism(name, card):
    assert card.load().name == name


@each
def test_a_mechanism_takes_what_its_card_says(name, card):
    if name in of_counts():
        assert [*signature(card.load()).parameters] == [*card.takes, "calibration"]
        assert issubclass(card.load(), OnCounts)


def test_every_mechanism_on_counts_that_gives_itself_a_name_has_a_card():
    """But noise infusion, which needs no certificate: it promises nothing."""
    found = {name for name, place in mechanism_classes() if place.startswith("impl/mechanisms/")}
    assert found - set(NAMES) == {"noise-infusion"}


def test_the_reference_page_tells_of_every_public_mechanism():
    told = {
        line.removeprefix("::: establish.") for line in PAGE.read_text("utf-8").splitlines() if ":::" in line
    }
    assert {f"{home}.{name}" for name, home in classes().items()} == told
