"""Bayes factors: a private answer, the attacker who hears it, and the two events that are compared.

The evidence of an implication names its universe, the events and the factor. The answer that speaks
loudest for one dataset, and the attacker, are built again from that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import inf
from typing import Any

from establish.proofs_check.engine.statements.implication import NAMES, Implication
from establish.proofs_check.engine.statements.statement import Point
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, brief, tabulated
from establish.proofs_check.report.drawings.shapes import bars
from establish.spec.parameters import ParameterError
from establish.spec.priors import ProductPrior, place_of, two_point_prior, weak_prior
from establish.spec.requirements import Comparison, bayes_factor
from establish.spec.tables import Tables, Workplace
from establish.spec.telling import answer, telling_likelihood
from establish.spec.universe import Universe

_SAID = re.compile(
    r"α = (?P<alpha>[\d/]+), e\^ε = (?P<c>[\d/]+), (?P<workers>\d+) workers?, "
    r"(?P<employers>\d+) employers?, (?P<compared>.+): (?P<factor>[\d/]+|inf) against"
)
_VALUES = ((), ("X", "Y"), ("man", "woman"))
"""The values of the one worker attribute, where there is one."""

TRIED = 4
"""Datasets of each event that are tried; those with most workers come first."""


def rebuilt(statement: Implication, said: str) -> Iterator[Point]:
    """Points that may be the one of which the evidence says ``said``."""
    if not (at := _SAID.match(said)):
        return
    alpha, c = (Fraction(at[name]) for name in ("alpha", "c"))
    factor = inf if at["factor"] == "inf" else Fraction(at["factor"])
    places = tuple(map(Workplace, "efghij"[: int(at["employers"])]))
    workers = tuple(f"w{n + 1}" for n in range(int(at["workers"])))
    for values in _VALUES:
        universe = Universe(places, workers, tuple((v,) for v in values) or ((),))
        compared = [
            each
            for each in statement.requirement(universe, alpha).comparisons()
            if str(each) == at["compared"]
        ]
        for comparison in compared:
            for told, prior in _attacks(statement, universe, alpha, c, comparison):
                try:
                    heard = bayes_factor(prior, told, comparison)
                except ParameterError:
                    continue
                if heard == factor:
                    point = (alpha, c, universe, told, prior, comparison)
                    yield dict(zip(NAMES, point, strict=True))


def _attacks(
    statement: Implication, universe: Universe, alpha: Fraction, c: Fraction, compared: Comparison
) -> Iterator[tuple[dict[Tables, Fraction], ProductPrior]]:
    """The loudest answer for some datasets of the first event, with attackers who hear it."""
    datasets = sorted(universe.datasets(), key=lambda d: -len(d.workers))
    relation = statement.neighbors(universe, alpha)
    for d in islice(filter(compared.first, datasets), TRIED):
        loud = telling_likelihood(relation, d, c)
        told = {x: answer(loud.get(x, Fraction(0)), c)["yes"] for x in datasets}
        near = sorted(filter(compared.second, datasets), key=lambda other: _moved(universe, d, other))
        if statement.attackers == "informed":
            for other in near[:TRIED]:
                yield told, two_point_prior(universe, d, other)
        sites = [w.id for w in universe.workplaces]
        for at in (sites, [*sites, None], [*sites[:1], None]):
            chance = Fraction(1, len(at))
            yield told, weak_prior(universe, dict.fromkeys(at, chance))


def _moved(universe: Universe, d: Tables, other: Tables) -> int:
    return sum(place_of(d, w) != place_of(other, w) for w in universe.worker_ids)


def drawn(statement: Implication, point: Point) -> Drawing:
    """Both events with the probability of the answer 'yes' in each, as bars and as tables."""
    told, compared = point["likelihood"], point["comparison"]
    support = point["prior"].support()
    tables: list[DataTable] = []
    heard: list[Fraction] = []
    for event in (compared.first, compared.second):
        inside = {d: weight for d, weight in support.items() if event(d)}
        total = sum(inside.values())
        heard.append(Fraction(sum(w * told[d] for d, w in inside.items()) / total))
        best = max(inside, key=lambda d: inside[d] * (told[d] + 1))
        more = "" if len(inside) == 1 else f", one of {len(inside)} that the attacker thinks possible"
        words = f"A dataset in which {event}{more}: P(yes) = {told[best]}"
        tables.append(tabulated(words, best))
    first, second = heard
    bound = Fraction(point["c"]) ** statement.multiple
    svg = bars(
        [(f"given that {compared.first}", first), (f"given that {compared.second}", second)], "yes", "no"
    )
    factor = "infinite" if second == 0 else str(first / second)
    text = (
        "Built again from what the evidence says: "
        f"a mechanism of {statement.definition} at α = {point['α']} and e^ε = {point['c']} answers 'yes' "
        f"with probability {first} (about {brief(first)}) given that {compared.first}, and {second} (about "
        f"{brief(second)}) given that {compared.second}, by the prior of this attacker. The Bayes factor "
        f"{factor} is more than the bound {bound} that the statement gives. {_prior_words(point)}"
    )
    return Drawing("attack on a pair of datasets", "What an attacker learns", text, svg, tuple(tables))


def _prior_words(point: Any) -> str:
    beliefs = point["prior"].beliefs
    unsure = {w: b for w, b in beliefs.items() if sum(p > 0 for p in b.values()) > 1}
    if not unsure:
        return "The attacker knows every worker."
    alike: dict[str, list[str]] = {}
    for worker, belief in unsure.items():
        chances = ", ".join(
            f"{'absent' if place is None else ' '.join((place[0], *place[1]))}: {chance}"
            for place, chance in belief.items()
            if chance
        )
        alike.setdefault(chances, []).append(worker)
    told = "; ".join(f"{', '.join(workers)} ({chances})" for chances, workers in alike.items())
    others = "" if len(unsure) == len(beliefs) else ", and knows the others"
    return f"The attacker does not know the place of {told}{others}."
