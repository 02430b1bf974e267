"""A card says of its mechanism what the class says, and no mechanism is without one."""

import ast
from inspect import signature
from pathlib import Path

import pytest

from establish.impl.cards import NAMES, cards, classes, of_counts
from establish.impl.mechanisms.on_counts import OnCounts
from establish.proofs_check.engine.references import mechanism_classes

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "pages" / "reference" / "mechanisms.md"

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


SAMPLERS = "every sampler, against the law that it draws; mechanisms share them"
PAPERS = "what a paper compared, and we with it"
TRANSFORMED = "one mechanism on three scales"

LISTS = {
    "impl/sampling/laws.py": SAMPLERS,
    "proofs_check/certification/sampling/exact_way.py": SAMPLERS,
    "proofs_check/certification/sampling/float_bounds.py": SAMPLERS,
    "proofs_check/certification/counts.py": "laws that are compared by whole numbers, or on another scale",
    "proofs_check/certification/earnings.py": "what each for earnings draws, by formulas of its own",
    "proofs_check/certification/readings.py": "what each for earnings states, by formulas of its own",
    "proofs_check/certification/small_plans.py": "queries of four plans, as examples",
    "impl/budget/queries.py": "options that one mechanism has, and the default for earnings",
    "proofs_check/experiments/count_noise.py": PAPERS,
    "proofs_check/experiments/haney2017/findings.py": PAPERS,
    "impl/mechanisms/transformation.py": TRANSFORMED,
    "spec/mechanisms/transformation.py": TRANSFORMED,
    "proofs_check/papers/ours/transformation.py": TRANSFORMED,
    "proofs_check/formal/formulas.py": "names of formulas, some of which mechanisms have too",
    "proofs_check/audit/white/all_sizes.py": "names of laws, which mechanisms have too",
}
"""Files in which three mechanisms or more are named, and why nobody who adds another must edit them."""


def named_in(path: Path) -> list[str]:
    """The mechanisms of which a file has the name as a text, or the class that runs or is specified."""
    words = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for field in ("id", "attr", "value", "name"):
            word = getattr(node, field, None)
            words |= {word} if isinstance(word, str) else set()
    classes = {
        name: {c.runs.rpartition(".")[2], c.definition.rpartition(".")[2]} for name, c in cards().items()
    }
    return [name for name, own in classes.items() if words & {name, *own}]


def test_no_file_but_the_cards_lists_mechanisms():
    files = (path for floor in ("spec", "impl", "proofs_check") for path in (ROOT / floor).rglob("*.py"))
    found = {str(path.relative_to(ROOT)) for path in files if len(named_in(path)) > 2}
    assert found == LISTS.keys()
