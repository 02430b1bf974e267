"""What is certified: a mechanism, its code, its claims, and how its sampler is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from establish.impl.guarantee import Grant
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.parameters import ParameterError

DRAWS = 2_000_000
"""Of noise, in one check. Enough to reject a Laplace scale that is off by 5%: the distance is then 0.0091 or
more, twice the threshold of 0.0023 and what lies between the shares that are compared."""

SEED = 20170514
"""Any seed does; it is fixed so that a result can be repeated."""


def of_specification(dotted: str) -> type[Any]:
    """A class of ``establish.spec``, by its module and name, as a card writes them."""
    module, _, name = dotted.rpartition(".")
    found: type[Any] = getattr(import_module(f"establish.spec.{module}"), name)
    return found


def refused(call: Callable[..., object], *given: Any, **named: Any) -> bool:
    """Whether parameters, data or files are not allowed."""
    try:
        call(*given, **named)
    except ParameterError:
        return True
    return False


def told(runs: Any) -> str:
    """What runs, at which calibration and parameters."""
    parameters = ", ".join(f"{key} = {value}" for key, value in runs.parameters.items())
    return f"{runs.name} ({runs.calibration}, {parameters})"


@dataclass(frozen=True)
class Case:
    """One way in which a mechanism runs, checked against its specification.

    mechanism: its name. modules: where it is implemented and specified: modules, or names in them. rests_on:
    the claims that its guarantee needs. conforms: evidence that what runs is what the specification says.
    quick: the same in a second or so, of fewer cells; None where it takes longer.
    """

    mechanism: str
    modules: tuple[str, ...]
    rests_on: tuple[str, ...]
    conforms: Callable[[], Evidence]
    quick: Callable[[], Evidence] | None = None


@dataclass(frozen=True)
class Subject:
    """One certified mechanism.

    modules: the implementation and the specification that it implements: modules, or names in them. rests_on:
    the claims that its guarantee needs, over all options. checks: what is shown about its sampler, what it
    states and what it takes, and for counts about whole releases of job tables. granted: what theorems grant
    to it, read from their objects. quick: what a few seconds show of its checks.
    """

    name: str
    modules: tuple[str, ...]
    rests_on: tuple[str, ...]
    checks: Callable[[], list[Evidence]]
    granted: Callable[[], tuple[Grant, ...]]
    quick: Callable[[], list[Evidence]] = list
