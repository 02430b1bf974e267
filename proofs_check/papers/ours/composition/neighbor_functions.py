"""Neighbors under two neighbor functions of one attribute."""

from collections.abc import Iterator
from typing import Any

from establish import Every, Verdict, claim, exhaustive, holds
from establish.proofs_check.papers.ours.composition.cases import PLACE
from establish.spec.composition import Attribute, Gaussian, Gedp
from establish.spec.composition.neighbor_functions import function_of, jointly
from establish.spec.neighbor_functions.named import neighbor_function

Joined = tuple[Attribute, Attribute]

_APART = ((0, 0), (0, 1), (0, 3), (4, 5), (4, 7), (30, 33), (30, 44))
"""Values of which some are neighbors under one ψ and not under another."""


def _joined() -> Iterator[Joined]:
    root, log = Attribute.of("jobs", "sqrt", "1/2"), Attribute.of("jobs", "log", "1/10", 1)
    yield from ((root, root), (root, log), (log, root), (Attribute.of("jobs", "identity", 3), log))


def _are_neighbors_under_both(case: Joined) -> bool:
    a, b = case
    joint = jointly(Gedp.of([a]), Gaussian.of(3), Gedp.of([b]), Gaussian.of(4))
    both = [pair for pair in _APART if joint.psi["jobs"].close(*pair, 1)]
    each = all(_named(one).close(*pair, one.gamma) for pair in both for one in case)
    return joint.loss == Gaussian.of(5) and each and len(both) > 1


def _named(attribute: Attribute) -> Any:
    shift = f"(x+{attribute.shift})" if attribute.shift else ""
    return neighbor_function(f"{attribute.psi}{shift}")


def _is_close_under_the_second(case: Joined) -> bool:
    a, b = case
    return all(_named(b).close(*pair, b.gamma) for pair in _APART if _named(a).close(*pair, a.gamma))


def _is_the_named_one(attribute: Attribute) -> bool:
    own, named = function_of(attribute), _named(attribute)
    return all(own.close(*p, attribute.gamma) == named.close(*p, attribute.gamma) for p in _APART)


JOINT = Every("two attributes", _joined, _are_neighbors_under_both, wrong=_is_close_under_the_second)
NAMED = Every("attribute", lambda: (a for a, _ in _joined()), _is_the_named_one)


@claim(
    "establish/joint-neighbors-are-neighbors-of-both",
    where=PLACE,
    says="Releases under two neighbor functions cost √(μ_A² + μ_B²) for the ψ* whose neighbors at distance 1 "
    "are neighbors under both.",
    states=(JOINT, NAMED),
)
def joint_neighbors_are_neighbors_of_both() -> Verdict:
    """As webb2025/thm-5.11 has it, with the larger slope; 3 and 4 together are 5."""
    return holds(
        exhaustive.each(JOINT, "√, ln(x+1) and x, seven pairs of values"),
        exhaustive.each(NAMED, "the same ψ, by name"),
        value="√(μ_A² + μ_B²)",
    )
