"""The ledger of releases: what is in it stays in it, and its cap cannot be passed."""

import errno
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from establish.impl.budget import ledger
from establish.impl.budget.caps import OverCap
from establish.impl.budget.heads import Head, LedgerLost
from establish.impl.budget.ledger import read_ledger, require_left, spend
from establish.impl.budget.lines import encode, scan
from establish.impl.budget.spending import Spending
from establish.spec.composition import Approximate, Attribute, ErEe, Gaussian, Gedp
from establish.spec.parameters import ParameterError

WEAK, STRONG = ErEe.of("weak-er-ee", "1/10"), ErEe.of("strong-er-ee", "1/10")
CAP = Approximate.of(3, "1/10")


def entry(loss=None, definition=WEAK, **more) -> Spending:
    loss = loss or Approximate.of(1)
    return Spending("a title", "0" * 64, definition, {"q": loss}, loss, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "project.ledger"


@pytest.fixture
def three(path: Path) -> bytes:
    """The file after three releases that cost 1/2 each."""
    for _ in range(3):
        spend(path, entry(Approximate.of("1/2", "1/100")), CAP)
    return path.read_bytes()


def releases(path: Path) -> list[str]:
    account = read_ledger(path)
    return [] if account is None else [known.release for known in account.entries]


def test_what_was_spent_is_read_back(path):
    first, second = entry(Approximate.of("1/3", "1e-9")), entry(Approximate.of(2))
    receipts = [spend(path, first, CAP), spend(path, second, CAP)]
    account = read_ledger(path)
    assert account.entries == (first, second)
    assert (account.definition, account.cap) == (WEAK, CAP)
    assert account.spent == Approximate(Fraction(7, 3), Fraction(1, 10**9))
    assert account.left == Approximate(Fraction(2, 3), Fraction(1, 10) - Fraction(1, 10**9))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(r.number, r.checksum) for r in receipts] == [
        (line["number"], line["checksum"]) for line in lines[1:]
    ]
    assert [r.release for r in receipts] == [first.release, second.release]


def test_there_is_nothing_to_read_before_the_first_release(path):
    assert read_ledger(path) is None
    path.touch()
    assert read_ledger(path) is None


def test_the_cap_is_reached_exactly_and_not_passed(path):
    for _ in range(30):
        spend(path, entry(Approximate.of("0.1")), CAP)
    before = path.read_bytes()
    for loss in (Approximate(Fraction(1, 10**30)), Approximate.of(0, "0.11")):
        for refuse in (spend, require_left):
            with pytest.raises(OverCap, match="too much"):
                refuse(path, entry(loss), CAP)
    assert path.read_bytes() == before
    spend(path, entry(Approximate.of(0, "0.1")), CAP)


def test_asking_what_is_left_writes_nothing(path):
    assert require_left(path, entry(), CAP).spent == Approximate(Fraction(1))
    assert not path.exists()


def test_a_ledger_keeps_the_cap_with_which_it_was_begun(path, three):
    for other in (Approximate.of(4, "1/10"), Approximate.of(3), Gaussian.of(3)):
        with pytest.raises(ParameterError, match=r"was set to \(.*\) and cannot change"):
            spend(path, entry(), other)
    assert path.read_bytes() == three


@pytest.mark.parametrize("use", [require_left, spend])
def test_a_ledger_that_lacks_a_known_entry_is_refused_at_the_first_look_and_when_it_is_written(
    path, three, use
):
    known = Head("project", 3, scan(three).lines[3].checksum, "the head")
    cut = three[: three.rindex(b"\n", 0, -1) + 1]
    path.write_bytes(cut)
    with pytest.raises(LedgerLost, match="lacks entry 3"):
        use(path, entry(), CAP, [known])
    assert path.read_bytes() == cut


def test_a_ledger_that_is_exchanged_while_it_is_waited_for_is_not_written(path, three, monkeypatch):
    lock = ledger.exclusive

    def waited(file: int) -> None:
        path.with_name("copy").write_bytes(three)
        path.with_name("copy").replace(path)
        lock(file)

    monkeypatch.setattr(ledger, "exclusive", waited)
    with pytest.raises(ParameterError, match="was replaced while it was waited for"):
        spend(path, entry(), CAP)
    assert path.read_bytes() == three


def test_a_release_is_entered_once(path):
    once = entry()
    spend(path, once, CAP)
    with pytest.raises(ParameterError, match="already in it"):
        spend(path, once, CAP)


def test_what_does_not_compose_is_not_entered(path, three):
    gedp = Gedp.of([Attribute.of("jobs", "sqrt", "1/2")])
    for wrong in (entry(definition=ErEe.of("weak-er-ee", "1/5")), entry(Gaussian.of(1), gedp)):
        with pytest.raises(ParameterError, match="does not compose"):
            spend(path, wrong, CAP)
    assert path.read_bytes() == three


def test_a_strong_release_is_counted_in_a_weak_ledger(path, three):
    spend(path, entry(definition=STRONG), CAP)
    assert read_ledger(path).spent.epsilon == Fraction(5, 2)


def test_a_release_with_another_gamma_is_counted_by_its_steps(path):
    kept, made = (Gedp.of([Attribute.of("jobs", "sqrt", gamma)]) for gamma in ("1", "1/2"))
    cap = Gaussian.of(5)
    spend(path, entry(Gaussian.of(3), kept), cap)
    spend(path, entry(Gaussian.of(2), made), cap)  # 2 steps of 1/2: 2·2 = 4, and 3² + 4² = 5²
    assert read_ledger(path).spent == cap


@pytest.mark.parametrize("wrong", ["nan", "inf", "-1"])
@pytest.mark.parametrize("field", ["epsilon", "delta"])
def test_no_number_but_a_loss_gets_into_a_total(path, three, field, wrong):
    """Even a ledger whose checksums are right."""
    fields = json.loads(json.dumps(scan(three).lines[1].fields))
    fields["loss"][field] = wrong
    header, _ = encode(0, scan(three).lines[0].fields, "")
    forged, _ = encode(1, fields, scan(three).lines[0].checksum)
    path.write_bytes(header + forged)
    for use in (read_ledger, lambda file: spend(file, entry(), CAP)):
        with pytest.raises(ParameterError, match=f"line 2: {field}"):
            use(path)


def test_a_torn_last_line_is_left_out_and_its_place_is_taken(path, three):
    """A process or the machine died at some byte of the last append: its release never appeared."""
    last = three.rstrip(b"\n").rfind(b"\n") + 1
    kept = [known.release for known in read_ledger(path).entries[:2]]
    for length in range(last, len(three)):
        path.write_bytes(three[:length])
        assert releases(path) == kept, length
    for length in range(last, len(three), 97):
        path.write_bytes(three[:length])
        new = entry()
        spend(path, new, CAP)
        assert releases(path) == [*kept, new.release]
        assert path.read_bytes().startswith(three[:last])
    path.write_bytes(three[:last] + b"\0" * 300)
    assert releases(path) == kept


def test_zeros_in_the_last_line_are_a_torn_line(path, three):
    """A disk may keep the length of a file, or a later block, and not what was before."""
    last = three.rstrip(b"\n").rfind(b"\n") + 1
    kept = [known.release for known in read_ledger(path).entries[:2]]
    for cut in range(last, len(three) + 1, 13):
        for torn in (
            three[:cut] + b"\0" * (len(three) - cut),
            three[:last] + b"\0" * (cut - last) + three[cut:],
        ):
            path.write_bytes(torn)
            if torn != three:
                assert releases(path) == kept, cut


def test_a_binary_file_is_no_ledger_and_stays_as_it_is(path):
    content = b"PAR1\0\0place\nNorth\0\n"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match="line"):
        spend(path, entry(), CAP)
    assert path.read_bytes() == content


def test_a_ledger_that_was_torn_in_its_first_line_begins_again(path, three):
    for length in range(three.index(b"\n") + 1):
        path.write_bytes(three[:length])
        assert read_ledger(path) is None, length
        if length % 41 == 0:
            spend(path, entry(), CAP)
            assert len(releases(path)) == 1


def test_every_changed_byte_is_noticed(path, three):
    for place in range(len(three) - 1):
        changed = bytearray(three)
        changed[place] ^= 1
        path.write_bytes(changed)
        with pytest.raises(ParameterError, match=r"line \d"):
            read_ledger(path)


@pytest.mark.parametrize("order", [(0, 2, 3), (0, 1, 3), (0, 2, 1, 3), (1, 2, 3), (0, 1, 1)])
def test_a_line_lost_moved_or_repeated_is_noticed(path, three, order):
    lines = three.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[number] for number in order))
    before = path.read_bytes()
    for use in (read_ledger, lambda file: spend(file, entry(), CAP)):
        with pytest.raises(ParameterError, match="line"):
            use(path)
    assert path.read_bytes() == before


def test_a_line_of_another_ledger_is_noticed(path, tmp_path, three):
    other = tmp_path / "other.ledger"
    spend(other, entry(), CAP)
    header, _, *rest = three.splitlines(keepends=True)
    path.write_bytes(b"".join([header, other.read_bytes().splitlines(keepends=True)[1], *rest]))
    with pytest.raises(ParameterError, match="line 3 is damaged"):
        read_ledger(path)


@pytest.mark.parametrize(
    "content", [b"place,jobs\nA,918273", b"918273", b'{"jobs": 918273}\n', b"\n", b'{"number"\n']
)
def test_a_file_that_is_no_ledger_stays_as_it_is_and_is_not_quoted(path, content):
    path.write_bytes(content)
    for use in (read_ledger, lambda file: spend(file, entry(), CAP)):
        with pytest.raises(ParameterError) as refused:
            use(path)
        assert "918273" not in str(refused.value)
    assert path.read_bytes() == content


def test_a_full_disk_spends_nothing(path, three, monkeypatch):
    system_write, calls = os.write, []

    def full(file: int, content: bytes) -> int:
        calls.append(len(content))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return system_write(file, content[:40])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(ParameterError, match="No space left"):
        spend(path, entry(), CAP)
    assert len(calls) == 2
    assert path.read_bytes() == three


def test_a_ledger_that_cannot_be_used_is_said(tmp_path):
    for wrong in (tmp_path, tmp_path / "none" / "project.ledger"):
        with pytest.raises(ParameterError, match=r"LEDGER = .* cannot be used"):
            spend(wrong, entry(), CAP)


def test_the_entry_and_its_name_are_durable_before_spend_returns(path, monkeypatch):
    steps, system_fsync, system_write = [], os.fsync, os.write

    def fsync(file: int) -> None:
        steps.append("folder" if os.path.samestat(os.fstat(file), path.parent.stat()) else "file")
        system_fsync(file)

    def write(file: int, content: bytes) -> int:
        steps.append("write")
        return system_write(file, content)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "write", write)
    spend(path, entry(), CAP)
    assert steps == ["write", "file", "folder"]


SPEND_ALL = """
import sys, time
from pathlib import Path
from establish.impl.budget.caps import OverCap
from establish.impl.budget.ledger import spend
from establish.impl.budget.spending import Spending
from establish.spec.composition import Approximate, ErEe

ledger, start = map(Path, sys.argv[1:])
print("ready", flush=True)
while not start.exists():
    time.sleep(0.001)
one, count = Approximate.of(1), 0
try:
    while True:
        weak = ErEe.of("weak-er-ee", "1/10")
        spend(ledger, Spending("a title", "0" * 64, weak, {"q": one}, one), Approximate.of(40))
        count += 1
except OverCap:
    print(count)
"""
"""What each process runs: spend one at a time until the cap of 40 refuses."""


@pytest.mark.small_campaign
@pytest.mark.parametrize("processes", [2, pytest.param(4, marks=pytest.mark.small_campaign)])
def test_processes_together_cannot_pass_the_cap(path, tmp_path, processes):
    start = tmp_path / "start"
    command = [sys.executable, "-c", SPEND_ALL, str(path), str(start)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    start.touch()
    assert sum([int(worker.communicate(timeout=300)[0]) for worker in workers]) == 40
    assert len(set(releases(path))) == 40
    assert read_ledger(path).left == Approximate(Fraction(0))


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/null")])
def test_what_is_no_regular_file_is_refused_at_once(path, make):
    """A pipe would be waited for, and what goes to a device is not kept."""
    make(path)
    for use in (read_ledger, lambda file: spend(file, entry(), CAP)):
        with pytest.raises(ParameterError, match="not a regular file"):
            use(path)


@pytest.mark.parametrize(
    ("cap", "says"),
    [
        ("2", "cap = '2' is not a loss, which has epsilon and delta, mu_squared, or rho"),
        ({}, "a loss has epsilon and delta, mu_squared, or rho"),
        ({"epsilon": "banana", "delta": "0"}, "epsilon = banana is not a finite rational"),
        ({"epsilon": "-1", "delta": "0"}, "epsilon = -1 is not allowed"),
        ({"mu_squared": "1"}, "is not a loss under weak-er-ee"),
    ],
)
@pytest.mark.parametrize("number", [1, 2])
def test_a_cap_that_is_none_is_told_with_its_line(path, number, cap, says):
    """Of the first line, or of the entry that fixed the cap later."""
    spend(path, entry(), None)
    fields = [dict(line.fields) for line in scan(path.read_bytes()).lines]
    fields[number - 1]["cap"] = cap
    first, checksum = encode(0, fields[0], "")
    path.write_bytes(first + encode(1, fields[1], checksum)[0])
    with pytest.raises(ParameterError) as refused:
        read_ledger(path)
    assert str(refused.value).startswith(f"LEDGER = {path}: line {number}: ")
    assert says in str(refused.value)
