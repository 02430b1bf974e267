"""Each claim is registered once, under a readable id, beside the check that settles it."""

import subprocess
import sys
from pathlib import Path

import pytest

from establish import RegisterError, Verdict, claim, not_checkable, repeats
from establish.proofs_check.engine import register
from establish.proofs_check.engine.ours import name_of
from establish.proofs_check.engine.register import SOURCES, claims, claims_of_file, may_register

HERE = Path(__file__).read_text("utf-8")


def unknown() -> Verdict:
    """No data."""
    return not_checkable("data")


def enter(id: str) -> None:
    claim(id, where="Section 1", says="Something.")(unknown)


def test_a_registered_check_is_found_by_its_id(own_register):
    enter("mine/a")
    found = own_register["mine/a"]
    assert (found.source, found.location, found.statement) == ("mine", "Section 1", "Something.")
    assert found.check is unknown
    assert found.derivation == "No data."


def test_the_decorator_leaves_the_check_callable(own_register):
    assert claim("mine/a", where="Section 1", says="Something.")(unknown) is unknown


def test_a_second_claim_of_the_same_id_is_refused(own_register):
    enter("mine/a")
    with pytest.raises(RegisterError, match="mine/a is registered twice"):
        enter("mine/a")


@pytest.mark.parametrize(
    "id",
    [
        *("", "mine", "mine/", "/a", "mine//a", "mine/..", "../a", "mine/./a", "mine/a*"),
        *("mine/[a]", "mine/a?", "mine/a b", "mine/a\nb", "mine/a\n", "mine\\a/b"),
    ],
)
def test_an_id_that_no_file_or_pattern_can_name_is_refused(id, own_register):
    with pytest.raises(RegisterError, match="must read source/label"):
        enter(id)


def test_a_repeated_statement_shares_the_check(own_register):
    enter("mine/a")
    repeats("talk/a", where="slides", says="Again.", same_as="mine/a")
    assert own_register["talk/a"].check is unknown
    again = own_register["talk/a"]
    assert again.same_as == "mine/a"
    line = next(n for n, text in enumerate(HERE.splitlines(), 1) if 'repeats("talk/a"' in text)
    assert again.place.endswith(f"test_register.py:{line}")
    assert again.checked_at == own_register["mine/a"].place != again.place
    assert own_register["talk/a"].statement == "Again."


def test_only_a_registered_claim_can_be_repeated(own_register):
    with pytest.raises(RegisterError, match="repeats mine/b, which is not registered"):
        repeats("talk/b", where="slides", says="Again.", same_as="mine/b")


def test_a_file_gives_its_own_claims_only(papers):
    assert set(claims_of_file(papers / "settled.py")) == {"mine/sum", "mine/order"}


def test_a_file_is_read_without_the_papers(papers):
    code = (
        "import sys; from pathlib import Path; "
        "from establish.proofs_check.engine.worker import load, settle_ids; "
        f"load((Path({str(papers / 'settled.py')!r}),)); "
        "print(settle_ids(['mine/sum'], 1)[0].verdict.outcome, "
        "sum(name.startswith('establish.proofs_check.papers.') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["holds", "0"]


def test_a_file_may_not_take_the_id_of_a_claim_of_a_source(papers, monkeypatch):
    """Here the paper is imported after the file."""

    def import_the_paper() -> list[str]:
        enter("mine/sum")
        return []

    monkeypatch.setattr(register, "_claims", {})
    monkeypatch.setattr(register, "paper_modules", import_the_paper)
    with pytest.raises(RegisterError, match="claim mine/sum is registered twice"):
        claims_of_file(papers / "settled.py", {"mine/sum"})


def test_a_file_without_claims_is_refused(tmp_path):
    (tmp_path / "empty.py").write_text("x = 1\n", "utf-8")
    with pytest.raises(RegisterError, match="registers no claim"):
        claims_of_file(tmp_path / "empty.py")


def test_every_claim_of_the_sources_lives_in_the_package_of_its_source():
    """Results are cached by the content of the check's module, so it must be where the claim is."""
    papers = "establish.proofs_check.papers"
    homes = {source: f"{papers}.{source}." for source in SOURCES} | {"establish": f"{papers}.ours."}
    strangers = {
        entry.id: entry.module
        for entry in claims().values()
        if not entry.same_as and not entry.module.startswith(homes[entry.source])
    }
    assert strangers == {}
    assert {entry.source for entry in claims().values()} <= set(SOURCES)


def test_the_file_of_a_claim_is_found_by_its_id_with_few_others_before_it():
    for id, entry in list(claims().items())[::9]:
        likely = list(dict.fromkeys(map(name_of, may_register(id))))
        assert entry.place.partition(":")[0] in likely[:8], id


def test_a_claim_that_no_file_names_is_not_found_alone():
    assert register.alone("haney2017/no-such-lemma") is None
    assert register.alone("nobody2017/lemma-8.6") is None


def test_every_claim_says_where_it_is_printed_and_what():
    silent = [e.id for e in claims().values() if not (e.location.strip() and e.statement.strip())]
    assert silent == []


def test_every_check_carries_its_derivation():
    assert [entry.id for entry in claims().values() if not entry.derivation] == []
