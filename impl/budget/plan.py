"""A release plan: a TOML file that says what is released, how, and at what cost at most."""

import hashlib
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from establish.impl.budget.engines import EngineChoice, read_engine
from establish.impl.budget.heads import beside, dataset_of
from establish.impl.budget.joint import Joint, read_joint
from establish.impl.budget.queries import Query, read_queries
from establish.impl.budget.section import Section
from establish.impl.budget.sources import (
    Establishments,
    JobTables,
    Persons,
    Source,
    confidential_files,
    read_source,
)
from establish.spec.composition import (
    Approximate,
    Attribute,
    Definition,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    Loss,
    PerRecordConcentrated,
)
from establish.spec.parameters import ParameterError, positive

DEFINITIONS: dict[str, type[Source]] = {
    "edge-dp": JobTables,
    "node-dp": JobTables,
    "strong-er-ee": JobTables,
    "weak-er-ee": JobTables,
    "gedp": Establishments,
    "record-dp": Persons,
}
"""The definitions by name, with the data that they speak of."""

ADDITIVE_KINDS = ("real", "whole")
"""The numbers as which counts that add up can be computed."""

PER_TABLE = (
    "[budget]: definition = {} is not kept by plans: release each table by establish release counts with "
    "--rho, and one ledger adds up their policies"
)
"""What is said of the definition whose budgets tables alone spend."""

_NEEDS = {JobTables: "jobs", Establishments: "establishments", Persons: "persons"}


@dataclass(frozen=True)
class Plan:
    """A plan that was read and is consistent; what it costs is for the accountant.

    path: its file. digest: the SHA-256 of that file, as hexadecimal digits. dataset: the name of the data set
    whose budget it spends. ledger: where its spending is recorded. head: a second place that remembers.
    production: whether its releases are held to the rules of production. engine: what counts its tables.
    additive: ``real`` or ``whole`` where counts that add up are computed, too; empty for no. joint: the μ
    that queries with weights share.
    """

    path: Path
    digest: str
    title: str
    definition: Definition
    cap: Loss
    dataset: str
    ledger: Path
    head: Path | None
    production: bool
    engine: EngineChoice
    source: Source
    queries: tuple[Query, ...]
    additive: str = ""
    joint: Joint | None = None


def read_plan(path: Path) -> Plan:
    """The plan in ``path``; all numbers are read as the exact rationals that are written there.

    Paths in a plan are relative to its folder. Reads no other file. Raises ParameterError, naming the
    place, when the file cannot be read, is not TOML, or is not a plan.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParameterError(f"PLAN = {path} cannot be read: {error.strerror}") from None
    try:
        table = tomllib.loads(content.decode("utf-8"), parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:  # also TOMLDecodeError
        raise ParameterError(f"PLAN = {path} is not TOML: {error}") from None
    plan = Section("plan", table)
    title, production = plan.text("title"), plan.flag("production")
    additive = plan.text_or("additive", "")
    budget = plan.section("budget")
    definition = _definition(budget)
    cap = _cap(budget.section("cap"), definition)
    joint = _joint(budget, definition)
    ledger, head = (budget.path(key, path.parent) if key in budget else None for key in ("ledger", "head"))
    budget.end()
    data = plan.section("data")
    dataset = data.text_or("dataset", "")
    source = read_source(data, plan.section("domain") if "domain" in plan else None, path.parent)
    if not isinstance(source, DEFINITIONS[definition.name]):
        needed = _NEEDS[DEFINITIONS[definition.name]]
        raise ParameterError(f"[data]: {definition.name} is about {needed}: name the {needed} table")
    engine = read_engine(plan.section("engine")) if "engine" in plan else EngineChoice()
    if engine.is_spark and not isinstance(source, JobTables):
        raise ParameterError("[engine]: name = spark is for plans on jobs: leave it out")
    if additive and not isinstance(source, JobTables):
        raise ParameterError("plan: additive is for plans on jobs: leave it out")
    if additive:
        require_additive_kind("plan: additive", additive)
    queries = read_queries(plan.sections("query"), source, definition, joint)
    plan.end()
    digest = hashlib.sha256(content).hexdigest()
    first = confidential_files(source)[0]
    dataset, ledger = dataset_of(first, dataset or None), ledger or beside(first, "ledger")
    return Plan(
        path,
        digest,
        title,
        definition,
        cap,
        dataset,
        ledger,
        head,
        production,
        engine,
        source,
        queries,
        additive,
        joint,
    )


def require_additive_kind(argument: str, kind: str) -> None:
    """Raise ParameterError for counts that add up of a kind that there is not."""
    if kind not in ADDITIVE_KINDS:
        raise ParameterError(f"{argument} = {kind} is not known: use {' or '.join(ADDITIVE_KINDS)}")


def _definition(budget: Section) -> Definition:
    name = budget.text("definition")
    if name == PerRecordConcentrated.name:
        raise ParameterError(PER_TABLE.format(name))
    if name not in DEFINITIONS:
        raise ParameterError(
            f"[budget]: definition = {name} is not known: use one of {', '.join(DEFINITIONS)}"
        )
    if name == "gedp":
        attributes = budget.section("attributes", "budget.attributes")
        return Gedp.of(_attribute(attributes, key) for key in attributes.names())
    if DEFINITIONS[name] is Persons:
        return DifferentialPrivacy(name, budget.whole_or("records_per_person", 1))
    if name.endswith("er-ee"):
        return ErEe.of(name, budget.number("alpha"))
    return DifferentialPrivacy(name)


def _attribute(attributes: Section, name: str) -> Attribute:
    section = attributes.section(name)
    psi, gamma = section.text("psi"), section.number("gamma")
    attribute = Attribute.of(name, psi, gamma, section.number_or("shift", Fraction(0)))
    section.end()
    return attribute


def _joint(budget: Section, definition: Definition) -> Joint | None:
    if not isinstance(definition, Gedp) or "joint" not in budget:
        return None
    return read_joint(budget.section("joint"))


def _cap(cap: Section, definition: Definition) -> Loss:
    """The cap must be positive: a cap of 0 allows no release."""
    if isinstance(definition, Gedp):
        allowed: Loss = Gaussian.of(positive(f"{cap.place}: mu", cap.number("mu")))
    else:
        epsilon = positive(f"{cap.place}: epsilon", cap.number("epsilon"))
        er_ee = isinstance(definition, ErEe)
        delta = cap.number("delta") if er_ee and "delta" in cap else Fraction(0)
        if not 0 <= delta < 1:
            raise ParameterError(
                f"{cap.place}: delta = {delta} is not allowed: delta must be at least 0 and less than 1"
            )
        allowed = Approximate.of(epsilon, delta)
    cap.end()
    return allowed
