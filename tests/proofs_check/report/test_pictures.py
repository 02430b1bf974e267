"""Pictures that are kept are those that would be drawn; what changed, or is not whole, is drawn again."""

from pathlib import Path

import pytest

from establish.proofs_check.report.pictures import Pictures

CHOSEN = ("foote2019/equal-likely-bins", "foote2019/def-2.4", "foote2019/thm-2.2-substitution")
"""Claims with formulas, with words, and with a drawing."""


@pytest.fixture
def keep(settled_once: None, succeeds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write the site; say which claims were drawn for it."""
    drawn: list[str] = []
    draw = Pictures.of

    def told(sheet):
        drawn.append(sheet.id)
        return draw(sheet)

    monkeypatch.setattr(Pictures, "of", told)

    def written(name: str, *options: object) -> tuple[dict[str, str], list[str]]:
        drawn.clear()
        out = tmp_path / name
        succeeds("report", "--out", out, "--jobs", 1, *options, *CHOSEN)
        files = {str(file.relative_to(out)): file.read_text("utf-8") for file in out.rglob("*.html")}
        return files, list(drawn)

    return written


def test_a_second_site_of_the_same_content_draws_nothing_and_is_the_same(keep, kept_cache):
    for file in kept_cache.glob("*.pictures.json"):
        file.unlink()
    first, drawn = keep("first")
    assert sorted(drawn) == sorted(CHOSEN)
    assert any("<svg" in text for name, text in first.items() if name.startswith("claims/"))
    second, drawn = keep("second")
    assert drawn == []
    assert second == first
    for file in kept_cache.glob("*.pictures.json"):
        file.write_text(file.read_text("utf-8").replace("<math", "<moth").replace("<svg", "<swg"), "utf-8")
    third, drawn = keep("third")
    assert sorted(drawn) == sorted(CHOSEN)
    assert third == first
