"""What `establish list` and `establish show` print, without settling more than they must."""

import json
from collections.abc import Callable
from pathlib import Path

from establish.proofs_check.engine.ledger import Entry

Run = Callable[..., tuple[int, str, str]]


def test_list_gives_the_recorded_verdict_and_checks_nothing(run: Run, two_claims: dict[str, Entry]):
    two_claims["paper/one"] = Entry("paper/one", "fails", "proof", "")
    del two_claims["paper/data"]
    status, out, _ = run("list")
    assert status == 0
    assert "paper/one  Section 1, Lemma 1.1 One is one.      fails" in out
    assert "paper/data Section 2            The data are so. -" in out
    status, out, _ = run("list", "paper/one", "--json", "-")
    assert json.loads(out) == [
        {
            "id": "paper/one",
            "source": "paper",
            "location": "Section 1, Lemma 1.1",
            "statement": "One is one.",
            "verdict": "fails",
        }
    ]


def test_show_gives_the_whole_claim_and_how_to_check_it_again(
    run: Run, two_claims: dict[str, Entry]
):
    status, out, _ = run("show", "paper/one")
    assert status == 0
    for part in (
        "paper/one\n  Section 1, Lemma 1.1\n",
        "Statement\n  One is one.\n",
        "Verdict\n  holds (evidence: proof)",
        "Value\n  1\n",
        "Evidence\n  1. 1 = 1\n     proof by sum\n",
        "Derivation\n  By definition.\n",
        "Ledger\n  as recorded\n",
        "establish check --fresh paper/one\n",
    ):
        assert part in out
    assert "Counterexample" not in out
    assert "read from the cache" in run("show", "paper/one")[1]


def test_show_finds_claims_of_ones_own_file(run: Run, papers: Path):
    file = papers / "settled.py"
    status, out, _ = run("show", "mine/order", "--file", file)
    assert status == 0
    assert "Counterexample\n  3 < 3 is false\n" in out
    assert f"establish check --fresh {file}" in out
