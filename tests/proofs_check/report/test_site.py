"""The reviewer's site: links inside resolve, nothing outside is named, the index says what records say."""

import csv
import io
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import Claim, claim
from establish.proofs_check.engine.sections import section_order
from establish.proofs_check.engine.verdicts import Evidence, Grade, Verdict, holds
from establish.proofs_check.report.citations import SOURCES
from establish.proofs_check.report.site import embedded, page, paragraphs, referred
from tests.proofs_check.files import read_json

CHOSEN = (
    "haney2017/lemma-9.2",
    "haney2017/eq-39",
    "haney2017/def-2.4",
    "haney2017/eq-20",
    "haney2017/thm-7.1-req1",
    "haney2017/table-2/d.05-*",
    "haney2016_slides/lemma-9.2",
    "foote2019/def-2.*",
    "webb2025/thm-6.9",
)
"""Claims of every kind of drawing, and a repeated one."""


class Page(HTMLParser):
    """What a page refers to, the ids of its elements, its data, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.data: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        for name, value in attrs:
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_data(self, data: str) -> None:
        (self.data if self.open and self.open[-1] == "script" else self.words).append(data)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {}


@pytest.fixture
def site(settled_once: None, written: dict[str, Path], succeeds, tmp_path_factory) -> Path:
    """The site of CHOSEN, written by the command for the first test that asks."""
    if not written:
        out = tmp_path_factory.mktemp("report") / "site"
        old = list(csv.reader(io.StringIO(ledger.write(ledger.recorded()))))
        changed = [[row[0], "holds", *row[2:]] if row[0] == CHOSEN[1] else row for row in old]
        kept = [row for row in changed if row[0] != CHOSEN[2]]
        other = out.parent / "other.csv"
        with other.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(kept)
        told = succeeds("report", "--out", out, "--jobs", 1, "--against", other, *CHOSEN)
        assert "claims in" in told
        written["site"] = out
    return written["site"]


def pages_of(site: Path) -> dict[Path, Page]:
    return {file: Page(file.read_text("utf-8")) for file in sorted(site.rglob("*.html"))}


def test_every_link_of_every_page_resolves_inside_the_folder(site: Path):
    pages = pages_of(site)
    links = [(file, link) for file, held in pages.items() for link in held.links]
    assert len(links) > 100
    for file, link in links:
        if link == "data:,":
            continue
        name, _, anchor = link.partition("#")
        target = (file.parent / unquote(name)).resolve() if name else file
        assert target.is_relative_to(site.resolve()), f"{file.name}: {link}"
        assert target.is_file(), f"{file.name}: {link}"
        if anchor and target.name != "index.html":
            assert unquote(anchor) in pages[target].ids, f"{file.name}: {link}"


def test_no_page_repeats_an_id_of_an_element(site: Path):
    for file, held in pages_of(site).items():
        assert len(held.ids) == len(set(held.ids)), file.name


def test_no_file_names_an_address_outside(site: Path):
    names = re.compile(r"""(?:src|href|url|import|fetch)\s*[=(]\s*["']?(?:https?:)?//""")
    for file in site.rglob("*"):
        if file.is_file():
            assert not names.search(file.read_text("utf-8")), file.name


def test_the_index_says_what_the_records_say(site: Path):
    records = read_json(site / "claims.json")
    (index,) = Page((site / "index.html").read_text("utf-8")).data[:1]
    rows = json.loads(index)
    assert len(rows) == len(records) >= 15
    shared = set(rows[0]) & set(records[0])
    assert {"id", "statement", "verdict", "evidence", "value", "origin", "quantified"} <= shared
    assert [{k: row[k] for k in shared} for row in rows] == [
        {k: record[k] for k in shared} for record in records
    ]
    listed = Page((site / "index.html").read_text("utf-8")).links
    claims = [link for link in listed if link.startswith("claims/")]
    assert claims[-len(rows) :] == [page(row["id"]) for row in rows]
    first = [page(row["id"]) for row in rows if (row["verdict"], row["origin"]) == ("fails", "printed")]
    assert sorted(claims[: -len(rows)]) == sorted(first)


def test_the_claims_of_a_source_stand_by_section_as_a_person_counts(site: Path):
    rows = json.loads(Page((site / "index.html").read_text("utf-8")).data[0])
    for source in {row["source"] for row in rows}:
        places = [section_order(row["location"]) for row in rows if row["source"] == source]
        assert places == sorted(places)


def test_a_strip_says_how_the_printed_sentences_of_each_source_came_out(site: Path):
    rows = json.loads(Page((site / "index.html").read_text("utf-8")).data[0])
    counted = Counter((row["source"], row["verdict"]) for row in rows if row["origin"] == "printed")
    text = (site / "index.html").read_text("utf-8")
    for (source, verdict), number in counted.items():
        address = (
            f'href="#source={source}&amp;verdict={verdict}&amp;origin=printed" title="{number} {verdict}"'
        )
        assert address in text


def test_a_page_says_all_that_show_prints(site: Path, succeeds):
    records = read_json(site / "claims.json")
    objects = {record["id"]: record["quantified"] for record in records}
    for id in ("haney2017/lemma-9.2", "haney2017/def-2.4"):
        held = Page((site / page(id)).read_text("utf-8"))
        words = " ".join("".join(held.words).split()).lower()
        for line in succeeds("show", id, "--full").splitlines():
            if line.strip() not in objects[id]:  # the page has it once, and calls it by its number
                line = referred(line, objects[id])
            if line.startswith("  ") and not re.search(r"^  \d+\.\d\d s|as recorded", line):
                for part in re.split(r"  +|: |, |^\d+\. ", line.strip()):
                    assert " ".join(part.split()).lower() in words, (id, line)


def test_the_page_of_differences_lists_what_the_other_ledger_has_otherwise(site: Path):
    held = Page((site / "difference.html").read_text("utf-8"))
    words = "".join("".join(held.words).split())
    assert f"{CHOSEN[1]}anotherverdictholds" in words
    assert f"{CHOSEN[2]}onlyhere" in words
    assert CHOSEN[-1] not in words
    assert "onlythere" not in words


def test_a_site_of_some_claims_says_so_where_it_speaks_of_what_is_weakest(site: Path):
    for name in ("graph.html", "index.html"):
        assert "This site has" in (site / name).read_text("utf-8")


def test_text_of_a_claim_cannot_become_markup(own_register: dict[str, Claim], succeeds, tmp_path):
    own_register.clear()

    @claim("paper/<b>", where="Section 1 & 2", says="a < b, <script>alert(1)</script>")
    def less() -> Verdict:
        """If a<b then </script><img src=x>."""
        return holds(Evidence("1 < 2", True, Grade.STEPS, "sum"), value="</script>")

    succeeds("report", "--out", tmp_path / "site", "--jobs", 1)
    assert "This site has" not in (tmp_path / "site" / "graph.html").read_text("utf-8")
    for file in (tmp_path / "site").rglob("*.html"):
        text = file.read_text("utf-8")
        assert "<img" not in text
        assert "<b>" not in text
        assert "alert(1)</script>" not in text
    (row,) = json.loads(Page((tmp_path / "site" / "index.html").read_text("utf-8")).data[0])
    assert (row["id"], row["value"]) == ("paper/<b>", "</script>")


def test_pages_have_names_of_their_own_that_any_disk_can_hold():
    ids = ["a/b", "a~b", "a/b.html", "a/B b", "a/..", "a/b\\c", "ä/b", "a/~2f~", "a~/2f~"]
    names = [page(id) for id in ids]
    assert len(set(names)) == len(ids)
    assert all(re.fullmatch(r"claims/[A-Za-z0-9._~-]+\.html", name) for name in names)
    assert page("haney2017/lemma-8.6") == "claims/haney2017~lemma-8.6.html"


def test_a_long_statement_is_called_by_its_number():
    long, other = "for all x: " + "x + " * 40 + "0 = 0", "for all y: " + "y" * 100
    assert referred(f"{long} is false at x = 1", [long]) == "the statement is false at x = 1"
    assert referred(f"{other}; {long}", [long, other]) == "statement 2; statement 1"
    assert referred("x = 1", ["x = 1"]) == "x = 1"


def test_every_refutation_of_the_site_is_drawn(site: Path):
    listed = Page((site / "refutations.html").read_text("utf-8"))
    words = "".join(listed.words)
    (refuted, drawn) = re.findall(r"(\d+) statements are false, ill-posed .* (\d+) have a drawing", words)[0]
    assert int(refuted) == int(drawn) > 5
    records = read_json(site / "claims.json")
    false = {page(r["id"]) for r in records if r["verdict"] in ("fails", "ill_posed", "misprint")}
    assert sorted(link for link in listed.links if link.startswith("claims/")) == sorted(false)


def test_a_family_of_claims_is_folded_and_shares_a_card(site: Path):
    cards = (site / "refutations.html").read_text("utf-8").split('<article class="card">')[1:]
    (family,) = (card for card in cards if "haney2017~table-2~" in card)
    assert "<summary>2 more like it</summary>" in family
    assert len(set(re.findall(r"haney2017~table-2~[\w.-]+\.html", family))) == 3
    index = (site / "index.html").read_text("utf-8")
    assert re.findall(r'class="fold"[^>]*>([^<]*)<', index) == ["2 more like it (3 misprint in all)"]


def test_the_formulas_of_a_claim_are_drawn_beside_their_text(site: Path):
    text = (site / page("haney2017/eq-39")).read_text("utf-8")
    formulas = re.findall(r'<math display="block">.*?</math>', text)
    assert len(formulas) == 2
    assert "".join(ET.fromstring(formulas[1]).itertext()) == "ln((eλ·z)γzγ)≤λ·(γ+1)"
    assert "λ·(γ + 1)" in text  # for who has no MathML


def test_embedded_data_cannot_end_their_element():
    data = ["</script>", "<!--", "&amp;", "\u2028"]
    text = str(embedded(data))
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == data


def test_a_docstring_becomes_paragraphs_and_its_indented_lines_stay():
    assert list(paragraphs("One\ntwo.\n\n    x = 1\n    y = 2\n\nThree.")) == [
        ("One two.", False),
        ("    x = 1\n    y = 2", True),
        ("Three.", False),
    ]


def test_the_references_are_those_of_the_citation_file():
    file = Path(__file__).parents[3] / "CITATION.cff"
    entries = re.split(r"- type: ", " ".join(file.read_text("utf-8").split()))[1:]
    assert len(entries) == len(SOURCES) - 1
    for entry in entries:
        (source,) = re.findall(r"Claims with the source (\w+)", entry)
        said = SOURCES[source].reference
        families = re.findall(r"family-names: ([^,]+), given-names: ([^}]+)}", entry)
        assert all(f"{given} {family}" in said for family, given in families)
        assert re.findall(r'(?:doi|year|date-published): "?([^" ]+)', entry)[0] in said, source
        (title,) = re.findall(r"title: (?:>- )?(.*?) authors:", entry)
        assert title in said


Refusal = Callable[..., str]


def test_a_place_that_cannot_hold_a_site_is_refused_in_one_line(refusal: Refusal, tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("x", "utf-8")
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.html").write_text("mine", "utf-8")
    assert f"--out {file} is a file" in refusal("report", "--out", file)
    assert "is not empty" in refusal("report", "--out", full)
    assert "other files than a site" in refusal("report", "--out", full, "--force")
    assert "there is no folder" in refusal("report", "--out", tmp_path / "a" / "b")
    assert "Missing option" in refusal("report")
    assert "no claim matches" in refusal("report", "--out", tmp_path / "new", "nothing/at-all")


def test_another_ledger_that_is_none_is_refused(refusal: Refusal, tmp_path: Path):
    file = tmp_path / "old.csv"
    file.write_text("id,verdict\n", "utf-8")
    out = tmp_path / "site"
    assert "is not a ledger" in refusal("report", "--out", out, "--against", file)
    assert "cannot be read" in refusal("report", "--out", out, "--against", tmp_path / "none.csv")


@pytest.mark.small_campaign
def test_a_site_is_replaced_with_force_only_and_nothing_old_stays(
    own_register: dict[str, Claim], two_claims: object, run, tmp_path: Path
):
    out = tmp_path / "site"
    assert run("report", "--out", out, "--jobs", 1)[0] == 0
    assert run("report", "--out", out, "paper/one")[0] == 2
    assert run("report", "--out", out, "--jobs", 1, "--force", "paper/one")[0] == 0
    assert [file.name for file in (out / "claims").iterdir()] == ["paper~one.html"]


def test_the_command_without_its_extra_says_what_to_install(
    refusal: Refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for library in ("jinja2", "matplotlib"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, library, None)
            told = refusal("report", "--out", tmp_path / "site")
            assert f"this needs {library}" in told
            assert "pip install '.[report]'" in told
