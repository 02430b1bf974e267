"""What one query costs: all cells of a marginal, or all groups of a sum."""

from collections.abc import Mapping
from dataclasses import dataclass

from establish.spec.composition.definitions import (
    Definition,
    DifferentialPrivacy,
    ErEe,
    Gedp,
    PerRecordConcentrated,
)
from establish.spec.composition.losses import Approximate, Gaussian, Loss, in_sequence
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Marginal:
    """A marginal query as its cost sees it.

    worker_cells: how many cells the worker attributes form that the query runs over (1 when it names
    none, or fixes them all). uses_workers: whether it names a worker attribute at all.
    """

    worker_cells: int = 1
    uses_workers: bool = False

    def __post_init__(self) -> None:
        if self.worker_cells < 1 or (self.worker_cells > 1 and not self.uses_workers):
            raise ParameterError(f"worker_cells = {self.worker_cells} is not allowed: it is at least 1")


@dataclass(frozen=True)
class Charge:
    """``times`` times ``each`` is ``loss``; ``rules`` names the rules in RULES that say so."""

    each: Loss
    times: int
    loss: Loss
    rules: tuple[str, ...]


def cost_of_marginal(definition: Definition, each: Approximate, marginal: Marginal) -> Charge:
    """What all cells of a marginal cost when one count of it costs ``each`` under ``definition``.

    Raises ParameterError for δ > 0 outside ER-EE privacy, for worker attributes under strong ER-EE
    privacy (a count of some of the workers is private for weak neighbors only: the claim
    haney2017/lemma-8.5-strong-worker fails), and for GEDP.
    """
    if isinstance(definition, PerRecordConcentrated):
        raise ParameterError(f"no plan is kept under {definition.name}: release one table after another")
    if isinstance(definition, Gedp):
        raise ParameterError("counts of jobs are not released under gedp: use a sum with its mu")
    if each.delta and not isinstance(definition, ErEe):
        raise ParameterError(f"delta = {each.delta} is not used under {definition.name}")
    if isinstance(definition, DifferentialPrivacy) and definition.name != "node-dp":
        records = definition.records
        rule = "records-of-a-person" if definition.name == "record-dp" else "cells-of-jobs"
        return Charge(each, records, each.times(records), (rule,))
    if isinstance(definition, ErEe) and definition.strong and marginal.uses_workers:
        raise ParameterError(
            "worker attributes are not allowed under strong-er-ee: no mechanism here is proved for them "
            "there; use weak-er-ee"
        )
    rules = ("cells-of-establishments", *(("cells-of-workers",) if marginal.worker_cells > 1 else ()))
    return Charge(each, marginal.worker_cells, each.times(marginal.worker_cells), rules)


def cost_of_sums(definition: Definition, mu: Mapping[str, Gaussian]) -> Charge:
    """What the sums of some attributes over the groups of one query cost, each with its own μ.

    mu: by attribute, at least one. Raises ParameterError for an attribute that ``definition`` does not
    protect, or for another definition than GEDP.
    """
    if not isinstance(definition, Gedp):
        raise ParameterError(f"sums with a mu are not released under {definition.name}: use gedp")
    for name in mu:
        if name not in definition.by_name:
            raise ParameterError(
                f"attribute {name} is not protected by the definition: it protects "
                f"{', '.join(definition.by_name)}"
            )
    total = in_sequence(mu.values())
    return Charge(total, 1, total, ("groups-of-establishments",))
