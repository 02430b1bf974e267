"""Section 2, Theorems 2.1 and 2.2: sequential and parallel composition."""

from fractions import Fraction
from itertools import product

from establish import Evidence, Verdict, claim, exact, fails, holds, repeats
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import PAIR, beside_the_others, in_one_part, settled
from establish.proofs_check.engine.statements import Equal, Every, OfParts
from establish.spec.earnings.chosen_by_size import jointly
from establish.spec.earnings.neighbors import Earnings
from establish.spec.indistinguishability import Distribution, likelihood_ratio_bound

repeats(
    "foote2019/thm-2.1-shared-coins",
    where="Section 2, Theorem 2.1, which does not say that the coins are independent",
    says="The same for two algorithms that share their coins.",
    same_as="haney2017/thm-2.1-shared-coins",
    origin="ours",
)


repeats(
    "foote2019/thm-2.1",
    where="Section 2, Theorem 2.1",
    says="Releasing M(D) and B(D), ε1- and ε2-private, is (ε1+ε2)-private.",
    same_as="haney2017/thm-2.1",
)


def presence_of(record: int, part: Earnings) -> Distribution:
    """Tells with loss exactly ln 2 whether ``record`` is in ``part``: ln 2-private for every relation."""
    truth, lie = Fraction(2, 3), Fraction(1, 3)
    return {"yes": truth, "no": lie} if record in part else {"yes": lie, "no": truth}


BY_OWN_ATTRIBUTES = OfParts("edge", "workers", level=lambda c, level, delta: level)
"""Parts of the rows by their own attributes, one row more or less."""


def parts_compose() -> Evidence:
    """Evidence for BY_OWN_ATTRIBUTES."""
    return in_one_part(BY_OWN_ATTRIBUTES, settled(beside_the_others(BY_OWN_ATTRIBUTES)))


@claim(
    "foote2019/thm-2.2",
    where="Section 2, Theorem 2.2",
    says="If D is partitioned into disjoint subsets D_i and each B_i(D_i) is ε-private, so is B(D).",
    states=BY_OWN_ATTRIBUTES,
    tight=BY_OWN_ATTRIBUTES,
)
def parallel_composition_needs_a_fixed_partition() -> Verdict:
    """When the part of a row depends on the row alone, one row more changes one D_i, and all other releases
    keep their laws: ε. A partition that depends on other rows may change everywhere. Put the lower half of
    the sorted earnings (rounded down) into D_1: with the row 1 more, 2 moves from D_1 to D_2, and two
    releases about 2 lose 2ε. As everywhere, algorithms have coins of their own (see the claim
    foote2019/thm-2.1-shared-coins).
    """
    return holds(parts_compose(), condition=by_convention("rows", "foote2019"), value="ε")


PARALLEL_WHEN_CHANGED = Every(
    "parts of a row before and after",
    lambda: product((0, 1), repeat=2),
    lambda case: likelihood_ratio_bound(_by_part(case[0]), _by_part(case[1])) <= 2,
)
"""Two parts, each released at e^ε = 2, when an attribute of their only row changes."""


def _by_part(part_of_row: int) -> Distribution:
    """Whether the only row, which earns 2, is in part 0, and in part 1."""
    parts: list[Earnings] = [(), ()]
    parts[part_of_row] = (2,)
    return jointly([presence_of(2, part) for part in parts])


TWO_PARTS_ATTAINED = Equal(
    left=lambda c: c.number(Fraction(likelihood_ratio_bound(_by_part(0), _by_part(1)))), right=4
)
"""At e^ε = 2 the two parts together lose 2ε."""


@claim(
    "foote2019/thm-2.2-substitution",
    where="Section 2, Theorem 2.2 with the change of Section 3.2",
    says="Parallel composition also costs ε when an attribute of one individual changes.",
    states=PARALLEL_WHEN_CHANGED,
    tight=(PAIR, TWO_PARTS_ATTAINED),
    origin="ours",
)
def a_changed_row_changes_two_parts() -> Verdict:
    """The row leaves one part and enters another. Both releases change, and the losses add to 2ε; no more
    than two parts change.
    """
    return fails(
        settled(PAIR),
        exact.decided(TWO_PARTS_ATTAINED),
        exact.refuted(PARALLEL_WHEN_CHANGED, case=(0, 1)),
        counterexample="the row moves from part 1 to part 2, e^ε = 2: P(yes, no) goes from 4/9 to 1/9",
        value="2ε",
    )
