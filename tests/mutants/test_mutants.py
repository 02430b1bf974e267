"""The campaign sees planted faults, leaves out what is no change, and explains every survivor."""

import csv
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from campaign import Noticing, Tree, chosen, explained  # noqa: E402
from edits import Mutant, mutants  # noqa: E402

GROWTH = "spec/relations/growth.py"


def mutant(file: str, before: str, after: str) -> Mutant:
    """The file with one edit that is made here."""
    text = (ROOT / file).read_text("utf-8")
    assert text.count(before) == 1
    return Mutant(file, "", before, after, 0, text, text.replace(before, after))


def test_an_edit_changes_one_operation_and_the_text_stays_python():
    found = {m.after for m in mutants("f.py", "def f(x, y):\n    return x < y and not x + 1 == y\n")}
    assert found == {"x <= y", "x < y or not x + 1 == y", "x + 1 == y", "x + 1 != y", "x - 1", "2"}


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    '''In 3 words: 1 + 1.'''\n    raise ValueError(1 + x)\n",
        "def __str__(self):\n    return 1 + 1\n",
        "x = max(a, b)\n".replace("max(a, b)", "gcd(a, b)"),
        "x: dict[int, str]\n",
        'x = f"{1 + 1} of {n}"\n',
    ],
)
def test_messages_annotations_and_symmetric_arguments_are_left_alone(text):
    assert mutants("f.py", text) == []


def test_what_folds_to_the_same_number_is_no_mutant():
    assert {m.after for m in mutants("f.py", "x = y * 1\n")} == {"2"}  # y / 1 is y * 1


def test_the_order_of_a_seed_stays_when_other_mutants_come_and_go():
    before = sorted(mutants("f.py", "x = a + b\ny = a * b\n"), key=lambda m: m.place(1))
    after = sorted(mutants("f.py", "z = a - b\nx = a + b\ny = a * b\n"), key=lambda m: m.place(1))
    known = {m.id for m in before}
    assert [m.id for m in after if m.id in known] == [m.id for m in before]


@pytest.mark.small_campaign
def test_planted_faults_are_noticed_by_claims_and_an_equivalent_edit_is_not(tmp_path):
    tree = Tree(tmp_path / "tree")
    planted = [
        mutant(GROWTH, "not_less=x <= y", "not_less=x < y"),
        mutant(
            "spec/composition/losses.py",
            "Gaussian(self.mu_squared - _same_kind(self, spent).mu_squared)",
            "Gaussian(self.mu_squared + _same_kind(self, spent).mu_squared)",
        ),
        mutant(GROWTH, "1 + alpha) * x", "alpha + 1) * x"),
    ]
    noticing = Noticing(tree)
    wanted = {
        GROWTH: ["establish/neighbors-are-as-defined", "establish/neighbors-are-listed"],
        "spec/composition/losses.py": ["establish/left-and-spent-are-the-cap"],
    }
    claims = list(noticing.ask("outcomes", ids=[id for each in wanted.values() for id in each]))
    found = []
    for one in planted:
        with tree.edited(one.file, one.text):
            own = [claim for claim in claims if claim["id"] in wanted[one.file]]
            found.append(noticing.noticed("claims", own))
    noticing.close()
    assert [who and who[0] for who in found] == [
        "establish/neighbors-are-as-defined",
        "establish/left-and-spent-are-the-cap",
        None,
    ]


def test_survivors_are_explained_and_are_still_mutants():
    with (HERE / "survivors.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(row["why"] for row in rows)
    ids = {m.id for m in chosen(ROOT, [row["file"] for row in rows], 1, 10**9)}
    assert explained().keys() <= ids
    assert {kind for kind, _ in explained().values()} <= {"equivalent", "open"}
