"""What goes wrong in one claim is told of that claim, with file and line, and stops no other."""

import signal
import time

import pytest

from establish import AtMost, Outcome, Private, Rational, Real, Verdict, holds, solver
from establish.proofs_check.engine import patience, settlement
from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.patience import LimitError, watched
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.settlement import settle, settle_claim
from establish.spec.mechanisms.laplace import LaplaceMechanism

TRUE = AtMost(Real("x", least=0), left=lambda c, x: -x, right=1)


class Unsearched(type(TRUE)):
    """A statement whose adversary breaks."""

    __module__ = type(TRUE).__module__  # as a kind of the engine's own

    def counterexample(self, effort):
        raise ZeroDivisionError("no exact value")


class Unsaid(type(TRUE)):
    """A statement that cannot be printed."""

    __module__ = type(TRUE).__module__

    @property
    def text(self):
        raise TypeError("a level that is no number")


def other(kind):
    return kind(TRUE.domain, TRUE.left, TRUE.relation, TRUE.right)


def shown() -> Verdict:
    return holds(solver.proves(TRUE))


@pytest.mark.parametrize(
    ("kind", "words"), [(Unsearched, "no exact value"), (Unsaid, "a level that is no number")]
)
def test_an_error_in_an_object_unsettles_its_claim(kind, words):
    found = settle(shown, Stated((other(kind),)))
    assert found.verdict.outcome is Outcome.UNSETTLED
    assert words in found.verdict.condition
    assert 0 < found.line <= shown.__code__.co_firstlineno
    assert "Traceback" in found.trace
    assert found.grades.statement is None


def test_a_level_of_another_kind_unsettles_its_claim():
    statement = Private(
        Rational("ε", above=0),
        name="Laplace",
        mechanism=LaplaceMechanism,
        neighbors="edge",
        queries="establishment",
        level=lambda c, epsilon: "much",
    )
    assert settle(shown, Stated((statement,))).verdict.outcome is Outcome.UNSETTLED


def test_an_interrupt_that_is_the_checks_own_unsettles_it():
    def interrupted() -> Verdict:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        settle(interrupted)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the processes of a run
    try:
        found = settle(interrupted)
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.verdict.outcome is Outcome.UNSETTLED
    assert found.line > 0


def endless() -> Verdict:
    while True:
        pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no clock of processor time")
def test_a_check_that_does_not_end_is_unsettled(monkeypatch):
    monkeypatch.setattr(settlement, "LIMIT", 0.1)
    found = settle_claim(Claim("mine/endless", "Section 1", "It ends.", endless))
    assert found.verdict.outcome is Outcome.UNSETTLED
    assert "mine/endless took more than 0.1 s of processor time" in found.verdict.condition
    assert found.line >= endless.__code__.co_firstlineno


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no clock of processor time")
def test_the_limit_is_off_after_a_claim():
    with watched("mine/short", 0.05):
        pass
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    with pytest.raises(LimitError), watched("mine/long", 0.05):
        endless()


def test_a_run_says_where_it_is(monkeypatch, capfd):
    monkeypatch.setattr(patience, "SILENCE", 0.05)
    with watched("mine/slow", 60):
        time.sleep(0.12)
    assert "still at mine/slow" in capfd.readouterr().err


ONE_OF_TWO = """
from establish import AtMost, Real, claim, holds, solver

GOOD = AtMost(Real("x", least=0), left=lambda c, x: -x, right=1)


BROKEN = AtMost(Real("x", least=0), left=lambda c, x: -x, right=2)


def breaks(effort):
    raise ArithmeticError("broken")


vars(BROKEN)["counterexample"] = breaks


@claim("mine/broken", where="1", says="It breaks.", states=BROKEN)
def broken():
    return holds(solver.proves(BROKEN))


@claim("mine/good", where="2", says="It is good.", states=GOOD)
def good():
    return holds(solver.proves(GOOD))
"""


@pytest.mark.usefixtures("own_register", "settled_once")
def test_the_others_are_told(tmp_path, capsys):
    from establish.proofs_check.commands.cli import main

    file = tmp_path / "two.py"
    file.write_text(ONE_OF_TWO, "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file), "--jobs", "1"])
    out = capsys.readouterr().out
    assert ended.value.code == 1
    assert "mine/broken: ArithmeticError: broken (two.py, line" in out
    assert "2 claims" in out
    assert "1 holds, 1 unsettled" in out.replace("\n", " ")
