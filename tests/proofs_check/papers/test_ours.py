"""Claims about mechanisms of our own: they hold, and notice planted faults."""

from fractions import Fraction as F

import pytest

from establish.impl.earnings.bins import percentages
from establish.impl.earnings.bins_or_gaps import GAPS
from establish.impl.earnings.chosen_by_size import CHOICES
from establish.impl.earnings.histogram_percentiles import POST_PROCESS
from establish.impl.earnings.mechanisms import NAMES, earnings_mechanism
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import Outcome, UnsettledError
from establish.proofs_check.papers.ours import (
    bins_or_gaps,
    chosen_by_size,
    equal_gaps,
    post_processing,
    quantile_tree,
    small_mechanisms,
)
from establish.spec.earnings import equal_gaps as spec_gaps
from establish.spec.earnings import quantile_tree as spec_tree
from establish.spec.earnings.chosen_by_size import mapped

OURS = {id: entry for id, entry in claims().items() if entry.source == "establish"}


@pytest.mark.parametrize("id", sorted(OURS))
def test_every_claim_of_ours_holds(id):
    assert ledger.recorded()[id].verdict == Outcome.HOLDS
    assert OURS[id].derivation


def test_the_mechanisms_rest_on_claims_that_are_registered():
    shares = percentages((25, 50, 75))
    mechanisms = [earnings_mechanism(name, 1, shares) for name in NAMES]
    mechanisms += [
        earnings_mechanism("histogram-percentiles", 1, shares, post_process=name) for name in POST_PROCESS
    ]
    named = {claim for mechanism in mechanisms for claim in mechanism.rests_on}
    assert named <= set(claims())
    assert {id for id in OURS if OURS[id].module.split(".")[-1] in FAMILIES} <= named


FAMILIES = ("post_processing", "quantile_tree", "chosen_by_size", "equal_gaps", "bins_or_gaps")


def leaking(law):
    return lambda d: mapped(law(d), lambda y: (y, len(d) == 0))


def unscaled(below, size, share, c):
    """The distance in rank without its divisor, doubled: it changes by up to 2·max(p, 1 − p)."""
    return 2 * abs(below - share * size)


def twice_the_difference(self, earnings, total, chosen):
    """A score that one individual more changes by 2."""
    return F(2 * abs(sum(e < chosen[0] for e in earnings) - total))


FAULTS = {
    "post-processing-loss": [
        (post_processing, "clamped_median", leaking(small_mechanisms.clamped_median)),
        (post_processing, "fitted_median", leaking(small_mechanisms.fitted_median)),
    ],
    "quantile-draw-loss": [(quantile_tree, "distance", unscaled), (quantile_tree, "LEVEL", 3)],
    "quantile-tree-loss": [
        (quantile_tree, "levels", lambda shares: shares),
        (quantile_tree, "LEVEL", 3),
        (spec_tree.QuantileTree, "_part", None),
    ],
    "chosen-by-size-loss": [(chosen_by_size, "by_total", lambda t: "clamped")],
    "chosen-by-size-budget": [
        (chosen_by_size, "BY_SIZE", ((F(1, 20), F(1)),) * len(CHOICES)),
        (chosen_by_size, "BY_SIZE", ((F(0), F(1)),) * len(CHOICES)),
        (chosen_by_size, "spending", lambda place: (F(1, 20), F(1))),
        (chosen_by_size, "BOUNDS", (1, 2)),
    ],
    "equal-gaps-loss": [(spec_gaps.EqualGaps, "score", twice_the_difference), (equal_gaps, "STEEP", (1, 1))],
    "equal-gaps-counts-and-weights": [
        (equal_gaps, "counts", lambda earnings, y: (len(earnings), 0, 0)),
        (spec_gaps, "Counter", lambda places: dict.fromkeys(places, 1)),
    ],
    "bins-or-gaps-budget": [
        (bins_or_gaps, "BINS_OR_GAPS", ((F(1, 30), F(1)),) * (GAPS + 1)),
        (bins_or_gaps, "spending", lambda place: (F(1, 30), F(1))),
        (bins_or_gaps, "STARTS", (1, 2)),
    ],
}


def reusing_the_whole_list(self, earnings, shares, ends):
    """Each side drawn from the whole list, as if levels looked at disjoint parts nonetheless."""
    if not shares:
        return {(): self.c.number(1)}
    middle, share, law = len(shares) // 2, shares[len(shares) // 2], {}
    before = [s / share for s in shares[:middle]]
    after = [(s - share) / (1 - share) for s in shares[middle + 1 :]]
    for place, chance in self.draw(earnings, share, ends).items():
        lower = self._part(earnings, before, (ends[0], place))
        upper = self._part(earnings, after, (place, ends[1]))
        for left, p in lower.items():
            for right, q in upper.items():
                law[(*left, place, *right)] = chance * p * q
    return law


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("label", "module", "name", "fault"),
    [(label, *fault) for label, faults in FAULTS.items() for fault in faults],
)
def test_a_claim_of_ours_notices_a_planted_fault(label, module, name, fault, monkeypatch):
    monkeypatch.setattr(module, name, fault or reusing_the_whole_list)
    with pytest.raises(UnsettledError):
        OURS[f"establish/{label}"].check()


def test_the_rule_that_runs_has_a_class_of_each_kind():
    kinds = {None if choice is None else choice[1] for choice in CHOICES}
    assert kinds == {None, "clamp", "isotonic"}
