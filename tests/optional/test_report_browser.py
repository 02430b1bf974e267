"""The reviewer's site in a real browser, from disk. Needs Playwright and Chromium; axe where it is installed.

Where they are not installed, these tests are skipped and say so. Screenshots are written to the folder that
the variable ESTABLISH_SCREENSHOTS names, if it is set.
"""

import os
import shutil
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no chromium on the path", allow_module_level=True)

CHOSEN = ("haney2017/lemma-*", "haney2017/table-1/*", "foote2019/def-2.*", "webb2025/thm-6.9")
PAGES = ("index", "counts", "refutations", "constants", "graph", "formulas", "difference")
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as tools:
        started = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def kept() -> dict[str, Path]:
    return {}


@pytest.fixture
def site(settled_once, kept, succeeds, tmp_path_factory) -> Path:
    if not kept:
        out = tmp_path_factory.mktemp("report") / "site"
        ledger = Path(__file__).parents[2] / "proofs_check" / "ledger.csv"
        succeeds("report", "--out", out, "--jobs", 1, "--against", ledger, *CHOSEN)
        kept["site"] = out
    return kept["site"]


class Visit:
    """A page of the site that is open, with what the browser said and asked for meanwhile."""

    def __init__(self, context, site: Path) -> None:
        self.site, self.said, self.asked = site, [], []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, name: str):
        self.page.goto((self.site / name.partition("#")[0]).as_uri() + "".join(name.partition("#")[1:]))
        return self.page

    def shown(self) -> list[str]:
        return self.page.locator("#claims tbody tr:visible th a").all_inner_texts()

    def keep(self, name: str) -> None:
        if folder := os.environ.get("ESTABLISH_SCREENSHOTS"):
            self.page.screenshot(path=Path(folder) / f"{name}.png", full_page=False)


@pytest.fixture
def visit(browser, site):
    """Opens pages; at the end nothing was said on the console and nothing asked for outside the folder."""
    visits = []

    def start(**options):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        visits.append((context, Visit(context, site)))
        return visits[-1][1]

    yield start
    for context, opened in visits:
        context.close()
        assert opened.said == []
        assert all(url.startswith((site.as_uri(), "data:")) for url in opened.asked)


def test_search_finds_as_one_types_and_says_how_many(visit):
    opened = visit()
    page = opened.open("index.html")
    folded = len(opened.shown())
    many = page.locator("#claims tbody tr").count()
    page.locator("#q").press_sequentially("smooth laplace 9.2")
    found = opened.shown()
    assert 0 < len(found) < many
    assert "haney2017/lemma-9.2" in found
    assert page.locator("#shown").inner_text() == f"{len(found)} of {many} claims"
    page.locator("#q").fill("no claim says this")
    assert opened.shown() == []
    assert "take a filter away" in page.locator("#shown").inner_text()
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function(f"document.querySelectorAll('#claims tbody tr:not([hidden])').length == {folded}")


def test_a_family_of_claims_opens_and_closes(visit):
    opened = visit()
    page = opened.open("index.html")
    before = opened.shown()
    button = page.locator(".fold:visible").first
    more = int(button.inner_text().split()[0].lstrip("▸"))
    button.focus()
    page.keyboard.press("Enter")
    assert len(opened.shown()) == len(before) + more
    assert button.get_attribute("aria-expanded") == "true"
    button.click()
    assert opened.shown() == before


@pytest.mark.parametrize("name", ["source", "section", "verdict", "evidence", "origin", "scopes"])
def test_every_filter_leaves_its_claims_only(visit, name):
    opened = visit()
    page = opened.open("index.html")
    rows = page.evaluate("JSON.parse(document.getElementById('index').textContent)")
    values = page.eval_on_selector_all(f"[name={name}] option", "all => all.map(o => o.value)")
    for value in values[1:4]:
        page.locator(f"[name={name}]").select_option(value)
        wanted = [
            row["id"]
            for row in rows
            if row[name] == value or (isinstance(row[name], list) and value in row[name])
        ]
        assert opened.shown() == wanted != []


def test_an_address_keeps_search_filters_and_order(visit):
    opened = visit()
    page = opened.open("index.html#verdict=fails&sort=id,down")
    assert len(opened.shown()) > 2
    assert page.locator("[name=verdict]").input_value() == "fails"
    assert page.locator("th[aria-sort=descending]").inner_text() == "Claim"
    page.locator("#q").fill("private")
    address = page.evaluate("location.hash")
    assert "q=private" in address
    assert "verdict=fails" in address
    page.reload()
    assert page.locator("#q").input_value() == "private"


def test_headings_sort_by_keyboard_both_ways(visit):
    opened = visit()
    page = opened.open("index.html")
    before = opened.shown()
    page.get_by_role("button", name="Verdict").focus()
    page.keyboard.press("Enter")
    up = page.locator("#claims tbody td:nth-child(4)").all_inner_texts()
    page.keyboard.press("Enter")
    down = page.locator("#claims tbody td:nth-child(4)").all_inner_texts()
    assert up == sorted(up)
    assert down == sorted(up, reverse=True)
    assert sorted(opened.shown()) == sorted(before)


def test_the_keyboard_reaches_content_search_and_a_claim(visit):
    page = visit().open("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("lemma-9.2")
    page.locator("#claims tbody tr:visible a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/claims/**")
    assert page.locator("h1").inner_text().startswith("haney2017/")
    page.keyboard.press("Alt+ArrowLeft")


def test_a_number_of_the_heat_map_leads_to_its_claims(visit):
    opened = visit()
    page = opened.open("counts.html")
    cell = page.locator(".heat td a").first
    number = int(cell.inner_text())
    cell.click()
    page.wait_for_url("**/index.html#*")
    assert len(opened.shown()) == number


def test_the_site_works_from_a_phone_in_the_dark_and_without_scripts(visit):
    phone = visit(viewport={"width": 375, "height": 700}, color_scheme="dark")
    for name in ("index.html", "counts.html", "claims/haney2017~lemma-9.2.html", "graph.html"):
        page = phone.open(name)
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, name
        phone.keep(f"phone-{Path(name).stem}")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 22, 26)"
    plain = visit(java_script_enabled=False)
    plain.open("index.html")
    assert len(plain.shown()) > 20


def test_a_printed_page_has_no_controls_and_shows_what_was_folded(visit):
    page = visit().open("claims/haney2017~lemma-9.2.html")
    page.emulate_media(media="print")
    assert not page.locator("header nav a").first.is_visible()
    assert page.locator(".drawing svg").first.is_visible()


def test_axe_reports_nothing_serious(visit):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    names = [f"{name}.html" for name in PAGES]
    names += [f"claims/haney2017~lemma-{n}.html" for n in ("9.2", "8.6", "8.7")]
    names += ["claims/haney2017~table-1~node-dp.html", "claims/webb2025~thm-6.9.html"]
    for scheme in ("light", "dark"):
        opened = visit(color_scheme=scheme)
        for name in names:
            page = opened.open(name)
            opened.keep(f"{scheme}-{Path(name).stem}")
            found = axe.Axe().run(page, options={"preload": False}).response["violations"]
            told = [
                (name, scheme, each["id"], each["nodes"][0]["html"][:200])
                for each in found
                if each["impact"] in SERIOUS
            ]
            assert told == []
