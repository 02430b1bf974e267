"""A place names the statements that a reader would look there for."""

import pytest

from establish.proofs_check.engine.places import statement, statements
from establish.proofs_check.engine.selection import at_place

NAMED = {
    "Section 7.1, Definitions 7.1 and 7.2": {
        ("section", "7.1"),
        ("definition", "7.1"),
        ("definition", "7.2"),
    },
    "proof of Theorems 7.3 to 7.5, equation 32": {
        ("theorem", "7.3"),
        ("theorem", "7.4"),
        ("theorem", "7.5"),
        ("equation", "32"),
    },
    "Appendix B, equations 17 to 19": {
        ("appendix", "B"),
        ("equation", "17"),
        ("equation", "18"),
        ("equation", "19"),
    },
    "Section 4.2, (4.5) and (4.6)": {("section", "4.2"), ("equation", "4.5"), ("equation", "4.6")},
    "Section 5.5, Figures 1, 4 and 5, on the whole grid": {
        ("section", "5.5"),
        ("figure", "1"),
        ("figure", "4"),
        ("figure", "5"),
    },
    "Section 7, Case 2, fact (1) and footnote 5": {
        ("section", "7"),
        ("case", "2"),
        ("fact", "1"),
        ("footnote", "5"),
    },
    "Definitions G.1 and G.2": {("definition", "G.1"), ("definition", "G.2")},
    "against Definition 6.8(3)": {("definition", "6.8")},
    "the introduction": set(),
}


@pytest.mark.parametrize(("place", "named"), NAMED.items())
def test_each_statement_of_a_list_or_range_is_named(place, named):
    assert statements(place) == named


@pytest.mark.parametrize(
    "asked", ["equation 4.6", "Equation (4.6)", "eq. 4.6", "Eq 4.6", "(4.6)", " equation  4.6 "]
)
def test_one_statement_is_asked_for_in_many_ways(asked):
    assert statement(asked) == ("equation", "4.6")


@pytest.mark.parametrize("asked", ["proof of Lemma 8.6", "Lemmas 8.5 and 8.6", "8.6", "", "Lemma"])
def test_anything_else_is_none(asked):
    assert statement(asked) is None


FOUND = [
    ("haney2017", "Definition 7.2", "haney2017/def-7.1-symmetry"),
    ("haney2017", "Definition 2.5", "haney2017/sec2-laplace-l1"),
    ("haney2017", "Theorem 7.4", "haney2017/eq-32"),
    ("haney2017", "Equation 18", "haney2017/eq-17-19"),
    ("haney2017", "equation 14", "haney2017/eq-14"),
    ("haney2017", "Def. 7.2", "haney2017/def-7.1-symmetry"),
    ("haney2017", "Lemma  9.2", "haney2017/lemma-9.2"),
    ("foote2019", "Equation (4.6)", "foote2019/eq-4.6-rank-rounded-up"),
    ("foote2019", "footnote 24", "foote2019/table-1-parameters"),
    ("foote2019", "Figure 4", "foote2019/sec5-grid-ln-better-even"),
    ("webb2025", "Table 5", "webb2025/alg-4-bound"),
    ("webb2025", "Definition G.1", "webb2025/def-G.2"),
]


@pytest.mark.parametrize(("source", "place", "id"), FOUND)
def test_a_claim_is_found_at_every_statement_of_its_place(source, place, id):
    assert id in [entry.id for entry in at_place(source, place)[0]]


def test_a_section_is_not_found_within_a_longer_number():
    found = at_place("haney2017", "Section 8.1")[0]
    assert found
    assert not any("Section 8.10" in entry.location for entry in found)
    assert all("8.1" in entry.location for entry in found)
