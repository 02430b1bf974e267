"""What is kept, cited or said again: an edit behind a verdict settles it again, and a name hides nothing."""

import json
import sys
from importlib import import_module, invalidate_caches

import pytest

from establish import AtMost, Grade, Outcome, Real, RuleError, aside, claim, holds, premise, repeats, solver
from establish.proofs_check.engine import register
from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.grades import Stated, graded
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import claims_of_file
from establish.proofs_check.engine.runner import run
from establish.proofs_check.engine.settlement import settle

TRUE = AtMost(Real("x"), left=lambda c, x: 2 * x, right=lambda c, x: x * x + 1)
OTHER = AtMost(Real("x"), left=lambda c, x: -2 * x, right=lambda c, x: x * x + 1)

MINE = """
{line}
from establish import AtMost, Real, claim, fails, holds, solver

STATED = AtMost(Real("x"), left=lambda c, x: 2 * x, right=lambda c, x: x * x + 1)

@claim("mine/one", where="1", says="A square.", states=STATED)
def check():
    return holds(solver.proves(STATED), value=str({helper}))
"""

HELPED = {
    "a module beside it": ("import aided", "aided.LIMIT", "aided.py"),
    "a folder without a file of its own": ("import lib.aided", "lib.aided.LIMIT", "lib/aided.py"),
    "a folder in such a folder": ("from lib.deep import aided", "aided.LIMIT", "lib/deep/aided.py"),
    "a star": ("from aided import *", "LIMIT", "aided.py"),
    "another name of import_module": (
        "from importlib import import_module as load\naided = load('aided')",
        "aided.LIMIT",
        "aided.py",
    ),
    "an attribute of importlib": (
        "import importlib\naided = getattr(importlib, 'import' + '_module')('aided')",
        "aided.LIMIT",
        "aided.py",
    ),
    "a loader": (
        "from importlib import util as u\nfrom pathlib import Path\n"
        "_spec = u.spec_from_file_location('aided', Path(__file__).with_name('aided.py'))\n"
        "aided = u.module_from_spec(_spec)\n_spec.loader.exec_module(aided)",
        "aided.LIMIT",
        "aided.py",
    ),
    "a name that is resolved": (
        "import pkgutil\naided = pkgutil.resolve_name('aided')",
        "aided.LIMIT",
        "aided.py",
    ),
    "the builtins": (
        "import builtins as b\naided = vars(b)['__imp' + 'ort__']('aided')",
        "aided.LIMIT",
        "aided.py",
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(register, "_claims", {})
    yield tmp_path
    for name in [n for n in sys.modules if n.partition(".")[0] in ("aided", "lib", "establish_user_mine")]:
        del sys.modules[name]


def settled(folder, cache):
    """The value that the claim of the folder comes out with, from the cache where it is kept."""
    register._claims.clear()
    invalidate_caches()
    (result,) = run(claims_of_file(folder / "mine.py").values(), cache=cache)
    return result.settlement.verdict.value


@pytest.mark.parametrize("name", HELPED)
def test_an_edit_of_a_helper_settles_the_claim_again_in_the_same_process(name, folder):
    line, helper, place = HELPED[name]
    file, cache = folder / place, Cache(folder / "cache")
    file.parent.mkdir(parents=True, exist_ok=True)
    (folder / "mine.py").write_text(MINE.format(line=line, helper=helper), "utf-8")
    for value in ("1", "2", "1", "33"):
        file.write_text(f"LIMIT = {value}\n", "utf-8")
        assert settled(folder, cache) == value


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data["verdict"].update(outcome="holds_loosely"),
        lambda data: data["verdict"].update(value="5"),
        lambda data: data["grades"].update(statement="proof"),
        lambda data: data["verdict"]["evidence"][0].update(grade="proof"),
        lambda data: data.update(searches=[]),
        lambda data: data.update(seconds=0.0),
    ],
)
def test_an_entry_of_the_cache_that_was_edited_is_not_used(edit, tmp_path):
    cache, key = Cache(tmp_path), "a" * 64
    cited = premise("a lemma", TRUE, cites="a book")
    cache.put(key, settle(lambda: holds(cited), Stated((TRUE,))))
    assert cache.get(key)
    (file,) = tmp_path.glob("*.json")
    data = json.loads(file.read_text("utf-8"))
    edit(data)
    file.write_text(json.dumps(data), "utf-8")
    assert cache.get(key) is None


@pytest.fixture
def own(monkeypatch):
    monkeypatch.setattr(register, "_claims", {})

    @claim("mine/one", where="1", says="A square.", states=TRUE)
    def check():
        return holds(solver.proves(TRUE))

    return register._claims


def test_what_repeats_a_claim_says_what_that_one_states(own):
    repeats("talk/one", where="2", says="Every number is 0.", same_as="mine/one")
    repeats("talk/two", where="2", says="Again.", same_as="talk/one")
    for name in ("talk/one", "talk/two"):
        again = own[name]
        assert again.stated is own["mine/one"].stated
        assert again.same_as == "mine/one"
        record = Record.of(again, settle(again.check, again.stated))
        assert (record.evidence, record.quantified) == ("proof", [TRUE.text])


@pytest.mark.small_campaign
def test_what_repeats_a_claim_is_no_theorem_about_other_words(monkeypatch):
    import_module("establish.proofs_check.papers.haney2017.graph_privacy.establishments")
    theorem = register._claims["haney2017/eq-14"]
    monkeypatch.setattr(register, "_claims", {theorem.id: theorem})
    repeats("talk/one", where="2", says="Every number is 0.", same_as=theorem.id)
    again = register._claims["talk/one"]
    settlement = settle(again.check, again.stated)
    assert Record.of(theorem, settlement).evidence == Grade.FORMAL
    assert Record.of(again, settlement).evidence == Grade.PROOF


CITED = {
    "beside what was proved": lambda cited: (solver.proves(OTHER), aside(cited)),
    "alone": lambda cited: (cited,),
    "before the proof of another": lambda cited: (cited, solver.proves(OTHER)),
}


@pytest.mark.parametrize("name", CITED)
def test_a_verdict_that_rests_on_a_premise_names_it(name):
    cited = premise("Poisson summation", TRUE, cites="a book")
    verdict = holds(*CITED[name](cited))
    assert graded(verdict, Stated((TRUE,))).statement is Grade.STEPS
    found = settle(lambda: verdict, Stated((TRUE,)))
    assert found.verdict.outcome is Outcome.HOLDS
    assert "given Poisson summation (a book)" in found.verdict.condition
    claimed = register.Claim("mine/one", "1", "A square.", lambda: verdict, stated=Stated((TRUE,)))
    assert "premise Poisson summation" in Record.of(claimed, found).trusts


@pytest.mark.parametrize(
    "name", ["", " ", "a + solver", "a lemma\npremise another", "a\rb", "a lemma at 3 points", 7]
)
def test_the_name_of_a_premise_is_one_line_that_names_it(name):
    with pytest.raises(RuleError, match="must be a text"):
        premise(name, TRUE, cites="a book")
    with pytest.raises(RuleError, match="must be a text"):
        premise("a lemma", TRUE, cites=name)
