"""What a release drew is told on request alone, in a file of its owner's that lies elsewhere."""

import os
import stat
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from establish.impl.mechanisms import mechanism
from establish.impl.publish import counts, draws
from establish.impl.publish.counts import release_table
from establish.impl.publish.draws import release_and_tell
from establish.impl.sampling.bits import Bits
from establish.impl.tables.column_roles import Asked
from establish.proofs_check.certification.redecided import redecided
from establish.spec.parameters import ParameterError

JOBS, LARGEST = (918273, 45, 302819, 0), (645537, 7, 302819, 0)
ASKED = Asked("jobs", "largest", ["place"])
RUNS = mechanism("smooth-laplace", alpha="1/10", epsilon="2", delta="1/1000", calibration="tight")


@pytest.fixture
def released(tmp_path, monkeypatch):
    """A release of these counts that tells what it drew in ``safe/draws``, at a seed."""
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
    for folder in ("safe", "out"):
        (tmp_path / folder).mkdir()
    rows = [f"{'NESW'[i]},{n},{x}\n" for i, (n, x) in enumerate(zip(JOBS, LARGEST, strict=True))]
    (tmp_path / "in.csv").write_text("".join(["place,jobs,largest\n", *rows]))

    def release(**asked):
        given = {"draws": tmp_path / "safe" / "draws", "seed": 5} | asked
        return release_and_tell(tmp_path / "in.csv", tmp_path / "out" / "o.csv", RUNS, asked=ASKED, **given)

    return release


def test_words_are_those_of_the_stream_and_only_the_owner_may_read_them(released, tmp_path):
    done = released()
    path = tmp_path / "safe" / "draws"
    assert draws.read(path).tolist() == Bits.seeded(5).words(4).tolist()
    assert [line.split(",")[1] for line in path.read_text().splitlines()[1:]] == ["64"] * 4
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path / "out")) == ["o.csv", "o.csv.json"]
    assert "draws" not in str(done.record)


def test_noise_is_the_same_whether_it_is_told_or_not(released, tmp_path):
    released()
    told = (tmp_path / "out" / "o.csv").read_text()
    release_table(
        tmp_path / "in.csv",
        tmp_path / "out" / "o.csv",
        RUNS,
        count="jobs",
        largest="largest",
        keep=["place"],
        seed=5,
        force=True,
    )
    assert (tmp_path / "out" / "o.csv").read_text() == told


def test_a_secret_release_tells_words_that_nobody_can_repeat(released, tmp_path):
    released(seed=None)
    assert draws.read(tmp_path / "safe" / "draws").size == 4
    assert draws.read(tmp_path / "safe" / "draws").tolist() != Bits.seeded(5).words(4).tolist()


def test_what_was_told_decides_the_release_again_and_another_number_is_seen(released, tmp_path):
    released()
    words = draws.read(tmp_path / "safe" / "draws")
    noisy = [int(line.split(",")[1]) for line in (tmp_path / "out" / "o.csv").read_text().splitlines()[1:]]
    found = redecided(RUNS, JOBS, LARGEST, words, noisy)
    assert found.established
    assert "4 of 4 cells" in found.scope
    for cell in range(4):
        wrong = [n + (i == cell) for i, n in enumerate(noisy)]
        found = redecided(RUNS, JOBS, LARGEST, words, wrong)
        assert found.established is False
        assert str(cell) in found.witness
        assert not any(str(n) in found.witness for n in JOBS[:3])
    assert "2 of 4 cells, drawn at random" in redecided(RUNS, JOBS, LARGEST, words, noisy, number=2).scope
    with pytest.raises(ParameterError, match="their lengths differ"):
        redecided(RUNS, JOBS, LARGEST, words[:3], noisy)


def test_a_release_that_fails_leaves_no_draws(released, tmp_path, monkeypatch):
    monkeypatch.setattr(counts, "publish_entered", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        released()
    assert os.listdir(tmp_path / "safe") == os.listdir(tmp_path / "out") == []


def test_draws_are_refused_beside_the_output_and_over_another_file(released, tmp_path):
    with pytest.raises(ParameterError, match="in the folder of the release"):
        released(draws=tmp_path / "out" / "draws")
    with pytest.raises(ParameterError, match="lies in the folder of the release"):
        released(draws=tmp_path / "out" / "below" / "draws")
    with pytest.raises(ParameterError, match="belongs to the ledger"):
        released(draws=tmp_path / "in.csv.ledger")
    (tmp_path / "safe" / "draws").write_text("")
    with pytest.raises(ParameterError, match="cannot be made: File exists"):
        released()

    assert os.listdir(tmp_path / "out") == []


@pytest.mark.parametrize(
    ("released", "largest", "words"),
    [([n + 0.999 for n in JOBS], LARGEST, "released: each"), (JOBS, (-1_000_000, 7, 9, 0), "0 ≤ largest")],
)
def test_numbers_that_are_no_counts_are_refused_and_no_count_is_told(released, largest, words):
    with pytest.raises(ParameterError, match=words) as refused:
        redecided(RUNS, JOBS, largest, np.zeros(4, np.uint64), released)
    assert not any(str(number) in str(refused.value) for number in (*JOBS[:3], -81727))


def test_draws_are_refused_in_production_unless_they_are_asked_for_by_name(released, tmp_path, monkeypatch):
    ready = draws.ready_for
    monkeypatch.setattr(
        draws, "ready_for", lambda *given, **also: replace(ready(*given, **also), strict=True)
    )
    with pytest.raises(ParameterError, match="refused in production"):
        released()
    assert os.listdir(tmp_path / "safe") == []
    (tmp_path / "link").symlink_to(tmp_path / "safe")
    with pytest.raises(ParameterError, match="leads through a symbolic link"):
        released(in_production=True, draws=tmp_path / "link" / "draws")
    assert os.listdir(tmp_path / "safe") == []
    released(in_production=True)
    assert draws.read(tmp_path / "safe" / "draws").size == 4


def test_words_that_extended_one_are_counted_and_parts_are_not_told():
    bits = draws.Telling.seeded(1)
    bits.fill(np.empty(2, np.uint64))
    more = bits.further(1)
    assert [next(more), next(more)] == list(islice(Bits.seeded(1).further(1), 2))
    assert [line.split(",")[:2] for line in bits.told()] == [["0", "64"], ["1", "192"]]
    with pytest.raises(ParameterError, match="parts draw from streams of their own"):
        bits.for_parts("jobs", 2)


@pytest.mark.parametrize(
    "text",
    ["", "cell,word\n", "cell,bits,word\n1,64,0x1\n", "cell,bits,word\n0,64\n"]
    + [
        f"cell,bits,word\n0,{line}\n"
        for line in ("64,0x1", "64,-0x0000000000000001", "abc,0x" + 16 * "0", "64,é")
    ],
)
def test_another_file_is_no_file_of_draws(text, tmp_path):
    (tmp_path / "draws").write_text(text)
    with pytest.raises(ParameterError, match="is no file of draws"):
        draws.read(tmp_path / "draws")


@pytest.mark.parametrize(
    "name", ["laplace", "growth-staircase", "whole-staircase", "smooth-path", "discrete-gaussian"]
)
def test_every_cell_of_a_mechanism_on_counts_draws_one_word(name, monkeypatch):
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
    given = {"rho": "1/2"} if name == "discrete-gaussian" else {"epsilon": "2"}
    made = mechanism(name, **given, **({} if name in ("laplace", "discrete-gaussian") else {"alpha": "1/10"}))
    bits = draws.Telling.seeded(3)
    made.release(JOBS, bits)
    assert len([*bits.told()]) == len(JOBS)
