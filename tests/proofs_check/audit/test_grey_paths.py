"""Our own release paths under the grey box, and correct mechanisms that it once could have accused."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import establish
from establish.impl.earnings.histogram import protected
from establish.impl.earnings.mechanisms import NAMES, earnings_mechanism
from establish.impl.microdata.group_by import Groups
from establish.impl.microdata.neighbor_functions import Root
from establish.impl.microdata.probably_no_clipping import ProbablyNoClipping, margin, upper_bounds
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.proofs_check.audit import AuditError, custom, dp, edge, gedp, node, strong_er_ee, weak_er_ee
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.grey.grey_box import replay, replay_all
from establish.proofs_check.audit.question.result import total
from establish.spec.relations.history import PresenceOfHistory, histories_up_to


def coins(rng):
    return Bits.seeded(int(rng.integers(2**62)))


def on_counts(law):
    """The total of a cell, as a mechanism on counts releases it."""

    def release(sizes, rng):
        top = np.array([max(sizes, default=0)])
        return law.release(np.array([sum(sizes)]), coins(rng), top).astype(float)

    return release


def truncated(law):
    def release(sizes, rng):
        return law.release(np.array(sizes), np.zeros(len(sizes), dtype=np.int64), coins(rng)).astype(float)

    return release


def root(values, rng):
    """The square root of the total with Gaussian noise, on a grid."""
    center = Reals.constant(lambda: sampling.ARB.sqrt(sampling.ARB.number(Fraction(sum(values)))))
    return sampling.gaussian(center, Reals.fraction(Fraction(2)), coins(rng), Grid(-10))


def histogram(n, rng):
    """Counts of three bins, of which one changes by 1."""
    return protected(np.array([n, 3, 0]), Fraction(1), coins(rng)).astype(float)


def by_psi(values, rng):
    """The total of one cell by the ψ-mechanism."""
    return PsiMechanism(Root(), 1, 1).release(np.array([int(sum(values))]), coins(rng))


def by_pnc(*, remainder):
    """Bounds for each establishment by the ψ-mechanism, then the total that is probably not clipped, and what
    that leaves.
    """
    identity = PsiMechanism(Root(), 1, "1/2")
    pnc = ProbablyNoClipping(Root(), 1, "1/2", remainder=remainder)

    def release(values, rng):
        whole = np.array(values, dtype=np.int64)
        bits = coins(rng)
        answers = identity.release(whole, bits)
        bounds = upper_bounds(identity, answers, margin(pnc.zeta, whole.size))
        released = pnc.release(Groups(np.zeros(whole.size, dtype=np.int64), 1, ()), whole, bounds, bits)
        second = [released.left.answers] if remainder else []
        return np.concatenate([answers, released.answers, *second])

    return release


def percentiles(law):
    """The count and the quartiles of one cell of earnings, undefined ones as 0."""

    def release(earnings, rng):
        cells = np.zeros(len(earnings), dtype=np.int64)
        told = law.release(cells, np.array(earnings, dtype=np.float64), 1, coins(rng))
        return [float(told.count[0]), *told.percentiles.filled(0.0)[0]]

    return release


def earned(size):
    """Neighbors whose earnings are spread between 10,000 and 200,000, the last one added."""
    pays = tuple(float(round(10_000 * 20 ** (i / max(size, 1)))) for i in range(size + 1))
    return (pays[:-1], pays), (pays[:-1], (*pays[:-1], 10**7))


EARNINGS = custom([pair for size in (12, 0, 1, 40, 400) for pair in earned(size)], 2)
QUARTILES = ((1, 4), (1, 2), (3, 4))

RECORDS = (("a", 2020), ("a", 2021), ("b", 2021))
LONGEST = 2
HISTORIES = PresenceOfHistory("AB", histories_up_to(RECORDS, LONGEST))


def by_cells(rows, rng):
    """Counts of rows by cell; a person has at most LONGEST of them."""
    counts = Counter(record for _, record in rows)
    sizes = np.array([counts[record] for record in RECORDS])
    return protected(sizes, Fraction(1, LONGEST), coins(rng)).astype(float)


STRONG = strong_er_ee("1/10", 2)
PATHS = {
    "growth Laplace": (on_counts(establish.GrowthLaplace("1/10", 2)), STRONG),
    "growth staircase": (on_counts(establish.GrowthStaircase("1/10", 2)), STRONG),
    "whole staircase": (on_counts(establish.WholeStaircase("1/10", 2)), STRONG),
    "smooth Lomax": (on_counts(establish.SmoothLomax("1/10", 2)), STRONG),
    "smooth path": (on_counts(establish.SmoothPath("1/10", 2)), STRONG),
    "smooth staircase": (on_counts(establish.SmoothStaircase("1/10", 2)), STRONG),
    "unbiased smooth staircase": (on_counts(establish.UnbiasedSmoothStaircase("1/10", 2)), STRONG),
    "ψ-mechanism": (by_psi, gedp(1, "sqrt", 1)),
    **{
        name: (by_pnc(remainder=remainder), custom([((3.0, 50.0), (x, 50.0)) for x in (2.0, 4.0, 7.0)], mu=1))
        for name, remainder in (("pnc", False), ("pnc and what it leaves", True))
    },
    **{law: (percentiles(earnings_mechanism(law, 2, QUARTILES)), EARNINGS) for law in NAMES},
    "whole histories": (by_cells, custom(HISTORIES, 1)),
    "Laplace": (on_counts(establish.Laplace("1/2")), edge("1/2")),
    "log-Laplace, published": (on_counts(establish.LogLaplace("1/10", 2, "published")), STRONG),
    "log-Laplace, tight": (on_counts(establish.LogLaplace("1/10", 2, "tight")), weak_er_ee("1/10", 2)),
    "smooth gamma": (on_counts(establish.SmoothGamma("1/10", 2, "published")), STRONG),
    "smooth Laplace": (
        on_counts(establish.SmoothLaplace("1/10", 2, "1/20", "published")),
        strong_er_ee("1/10", 2, "1/20"),
    ),
    "truncated Laplace": (truncated(establish.TruncatedLaplace(1, 100)), node(1)),
    "histogram of earnings": (histogram, dp(1)),
    "square root": (root, gedp(1, "sqrt", 1)),
}


LATE = {"truncated Laplace"}
"""Their loss is attained by larger cells, which come later in the list."""

SMOOTH = {"smooth Lomax", "smooth path", "smooth staircase", "unbiased smooth staircase"}

SLOW = {"whole staircase", *SMOOTH, *NAMES}
"""Each run draws by tables of its own scale, or from many cells."""

ALIKE = {
    "growth staircase",
    "smooth staircase",
    "unbiased smooth staircase",
    "smooth Laplace",
    "smooth path",
    "log-Laplace, published",
    *NAMES[1:],
}
"""Their paths lead through the code of others that are listed."""


@pytest.mark.few(2, 8)
@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        *(
            pytest.param(
                *(name, 40 if name in LATE else 2 if name in SLOW else 8),
                marks=[pytest.mark.small_campaign] * (name in ALIKE),
            )
            for name in PATHS
        ),
        *(pytest.param(name, 40, marks=pytest.mark.campaign) for name in PATHS if name not in LATE),
    ],
)
def test_our_own_release_paths_pass(name, pairs):
    # A comparison of always and never is wrong with probability at most 1e-10; the seeds are fixed.
    release, definition = PATHS[name]
    for pair in definition.listed()[:pairs]:
        if not definition.given and max(map(total, pair)) > 1000:
            continue
        result = replay(release, definition, pair)
        assert result.passed, (pair, result.faults)
        assert result.draws >= 1


def test_the_loss_of_our_laplace_is_what_it_states_and_less_is_a_fault():
    release, definition = PATHS["Laplace"]
    pair = ((3,), (4,))
    assert replay(release, definition, pair).loss == pytest.approx(0.5)
    assert "the pair costs ε = 0.5" in replay(release, edge("49/100"), pair).faults[0]


def test_the_loss_of_our_geometric_noise_is_seen():
    assert replay(histogram, dp(1), (4, 5)).loss == pytest.approx(1.0)
    assert not replay(histogram, dp("9/10"), (4, 5)).passed


def test_a_scale_that_depends_on_the_data_is_remarked_in_our_samplers():
    release, definition = PATHS["smooth gamma"]
    remarks = replay(release, definition, ((100,), (110,))).remarks
    assert any("heavy_tailed" in remark for remark in remarks)


def test_the_loss_of_whole_histories_is_seen_and_less_is_a_fault():
    # Both rows of B lie in one cell, whose count moves by 2 beside noise of ε = 1/2.
    mine = (("A", RECORDS[0]),)
    pair = (mine, (*mine, ("B", RECORDS[1]), ("B", RECORDS[1])))
    assert replay(by_cells, custom(HISTORIES, 1), pair).loss == pytest.approx(1.0)
    assert not replay(by_cells, custom(HISTORIES, "9/10"), pair).passed


def test_a_class_that_follows_from_the_data_is_remarked_and_not_priced():
    release, definition = PATHS["chosen-by-size"]
    for pair in earned(12):
        result = replay(release, definition, pair)
        assert result.loss is None
        assert result.passed


def test_bounds_for_pnc_that_are_read_from_the_data_are_a_fault_that_is_remarked():
    # The noise of the sum follows the largest value itself.
    def leaky(values, rng):
        whole = np.array(values, dtype=np.int64)
        together = Groups(np.zeros(whole.size, dtype=np.int64), 1, ())
        return ProbablyNoClipping(Root(), 1, 1).release(together, whole, whole, coins(rng)).answers

    pair = ((3.0, 50.0), (3.0, 60.0))
    assert any("scale" in r for r in replay(leaky, custom([pair], mu=1), pair).remarks)
    fixed = ((3.0, 50.0), (4.0, 50.0))
    assert not replay(by_pnc(remainder=False), custom([fixed], mu=1), fixed).faults


def test_the_samplers_are_their_own_again_after_a_replay():
    before = sampling.draw
    with pytest.raises(AuditError, match="the mechanism raised ValueError on every dataset"):
        replay(lambda n, rng: (_ for _ in ()).throw(ValueError("broken")), dp(1), (0, 1))
    assert sampling.draw is before


# Correct mechanisms whose draws, taken one by one, cost more than is claimed.


def noisy_argmax(d, rng):
    return float(np.argmax([rng.laplace(x, 2.0) for x in d]))


def noisy_maximum(d, rng):
    return max(rng.laplace(x, 2.0) for x in d)


@pytest.mark.parametrize("release", [noisy_argmax, noisy_maximum])
def test_draws_that_no_output_shows_are_not_counted(release):
    pair = ((0, 0, 0), (1, 1, 1))
    assert replay(release, custom([pair], "3/2"), pair).loss is None


def test_two_normal_draws_on_one_output_protect_it_together():
    both = lambda d, rng: sum(d) ** 0.5 + rng.normal(0, 1.0) + rng.normal(0, 1.0)  # noqa: E731
    result = replay(both, gedp("3/4"), ((0.0,), (1.0,)))
    assert result.loss == pytest.approx(math.sqrt(0.5))
    assert result.passed


def test_a_wider_noise_on_the_same_output_is_not_overlooked():
    wide = lambda n, rng: n + rng.laplace(0, 1.0) + 10 * rng.laplace(0, 1.0)  # noqa: E731
    assert replay(wide, dp("1/2"), (0, 1)).passed


def test_two_centers_that_meet_in_one_output_are_not_added_up():
    half = lambda n, rng: (rng.laplace(n, 1.0) + rng.laplace(n, 1.0)) / 2  # noqa: E731
    assert replay(half, dp("3/2"), (0, 1)).loss is None


SEEN = [
    name for name, entry in ENTRIES.items() if not entry.correct and entry.kind.startswith("published suite")
]


def test_what_the_grey_box_sees_of_the_published_suite():
    seen = {
        name
        for name in SEEN
        if replay(ENTRIES[name].mechanism, ENTRIES[name].definition, ENTRIES[name].at).faults
    }
    assert seen == {"noisy histogram 2"}


def test_many_pairs_are_replayed_until_time_ends():
    release, definition = PATHS["Laplace"]
    done = replay_all(release, definition, seconds=0.5)
    assert 1 <= len(done.results) <= done.listed
    assert done.faults == ()
    weaker = replay_all(release, edge("1/4"), pairs=[((3,), (4,)), ((0,), (1,))])
    assert len(weaker.faults) == len(weaker.results) == 2


def test_values_that_move_farther_than_was_declared_are_a_fault():
    release, definition = PATHS["Laplace"]
    assert replay(release, definition, ((3,), (4,)), declared=1.0).passed
    (fault,) = replay(release, definition, ((3,), (4,)), declared=0.5).faults
    assert "move by 1 while the draws stay, and 0.5 is declared" in fault


def test_noise_that_multiplies_is_not_held_against_a_declared_sensitivity():
    scaled = lambda n, rng: (n + 10) * np.exp(rng.laplace(0, 1.0)) + 7 * n  # noqa: E731
    assert replay(scaled, dp(1000), (0, 1), declared=1.0).passed
