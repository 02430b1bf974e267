"""A page draws each formula of a statement from the formula itself, and changes no word beside it."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from establish.proofs_check.engine.register import imported
from establish.proofs_check.engine.selection import select
from establish.proofs_check.engine.statements import AtMost, Real
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.statements.terms import MARK, TEXT, Term, kept
from establish.proofs_check.report.formulas import marked, plain, typeset
from establish.proofs_check.terms.formula import tree_of
from establish.proofs_check.terms.trees import NotATerm, variable

X, Y = variable("x"), variable("y")

HIRE = AtMost(Real("n", least=1), left=lambda c, n: n, right="1/10")


@pytest.mark.parametrize(
    "formula",
    [
        lambda c, x, y: 2 - x + y * c.pi - y / 3,
        lambda c, x, y: c.exp(-abs(x - y) / 2) ** (1 / y),
        lambda c, x, y: c.maximum(c.sqrt(x), c.log(y)) - c.absolute(1 - x),
        lambda c, x, y: c.power(x, c.number(Fraction(1, 3))) + c.beta_share(x, y, 2),
    ],
)
def test_a_formula_as_text_is_the_tree_of_the_formula(formula):
    text = formula(TEXT, Term("x"), Term("y"))
    assert text.tree is tree_of(formula, (X, Y)).term  # equal trees are one object


def test_a_function_that_trees_do_not_have_stays_text():
    with pytest.raises(NotATerm, match="no tree has cosine"):
        _ = TEXT.cosine(Term("x")).tree


def test_marks_are_put_only_while_formulas_are_kept():
    term = Term("x") + 1
    with kept() as found:
        assert f"e^({term})" == f"e^({MARK.format(0)})"
    assert (found, str(term)) == ([term], "x + 1")


def test_words_are_escaped_and_letters_with_an_index_or_a_power_are_drawn():
    said = AtMost(Real("<b>", above=0), Real("μ_a"), left=lambda c, b, m: c.exp(b) * m, right="1/3")
    html = typeset(said)
    assert "<b>" not in html
    assert "<msup>" in html
    assert "<mfrac><mn>1</mn><mn>3</mn></mfrac>" in html
    assert html.startswith("for all ")
    assert "μ<sub>a</sub> ∈ ℝ: " in html


def statements(*ids: str) -> list[Statement]:
    return [each for claim in select(ids).claims.values() for each in imported(claim).stated.all]


def test_the_formulas_of_privacy_and_of_sums_are_drawn_where_they_stand():
    sums = ("canonne2020/tail", "canonne2020/total-at-most")
    for statement in statements("haney2017/lemma-9.2", "webb2025/thm-6.5-firm", "haney2017/thm-7.4", *sums):
        before = statement.text
        assert plain(*marked(statement)) == before
        assert "<math" in typeset(statement)
        assert statement.text == before


def test_a_relation_is_read_at_names_while_formulas_are_kept():
    for statement in statements("haney2017/sec6-node-requirements"):
        assert plain(*marked(statement)) == statement.text


def test_a_text_that_looks_into_its_formulas_is_not_drawn():
    @dataclass(frozen=True)
    class Looks(type(HIRE)):
        __module__ = type(HIRE).__module__  # as a kind of the engine's own

        @property
        def text(self) -> str:
            said = str(self.domain.terms and self.left(TEXT, Term("n")))
            return "it is n" if said == "n" else f"it is not n: {said}"

    assert typeset(Looks(HIRE.domain, lambda c, n: n, "<=", HIRE.right)) == "it is n"


@pytest.mark.small_campaign
def test_no_drawing_of_any_statement_changes_its_text():
    for statement in statements():
        before = statement.text
        assert typeset(statement)
        assert statement.text == before
