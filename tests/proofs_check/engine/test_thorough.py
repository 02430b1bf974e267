"""A claim that takes long is checked when asked for, and is neither run nor missed otherwise."""

import json
from collections.abc import Callable

import pytest

from establish.proofs_check.engine.ledger import Entry
from establish.proofs_check.engine.register import Claim, claim, repeats
from establish.proofs_check.engine.verdicts import Evidence, Grade, Verdict, holds

Run = Callable[..., tuple[int, str, str]]

LEFT = "Skipped 1 slow claims (establish check --thorough runs them too)"


@pytest.fixture
def long_claim(own_register: dict[str, Claim], two_claims: dict[str, Entry]) -> list[str]:
    """A third claim, recorded, that takes long; the list grows when its check runs."""
    ran: list[str] = []

    @claim("paper/long", where="Section 3", says="A simulation.", thorough=True)
    def simulated() -> Verdict:
        """By simulation."""
        ran.append("paper/long")
        return holds(Evidence("so it is", True, Grade.STATISTICAL, "simulation", scope="1e-9"))

    two_claims["paper/long"] = Entry("paper/long", "holds", "statistical", "")
    return ran


def checked(run: Run, *arguments: str) -> tuple[int, list[str]]:
    status, out, _ = run("check", *arguments, "--jobs", 1, "--json", "-")
    return status, [record["id"] for record in json.loads(out)]


def test_a_plain_check_leaves_it_out_says_so_and_does_not_miss_it(run, long_claim):
    status, out, _ = run("check", "--jobs", 1)
    assert (status, long_claim) == (0, [])
    assert "2 claims in" in out
    assert LEFT in out
    assert "A simulation." not in out
    assert "Differences" not in out


def test_thorough_runs_it_and_leaves_nothing_out(run, long_claim):
    status, out, _ = run("check", "--thorough", "--jobs", 1)
    assert (status, long_claim) == (0, ["paper/long"])
    assert "3 claims in" in out
    assert "take long" not in out


def test_thorough_compares_it_with_the_ledger(run, long_claim, two_claims):
    two_claims["paper/long"] = Entry("paper/long", "fails", "statistical", "")
    assert run("check", "--jobs", 1)[0] == 0
    status, out, _ = run("check", "--thorough", "--jobs", 1)
    assert status == 1
    assert "paper/long: recorded: fails (statistical); came out: holds (statistical)" in out


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["paper/long"], ["paper/long"]),
        (["paper/long", "paper/*"], ["paper/long", "paper/one", "paper/data"]),
        (["paper/*"], ["paper/one", "paper/data"]),
        (["paper"], ["paper/one", "paper/data"]),
        (["paper/lon*"], []),
        (["paper/lon*", "--thorough"], ["paper/long"]),
    ],
)
def test_its_exact_id_asks_for_it_and_a_pattern_does_not(run, long_claim, patterns, found):
    status, ids = checked(run, *patterns)
    assert (status, sorted(ids)) == (0, sorted(found))


def test_show_runs_it(run, long_claim):
    status, out, _ = run("show", "paper/long")
    assert (status, long_claim) == (0, ["paper/long"])
    assert "Ledger\n  as recorded\n" in out


def test_a_plain_record_keeps_its_line(run, long_claim, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "proofs_check" / "ledger.csv"
    file.parent.mkdir()
    before = "id,verdict,evidence,value,value_evidence,condition_evidence,origin\n"
    file.write_text(f"{before}paper/long,fails,proof,7,steps,,printed\n")
    assert run("check", "--record", "--jobs", 1)[0] == 0
    assert "paper/long,fails,proof,7,steps,,printed\n" in file.read_text()
    assert run("check", "--record", "--thorough", "--jobs", 1)[0] == 0
    assert "paper/long,holds,statistical,,,,printed\n" in file.read_text()


def test_a_repeated_long_claim_takes_long_as_well(own_register, long_claim):
    repeats("talk/long", where="slides", says="Again.", same_as="paper/long")
    repeats("talk/one", where="slides", says="Again.", same_as="paper/one")
    assert own_register["talk/long"].thorough
    assert not own_register["talk/one"].thorough


OWN = """\
from establish.proofs_check.engine.methods import exact
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import holds


@claim("mine/long", where="Section 1", says="One.", thorough=True)
def one():
    '''By definition.'''
    return holds(exact.compare(1, "==", 1, "one"))
"""


def test_a_long_claim_of_ones_own_file_needs_the_option(run, own_register, tmp_path):
    file = tmp_path / "paper.py"
    file.write_text(OWN)
    assert checked(run, str(file)) == (0, [])
    del own_register["mine/long"]
    assert checked(run, str(file), "--thorough") == (0, ["mine/long"])
    del own_register["mine/long"]
    _, out, _ = run("show", "mine/long", "--file", file)
    assert f"establish check --fresh --thorough {file}\n" in out
