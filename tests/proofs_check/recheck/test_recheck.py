"""The small program rechecks what is proved, names whom it believes, and refuses what was edited."""

import copy
import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from establish import AtMost, Real
from establish.proofs_check.engine.rules.order import transformed
from establish.proofs_check.recheck.checking import VERSION, Report
from establish.proofs_check.recheck.sentences import DEEPEST, below, digest, number, parsed, term
from establish.proofs_check.recheck.values import lies_in, truth

NAMES = ("refutation", "by_solver", "by_identity", "by_chain", "by_substitution", "by_slope", "by_logarithms")


def sealed(data: Any) -> Any:
    """The proof with the digests of what its sentences say now."""
    data = copy.deepcopy(data)
    for step in data["steps"]:
        if "sentence" in step:
            new = digest(step["sentence"])
            data["decides"] = [new if one == step["digest"] else one for one in data["decides"]]
            step["digest"] = new
    return data


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_is_rechecked_and_nobody_is_believed(name, proofs, checked):
    report = checked(proofs[name])
    assert (report.believed, report.refused) == ((), "")
    assert report.again == report.steps == len(proofs[name]["steps"])


def test_the_checker_imports_nothing_of_the_engine_and_no_solver():
    names = ["engine", "terms", "z3", "sympy", "scipy", "mpmath", "numpy"]
    code = (
        "import sys, establish.proofs_check.recheck.checking\n"
        f"print([n for n in {names} if n in sys.modules or f'establish.proofs_check.{{n}}' in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert told.stdout.strip() == "[]"


def _last(data: Any) -> Any:
    return data["steps"][-1]


def _say(entry: str, value: Any) -> Callable[[Any], None]:
    return lambda data: data.__setitem__(entry, value)


def _step(entry: str, value: Any) -> Callable[[Any], None]:
    return lambda data: _last(data).__setitem__(entry, value)


def _sentence(entry: str, value: Any) -> Callable[[Any], None]:
    return lambda data: _last(data)["sentence"].__setitem__(entry, value)


def _node(value: Any) -> Callable[[Any], None]:
    return lambda data: _last(data)["sentence"]["nodes"].__setitem__(-1, value)


HUGE = [["number", str(i)] for i in range(DEEPEST + 1)]

FORM: dict[str, Callable[[Any], None]] = {
    "another version": _say("version", 2),
    "a version that is true": _say("version", True),
    "no version": lambda data: data.pop("version"),
    "one entry more": _say("note", "believe me"),
    "a verdict of its own": _say("verdict", "proved"),
    "no steps": _say("steps", []),
    "steps that are no list": _say("steps", {}),
    "a step that is no object": _say("steps", [1]),
    "it decides nothing": _say("decides", []),
    "it decides something else": _say("decides", ["0" * 64]),
    "a step without a method": lambda data: _last(data).pop("by"),
    "a step with an entry of its own": _step("grade", "proof"),
    "a step that rests on itself": lambda data: _last(data).update({"from": [len(data["steps"]) - 1]}),
    "a step that rests on a later one": lambda data: data["steps"][0].update({"from": [1]}),
    "a step that rests on one before the first": _step("from", [-1]),
    "a place that is no number": _step("from", ["0"]),
    "a place that is true": _step("from", [True]),
    "another digest": _step("digest", "0" * 64),
    "no digest": lambda data: _last(data).pop("digest"),
    "refutes is a word": _step("refutes", "no"),
    "a point of too many numbers": _step("at", ["1", "1", "1", "1"]),
    "a point outside of the domain": _step("at", ["-5", "-5"]),
    "a point of no numbers": _step("at", [None, None]),
    "a point that divides by 0": _step("at", ["1/0", "1"]),
    "identities that are a list": _step("identities", [1]),
    "a sentence with an entry more": _sentence("variables", ["x"]),
    "no nodes": _sentence("nodes", []),
    "nodes that are a word": _sentence("nodes", "nodes"),
    "too many nodes": _sentence("nodes", HUGE),
    "a node of another language": _node(["import", "os"]),
    "a node of too many parts": _node(["log", 0, 0]),
    "a node that is its own part": _node(["log", 99_999]),
    "a node with a part before the first": _node(["log", -1]),
    "a part that is a fraction": _node(["log", 0.5]),
    "a number that is a float": _node(["number", 0.1]),
    "a number that is no rational": _node(["number", "1e5"]),
    "a number that is not in lowest terms": _node(["number", "2/4"]),
    "a number over 0": _node(["number", "1/0"]),
    "a number of too many digits": _node(["number", "9" * 20_000]),
    "a variable over another field": _node(["variable", 2, "ℂ"]),
    "a variable that is left out": _node(["variable", 7, "ℝ"]),
    "a variable that stands twice": _node(["variable", 0, "ℝ"]),
    "a branch on another relation": _node(["where", ">", 0, 0, 0, 0]),
    "a conclusion of another relation": _sentence("conclusion", [0, "≤", 0]),
    "a conclusion of three sides": _sentence("conclusion", [0, "<", 0, 0]),
    "a conclusion about no node": _sentence("conclusion", [0, "<", 99_999]),
    "what is given is no list": _sentence("given", "x > 0"),
}
"""Edits after which a file is no proof at all."""


@pytest.mark.parametrize("edit", FORM)
def test_what_is_no_proof_is_refused_in_one_line(edit, proofs, checked):
    data = copy.deepcopy(proofs["by_chain"])
    FORM[edit](data)
    report = checked(data)
    assert report.refused
    assert "\n" not in report.refused
    assert len(report.refused) < 250


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"version": 1}', "[" * 100_000, '{"version": NaN}', "1" * 10_000],
    ids=["empty", "a list", "nothing", "cut", "no steps", "deep", "no number", "a long number"],
)
def test_a_file_that_is_no_proof_is_refused(text, checked):
    assert checked(text).refused


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [1, 5, 9])
def test_a_file_that_is_cut_is_refused(name, share, proofs, checked):
    text = json.dumps(proofs[name])
    assert checked(text[: len(text) * share // 10]).refused


def changed(sentence: Any) -> list[tuple[str, Any]]:
    """The sentence with each number moved, each operation and relation replaced, each side exchanged."""
    found = []

    def edit(name: str, change: Callable[[Any], None]) -> None:
        data = copy.deepcopy(sentence)
        change(data)
        if data != sentence:
            found.append((name, data))

    for i, node in enumerate(sentence["nodes"]):
        if node[0] == "number" and "/" not in node[1]:
            edit(f"number {i}", lambda d, i=i, n=node: d["nodes"][i].__setitem__(1, str(int(n[1]) + 7)))
        for old, new in (("+", "-"), ("*", "+"), ("/", "*"), ("-", "+"), ("log", "exp"), ("exp", "log")):
            if node[0] == old:
                edit(f"{old} {i}", lambda d, i=i, new=new: d["nodes"][i].__setitem__(0, new))
    for i in range(len(sentence["given"])):
        edit(f"without {i}", lambda d, i=i: d["given"].pop(i))
    edit("reversed", lambda d: d["conclusion"].reverse())
    for relation in ("<", "<=", "==", "!="):
        edit(relation, lambda d, r=relation: d["conclusion"].__setitem__(1, r))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_an_edit_of_a_sentence_is_refused(name, proofs, checked):
    tried = 0
    for place, step in enumerate(proofs[name]["steps"]):
        for _, sentence in changed(step["sentence"]):
            data = copy.deepcopy(proofs[name])
            data["steps"][place]["sentence"] = sentence
            assert checked(data).refused
            tried += 1
    assert tried >= 5


GRID = [Fraction(s) for s in ["-3", "-1", "-1/2", "0", "1/10", "1/2", "1", "3/2", "2", "5", "30"]]


@pytest.mark.parametrize("name", ["by_solver", "by_identity", "by_logarithms", "by_slope"])
def test_an_edited_sentence_with_a_digest_of_its_own_is_rechecked_only_if_it_is_true(name, proofs, checked):
    tried = 0
    for _, sentence in changed(_last(proofs[name])["sentence"]):
        data = copy.deepcopy(proofs[name])
        _last(data)["sentence"] = sentence
        report = checked(sealed(data))
        if report.refused or report.believed:
            tried += 1
            continue
        read = parsed(sentence)
        for point in itertools.product(GRID, repeat=len(read.fields)):
            assert not lies_in(point, read) or truth(read.conclusion, point) is not False
    assert tried >= 5


@pytest.mark.parametrize(
    "change",
    [
        lambda entries: entries.append(["1", [0]]),
        lambda entries: entries.append(["1", []]),
        lambda entries: entries.pop(),
        lambda entries: entries[0].__setitem__(0, "-1"),
        lambda entries: entries[0].__setitem__(0, "0"),
        lambda entries: entries[0].__setitem__(0, "1000001/7"),
        lambda entries: entries[0].__setitem__(0, 0.5),
        lambda entries: entries[0].__setitem__(1, [999]),
        lambda entries: entries[0].__setitem__(1, [-1]),
        lambda entries: entries[0].__setitem__(1, "0"),
        lambda entries: entries.clear(),
        lambda entries: entries.__setitem__(0, "believe me"),
    ],
)
def test_an_identity_that_is_edited_is_refused(change, proofs, checked):
    data = copy.deepcopy(proofs["by_logarithms"])
    (identity,) = _last(data)["identities"].values()
    change(identity)
    assert checked(data).refused.startswith("step 0: ")


def test_premises_in_another_order_leave_the_rule_to_be_believed(proofs, checked):
    data = copy.deepcopy(proofs["by_chain"])
    _last(data).pop("identities")  # so that the links are needed
    assert checked(data).believed == ()
    _last(data)["from"].reverse()
    assert checked(data).believed == ("chain",)
    _last(data)["from"].pop()
    assert checked(data).believed == ("chain",)


def test_what_is_no_sentence_is_believed_by_the_name_of_its_method(checked):
    step = {"digest": "a", "kind": "Private", "by": "pointwise", "from": []}
    data = {"version": 1, "claim": "a/b", "verdict": "holds", "decides": ["a"], "steps": [step]}
    assert checked(data) == Report("a/b", ("pointwise",), "", 1, 0, ("a",))


def test_a_sentence_whose_domain_is_empty_decides_nothing(proofs, checked):
    data = copy.deepcopy(proofs["by_solver"])
    _last(data)["at"] = None
    assert "do not say what the verdict holds needs" in checked(data).refused
    sentence = _last(data)["sentence"]
    sentence["given"].append([sentence["given"][0][2], "<", sentence["given"][0][0]])
    _last(data)["at"] = ["2", "1/2"]
    assert "its domain may be empty" in checked(sealed(data)).refused


def test_a_refutation_is_evaluated_at_its_point(proofs, checked):
    for point, told in (("2", "true at the point"), ("-1", "does not lie in the domain"), ("1", "true at")):
        data = copy.deepcopy(proofs["refutation"])
        _last(data)["at"] = [point]
        assert told in checked(data).refused
    data = copy.deepcopy(proofs["refutation"])
    data["verdict"] = "holds"
    assert "do not say what the verdict holds needs" in checked(data).refused


def test_what_rests_on_a_word_is_not_rechecked_when_it_is_said_again(checked):
    """False at √2 alone: a solver's word, a rule, and the same sentence again from nothing."""
    own = AtMost(Real("x", least=0), left=Fraction(1, 10**60), right=lambda c, x: (x * x - 2) ** 2)
    (owed,) = transformed(own, "exp")

    def step(statement, by, *premises):
        told = {"sentence": statement.sentence.data, "at": ["1"]}
        return {"digest": statement.identity, "by": by, "from": list(premises)} | told

    steps = [step(owed, "solver"), step(own, "increasing", 0), step(own, "chain")]
    proof = {"version": VERSION, "claim": "paper/one", "verdict": "holds", "decides": [own.identity]}
    assert checked(proof | {"steps": steps}).believed == ("solver",)


def test_what_was_read_before_does_not_order_a_formula():
    late = number(982451653)
    early = number(982451629)
    both = term("+", early, late)
    assert below(both) == [early, late, both]
