"""Section 7.2: the metric, its limits in α, and what k steps hide."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import z3

from establish import Evidence, SizeUniverse, Universe, Verdict, aside, claim, fails, holds, ill_posed
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import along_chain, at_whole_numbers, links_of_chain, whole_number
from establish.proofs_check.engine.statements import AtMost, Chains, Equal, Every, Integer, Real
from establish.proofs_check.papers.haney2017.attacker import at, dataset, universe
from establish.proofs_check.papers.haney2017.growth import grows
from establish.spec.arithmetic import Number, World
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.growth import largest_after
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.tables import Tables, Workplace
from establish.spec.telling import answer, telling_likelihood

CHAINS = Chains(
    "datasets that are strong, or weak, α-neighbors", level=lambda c, level, delta, d: c.power(level, d)
)
"""Equation 8 along a shortest chain, d = d(D, D')."""


def chains_evidence() -> Evidence:
    """By induction on the number of steps."""
    return along_chain(CHAINS, *map(symbolic.proves, links_of_chain(CHAINS)))


@claim(
    "haney2017/eq-8",
    where="Section 7.2, equation 8",
    says="P(M(D)∈S) ≤ e^(ε·d(D,D'))·P(M(D')∈S), with d the length of a shortest chain of neighbors.",
    states=CHAINS,
)
def privacy_loss_adds_up_along_chains() -> Verdict:
    """By induction along a shortest chain: each step multiplies the bound by e^ε. Where there is no chain,
    d = ∞ and nothing is said. The bound is attained by P(D) ∝ e^(−ε·d(D, D₀)).
    """
    return holds(chains_evidence(), condition=f"{by_convention('both orders', 'haney2017')}; d may be ∞")


_TWO = Universe((Workplace("e"), Workplace("f")), ("w1", "w2"), (("a",), ("b",)))


def _distances(relation: NeighborRelation[Tables]) -> dict[Tables, dict[Tables, int]]:
    """The lengths of shortest chains; pairs without a chain are left out."""
    return {
        d: {e: steps for steps, sphere in enumerate(relation.spheres(d)) for e in sphere}
        for d in relation.datasets()
    }


def _is_a_metric(relation: NeighborRelation[Tables]) -> bool:
    far = _distances(relation)
    return all(
        far[e][d] == steps
        and (steps == 0) == (d == e)
        and all(far[d][f] <= steps + more for f, more in far[e].items())
        for d in far
        for e, steps in far[d].items()
    )


@claim(
    "haney2017/sec7.2-metric",
    where="Section 7.2, before and after equation 8",
    says="Both neighbor definitions induce a metric over the possible databases; databases that differ in "
    "workplace attributes have infinite distance.",
)
def shortest_chains_are_a_metric() -> Verdict:
    """The length of a shortest chain is symmetric (neighbors taken in both orders), 0 for equal
    datasets only, and satisfies the triangle inequality, because chains may be joined; its value is ∞
    where no chain exists, since no step changes a workplace.
    """
    other = dataset(universe(1, ("e",)), None)
    renamed = dataset(universe(1, ("f",)), None)
    return holds(
        exhaustive.for_all(
            [relation(_TWO, alpha) for relation in (Strong, Weak) for alpha in (1, Fraction(1, 2))],
            _is_a_metric,
            "the length of shortest chains is a metric",
            "2 workers with one of 2 values at 2 workplaces, α in {1/2, 1}",
        ),
        exact.compare(
            int(Strong(universe(1, ("e",)), 1).related(other, renamed)),
            "==",
            0,
            "datasets with different workplaces are neighbors",
        ),
        condition=f"{by_convention('both orders', 'haney2017')}; values in [0, ∞]",
    )


def _one_more(c: World, x: Number) -> Number:
    return x + 1


def _added(c: World, x: Number, y: Number) -> Number:
    return y - x


_GROWN = (
    Integer("x", least=0),
    Integer("y", above=lambda c, x: x, most=lambda c, x: largest_after(x, Fraction(0), c)),
)
ONE_MORE = (
    Equal(*_GROWN, left=lambda c, x, y: y, right=lambda c, x, y: x + 1),
    Equal(Integer("x", least=0), left=lambda c, x: largest_after(x, Fraction(0), c), right=_one_more),
)
"""At α = 0 a different workforce E' ⊃ E has one worker more, and may have one more."""


@claim(
    "haney2017/sec7.2-alpha0",
    where="Section 7.2",
    says="At α = 0 neighbors differ in the presence of one worker, as in edge privacy.",
    states=ONE_MORE,
    origin="implied",
)
def alpha_zero_is_edge_privacy() -> Verdict:
    """max((1+0)|E|, |E|+1) = |E|+1, so |E'| is |E| or |E|+1, and different nested sets differ by one."""
    grown, allowed = ONE_MORE
    return holds(
        whole_number(grown, _added, *map(solver.owed, at_whole_numbers(grown, _added))),
        solver.proves(allowed),
    )


ANY_WORKFORCE, FROM_ONE_ON = (
    AtMost(
        Integer("x", least=least),
        Integer("y", least=lambda c, x: x),
        Real("α", least=lambda c, x, y: 1 + y),
        left=lambda c, x, y, alpha: c.number(y),
        right=lambda c, x, y, alpha: largest_after(c.number(x), alpha, c),
    )
    for least in (0, 1)
)
"""Of x workers any y may come in one step, as in node privacy, from some α on; or of x ≥ 1."""


@claim(
    "haney2017/sec7.2-alphainf",
    where="Section 7.2",
    says="At α = 0 and α = ∞ neighbors differ in the presence of one worker and of one establishment, as in "
    "edge and node privacy.",
    states=(*ONE_MORE, ANY_WORKFORCE),
)
def alpha_infinity_is_not_node_privacy() -> Verdict:
    """An empty establishment grows to max((1+α)·0, 0+1) = 1 whatever α is, so an establishment with two
    workers and the empty one are neighbors for no α, and node privacy's removal of all workers takes two
    steps: down to one worker, then to none. Establishments themselves are public and never removed.
    """
    grown, allowed = ONE_MORE
    y, alpha = z3.Reals("y alpha")
    steps = Strong(SizeUniverse(1, 6), 100).distance((6,), (0,))
    return fails(
        whole_number(grown, _added, *map(solver.owed, at_whole_numbers(grown, _added))),
        solver.proves(allowed),
        exact.refuted(ANY_WORKFORCE, x=0, y=2, α=100),
        solver.proves(FROM_ONE_ON),
        solver.for_all(
            [alpha > 0, y >= 2],
            z3.Not(grows(z3.RealVal(0), y, alpha)),
            "an empty establishment may not grow to 2 or more, for any α",
        ),
        exact.compare(int(steps), "==", 2, "α = 100: steps from 6 workers to none"),
        counterexample="E = ∅, E' = {w1, w2}: |E'| = 2 > max((1+α)·0, 1) = 1 for every α",
        value="2",
        condition="true between nonempty workforces E ⊂ E'",
    )


def _terms_are_whole(case: tuple[int, int, int]) -> bool:
    """Whether x·(r/s)^i is whole for all i ≤ k, for all x up to 300 for which x·(r/s)^k is."""
    r, s, k = case
    return all(
        (x * Fraction(r, s) ** i).denominator == 1
        for x in range(1, 301)
        if (x * Fraction(r, s) ** k).denominator == 1
        for i in range(k)
    )


_THREE = Universe((Workplace("e"),), ("w1", "w2", "w3"))


def _doubled_workforces() -> Iterator[tuple[Tables, Tables, int]]:
    """D, D' and k with |E'| = 2^k·|E| > 0, for three workers at one establishment."""
    datasets = list(_THREE.datasets())
    for d, d2, k in product(datasets, datasets, range(2)):
        if len(d2.workers) == 2**k * len(d.workers) > 0:
            yield d, d2, k


def _factor_is_within_k_steps(case: tuple[Tables, Tables, int]) -> bool:
    """P('yes') of D over that of D' is at most 2^k, for an answer that is private at e^ε = 2."""
    d, d2, k = case
    relation = Strong(_THREE, 1)
    loud = telling_likelihood(relation, d, Fraction(2))
    law = {x: answer(loudness, Fraction(2)) for x, loudness in loud.items()}
    private = PrivacyDefinition(relation, 2).satisfied_by(lambda x: law[x])
    return not private or law[d]["yes"] <= 2**k * law[d2]["yes"]


WITHIN_K_STEPS = Every(
    "pair of datasets with |E'| = (1+α)^k·|E| at α = 1",
    cases=_doubled_workforces,
    holds=_factor_is_within_k_steps,
)
"""The factor of D against D' is at most e^(kε), for the answer that speaks for D as loudly as it may."""


ONE_STEP = AtMost(
    Real("α", above=0),
    Real("x", least=0),
    Real("(1+α)^i", least=1),
    left=lambda c, alpha, x, power: (1 + alpha) * power * x,
    right=lambda c, alpha, x, power: largest_after(power * x, alpha, c),
)
"""From (1+α)^i·x to (1+α)^(i+1)·x workers is one step, so that (1+α)^k·x is k steps from x."""


@claim(
    "haney2017/sec7.2-k-steps",
    where="Section 7.2",
    says="If D and D' are neighbors with |E'| = (1+α)^k·|E|, the log Bayes factor is at most ε·k.",
    states=WITHIN_K_STEPS,
    meant=(ONE_STEP, CHAINS),
)
def k_steps_need_nested_workforces() -> Verdict:
    """Neighbors have k ≤ 1; meant are datasets that differ at one establishment only. If E ⊆ E' the
    chain |E|·(1+α)^i has k steps. Its terms must be whole numbers. They are when α is rational, k is
    whole and the last term is whole: with 1+α = r/s in lowest terms, s^k divides |E|. For α = √2 − 1
    and k = 2, 3 workers and 6 = (1+α)²·3 are three steps apart, since 3√2 < 5 and 4√2 < 6; and at α =
    1, 2 and 3 workers have k = log2(3/2) < 1 and distance 1. If the two are not nested the workers to
    be exchanged cost more: {w1} and {w2, w3} have k = 1 at α = 1 and distance 3.
    """
    space = universe(3, ("e",))
    one, others = dataset(space, at("e"), None, None), dataset(space, None, at("e"), at("e"))
    y, root = z3.Int("y"), z3.Real("root")
    return ill_posed(
        exact.refuted(WITHIN_K_STEPS, case=(one, others, 1)),
        exact.compare(int(Strong(space, 1).distance(one, others)), "==", 3, "{w1} to {w2, w3}"),
        solver.proves(ONE_STEP),
        chains_evidence(),
        solver.for_all(
            [root > 0, root * root == 2, y >= 3, grows(z3.RealVal(3), z3.ToReal(y), root - 1)],
            z3.And(y <= 4, z3.Not(grows(z3.ToReal(y), z3.RealVal(6), root - 1))),
            "α = √2 − 1: 3 workers grow to 4 at most, and 4 not to 6 = (1+α)²·3",
        ),
        aside(
            exhaustive.for_all(
                [(r, s, k) for r in range(2, 7) for s in range(1, r) for k in (1, 2, 3)],
                _terms_are_whole,
                "if the last term is whole, all are",
                "1+α = r/s with s < r ≤ 6, k ≤ 3, |E| up to 300",
            )
        ),
        condition="D and D' differ at one establishment, E ⊆ E', k is whole and α rational",
        counterexample="α = 1, E = {w1}, E' = {w2, w3}: |E'| = 2·|E|, so k = 1, but the distance is 3",
        value="ε·k",
    )
