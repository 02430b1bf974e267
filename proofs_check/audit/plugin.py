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
audit when it is first used. A marker that would be passed over is refused: a second one on the same test, and
one on a method of ``unittest.TestCase``, whose value nobody sees.
"""

import unittest
from collections import Counter
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

COUNTS: pytest.StashKey[Counter[str]] = pytest.StashKey()
"""Of all audits of the run: how many there were, what they found, and the pairs that they tried."""

CAUTIONS: pytest.StashKey[list[str]] = pytest.StashKey()
"""What the results of audits say of themselves, each once."""

MARKER = "private(definition, **options): audit the mechanism that the test returns"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("establish", "audits of privacy")
    for name, (kind, words) in OPTIONS.items():
        group.addoption(f"--audit-{name}", type=kind, default=None, metavar=name.upper(), help=words)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    config.stash[COUNTS] = Counter()
    config.stash[CAUTIONS] = []


@pytest.fixture
def assert_private(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """``establish.assert_private``, with the options of the command line."""
    return _asserting(request.config)


def pytest_runtest_setup(item: pytest.Item) -> None:
    markers = list(item.iter_markers("private"))
    if len(markers) > 1:
        pytest.fail("two markers private are on one test: write two tests", pytrace=False)
    owner = getattr(item, "cls", None)
    if markers and isinstance(owner, type) and issubclass(owner, unittest.TestCase):
        pytest.fail(
            "pytest.mark.private is on a method of unittest.TestCase, which returns nothing to pytest: "
            "write a function, or call establish.assert_private",
            pytrace=False,
        )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a marked test, and audit what it returns."""
    __tracebackhide__ = True
    marker = pyfuncitem.get_closest_marker("private")
    if marker is None:
        return None
    options = dict(marker.kwargs)
    definitions = [*marker.args, *([options.pop("definition")] if "definition" in options else [])]
    if len(definitions) != 1:
        pytest.fail("pytest.mark.private needs one definition: private(dp(1))", pytrace=False)
    names = pyfuncitem._fixtureinfo.argnames
    mechanism = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    if mechanism is None:
        pytest.fail("the test returned None: return the mechanism", pytrace=False)
    said = ""
    try:
        _asserting(pyfuncitem.config)(mechanism, definitions[0], **options)
    except AssertionError as error:
        said = str(error)
    if said:
        pytest.fail(said, pytrace=False)
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist hands what it counted to the one that reports."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        counts = session.config.stash[COUNTS]
        output["establish"] = {**counts}, session.config.stash[CAUTIONS]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    counts, cautions = getattr(node, "workeroutput", {}).get("establish", ({}, []))
    for name, count in counts.items():
        node.config.stash[COUNTS][name] += count
    node.config.stash[CAUTIONS].extend(cautions)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    counts = config.stash[COUNTS]
    if not counts:
        return
    caution = "".join(f" {said}" for said in config.stash[CAUTIONS][:1])
    within = ""
    if counts["in_range"]:
        within = f"; {counts['in_range']} laws are certified for the datasets that were tried only"
    failed = f"{counts['failed']} audits failed; " if counts["failed"] else ""
    terminalreporter.write_line(
        f"establish: {failed}no violation in {counts['passed']} audits, which tried "
        f"{counts['pairs_tried']} of {counts['pairs_listed']} listed pairs; {counts['too_weak']} of them "
        f"were too weak{within}.{caution}"
    )


def _asserting(config: pytest.Config) -> Callable[..., Any]:
    given = {name: config.getoption(f"--audit-{name}") for name in OPTIONS}
    above = {name: value for name, value in given.items() if value is not None}

    def assert_private(mechanism: Any, definition: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        from establish.proofs_check.audit import testing

        counts = config.stash[COUNTS]
        try:
            result = testing.assert_private(mechanism, definition, **{**options, **above})
        except AssertionError:
            counts["failed"] += 1
            raise
        counts["passed"] += 1
        for name in ("pairs_tried", "pairs_listed", "too_weak"):
            counts[name] += getattr(result, name)
        counts["in_range"] += result.outcome == "certified_in_range"
        if result.caution and result.caution not in config.stash[CAUTIONS]:
            config.stash[CAUTIONS].append(result.caution)
        return result

    return assert_private
