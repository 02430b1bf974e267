"""What a certificate of a law says is what was tried, and thresholds beyond are found by a scan."""

from fractions import Fraction

import pytest

from establish import ShapeUniverse, SizeUniverse, custom, dp, edge, gedp, node, strong_er_ee, weak_er_ee
from establish.proofs_check.audit import AuditOutcome, audit
from establish.proofs_check.audit.testing import assert_private
from establish.proofs_check.audit.white.made_laws import normal
from establish.proofs_check.audit.white.ranges import line, range_of, scanned
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from tests.proofs_check.audit.lawful import Lawful, log_laplace
from tests.proofs_check.files import read_json

TENTH = Fraction(1, 10)


def centered(center, scale=1):
    return Lawful(lambda d, c: Laplace(c.number(center(d)), c.number(scale), c))


def workers(sizes):
    return sum(map(workers, sizes)) if isinstance(sizes, tuple) else sizes


# Nothing below k: every one of these is a violation at k.
BELOW = {
    "a count": lambda k: (centered(lambda n: -1 if n < k else n), dp(1)),
    "a count with δ": lambda k: (
        Lawful(lambda n, c: normal(c.number(n if n < k else n + 10), c.number(4), c)),
        dp(1, TENTH),
    ),
    "the scale": lambda k: (Lawful(lambda n, c: Laplace(c.number(n), c.number(1 if n < k else 2), c)), dp(1)),
    "the total": lambda k: (centered(lambda s: -5 if sum(s) < k else 0), edge(1)),
    "the largest": lambda k: (centered(lambda s: -5 if max(s) < k else 0), strong_er_ee(TENTH, 1)),
    "one attribute": lambda k: (
        centered(lambda s: -5 if sum(x[1] for x in s) < k else 0),
        weak_er_ee(TENTH, 1, attributes=2),
    ),
    "records": lambda k: (centered(lambda r: -5 if len(r) < k else 0), dp(1, records=("a", "b"))),
    "values": lambda k: (
        Lawful(lambda v, c: normal(c.number(-9 if sum(v) < k else 0), c.number(1), c)),
        gedp(1),
    ),
    "any other workforce": lambda k: (centered(lambda s: -5 if sum(s) < k else 0), node(1)),
}


@pytest.mark.few(3, 9)
@pytest.mark.parametrize("k", [61, 337, 2791, 8461])
@pytest.mark.parametrize("of", BELOW)
def test_a_threshold_of_a_law_is_found_up_to_ten_thousand(of, k):
    mechanism, claims = BELOW[of](k)
    assert audit(mechanism, claims, seconds=300).violated


@pytest.mark.few(2)
@pytest.mark.parametrize("k", [13, 47, 211])
def test_a_threshold_on_the_number_of_establishments_is_found(k):
    several = centered(lambda s: -5 if sum(x > 0 for x in s) < k else 0)
    assert audit(several, strong_er_ee(TENTH, 1), seconds=300).violated


@pytest.mark.few(1)
@pytest.mark.parametrize("share", [Fraction(37, 100), Fraction(683, 1000), Fraction(957, 1000)])
def test_a_threshold_on_a_share_is_found(share):
    dominated = centered(lambda s: -5 if len(s) > 2 and max(s) > share * sum(s) else 0)
    assert audit(dominated, strong_er_ee(TENTH, 1), seconds=300).violated


def test_a_certificate_names_its_range_in_the_headline():
    clipped = Lawful(lambda n, c: Laplace(c.number(min(n, 20_000)), c.number(1), c))
    assert certify(clipped, dp(1), 50).headline == "certified up to 50 records only"
    kept = certify(clipped, dp(1))
    assert kept.headline == "certified up to 300 records only"
    assert kept.outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert "counts to 10000 only scanned" in kept.universe
    assert (kept.limited, kept.caution) == (True, "Nothing is certified about other datasets.")


@pytest.mark.parametrize(
    ("claims", "given", "words"),
    [
        (dp(1), {"universe": 7}, "up to 7 records"),
        (dp(1), {"pairs": [(4, 5), (6, 7)]}, "on the 2 pairs given"),
        (dp(1), {"pairs": [(4, 5)]}, "on the pair given"),
        (edge(1), {"universe": SizeUniverse(2, 3)}, "for 2 establishments of up to 3 workers"),
        (
            edge(1, attributes=2),
            {"universe": ShapeUniverse(1, 2, 2)},
            "for 1 establishment of up to 2 workers of each kind",
        ),
    ],
    ids=str,
)
def test_what_is_given_is_the_range(claims, given, words):
    kept = certify(centered(workers), claims, **given)
    assert (kept.range, kept.limited) == (words, True)


def test_pairs_that_are_all_there_are_leave_nothing_open():
    kept = certify(centered(lambda n: n), custom([(0, 1), (7, 8)], epsilon=1))
    assert (kept.outcome, kept.limited, kept.headline) == (AuditOutcome.CERTIFIED, False, "certified")


def test_the_range_holds_all_pairs_that_outputs_are_tried_on():
    for claims in (
        dp(1),
        edge(1),
        node(1),
        strong_er_ee(TENTH, 1),
        weak_er_ee(TENTH, 1, attributes=3),
        gedp(1),
    ):
        tried = {frozenset(pair) for pair in range_of(claims).pairs}
        assert {frozenset(pair) for pair in claims.pairs()} <= tried


def test_every_pair_of_a_line_and_of_a_scan_is_one_of_neighbors():
    for claims in (
        *(dp(1), dp(1, records="ab"), dp(1, neighbors="substitution", records="ab"), edge(1), node(1)),
        *(strong_er_ee(TENTH, 1, attributes=2), weak_er_ee(TENTH, 1), gedp(1), gedp(1, "log", (1, 2))),
    ):
        for count in (0, 1, 12, 33):
            for first, second in (*line(claims, count), *scanned(claims, count)):
                assert claims.related(first, second)


ALL = {
    "a count": (Lawful(lambda n, c: Laplace(n, c.number(1), c)), dp(1), "for all counts"),
    "a count with δ": (
        Lawful(lambda n, c: Laplace(c.number(n) / 2 + 3, c.number(1), c)),
        dp("1/4", TENTH * 2),
        "for all counts",
    ),
    "whole noise": (Lawful(lambda n, c: Geometric(n, Fraction(1, 2), c)), dp(1), "for all counts"),
    "jobs": (centered(sum), edge(1), "for all sizes"),
    "Log-Laplace": (log_laplace(), strong_er_ee(TENTH, 1), "for all sizes"),
    "weak neighbors": (log_laplace(), weak_er_ee(TENTH, 1), "for all sizes"),
    "nothing": (Lawful(lambda s, c: Laplace(c.number(0), c.number(1), c)), node(1), "for all sizes"),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", ALL)
def test_a_law_that_moves_with_the_count_is_certified_for_all(name):
    mechanism, claims, words = ALL[name]
    kept = audit(mechanism, claims)
    assert kept.outcome is AuditOutcome.CERTIFIED
    assert kept.headline.startswith(f"certified {words}")
    assert (kept.limited, kept.caution) == (False, "")


@pytest.mark.small_campaign
def test_a_law_that_fails_far_out_is_not_certified_for_all():
    for mechanism in (log_laplace(Fraction(99, 100)), log_laplace(shift=9)):
        assert audit(mechanism, strong_er_ee(TENTH, 1)).violated
    assert audit(centered(sum), strong_er_ee(TENTH, 1)).violated


@pytest.mark.small_campaign
def test_laws_that_are_refused_a_formula_are_certified_in_their_range():
    kept = audit(SmoothLaplaceMechanism(TENTH, 2, TENTH), strong_er_ee(TENTH, 2, TENTH))
    assert kept.outcome is AuditOutcome.CERTIFIED_IN_RANGE


def test_where_there_is_no_law_the_definition_is_not_certified():
    table = list(range(100))
    result = certify(Lawful(lambda n, c: Laplace(c.number(tuple(table)[n]), c.number(1), c)), dp(1))
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND
    assert result.limited
    assert any("law raised IndexError on 100" in note for note in result.notes)


def test_an_assertion_passes_in_a_range_and_says_so():
    assert assert_private(centered(lambda n: n), dp(1), universe=5).range == "up to 5 records"


def test_the_command_ends_with_3_in_a_range_and_with_0_for_all(run, tmp_path):
    file = tmp_path / "laws.py"
    file.write_text(
        "from establish.spec.distributions.laplace import Laplace\n"
        "class Count:\n"
        "    def law(self, n, c):\n"
        "        return Laplace(c.number(n), c.number(1), c)\n"
        "class Capped:\n"
        "    def law(self, n, c):\n"
        "        return Laplace(c.number(min(n, 20000)), c.number(1), c)\n"
    )
    options, out = ("--definition", "dp", "--epsilon", "1"), tmp_path / "out.json"
    status, told, _ = run("audit", f"{file}:Count", *options, "--json", out)
    assert (status, told.splitlines()[0]) == (
        0,
        "certified for all counts: (1)-differential privacy, add-remove",
    )
    (written,) = read_json(out)
    assert (written["outcome"], written["range"], written["limited"]) == (
        "certified",
        "for all counts",
        False,
    )
    status, told, _ = run("audit", f"{file}:Capped", *options, "--json", out, "--force")
    assert status == 3
    assert told.startswith("certified up to 300 records only: (1)-differential privacy")
    (written,) = read_json(out)
    assert (written["outcome"], written["limited"]) == ("certified_in_range", True)
