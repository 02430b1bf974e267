"""A convention is a remark beside a verdict that says that a sentence is true; its source uses it, too."""

import ast

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.conventions import CONVENTIONS, REMARK, by_convention
from establish.proofs_check.engine.ours import sources

TRUE = {"holds", "holds_loosely"}
SOURCES = {id.partition("/")[0] for id in ledger.recorded()} - {"establish"}


def cited(text: str) -> list[tuple[str, str, str]]:
    """The function that is given the remark, the convention and the source of every citation in a module."""
    found = []
    for call in ast.walk(ast.parse(text)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id != "by_convention":
            for inner in ast.walk(ast.Module([ast.Expr(k.value) for k in call.keywords], [])):
                if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "by_convention":
                    name, source = (ast.literal_eval(argument) for argument in inner.args)
                    found.append((call.func.id, name, source))
    return found


def in_the_papers() -> list[tuple[str, str, str]]:
    files = (file for file in sources("proofs_check") if "papers" in file.parts)
    return [citation for file in files for citation in cited(file.read_text("utf-8"))]


def test_what_a_convention_settles_is_never_called_ill_posed():
    citations = in_the_papers()
    assert len(citations) > 20
    assert {function for function, _, _ in citations} <= TRUE


def test_every_convention_is_cited_and_every_citation_has_its_place_in_the_source():
    citations = in_the_papers()
    assert {name for _, name, _ in citations} == set(CONVENTIONS)
    for _, name, source in citations:
        assert by_convention(name, source).startswith(REMARK)
    for convention in CONVENTIONS.values():
        assert set(convention.used) <= SOURCES


@pytest.mark.parametrize(
    "planted",
    [
        'ill_posed(x, condition=by_convention("supremum", "haney2017"))',
        "fails(x, counterexample=\"\", condition=f\"{by_convention('rows', 'foote2019')}; and more\")",
    ],
)
def test_a_planted_gap_that_a_convention_settles_is_noticed(planted):
    assert not {function for function, _, _ in cited(planted)} <= TRUE


@pytest.mark.parametrize(("name", "source"), [("half orders", "haney2017"), ("supremum", "webb2025")])
def test_a_convention_that_nobody_wrote_down_for_a_source_is_refused(name, source):
    with pytest.raises(KeyError):
        by_convention(name, source)
