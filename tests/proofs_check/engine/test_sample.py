"""A random sample of printed claims is kept as it was judged; what it called another sentence was mended."""

import pytest

from establish.proofs_check.engine import sample
from establish.proofs_check.engine.readings import digest, read_in
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.sample import COLUMNS, HEAD, Sampled, SampleError

START = f"{HEAD}0123abcd, 2026-01-01\n{','.join(COLUMNS)}\n"
SOME = "0123456789abcdef"


def test_the_sample_has_130_claims_each_with_a_reason():
    kept = sample.sample()
    assert len(kept.claims) == 130
    assert all(one.reason for one in kept.claims)


def test_its_result_is_one_sentence():
    kinds = ("same", "same", "other")
    read = [Sampled(f"a/{i}", SOME, kind, False, False, "so") for i, kind in enumerate(kinds)]
    assert sample.told(read, "0123abcd") == (
        "Fresh readers of 3 printed claims, drawn at random (commit 0123abcd), found the object of 2 to be "
        "the sentence; the others: 1 other."
    )
    assert sample.told(read[:2], "0123abcd").endswith("found the object of 2 to be the sentence.")
    assert sample.told(read[:2], "0123abcd", apart=1).endswith(
        "; the others: 1 not checkable and not counted."
    )


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (",".join(COLUMNS) + "\n", "must start with"),
        (f"{HEAD}0123abcd\nid,reason\n", "must start with id,objects"),
        (START + f"a/b,{SOME},same,so\n", "row 3 of the sample: 4 fields"),
        (START + f"a/b,{SOME},fine,,,so\n", "'fine' is not one of"),
        (START + f"a/b,{SOME},same,maybe,,so\n", "a mark is"),
        (START + f"a/b,{SOME},same,,,so\n" * 2, "a/b stands twice"),
        (START + f"a/b,{SOME},same,,,\n", "a/b has no reason"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_row(table, words):
    with pytest.raises(SampleError, match=words):
        sample.parse(table)


def still_called_printed(read: list[Sampled]) -> list[str]:
    """Claims that say another sentence than the source, with the objects that were read."""
    known = claims()
    return [
        one.id
        for one in read
        if one.judgment in ("other", "not printed")
        and one.id in known
        and known[one.id].origin == "printed"
        and digest(read_in(known[one.id])) == one.objects
    ]


def test_no_claim_whose_object_was_another_sentence_is_called_printed():
    assert still_called_printed(list(sample.sample().claims)) == []


def test_a_planted_one_is_noticed():
    same = next(one for one in sample.sample().claims if one.judgment == "same")
    planted = Sampled(same.id, same.objects, "other", same.pedantic, same.words, same.reason)
    assert still_called_printed([same, planted]) == [same.id]
