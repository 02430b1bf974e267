"""The object of a claim is its sentence: no numerals alone, no corrected formula for the printed one."""

import re

import pytest

from establish.proofs_check.engine import readings
from establish.proofs_check.engine.grades import POSITIVE
from establish.proofs_check.engine.ledger import recorded
from establish.proofs_check.engine.register import Claim, claims
from establish.proofs_check.engine.statements import Equal, Printed
from establish.spec.arithmetic import World

SIDE = r"−?[\d/]+"
NUMERALS = re.compile(rf"\|?{SIDE}( − {SIDE}\|)? [=≠<≤>≥] {SIDE}( \(it rounds to the printed digits\))?")

CORRECTED = (
    "TightLogLaplaceMechanism",
    "TightSmoothGammaMechanism",
    "TightTruncatedLaplaceMechanism",
    "spec.earnings.smooth_percentile.SmoothPercentileMechanism",
)
"""Mechanisms of ``spec/`` beside which the printed one stands."""


def shows_numerals(text: str) -> bool:
    """Whether a text shows two numbers, and not what was computed."""
    return bool(NUMERALS.fullmatch(text))


def corrected_for_printed(entry: Claim, verdict: str) -> list[str]:
    """The corrected mechanisms by which a printed sentence is called true, with nothing said of it."""
    if entry.origin != "printed" or verdict not in map(str, POSITIVE):
        return []
    texts = " ".join(statement.text for statement in entry.stated.printed)
    return [
        name for name in CORRECTED if f"being spec.{name.removeprefix('spec.')}" in texts or name in texts
    ]


# 2 + 2 is written as it is computed; a number alone is no statement.
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("21 = 21", True),
        ("1/3 < 2/3", True),
        ("|50 − 50| ≤ 1/2 (it rounds to the printed digits)", True),
        ("|EVERY FIFTH| = 19", False),
        ("4·(3/6)^2 = 1", False),
    ],
)
def test_numerals_are_told_from_what_is_computed(text, shown):
    assert shows_numerals(text) == shown


def _four(c: World) -> object:
    return c.number(sum((1, 3)))


@pytest.mark.parametrize("planted", [Equal(left=_four, right=4), Printed(_four, "4")])
def test_a_computed_number_is_said_by_its_formula(planted):
    assert "sum((1, 3))" in planted.text
    assert not shows_numerals(planted.text)


def test_no_object_shows_numerals_alone():
    found = [
        (id, statement.text)
        for id, entry in claims().items()
        for statement in entry.stated.all
        if shows_numerals(statement.text)
    ]
    assert found == []


def test_no_printed_sentence_is_called_true_of_the_corrected_mechanism():
    verdicts = recorded()
    found = {id: corrected_for_printed(entry, verdicts[id].verdict) for id, entry in claims().items()}
    assert {id: names for id, names in found.items() if names} == {}


# Half of the printed noise is private, too; that is no verdict on Algorithm 1.
def test_a_planted_corrected_mechanism_is_noticed():
    ours = claims()["haney2017/alg-1-tight"]
    planted = Claim(ours.id, ours.location, ours.statement, ours.check, stated=ours.stated)
    assert corrected_for_printed(ours, "holds") == []
    assert corrected_for_printed(planted, "holds") == ["TightLogLaplaceMechanism"]
    assert corrected_for_printed(planted, "fails") == []


def test_no_sentence_is_called_printed_whose_object_is_another():
    called = [
        id
        for id, entry in claims().items()
        if entry.origin == "printed" and readings.told(entry).startswith("other")
    ]
    assert called == []
