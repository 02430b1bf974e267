"""The pytest plugin as a user meets it: in a run of its own, on a file of tests."""

import subprocess
import sys

import numpy.fft  # noqa: F401  # pytester forgets what a run loads, and numpy is loaded once
import pytest

pytest_plugins = ["pytester"]

HEAD = """
import establish
import numpy as np
import pytest

class Noisy:
    def __init__(self, scale):
        self.scale = scale
    def sample(self, n, size, rng):
        return n + rng.laplace(0.0, self.scale, size)

def raises(n, rng):
    raise KeyError("no such cell")
"""


@pytest.fixture
def outcome(pytester, monkeypatch):
    """Runs a file of tests with this plugin and no other that is installed: the result."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(body, *options):
        pytester.makepyfile(HEAD + body)
        return pytester.runpytest_inprocess("-p", "establish.proofs_check.audit.plugin", *options)

    return run


def test_a_marked_test_audits_what_it_returns(outcome):
    result = outcome("""
@pytest.mark.private(establish.dp(1), samples=100_000)
def test_enough_noise():
    return Noisy(1.0)

@pytest.mark.private(establish.dp(1), samples=100_000)
def test_too_little_noise():
    return Noisy(0.4)
""")
    result.assert_outcomes(passed=1, failed=1)
    told = "establish: 1 audits failed; no violation in 1 audits, which tried ([0-9]+) of \\1 listed pairs"
    result.stdout.re_match_lines([f".*{told}.*"])
    result.stdout.fnmatch_lines(["*not evidence of privacy*"])


def test_the_fixture_asserts_with_the_options_of_the_command_line(outcome):
    body = """
def test_it(assert_private):
    result = assert_private(Noisy(1.0), establish.dp(1), seed=3)
    assert result.samples <= 100_000
"""
    outcome(body, "--audit-samples", "100000").assert_outcomes(passed=1)


@pytest.mark.parametrize("by", ["marker", "fixture", "function"])
def test_a_failure_prints_pair_event_and_probabilities_and_nothing_of_our_source(outcome, by):
    bodies = {
        "marker": """
@pytest.mark.private(establish.dp(1), samples=100_000)
def test_it():
    return Noisy(0.2)
""",
        "fixture": """
def test_it(assert_private):
    assert_private(Noisy(0.2), establish.dp(1), samples=100_000)
""",
        "function": """
def test_it():
    establish.assert_private(Noisy(0.2), establish.dp(1), samples=100_000)
""",
    }
    text = "\n".join(outcome(bodies[by]).outlines)
    for part in ("has probability at least", "on its neighbor", "the event 'output", "again "):
        assert part in text
    for ours in ("def assert_private", "audit_black_box", "proofs_check/audit", "raise Assert"):
        assert ours not in text


def test_a_mechanism_that_raises_shows_its_own_lines_and_none_of_ours(outcome):
    text = "\n".join(
        outcome("""
def test_it():
    establish.assert_private(raises, establish.dp(1), samples=100_000)
""").outlines
    )
    assert "the mechanism raised KeyError on every dataset that was tried, the first of them 0" in text
    assert 'raise KeyError("no such cell")' in text
    for ours in ("def _call", "def audit_black_box", "self._chunk", "result = audit("):
        assert ours not in text


def test_a_failing_law_test_shows_none_of_our_source(outcome):
    text = "\n".join(
        outcome("""
def test_it():
    establish.assert_same_law(
        lambda size, rng: rng.normal(size=size), lambda size, rng: rng.laplace(size=size)
    )
""").outlines
    )
    assert "the laws differ" in text
    assert "hypergeom" not in text
    assert "def _compare_laws" not in text


def test_a_marker_without_a_definition_and_a_test_without_a_mechanism_are_told(outcome):
    result = outcome("""
@pytest.mark.private
def test_no_definition():
    return Noisy(1.0)

@pytest.mark.private(establish.dp(1))
def test_no_mechanism():
    pass
""")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*needs one definition*"])
    result.stdout.fnmatch_lines(["*return the mechanism*"])


def test_a_marker_that_would_be_passed_over_is_refused(outcome):
    result = outcome("""
import unittest

class TestIt(unittest.TestCase):
    @pytest.mark.private(establish.dp(1))
    def test_method(self):
        return Noisy(0.1)

@pytest.mark.private(establish.dp(1))
@pytest.mark.private(establish.dp(10), weak_is_fine="a second one")
def test_two():
    return Noisy(0.1)
""")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*on a method of unittest.TestCase*", "*write two tests*"])


def test_the_definition_may_be_named_and_the_last_line_counts_what_failed(outcome):
    result = outcome("""
@pytest.mark.private(definition=establish.dp(1), samples=100_000)
def test_enough():
    return Noisy(1.0)

@pytest.mark.private(definition=establish.dp(1), samples=100_000)
def test_too_little():
    return Noisy(0.2)
""")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["establish: 1 audits failed; no violation in 1 audits, which*"])


@pytest.mark.small_campaign
def test_the_last_line_counts_the_audits_of_all_processes(outcome):
    result = outcome(
        """
@pytest.mark.private(establish.dp(1), samples=100_000)
@pytest.mark.parametrize("again", range(3))
def test_enough(again):
    return Noisy(1.0)
""",
        *("-p", "xdist.plugin", "-n", "2"),
    )
    result.assert_outcomes(passed=3)
    told = "establish: no violation in 3 audits, which tried ([0-9]+) of \\1 "
    result.stdout.re_match_lines([f".*{told}.*"])


@pytest.mark.parametrize("wrong", ["None", "1", "'dp'"])
def test_what_is_no_definition_is_told_in_a_line_without_our_source(outcome, wrong):
    result = outcome(f"""
@pytest.mark.private({wrong})
def test_it():
    return Noisy(1.0)
""")
    result.assert_outcomes(failed=1)
    text = "\n".join(result.outlines)
    assert "is not one: give a privacy definition" in text
    assert "def audit" not in text


def test_a_weak_audit_fails_unless_the_marker_says_why_it_is_enough(outcome):
    result = outcome("""
@pytest.mark.private(establish.edge(1), samples=5_000)
def test_weak():
    return lambda sizes, rng: sum(sizes) + rng.laplace()

@pytest.mark.private(establish.edge(1), samples=5_000, weak_is_fine="a smoke test")
def test_smoke():
    return lambda sizes, rng: sum(sizes) + rng.laplace()
""")
    result.assert_outcomes(passed=1, failed=1)


def test_the_printed_call_reproduces_the_violation(outcome):
    result = outcome("""
def test_again():
    with pytest.raises(AssertionError) as caught:
        establish.assert_private(Noisy(0.5), establish.dp(1), samples=200_000, seed=5)
    last = [line for line in str(caught.value).splitlines() if line.startswith("  again")][0]
    call = last.split("assert_private(..., ")[1]
    with pytest.raises(AssertionError, match="violated"):
        eval(f"establish.assert_private(Noisy(0.5), establish.dp(1), {call}")
""")
    result.assert_outcomes(passed=1)


def test_the_plugin_loads_no_audit_before_it_is_used():
    code = "import sys, establish.proofs_check.audit.plugin; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
