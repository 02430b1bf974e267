"""The composition rules, each with the claims that prove it and those that forbid more."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One rule. rests_on: ids of claims that hold. instead_of: printed statements that do not hold."""

    name: str
    says: str
    rests_on: tuple[str, ...]
    instead_of: tuple[str, ...] = ()


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "sequence-dp",
            "Losses of releases with independent noise add up.",
            ("establish/losses-add-up", "haney2017/thm-2.1"),
            ("haney2017/thm-2.1-shared-coins",),
        ),
        Rule(
            "sequence-er-ee",
            "At one α the ε of releases with independent noise add up, and so do the δ.",
            ("establish/losses-add-up", "haney2017/thm-7.3", "haney2017/sec3-several-releases-delta"),
            ("haney2017/thm-2.1-shared-coins",),
        ),
        Rule(
            "sequence-gedp",
            "At one ψ and γ an attribute, squares of μ add up, also when later releases use earlier ones.",
            (
                "establish/squares-of-mu-add-up",
                "webb2025/thm-5.7",
                "webb2025/sec3-compose",
                "webb2025/sec6.2-total",
            ),
        ),
        Rule(
            "cells-of-jobs",
            "A job is in one cell: a marginal costs what one count costs.",
            (
                "establish/marginals-cost-their-worst-neighbors",
                "schmutte2020_slides/parallel-max",
                "foote2019/prop-4.1-step2",
            ),
        ),
        Rule(
            "cells-of-establishments",
            "An establishment is in one cell: a marginal over establishment attributes costs what one "
            "count costs, and releases about disjoint sets of establishments cost the largest of them.",
            (
                "establish/marginals-cost-their-worst-neighbors",
                "haney2017/thm-7.4",
                "haney2017/sec8-parallel-weak-establishment",
                "haney2017/sec6-marginal-sensitivity",
                "haney2017/sec8-disjoint-cells-delta",
            ),
        ),
        Rule(
            "cells-of-workers",
            "One establishment has workers in every cell of the worker attributes: d such cells cost d "
            "times what one count costs.",
            (
                "establish/marginals-cost-their-worst-neighbors",
                "haney2017/sec8-d-eps",
                "haney2017/thm-7.5-weak",
                "haney2017/thm-2.1",
            ),
            ("haney2017/thm-7.5-strong", "haney2017/sec8-parallel-all-marginals"),
        ),
        Rule(
            "records-of-a-person",
            "A record is in one cell; a person with up to k records loses k times what one record loses.",
            (
                "establish/marginals-cost-their-worst-neighbors",
                "foote2019/prop-4.1-step2",
                "haney2017/eq-14",
                "schmutte2020_slides/umetrics-budget",
            ),
            ("foote2019/sec3-cells-per-person",),
        ),
        Rule(
            "groups-of-establishments",
            "An establishment is in one group: the sums of one attribute over all groups of a query cost "
            "its μ, and the squares of the attributes' μ add up, because neighbors change all at once.",
            (
                "establish/sums-cost-the-squares",
                "webb2025/thm-6.5",
                "webb2025/sec6.2-total",
                "webb2025/rem-5.4",
            ),
        ),
        Rule(
            "strong-counts-as-weak",
            "A release for strong α-neighbors costs the same for weak α-neighbors, at the same α.",
            ("establish/counted-where-it-is-proved", "haney2017/strong-implies-weak"),
        ),
        Rule(
            "other-gamma",
            "At the same ψ, a release made with γ costs mμ for mγ, m a whole number, and μ for any "
            "smaller distance. Its guarantee must hold for all nonnegative real values.",
            (
                "establish/counted-where-it-is-proved",
                "establish/steps-times-mu",
                "webb2025/sec5.4.1-firm",
                "webb2025/sec5.1-iff",
            ),
            ("webb2025/rem-5.8", "webb2025/sec5.4.2-recenter-k"),
        ),
        Rule(
            "other-psi",
            "Releases under ψ_A at γ_A and ψ_B at γ_B, both real at 0, together cost √(μ_A² + μ_B²) for "
            "the ψ* of Theorem 5.11 at distance 1, not for ψ_A or ψ_B.",
            ("establish/joint-neighbors-are-neighbors-of-both", "webb2025/sec5.4.5", "webb2025/thm-5.11"),
        ),
    )
}
"""Every rule by its name."""
