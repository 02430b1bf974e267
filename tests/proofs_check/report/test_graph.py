"""The graph says what rests on what, and is colored by the weakest evidence on the way."""

from fractions import Fraction

from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.references import References
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.report.counts import SHADES, heat_maps, tables
from establish.proofs_check.report.gather import Sheet, source_at
from establish.proofs_check.report.graph import FOLLOWED, LINE, Graph, Node, _lines, layered

MECHANISM = "mechanism noise (impl/noise.py:3), certificate impl/certificates.lock"


def sheet(id, evidence, rests_on=(), used_by=(), verdict="holds", place="Section 1", origin="printed"):
    entry = Claim(id, place, "It is so.", lambda: None, origin=origin)
    record = Record(id, entry.source, place, "It is so.", verdict, evidence, *[""] * 4, 0.0, origin=origin)
    return Sheet(entry, record, References((), tuple(rests_on), tuple(used_by)), (), ran=True)


CHAIN = [
    sheet("p/base", "statistical", used_by=["p/middle"]),
    sheet("p/middle", "proof", ["p/base"], ["p/top"]),
    sheet("p/top", "formal", ["p/middle"], [MECHANISM, "impl/noise.py:9"]),
    sheet("p/alone", "formal"),
]


def graph() -> Graph:
    return Graph(CHAIN, {each.id: f"claims/{each.id}.html" for each in CHAIN})


def test_the_weakest_evidence_on_the_way_colors_a_claim():
    found = graph()
    assert [found.weakest([each.id]) for each in CHAIN] == ["statistical"] * 3 + ["formal"]
    assert found.below("p/top") == ["p/middle", "p/base"]
    assert found.above("p/base") == ["p/middle", "p/top"]


def test_what_would_fall_names_claims_mechanisms_and_places():
    found = graph()
    names = [name for name, _ in found.falls("p/base")]
    assert names[:2] == ["p/middle", "p/top"]
    assert names[2] == "mechanism noise, its certificate impl/certificates.lock, and every release by it"
    assert [name for name, _ in found.falls("p/top")][-1] == "impl/noise.py:9"
    assert found.falls("p/alone") == []


def test_a_mechanism_is_as_weak_as_what_its_certificate_rests_on():
    (carried,) = graph().mechanisms()
    assert (carried.name, carried.weakest) == ("noise", "statistical")
    (ground,) = carried.claims
    assert (ground.id, ground.weakest, ground.below) == ("p/top", "statistical", ["p/middle", "p/base"])


def test_a_graph_that_no_eye_follows_is_not_drawn():
    many = [sheet(f"p/{n}", "proof", used_by=["p/all"]) for n in range(FOLLOWED + 1)]
    for rest, is_drawn in ((many[:-2], True), (many, False)):
        whole = sheet("p/all", "proof", [each.id for each in rest])
        found = Graph([*rest, whole], {each.id: each.id for each in [*rest, whole]})
        assert (found.around("p/all") is not None) == is_drawn
        assert found.around("p/0") is not None


def test_claims_that_rest_on_each_other_do_not_stop_the_graph():
    pair = [sheet("p/a", "proof", ["p/b"], ["p/b"]), sheet("p/b", "steps", ["p/a"], ["p/a"])]
    found = Graph(pair, {each.id: each.id for each in pair})
    assert found.below("p/a") == ["p/b"]
    assert found.weakest(["p/a"]) == "steps"


def test_text_in_a_node_is_escaped_and_no_line_is_longer_than_the_node():
    svg = layered([[Node("<b>&", "x.html")], []], [], ("a", "b"))
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;" in svg
    for words in ("haney2017/lemma-8.5-count-as-largest", "x" * 80, "a b", "SmoothGammaMechanismOfOurs"):
        lines = list(_lines(words))
        assert len(lines) <= 2
        assert all(len(line) <= LINE + 1 for line in lines)
        assert words.startswith(lines[0])


def test_printed_statements_are_counted_apart():
    sheets = [*CHAIN, sheet("p/own", "proof", origin="ours"), sheet("p/no", "", verdict="fails")]
    verdicts, grades, by_source, by_extent = tables(
        sheets, ["holds", "fails"], ["formal", "proof", "statistical", ""]
    )
    assert verdicts[2] == ["printed", "ours", "all"]
    assert verdicts[3] == [("holds", [4, 1, 5]), ("fails", [1, 0, 1]), ("all", [5, 1, 6])]
    assert grades[3][-1] == ("all", [5, 1, 6])
    assert by_source[3] == [("p", [4, 1, 5])]
    assert by_extent[3] == [("-", [4, 1, 5])]  # of a source that nobody has compared


def test_a_heat_map_has_a_shade_for_each_share_and_none_for_nothing():
    sheets = [sheet(f"p/{n}", "proof", verdict="fails" if n < 1 else "holds") for n in range(8)]
    ((source, name, verdicts, rows),) = heat_maps(sheets, ["holds", "fails", "misprint"])
    assert (source, name, verdicts) == ("p", "p", ["holds", "fails"])
    assert rows == [("Section 1", [("holds", 7, SHADES), ("fails", 1, 1)], 8)]
    assert Fraction(1, 8) * SHADES < 1


def test_the_code_of_a_definition_begins_at_its_line_with_its_decorators():
    assert source_at("proofs_check/report/graph.py", 1).startswith('"""What rests on what')
    assert source_at("proofs_check/report/gather.py", 0) == ""
