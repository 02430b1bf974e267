"""The table of mechanisms has no empty field, and each field says what it seems to say."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module

import pytest

from establish.impl.cards import NAMES, cards
from establish.proofs_check.certification import joined
from establish.proofs_check.certification.joined import JOINED
from establish.proofs_check.certification.properties import COLUMNS, privacy, table
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.references import References, reached_by, references
from establish.proofs_check.engine.register import claims
from establish.proofs_check.formal.bound import all_bound
from establish.proofs_check.formal.rules import argued
from establish.proofs_check.formal.theorems import blocked
from establish.spec.mechanisms import truncated_laplace

TRUNCATED = "truncated-laplace"
CHANGED = "what its theorem is about has changed"


@pytest.fixture(scope="module")
def around() -> Mapping[str, References]:
    """What stands around every claim."""
    return references(known := claims(), reached_by(known))


SETTLED = ("holds", "holds_loosely", "fails", "ill_posed", "misprint")
"""A property is settled when its claim is, also by the value that is true instead."""


def test_every_mechanism_that_runs_has_a_row():
    assert set(cards()) == set(subjects()) == set(NAMES)


def test_no_field_is_empty():
    for row in table():
        assert all(row.values()), row["mechanism"]
        assert set(COLUMNS) <= set(row)


@pytest.mark.parametrize("name", cards())
def test_its_density_is_an_mpmath_law(name: str):
    module, _, law = cards()[name].density.rpartition(".")
    made = getattr(import_module(f"establish.spec.{module}"), law)
    assert {"log_density", "mass"} & set(dir(made))


@pytest.mark.parametrize("name", cards())
def test_what_settles_a_property_is_settled_and_a_loss_is_true(name: str):
    known = ledger.recorded()
    fields = {each: getattr(cards()[name], each) for each in COLUMNS[2:]}
    for field, value in fields.items():
        ids = () if isinstance(value, str) else value
        assert all(known[id].verdict in SETTLED for id in ids), field
    assert not isinstance(fields["loss"], str)
    assert known[fields["loss"][0]].verdict in ("holds", "holds_loosely")


@pytest.mark.parametrize("name", cards())
def test_its_claims_read_the_specification(name: str, around: Mapping[str, References]):
    known = cards()[name]
    for field in ("loss", "bias", "moments"):
        value = getattr(known, field)
        for id in () if isinstance(value, str) else value:
            assert around[id].reads, f"{id} reads nothing of spec/"


def test_privacy_is_formal_where_every_claim_on_the_loss_is_and_else_names_the_others():
    known = ledger.recorded()
    one, other = "haney2017/thm-8.1-strong", "haney2017/thm-8.1-weak"
    weaker = {**known, other: replace(known[other], evidence="proof")}
    without = {id: entry for id, entry in known.items() if id != other}
    loss = (one, other)
    assert privacy(loss, known) == "formal"
    assert privacy(loss, weaker) == f"no kernel accepted {other} (proof)"
    assert privacy(loss, known, joined="the argument") == "no kernel accepted the argument"
    assert privacy(loss, without) == f"no kernel accepted {other} (not recorded)"
    discrete = cards()["discrete-gaussian"].loss[0]
    assert privacy((discrete, one), known) == f"no kernel accepted {discrete} (proof): {blocked()[discrete]}"


EDITS = {
    "another argument": {"because": "It is private."},
    "another kind": {"kind": ("strong", "establishment")},
    "another claim": {"claims": ("haney2017/def-2.4-scale",)},
    "more steps": {"steps": 2},
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_theorem_is_about_exactly_what_a_card_joins(edit, monkeypatch):
    own = tuple(replace(each, **EDITS[edit]) for each in JOINED[TRUNCATED])
    monkeypatch.setattr(joined, "JOINED", {**JOINED, TRUNCATED: own})
    assert CHANGED in joined.why_prose(TRUNCATED)


def test_a_theorem_is_about_exactly_the_definitions_that_it_names(monkeypatch):
    assert joined.why_prose(TRUNCATED) == ""
    monkeypatch.setattr(truncated_laplace, "sensitivity", lambda theta, boundary: theta)
    assert CHANGED in joined.why_prose(TRUNCATED)


def test_a_theorem_is_about_exactly_what_the_joined_claims_say(monkeypatch):
    known, id = dict(all_bound()), "haney2017/def-2.4-scale"
    other = replace(known[id], said=replace(known[id].said, statement="0"))
    monkeypatch.setattr(joined, "all_bound", lambda: {**known, id: other})
    assert CHANGED in joined.why_prose(TRUNCATED)


def test_what_a_theorem_leaves_out_is_told(monkeypatch):
    part = replace(argued()[TRUNCATED], rest="The rest.", whole=False)
    monkeypatch.setattr(joined, "argued", lambda: {TRUNCATED: part})
    monkeypatch.setattr(joined, "lost", lambda name, code: [])
    assert joined.why_prose(TRUNCATED) == "the argument that joins its claims (The rest.)"


def test_the_table_tells_which_mechanisms_are_proved_to_be_private_by_a_kernel():
    told = {row["mechanism"]: row["privacy"] for row in table()}
    assert told["growth-laplace"] == told["whole-staircase"] == told["smooth-staircase"] == "formal"
    assert told["smooth-path"] == "formal"


def test_what_an_argument_in_words_joins_is_not_told_to_be_formal():
    told = {row["mechanism"]: str(row["privacy"]) for row in table()}
    in_words = {name for name in told if "the argument that joins its claims" in told[name]}
    assert in_words == set(JOINED) - set(argued())
