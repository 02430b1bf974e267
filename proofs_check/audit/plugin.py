"""The pytest plugin: a marker and a fixture for tests that a mechanism is private.

The marker audits the mechanism that a test function returns::

    @pytest.mark.private(establish.strong_er_ee("1/10", 2), samples=200_000)
    def test_the_release_is_private():
        return release

The fixture is :func:`establish.assert_private` with the options of the command line::

    def test_the_release_is_private(assert_private):
        assert_private(release, establish.strong_er_ee("1/10", 2))

``--audit-samples``, ``--audit-seconds``, ``--audit-seed`` and ``--audit-jobs`` stand above what a test
says. At the end of a run one line says how many audits there were and what they tried. The plugin loads the
audit when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OPTIONS = {
    "samples": (int, "outputs that an audit draws at most"),
    "seconds": (float, "seconds that an audit takes at most"),
    "seed": (int, "the seed of every audit"),
    "jobs": (int, "processes that call a mechanism"),
}
"""What the command line sets for all audits of a run: ``--audit-`` and the name."""

RESULTS: pytest.StashKey[list[Any]] = pytest.StashKey()
"""The results of all audits of the run."""

MARKER = "private(definition, **options): audit the mechanism that the test returns"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("establish", "audits of privacy")
    for name, (kind, words) in OPTIONS.items():
        group.addoption(
            f"--audit-{name}", type=kind, default=None, metavar=name.upper(), help=words
        )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    config.stash[RESULTS] = []


@pytest.fixture
def assert_private(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """``establish.assert_private``, with the options of the command line."""
    return _asserting(request.config)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a marked test, and audit what it returns."""
    __tracebackhide__ = True
    marker = pyfuncitem.get_closest_marker("private")
    if marker is None:
        return None
    if len(marker.args) != 1:
        pytest.fail("pytest.mark.private needs one definition: private(dp(1))", pytrace=False)
    names = pyfuncitem._fixtureinfo.argnames
    mechanism = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    if mechanism is None:
        pytest.fail("the test returned None: return the mechanism", pytrace=False)
    said = ""
    try:
        _asserting(pyfuncitem.config)(mechanism, marker.args[0], **marker.kwargs)
    except AssertionError as error:
        said = str(error)
    if said:
        pytest.fail(said, pytrace=False)
    return True


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    results = config.stash.get(RESULTS, [])
    if not results:
        return
    tried, listed = (
        sum(getattr(result, name) for result in results) for name in ("pairs_tried", "pairs_listed")
    )
    weak = sum(result.too_weak for result in results)
    caution = next((f" {result.caution}" for result in results if result.caution), "")
    terminalreporter.write_line(
        f"establish: no violation in {len(results)} audits, which tried {tried} of {listed} listed "
        f"pairs; {weak} of them were too weak.{caution}"
    )


def _asserting(config: pytest.Config) -> Callable[..., Any]:
    given = {name: config.getoption(f"--audit-{name}") for name in OPTIONS}
    above = {name: value for name, value in given.items() if value is not None}

    def assert_private(mechanism: Any, definition: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        from establish.proofs_check.audit import testing

        result = testing.assert_private(mechanism, definition, **{**options, **above})
        config.stash[RESULTS].append(result)
        return result

    return assert_private
