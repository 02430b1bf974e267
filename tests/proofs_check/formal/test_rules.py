"""A rule, or what joins claims, has its theorem for exactly what it does, and for what the theorem says."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from establish.proofs_check.certification import joined
from establish.proofs_check.engine import arguments
from establish.proofs_check.engine.rules import RULES, RuleError, slope_obligations
from establish.proofs_check.engine.statements import AtMost, Real
from establish.proofs_check.formal import record, rules
from establish.proofs_check.formal.rules import argued, linked, lost, write

LINKED = sorted(argued())

DRAW = "impl.sampling.escalation.quantile"
"""What decides the draws that floats leave open."""


def code_of(name: str) -> str:
    return joined.code_of(name) if name in joined.JOINED else arguments.code_of(name)


def forget() -> None:
    rules.forget()
    for reader in (arguments.theorems_of, arguments.is_prose, arguments.code_of, arguments._defined):
        reader.cache_clear()


@pytest.fixture(autouse=True)
def rules_are_read_afresh() -> Iterator[None]:
    forget()
    yield
    forget()


def test_theorems_are_named_of_rules_and_joined_guarantees_that_exist():
    assert set(argued()) <= {*RULES, *joined.JOINED, DRAW}
    assert set(linked()) == set(argued())


@pytest.mark.parametrize("rule", LINKED)
def test_every_link_stands(rule):
    assert lost(rule, code_of(rule)) == []


@pytest.mark.parametrize("rule", sorted(argued().keys() & RULES))
def test_the_theorem_of_a_rule_is_told(rule):
    assert arguments.told(rule).startswith(("Its theorem: ", "A part of it is a theorem: "))


@pytest.mark.parametrize("rule", LINKED)
def test_the_line_about_owed_names_what_the_rule_owes(rule):
    assert argued()[rule].owed.endswith(".")
    assert argued()[rule].rest == "" or argued()[rule].rest.endswith(".")


EDITS = {
    "chain": ("order.py", 'steps[-1] = replace(steps[-1], relation="<")', "pass"),
    "increasing": ("order.py", "return moved, *(", "return moved, moved, *("),
    "by_gap": ("order.py", "return equal, replace", "return equal, equal, replace"),
    "slope_and_end": ("calculus.py", 'lambda c, *x: c.number(0), "<=", rise', 'rise, "<=", rise'),
    "no_constant": ("constants.py", 'k * right(c, k), "<"', 'k * right(c, k), "<="'),
    "weakened": ("privacy.py", '("weak", "strong")', '("strong", "weak")'),
    "whole_number": ("whole.py", 'part(">=", 1)', 'part(">=", 2)'),
    "at_a_price": ("sums.py", "price(c, *x[:shared])", "price(c, *x)"),
    "substitute": ("substitution.py", "need(value, words, limit)", "pass"),
    "quotient": ("sums_on_integers.py", '"<=": ("<=", ">=")', '"<=": ("<=", "<=")'),
    "along_gaussian_chain": ("chains.py", "level(c, mu, d) + mu", "level(c, mu, d)"),
    "one_threshold": (
        "between_densities.py",
        "_outcomes(statement, least=threshold)",
        "_outcomes(statement)",
    ),
    "divergence_of_totals": ("per_record.py", 'Integer("r")', 'Integer("r", least=0)'),
    DRAW: ("escalation.py", "if p_above <= below:", "if p_above >= below:"),
}
"""Single edits by which a rule owes something else, one of them in data that the rule reads; and by which a
draw is decided in another way.
"""


@pytest.mark.parametrize("rule", EDITS)
def test_a_rule_that_owes_something_else_has_no_theorem(rule, monkeypatch, tmp_path):
    file, old, new = EDITS[rule]
    _edited(monkeypatch, tmp_path, file, old, new)
    assert lost(rule, arguments.code_of(rule)) == ["what its theorem is about has changed"]
    assert arguments.told(rule) == ""
    assert arguments.is_prose(rule)


UNTOUCHED = {
    "docstring": ("From a ≤ b and b ≤ c follows", "It follows that"),
    "message": ("chain: needs < or ≤", "chain: give < or ≤"),
    "another rule": ("return equal, replace", "return equal, equal, replace"),
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_an_edit_of_words_or_of_another_rule_leaves_it(name, monkeypatch, tmp_path):
    _edited(monkeypatch, tmp_path, "order.py", *UNTOUCHED[name])
    assert lost("chain", arguments.code_of("chain")) == []


def _edited(monkeypatch: pytest.MonkeyPatch, folder: Path, file: str, old: str, new: str) -> None:
    """The code of rules is read from an edited copy of one file."""
    find = arguments.file_of

    def read(module: str) -> Path | None:
        path = find(module)
        if path is None or path.name != file:
            return path
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        (folder / file).write_text(text.replace(old, new), "utf-8")
        return folder / file

    monkeypatch.setattr(arguments, "file_of", read)
    forget()


def test_a_changed_proof_is_asked_of_the_kernel_again(monkeypatch):
    texts = record.sources()
    changed = {**texts, "comparisons": texts["comparisons"].replace("nra.", "nra; idtac.")}
    monkeypatch.setattr(record, "sources", lambda: changed)
    assert lost("chain", arguments.code_of("chain")) == ["comparisons.v has changed"]
    assert lost("fixed_at", arguments.code_of("fixed_at")) == ["comparisons.v has changed"]


def test_a_theorem_that_says_something_else_is_compared_again(monkeypatch):
    """Also where the kernel accepted it, so that the record speaks of it."""
    texts = rules.sources()
    weaker = re.sub(r"forall c, costs", "forall c, 1 <= c -> costs", texts["levels"])
    weaker = weaker.replace("1 <= a -> 1 <= b ->", "2 <= a -> 1 <= b ->")
    assert weaker != texts["levels"]
    monkeypatch.setattr(rules, "sources", lambda: {**texts, "levels": weaker})
    assert lost("one_after_another", arguments.code_of("one_after_another")) == [
        "what the theorem says, or what is written about it, has changed"
    ]
    assert lost("chain", arguments.code_of("chain")) == []


def test_a_theorem_of_another_name_is_not_the_one_that_was_compared(monkeypatch):
    other = {**argued(), "chain": replace(argued()["chain"], theorems=("comparisons.by_gap",))}
    monkeypatch.setattr(rules, "argued", cache(lambda: other))
    assert lost("chain", arguments.code_of("chain")) == [
        "what the theorem says, or what is written about it, has changed"
    ]


@pytest.mark.parametrize("lie", [{"whole": False}, {"rest": ""}, {"owed": "Nothing."}])
def test_what_is_written_about_a_rule_is_compared_too(lie, monkeypatch):
    other = {**argued(), "in_one_part": replace(argued()["in_one_part"], **lie)}
    monkeypatch.setattr(rules, "argued", cache(lambda: other))
    assert lost("in_one_part", arguments.code_of("in_one_part"))


def test_a_rule_that_nobody_compared_has_no_theorem(monkeypatch):
    monkeypatch.setattr(rules, "linked", cache(dict))
    assert lost("chain", arguments.code_of("chain")) == ["nobody has compared it with its theorem"]


def test_what_is_written_is_read(monkeypatch, tmp_path):
    known = dict(linked())
    file = tmp_path / "rules.json"
    file.write_text(write(known), "utf-8")
    assert file.read_text("utf-8") == rules.FILE.read_text("utf-8")
    monkeypatch.setattr(rules, "FILE", file)
    rules.forget()
    assert linked() == known


def test_a_slope_is_owed_of_formulas_without_a_kink():
    """The theorem asks for a derivative at every point between the ends."""
    bent = AtMost(Real("x", least=-1), left=0, right=lambda c, x: 1 + x + c.absolute(x))
    with pytest.raises(RuleError, match="an absolute value has no slope at 0"):
        slope_obligations(bent, "x")
    other = AtMost(Real("y"), Real("x", least=0), left=0, right=lambda c, y, x: x * c.absolute(y))
    assert len(slope_obligations(other, "x")) == 2
