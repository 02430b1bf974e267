"""The table keeps one line per claim, in the order of the source's sections."""

import pytest

from establish.proofs_check.commands.table import print_table
from establish.proofs_check.commands.terminal import PIPED_WIDTH, output
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.sections import section


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("Section 8.2, Lemma 8.6; proof in Appendix B", "Section 8"),
        ("Lemma 9.1", "Section 9"),
        ("Prop 6", "Prop 6"),
        ("Appendix B, proof of Theorem 8.1", "Section 8"),
        ("Appendix B, equation 14", "Appendix B"),
        ("App. A, (A.1)", "Appendix A"),
        ("Table 2", "Table 2"),
        ("slides, page 3", "slides"),
    ],
)
def test_a_location_belongs_to_a_section(location, expected):
    assert section(location) == expected


@pytest.mark.parametrize("width", [100, 140, PIPED_WIDTH])
def test_every_claim_takes_one_line_and_keeps_its_id_at_any_width(width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    words = ("A long statement in many words. " * 9, "1/3 " * 60)
    records = [
        Record(f"paper/lemma-{n}.1-proof-long", "paper", f"Lemma {n}.1", words[0], "holds_loosely",
               "statistical", words[1], "", "", "sum", 12.5)
        for n in (1, 2, 10)
    ]  # fmt: skip
    print_table(output(), records)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert max(map(len, lines)) <= width
    assert [line for line in lines if not line.startswith(" ")][1:] == [
        *("Section 1", "Section 2", "Section 10")
    ]
    rows = [line for line in lines if line.startswith(" ")]
    assert [row.split()[0] for row in rows] == [r.id.partition("/")[2] for r in records]
    assert all("holds_loosely statistical" in row and row.endswith(" 12.50") for row in rows)
