"""A claim is formal for exactly what it says: its sentence, objects, definitions, verdict and value."""

from dataclasses import replace
from functools import cache

import pytest

from establish import AtMost, Every, Evidence, Grade, Real, fails, holds_loosely
from establish.impl.cards import cards
from establish.proofs_check.api.show import _accepted
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.formal_evidence import blocked_by, formal_of, why_not_formal
from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import Claim, claims, imported
from establish.proofs_check.engine.settlement import Settlement
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.chains import ChainOfNeighbors
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.composition import AdaptiveComposition
from establish.proofs_check.engine.statements.definitions import definitions_behind
from establish.proofs_check.engine.statements.firms import FirmPrivate
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate
from establish.proofs_check.engine.statements.gaussian_chains import GaussianChain
from establish.proofs_check.engine.statements.heterogeneous import JointlyPrivate
from establish.proofs_check.engine.statements.indistinguishable import Indistinguishability
from establish.proofs_check.engine.statements.normal_noise import NormalNoise
from establish.proofs_check.engine.statements.one_draw import DrawnByGaps
from establish.proofs_check.engine.statements.parts import ReleasesOfParts
from establish.proofs_check.engine.statements.per_record import RecordsPrivate
from establish.proofs_check.engine.statements.releases import ReleasesInTurn, ReleasesTogether
from establish.proofs_check.engine.statements.smooth_noise import SmoothNoise
from establish.proofs_check.formal import bound, record
from establish.proofs_check.formal.bound import Bound, all_bound, write
from establish.proofs_check.formal.theorems import blocked, subjects
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak

HOME = "haney2017/thm-8.1-strong"


@pytest.fixture
def home() -> Claim:
    return claims()[HOME]


def test_every_claim_that_is_bound_is_formal():
    known = claims()
    lost = {id: why_not_formal(known[id]) for id in all_bound() if formal_of(known[id]) is None}
    assert lost == {}


def test_what_is_written_is_read(monkeypatch, tmp_path):
    known = dict(all_bound())
    file = tmp_path / "bound.json"
    file.write_text(write(known), "utf-8")
    assert file.read_text("utf-8") == bound.FILE.read_text("utf-8")
    monkeypatch.setattr(bound, "FILE", file)
    all_bound.cache_clear()
    assert all_bound() == known


ON_PRIVACY = (
    Additive, AdaptiveComposition, ChainOfNeighbors, DrawnByGaps, EstablishmentPrivate, FirmPrivate,
    GaussianChain, Indistinguishability, JointlyPrivate, NormalNoise, RecordsPrivate, ReleasesInTurn,
    ReleasesOfParts, ReleasesTogether, Satisfies, SmoothNoise,
)  # fmt: skip
"""The kinds of statements that say who loses how much."""


def _without_a_theorem() -> set[str]:
    """Printed claims on privacy, with comparisons beside at most, that hold by a proof but none of Coq."""
    known, found = claims(), set()
    for id, entry in ledger.recorded().items():
        if (entry.verdict, entry.evidence, entry.origin) in UNPROVED and id in known:
            printed = imported(known[id]).stated.printed
            some = any(isinstance(each, ON_PRIVACY) for each in printed)
            if some and all(isinstance(each, (*ON_PRIVACY, Comparison)) for each in printed):
                found.add(id)
    return found


def _lost_by_mechanisms() -> set[str]:
    """The claims on what mechanisms that run lose."""
    return {id for card in cards().values() if not isinstance(card.loss, str) for id in card.loss}


UNPROVED = {(verdict, "proof", "printed") for verdict in ("holds", "holds_loosely")}


def test_every_printed_claim_on_privacy_without_a_theorem_says_what_blocks_one():
    known, found = claims(), _without_a_theorem()
    found |= {id for id in _lost_by_mechanisms() if ledger.recorded()[id].evidence == "proof"}
    assert {id for id in found if not blocked_by(known[id])} == set()
    assert set(blocked()) == {id for id in found if "it repeats" not in blocked_by(known[id])}


def test_show_says_what_blocks_a_theorem():
    claim = claims()["webb2025/sec6.2-total"]
    assert list(_accepted(claim)) == [f"not formal: {blocked()[claim.id]}"]


def test_show_computes_what_blocks_a_theorem_where_nobody_wrote_it():
    """Of rules, those with a theorem do not; here of a printed claim on privacy of another kind."""
    claim = claims()["haney2017/sec6-edge-size"]
    known, prose = "rule quotient", "rule job_by_job"
    found = list(_accepted(claim, ["reading", "Python", "z3", "Coq", known, prose]))
    rests = "it rests on z3, rule job_by_job, which no kernel has accepted"
    assert found == [f"not formal: nobody has stated it in Coq; {rests}"]
    assert list(_accepted(claim, ["reading", "Python"])) == ["not formal: nobody has stated it in Coq"]
    assert list(_accepted(claim)) == []


def test_a_line_of_theorems_alone_makes_no_claim_formal(monkeypatch, home):
    (subject,) = [each for each in subjects() if each.claim == HOME]
    raised = claims()["haney2017/sec6-93-percent"]
    more = replace(subject, claim=raised.id, sentence=raised.statement)
    monkeypatch.setattr(record, "subjects", lambda: (*subjects(), more))
    assert formal_of(home) is not None
    assert formal_of(raised) is None


OTHER = AtMost(Real("x", least=0), left=lambda c, x: -x, right=1)


CHANGES = {
    "sentence": lambda claim: replace(claim, statement=f"{claim.statement} Always."),
    "statement": lambda claim: replace(claim, stated=replace(claim.stated, printed=(OTHER,))),
    "another object more": lambda claim: replace(
        claim, stated=replace(claim.stated, tight=(*claim.stated.tight, OTHER))
    ),
    "printed for tight": lambda claim: replace(
        claim, stated=Stated(claim.stated.tight, claim.stated.printed, claim.stated.meant)
    ),
    "weak for strong": lambda claim: replace(
        claim,
        stated=replace(
            claim.stated, printed=tuple(replace(each, neighbors="weak") for each in claim.stated.printed)
        ),
    ),
    "a level": lambda claim: replace(
        claim,
        stated=replace(
            claim.stated,
            printed=tuple(
                replace(each, level=lambda c, a, e: c.number(e) / 2) for each in claim.stated.printed
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_another_claim_of_that_name_is_not_formal(name, home):
    changed = CHANGES[name](home)
    assert formal_of(changed) is None
    assert "formal lost: " in why_not_formal(changed)
    assert f"establish formal --bind {HOME}" in why_not_formal(changed)


def test_a_changed_definition_is_named(monkeypatch, home):
    name = "spec.relations.strong.Strong.close"
    known = all_bound()[HOME]
    assert name in known.said.definitions
    older = replace(known.said, definitions={**known.said.definitions, name: "0" * 16})
    monkeypatch.setattr(record, "all_bound", cache(lambda: {HOME: replace(known, said=older)}))
    assert formal_of(home) is None
    assert f"formal lost: the definition {name} has changed; compare it" in why_not_formal(home)


@pytest.mark.parametrize(
    "change",
    [{"theorems": ("laplace_normalized.mass_is_one",)}, {"covers": ("sentence", "value", "more")}],
    ids=["another theorem", "more covered"],
)
def test_a_claim_is_compared_again_with_other_theorems(monkeypatch, home, change):
    other = replace(record._subjects()[HOME], **change)
    monkeypatch.setattr(record, "_subjects", cache(lambda: {HOME: other}))
    assert formal_of(home) is None
    assert "formal lost: what its theorems say has changed; compare it" in why_not_formal(home)


def test_a_claim_is_compared_again_where_its_theorem_says_less(monkeypatch, home):
    (stem, *_) = record._subjects()[HOME].files
    texts = record._sources()
    weaker = {**texts, stem: texts[stem] + "\nTheorem more : True. Proof. exact I. Qed.\n"}
    before = record.compared_with(record._subjects()[HOME])
    monkeypatch.setattr(record, "_sources", cache(lambda: weaker))
    assert record.compared_with(record._subjects()[HOME]) != before
    commented = {**texts, stem: texts[stem] + "\n(* A remark. *)\n"}
    monkeypatch.setattr(record, "_sources", cache(lambda: commented))
    assert record.compared_with(record._subjects()[HOME]) == before


def test_a_changed_formula_is_named(monkeypatch, home):
    changed = {**record.definitions(), "log_laplace_log_density": "Definition other := 1."}
    monkeypatch.setattr(record, "definitions", lambda: changed)
    assert why_not_formal(home) == (
        "formal lost: the formula log_laplace_log_density has changed; run make formal"
    )


def settled(verdict) -> Settlement:
    return Settlement(verdict, 0.1)


def test_another_verdict_or_value_is_not_formal(home):
    piece = Evidence("it is so", True, Grade.STEPS, "prose")
    known = all_bound()[HOME]
    assert (known.outcome, known.value) == ("holds_loosely", "total privacy loss ε/2")

    def evidence(verdict) -> str:
        from establish.proofs_check.engine.grades import graded

        return Record.of(home, replace(settled(verdict), grades=graded(verdict, home.stated))).evidence

    assert evidence(holds_loosely(piece, value=known.value)) == "formal"
    assert evidence(holds_loosely(piece, value="total privacy loss ε/3")) == "steps"
    assert evidence(fails(piece, counterexample="none", value=known.value)) == "steps"


def test_a_repeat_is_bound_by_itself():
    """A theorem about the one sentence is none about the other, whatever claim they share."""
    known = claims()
    same, another = known["haney2016_slides/thm-8.1-strong"], known["schmutte2020_slides/alg-3"]
    assert same.same_as == HOME
    assert formal_of(same) is not None
    assert formal_of(replace(same, statement="Theorem 8.1, and more.")) is None
    assert record.formal_record(another.same_as) is not None
    assert formal_of(another) is None


def test_definitions_are_told_by_their_content():
    assert definitions_behind([Strong]) != definitions_behind([Weak])
    assert "spec.relations.strong.Strong.close" in definitions_behind([Strong])
    first, second = (
        definitions_behind([Every("numbers", lambda: (1, 2), each)])
        for each in (lambda case: case > 0, lambda case: case > 1)
    )
    assert first == second == {}, "only the papers' and the specification's definitions are followed"


def test_a_comparison_of_computed_numbers_is_bound_to_what_computes_them():
    """Its text says `center(d, 0) of Mose(1, HALF, GRID) = 1/3`, and another Mose might have the same one."""
    same = imported(claims()["schmutte2020_slides/mose-conditional/same-chi"])
    assert "spec.regression.mose.Mose.center" in definitions_behind(same.stated.all)


def test_nothing_is_bound_to_nothing():
    assert all(
        isinstance(each, Bound) and each.said.sentence and each.outcome for each in all_bound().values()
    )
