"""Sections 6 and 4: workers under edge privacy, and what node privacy means and protects."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil

import z3

from establish import Evidence, SizeUniverse, Universe, Verdict, claim, fails, holds, ill_posed, rules
from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.statements import AtNoMultiple, Implies
from establish.proofs_check.papers.haney2017.attacker import C, at, dataset, learns, universe
from establish.proofs_check.papers.haney2017.graph_privacy.establishments import EDGE
from establish.proofs_check.papers.haney2017.implications.theorems import individuals, presence, shapes, sizes
from establish.proofs_check.papers.haney2017.neighbors.definitions import CHANGED_RECORD, across
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.relation import D, NeighborRelation, OneEstablishmentRelation, W
from establish.spec.requirements import Comparison, RecordIs, SizeIs
from establish.spec.tables import Tables

TENTH = Fraction(1, 10)
E, F = at("e"), at("f")


def by_node(universe: Universe, _alpha: Fraction) -> NeighborRelation[Tables]:
    return Node(universe)


NODE = partial(Implies, "node differential privacy", neighbors=by_node)

EDGE_INDIVIDUALS = EDGE(requirement=individuals)
EDGE_PRESENCE = EDGE(requirement=presence)
EDGE_INDIVIDUALS_TWICE = EDGE(requirement=individuals, multiple=2)
NODE_REQUIREMENTS = tuple(NODE(requirement=of, multiple=2) for of in (individuals, sizes, shapes))
"""Section 6 names no level: at 2ε, at which edge privacy meets the requirement on individuals."""


NODE_SIZES = AtNoMultiple(NODE(requirement=sizes))
"""Node privacy meets the requirement on sizes at no multiple of ε."""


def node_sizes_evidence() -> Evidence:
    """An attack for every multiple, by workers who may each be at another employer."""
    owed = rules.more_steps_than_any_multiple(NODE_SIZES)
    return rules.employer_by_employer(NODE_SIZES, *map(solver.proves, owed))


class WholeWorkforce(OneEstablishmentRelation[D, W]):
    """Node neighbors as Section 6 prints them: an employer with all its workers comes or goes."""

    def close(self, small: W, large: W) -> bool:
        return self.universe.headcount(small) == 0 and small != large

    def replacements(self, d: D, e: int) -> Iterator[W]:
        size = self.universe.headcount
        own = self.universe.workforces(d)[e]
        for other in self.universe.possible(d, e):
            if (size(own) == 0) != (size(other) == 0):
                yield other


def averages(c_is: str) -> Evidence:
    p1, q1, p2, q2, w, c = z3.Reals("p1 q1 p2 q2 w c")
    return solver.for_all(
        [p1 >= 0, q1 >= 0, p2 >= 0, q2 >= 0, w >= 0, w <= 1, c >= 1, p1 <= c * q1, p2 <= c * q2],
        w * p1 + (1 - w) * p2 <= c * (w * q1 + (1 - w) * q2),
        f"averaging over the independent beliefs about other workers keeps the bound c = {c_is}",
    )


@claim(
    "haney2017/eq-14-changed-records",
    where="Appendix B, equation (14)",
    says="Equation (14) covers D and D' in which d individuals have different records.",
    states=CHANGED_RECORD,
    origin="implied",
)
def changed_records_count_twice() -> Verdict:
    """A worker who is at f instead of e costs two neighbors, one job removed and one added. One changed
    individual can therefore cost e^(2ε).
    """
    space = universe(1, ("e", "f"))
    private, gained = learns(
        Edge(space), dataset(space, E), dataset(space, F), Comparison(RecordIs("w1", E), RecordIs("w1", F)), 2
    )
    return fails(
        exact.refuted(CHANGED_RECORD, **{"e^ε": C, "P(e)": "1/2", "P(absent)": "1/4", "P(f)": "1/8"}),
        private,
        gained,
        counterexample="one worker at e or at f, d = 1: 'yes' with probability 1/2, 1/4, 1/8 when the "
        "worker is at e, nowhere, at f is private at e^ε = 2, and 1/2 = 4·1/8 > 2·1/8",
        value="e^(2dε)",
        condition="true when d counts jobs that come or go",
    )


@claim(
    "haney2017/sec6-edge-individual",
    where="Section 6",
    says="Edge differential privacy suffices for the employee privacy requirement (Definition 4.1).",
    states=EDGE_INDIVIDUALS_TWICE,
)
def edge_privacy_protects_workers_at_twice_the_level() -> Verdict:
    """Section 6 names no level, and Definition 4.1 asks for some level. It compares any two values a, b
    of a record, and from one employer to another, or from one attribute value to another, it takes two
    neighbors: remove the job, add the other. So the requirement is met, at level 2ε, for all beliefs
    that are independent between workers (average over the others). A private answer gives the factor
    e^(2ε), so it is not met at ε itself (haney2017/sec6-edge-individual/same-level).
    """
    space = universe(1, ("e", "f"))
    comparison = Comparison(RecordIs("w1", E), RecordIs("w1", F))
    private, gained = learns(Edge(space), dataset(space, E), dataset(space, F), comparison, 2)
    return holds(
        rules.leave_and_join(
            EDGE_INDIVIDUALS_TWICE, *map(solver.proves, rules.two_steps(EDGE_INDIVIDUALS_TWICE))
        ),
        private,
        gained,
        value="2ε",
        condition="at level 2ε (at ε only for working against not working)",
    )


@claim(
    "haney2017/sec6-edge-individual/same-level",
    where="Section 6 and Table 1",
    says="Edge differential privacy at ε meets the employee privacy requirement at the same level ε.",
    states=EDGE_INDIVIDUALS,
    origin="ours",
)
def edge_privacy_misses_its_own_level() -> Verdict:
    """Changing an attribute, like changing the employer, is two neighbors away: the Bayes factor of man
    against woman reaches e^(2ε).
    """
    space = universe(1, ("e",), ("man", "woman"))
    man, woman = at("e", "man"), at("e", "woman")
    private, gained = learns(
        Edge(space),
        dataset(space, man),
        dataset(space, woman),
        Comparison(RecordIs("w1", man), RecordIs("w1", woman)),
        2,
        breaks=EDGE_INDIVIDUALS,
    )
    return fails(
        private,
        gained,
        counterexample="one worker of e, a man or a woman, 1/2 each; P('yes') = 1/2 for a man, 1/4 without "
        "the worker, 1/8 for a woman: private at e^ε = 2, Bayes factor 4",
        value="2ε",
        condition="true for working against not working",
    )


@claim(
    "haney2017/sec6-edge-individual/presence",
    where="Section 6 and Section 4.2 (i)",
    says="Under edge differential privacy at ε the Bayes factor of working, with some value, against not "
    "working is at most e^ε.",
    states=EDGE_PRESENCE,
    origin="implied",
)
def presence_is_one_step() -> Verdict:
    """The two datasets are neighbors whatever the other workers' records are, which are independent of
    this worker's. The average over them keeps the bound. It is attained by a private answer.
    """
    space = universe(1, ("e", "f"))
    private, gained = learns(
        Edge(space),
        dataset(space, E),
        dataset(space, None),
        Comparison(RecordIs("w1", E), RecordIs("w1", None)),
        1,
    )
    return holds(
        rules.leave_and_join(EDGE_PRESENCE, *map(solver.proves, rules.two_steps(EDGE_PRESENCE))),
        private,
        gained,
        value="ε",
    )


SINGLE_JOB, TWICE_THE_LEVEL = (across("x + 1", "0", "x", steps) for steps in (1, 2))
"""An employer of x + 1 workers against x, x ≥ 1, which as printed are neighbors of the dataset without the
employer: any node private answer is one of edge privacy.
"""


@claim(
    "haney2017/sec6-node-stronger",
    where="Section 6",
    says="Node privacy (an employer with all its workers is removed or added) is stronger than edge privacy.",
    states=SINGLE_JOB,
    tight=TWICE_THE_LEVEL,
    origin="implied",
)
def whole_workforces_do_not_include_single_jobs() -> Verdict:
    """As printed an employer with two workers and the same employer with one are not neighbors, but two
    steps apart, by way of the dataset without the employer: node privacy at ε implies edge privacy at 2ε
    only. If employees are nodes too (the first sentence: 'a single node'), or one workforce may replace
    another, all edge neighbors are node neighbors, and it is stronger at the same ε.
    """
    sizes = SizeUniverse(1, 2)
    yes = {0: Fraction(1, 4), 1: Fraction(1, 8), 2: Fraction(1, 2)}

    def answer(d: tuple[int, ...]) -> dict[object, Fraction]:
        return {"yes": yes[d[0]], "no": 1 - yes[d[0]]}

    printed = PrivacyDefinition(WholeWorkforce(sizes), C).violation(answer)
    two = SizeUniverse(2, 3)
    return ill_posed(
        exact.refuted(SINGLE_JOB, **{"e^ε": C, "P(x + 1)": "1/2", "P(0)": "1/4", "P(x)": "1/8"}),
        solver.proves(TWICE_THE_LEVEL),
        exact.compare(int(printed is None), "==", 1, "P('yes') = 1/4, 1/8, 1/2: node private as printed"),
        exact.compare(yes[2], ">", C * yes[1], "not edge private: 2 workers against 1"),
        exhaustive.for_all(
            two.datasets(),
            lambda d: all(Node(two).related(d, other) for other in Edge(two).neighbors(d)),
            "with replacement every edge neighbor is a node neighbor",
            "two establishments of up to 3 workers",
        ),
        condition="employees are nodes too, or one workforce may replace another (else edge privacy at 2ε)",
        counterexample="one establishment, P('yes') = 1/4, 1/8, 1/2 with 0, 1, 2 workers: e^ε = 2 between 0 "
        "and 1 and between 0 and 2, but 1/2 = 4·1/8",
        value="2ε",
    )


@claim(
    "haney2017/sec6-node-requirements",
    where="Section 6",
    says="Node differential privacy is much stronger than edge differential privacy, and satisfies the "
    "employee and the employer requirements (Definitions 4.1, 4.2, 4.3).",
    states=(SINGLE_JOB, *NODE_REQUIREMENTS),
    tight=NODE_SIZES,
)
def workers_link_employers() -> Verdict:
    """Beliefs are independent between workers, and a worker may be believed to be at e or at f. Then the
    size of e is bound up with other establishments. At α = 1, 4 workers of e against 2: the other two are
    at e, or one is at f and one at g. The two datasets differ in three establishments, and a node private
    answer gives the factor e^(3ε). With ⌈αx⌉ workers from as many establishments it is e^((⌈αx⌉+1)ε), so
    no fixed level suffices. (A worker's own move concerns two establishments: 2ε.) If no worker has two
    possible employers, compared datasets differ in one workforce only, and with replacement the level is ε.
    """
    small = universe(2, ("e", "f"))
    one, factor_one = learns(
        Node(small), dataset(small, E, E), dataset(small, E, F), Comparison(SizeIs("e", 2), SizeIs("e", 1)), 2
    )
    large = universe(4, ("e", "f", "g"))
    two, factor_two = learns(
        Node(large),
        dataset(large, E, E, E, E),
        dataset(large, E, E, F, at("g")),
        Comparison(SizeIs("e", 4), SizeIs("e", 2)),
        3,
        breaks=NODE_REQUIREMENTS[1],
    )
    return fails(
        exact.compare(2, "<=", ceil((1 + TENTH) * 1), "sizes 1 and 2 are compared at α = 1/10"),
        one,
        factor_one,
        two,
        factor_two,
        node_sizes_evidence(),
        counterexample="α = 1/10: w1 at e, w2 at e or f, 1/2 each. P('yes') = 1/2, 1/4, 1/8 when w2 is at e, "
        "nowhere, at f (and 2^(−distance)/2 elsewhere) is node private at e^ε = 2; the odds of 2 workers "
        "at e against 1 rise by 4 = e^(2ε). At α = 1, 4 against 2 workers: 8 = e^(3ε)",
        value="no finite multiple of ε",
        condition="true at level ε, with replacement, if no worker has two possible employers",
    )
