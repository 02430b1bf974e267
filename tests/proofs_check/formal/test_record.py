"""The record of accepted theorems: it is current, and falls back as soon as something has changed."""

import re
from typing import Any

import pytest

from establish.proofs_check.engine.register import claims
from establish.proofs_check.formal import record
from establish.proofs_check.formal.formulas import FORMULAS, MODULE, definitions, digest, source
from establish.proofs_check.formal.mutations import MUTATIONS, mutated
from establish.proofs_check.formal.record import closure, differences, formal_record
from establish.proofs_check.formal.rules import argued
from establish.proofs_check.formal.theorems import HERE, sources, subjects
from tests.proofs_check.files import read_json

SMOOTH_GAMMA = "haney2017/alg-2-tight"


def recorded() -> dict[str, Any]:
    found: dict[str, Any] = read_json(record.RECORD)
    return found


@pytest.mark.few(25)
@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.claim)
def test_the_record_speaks_of_the_present_text(subject):
    assert differences(subject) == []
    entry = record.current(subject)
    assert entry is not None
    assert all(theorem.statement for theorem in entry.theorems)
    whole = "sentence" in subject.covers
    assert (formal_record(subject.claim) is not None) is whole


def test_every_subject_is_a_claim_with_the_sentence_that_was_read():
    known = claims()
    assert {s.claim: s.sentence for s in subjects()} == {
        s.claim: known[s.claim].statement for s in subjects()
    }


def test_every_subject_says_what_a_second_reader_tried():
    for subject in subjects():
        assert len(subject.tried) > 20, subject.claim
        assert set(subject.covers) <= {"sentence", "value"}
        assert subject.theorems


@pytest.mark.parametrize(
    ("mechanism", "noise"),
    [("log_laplace", "laplace_normalized"), ("smooth_gamma", "heavy_tailed_normalized")],
)
def test_a_mechanism_is_called_formal_with_its_law_and_the_mass_of_its_noise_only(mechanism, noise):
    named = [
        set(subject.theorems)
        for subject in subjects()
        if subject.covers and any(stem.startswith(mechanism) for stem in subject.files)
    ]
    law = {f"{mechanism}_law.density_is_the_law", f"{noise}.mass_is_one"}
    assert named
    assert all(law <= theorems for theorems in named)


def test_every_recorded_file_is_there_and_no_other():
    assert set(recorded()["files"]) == set(sources())
    assert set(recorded()["definitions"]) == {formula.name for formula in FORMULAS}


def test_a_claim_without_theorems_has_no_entry():
    assert formal_record("haney2017/sec6-93-percent") is None


def test_a_changed_formula_makes_its_claims_fall_back_and_no_others(monkeypatch):
    changed = dict(definitions())
    name = "smooth_gamma_tight_slide"
    changed[name] = changed[name].replace("4 - 1", "4 - 2")
    assert changed[name] != definitions()[name]
    monkeypatch.setattr(record, "definitions", lambda: changed)
    assert formal_record(SMOOTH_GAMMA) is None
    (subject,) = (s for s in subjects() if s.claim == SMOOTH_GAMMA)
    assert differences(subject) == [f"the formula {name} has changed"]
    assert formal_record("haney2017/thm-7.3") is not None
    assert formal_record("haney2017/lemma-8.8-EZ") is not None


def test_a_removed_formula_makes_its_claims_fall_back(monkeypatch):
    kept = {k: v for k, v in definitions().items() if k != "growth_bound"}
    monkeypatch.setattr(record, "definitions", lambda: kept)
    assert formal_record(SMOOTH_GAMMA) is None


def test_a_changed_proof_makes_all_that_rest_on_it_fall_back(monkeypatch):
    changed = {**sources(), "bridge": sources()["bridge"] + "\n"}
    monkeypatch.setattr(record, "sources", lambda: changed)
    assert formal_record(SMOOTH_GAMMA) is None
    assert formal_record("haney2017/sec6-edge-laplace") is None
    assert formal_record("haney2017/lemma-8.8-EZ") is not None


@pytest.mark.parametrize(
    ("text", "other", "says"),
    [
        ("Lemma a : P. Proof. {} Qed.", ("auto.", "easy."), False),
        ("Definition a : nat. Proof. {} Defined.", ("exact 1.", "exact 2."), True),
        ("Definition a : nat. Proof. exact 1. Defined. Lemma b : {}. Proof. auto. Qed.", ("P", "Q"), True),
        ("Lemma a : P. Proof. Abort. Lemma b : {}. auto. Qed.", ("P", "Q"), True),
    ],
)
def test_proofs_say_nothing_and_what_a_name_stands_for_does(text, other, says):
    one, two = (record._bare(text.format(each)) for each in other)
    assert (one != two) == says


def test_without_a_record_there_is_no_entry(monkeypatch, tmp_path):
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
    assert formal_record(SMOOTH_GAMMA) is None


def test_no_file_admits_anything():
    forbidden = re.compile(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Hypothesis)\b")
    for stem, text in sources().items():
        assert forbidden.search(re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)) is None, stem


def test_no_theorem_rests_on_an_axiom_of_ours():
    ours = set(sources())
    for names in recorded()["assumptions"].values():
        assert not {name.split(".")[0] for name in names} & ours


LOGIC = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "Epsilon.epsilon_statement",
    "FunctionalExtensionality.functional_extensionality_dep",
    "boolp.constructive_indefinite_description",
    "boolp.functional_extensionality_dep",
    "boolp.propositional_extensionality",
}
"""The axioms that theorems may rest on: real numbers, classical logic and choice."""

PROCESSOR = {"FloatAxioms", "PrimFloat", "PrimInt63", "Uint63"}
"""Modules whose axioms say what the processor computes; for proofs by the ``interval`` tactic alone."""


def test_every_theorem_rests_on_allowed_axioms_only():
    texts, found = sources(), recorded()
    for name, entry in found["theorems"].items():
        others = set(found["assumptions"][entry["assumptions"]]) - LOGIC
        stems = closure(name.partition(".")[0], texts) & set(texts)
        computes = any("From Interval Require" in texts[stem] for stem in stems)
        assert {axiom.partition(".")[0] for axiom in others} <= (PROCESSOR if computes else set()), name


OWN = {
    "establish/growth-laplace",
    "establish/growth-staircase",
    "establish/growth-staircase-unbiased",
    "establish/smooth-lomax",
    "establish/smooth-staircase",
    "establish/smooth-staircase-unbiased",
    "establish/whole-staircase",
    "establish/equal-gaps-loss",
}


def test_a_mechanism_of_ours_is_called_formal_with_a_theorem_that_its_masses_are_a_law():
    found = recorded()["theorems"]
    for subject in subjects():
        if subject.claim in OWN:
            statements = " ".join(found[name]["statement"] for name in subject.theorems)
            assert re.search(r"\b(is_density|is_mass_function|is_law)\b", statements), subject.claim
    assert {subject.claim for subject in subjects()} >= OWN


def test_every_file_says_in_words_what_it_shows():
    for stem, text in sources().items():
        assert re.match(r"\(\* [A-Z]", text), stem


def test_every_file_is_needed_by_a_theorem_or_by_a_comparison_with_spec():
    texts = sources()
    about = (*subjects(), *(rule.subject for rule in argued().values()))
    used = set().union(*(closure(s, texts) for x in about for s in x.files))
    computed = {"small_universe", "small_histogram", "small_groups", "small_values"}
    assert set(texts) - used == computed


def test_every_edit_of_the_mutation_table_changes_one_line_of_one_file_and_so_its_hash():
    assert len(MUTATIONS) >= 30
    formulas = definitions()
    before = {**sources(), MODULE: source(formulas)}
    for mutation in MUTATIONS:
        after = mutated(mutation, formulas)
        (stem,) = (name for name, text in before.items() if after[name] != text)
        assert stem == (mutation.formula.partition(".")[0] if "." in mutation.formula else MODULE)
        assert digest(after[stem]) != digest(before[stem])


def test_the_folder_is_where_the_package_is():
    assert (HERE / "theorems.toml").is_file()
