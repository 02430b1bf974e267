"""The campaign of audits of correct mechanisms, in small; and that it would see an alarm, and tells it."""

import os
import signal
import subprocess
import time

import pytest

from establish.proofs_check.audit import alarms, dp
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.gallery import entry as shelf
from establish.proofs_check.audit.tally import Tally
from tests import groups


@pytest.mark.small_campaign
def test_no_correct_mechanism_is_accused_in_a_small_campaign():
    # Each audit is wrong with probability at most 1e-9; the seeds are fixed.
    assert alarms.alarms(40, outputs=4000) == []


@pytest.fixture
def wrong(monkeypatch):
    """A gallery with one entry, which is wrongly called correct."""
    entry = shelf.Entry("no noise", "kind", dp(1), shelf.Drawn(lambda d, size, rng: [float(d)] * size), "why")
    monkeypatch.setattr(alarms, "ENTRIES", {"no noise": entry})


def test_an_entry_that_is_wrongly_called_correct_is_accused_with_pair_and_seed(wrong):
    (said,) = alarms.alarms(1, outputs=4000, first=7)
    assert said.startswith("no noise, seed 7: ")


def test_each_alarm_is_told_before_the_next_run(wrong, monkeypatch, capsys):
    told = []

    def accused(number, outputs):
        told.append(capsys.readouterr().out)
        return number, f"alarm {number}" * (number != 6)

    monkeypatch.setattr(alarms, "accused", accused)
    assert alarms.main(["--runs", "4", "--from", "5", "--jobs", "1"]) == 1
    assert told == ["", "alarm 5\n", "", "alarm 7\n"]
    last = "3 false alarms in 4 audits of correct mechanisms, seeds 5 to 8\n"
    assert capsys.readouterr().out == f"alarm 8\n{last}"


def test_a_campaign_that_is_stopped_says_how_far_it_came(monkeypatch, capsys):
    def accused(number, outputs):
        if number == 6:
            os.kill(os.getpid(), signal.SIGTERM)
        return number, "alarm" * (number == 5)

    monkeypatch.setattr(alarms, "accused", accused)
    before = signal.getsignal(signal.SIGTERM)
    try:
        assert alarms.main(["--runs", "9", "--from", "4", "--jobs", "1"]) == 130
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capsys.readouterr().out == (
        "alarm\ninterrupted: 2 of 9 audits of correct mechanisms, 1 false alarms\n"
        "all seeds before 6 are done: go on with --from 6\n"
    )


STARTED = f"""
import signal
import {alarms.__name__} as alarms
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs behind it
print("imported", flush=True)
raise SystemExit(alarms.main(["--jobs", "2"]))
"""


# In the first half of a second the audits are handed out, then they are made.
@pytest.mark.small_campaign
@pytest.mark.parametrize(
    ("number", "seconds"),
    [(signal.SIGINT, 0.2), pytest.param(signal.SIGINT, 2, marks=pytest.mark.campaign), (signal.SIGTERM, 1)],
)
def test_several_processes_are_stopped_at_once_and_leave_no_traceback(number, seconds):
    campaign = groups.started(STARTED)
    time.sleep(seconds)
    start = time.monotonic()
    os.killpg(campaign.pid, number) if number == signal.SIGINT else campaign.send_signal(number)
    try:
        out, err = campaign.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(campaign.pid, signal.SIGKILL)  # or it would go on for hours
        raise
    assert campaign.returncode == 130
    told, where = out.splitlines()
    assert told.startswith("interrupted: ")
    assert told.endswith(" of 10000 audits of correct mechanisms, 0 false alarms")
    assert where.startswith("all seeds before ")
    assert err == ""
    assert time.monotonic() - start < 30


def test_progress_is_told_on_standard_error(capsys):
    with Tally(3, "audits", "false alarms", every=0.01) as tally:
        tally.add("", False)
        tally.add("an alarm", True)
        time.sleep(0.2)
    told = capsys.readouterr()
    assert told.out == "an alarm\n"
    assert "2 of 3 audits, 1 false alarms, 0 s\n" in told.err


@pytest.mark.parametrize("text", ["0", "-3", "many", "1.5", ""])
def test_a_wrong_number_of_runs_is_refused_in_a_line(text, capsys):
    with pytest.raises(SystemExit) as ended:
        alarms.main(["--runs", text])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"argument --runs: {text} is not allowed: a whole number from 1 on")


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    "name",
    ["Laplace, scale 50% too small", pytest.param("two Laplace releases", marks=pytest.mark.small_campaign)],
)
def test_the_outputs_of_a_fault_are_counted(name):
    assert alarms.outputs_until_found(name)[0] == name
    assert 1000 < (alarms.outputs_until_found(name)[1] or 0) < alarms.ENOUGH
    assert name in ENTRIES


def test_a_miss_counts_as_infinitely_many_outputs(monkeypatch, capsys):
    known = {"a": 10, "b": None, "c": 30}
    monkeypatch.setattr(alarms, "outputs_until_found", lambda name: (name, known[name]))
    assert alarms.median_outputs(["a", "b", "c"]) == (30.0, 2)
    assert capsys.readouterr().out == ("a: found with 10 outputs\nb: missed\nc: found with 30 outputs\n")
