"""Sentences of Section 8 and Appendix B of Webb et al. 2025 on two synthetic states that a seed makes up.

The paper's own numbers rest on confidential or unpublished microdata, and stay not checkable. Here the same
experiment runs on establishments in the shape that its tables print; its numbers are recorded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial

from establish import Evidence, Grade, Verdict, claim, holds, statistical
from establish.proofs_check.engine.statements.experiments import OfExperiment, decisive
from establish.proofs_check.experiments.findings import Finding, Outcome, Record
from establish.proofs_check.experiments.results import agree, recorded, rows_of
from establish.proofs_check.experiments.webb2025.establishment_data import STATES, State, made_up
from establish.proofs_check.experiments.webb2025.findings import ERROR, SENTENCES, findings
from establish.proofs_check.experiments.webb2025.fitted_microdata_compared import ReplicationRow, run

SEED, REPLICATIONS = 2017, 34
"""Of ``establish evaluate webb2025``, which writes the same numbers as replications.csv."""

REPRODUCED, NOT = Outcome.REPRODUCED, Outcome.NOT_REPRODUCED

BOTH_STATES = {
    "bias-of-psi": REPRODUCED,
    "less-bias": REPRODUCED,
    "more-accurate": REPRODUCED,
    "figure-3-employment": REPRODUCED,
    "figure-3-wages-thousands": REPRODUCED,
    "figure-2-county-employment": REPRODUCED,
    "figure-2-industry-employment": REPRODUCED,
    "figure-2-industry-wages": NOT,
    "figure-6-near-zero": REPRODUCED,
    "figure-6-outliers": NOT,
    "ours-remaining-bias-exact": REPRODUCED,
}


@dataclass(frozen=True)
class OfState:
    """One synthetic state. digest: of its recorded numbers, recorded/webb2025-STATE.csv.

    again: how many replications are computed again; they are the same in a longer run. expected: what is
    claimed of each sentence; those that the intervals leave undecided are not claimed.
    """

    state: str
    digest: str
    again: int
    expected: Mapping[str, Outcome]

    @property
    def shape(self) -> State:
        return STATES[self.state]

    @property
    def scope(self) -> str:
        return (
            f"{self.shape.establishments:,} synthetic establishments with the counties, industries, jobs and "
            f"pay that the paper prints of {self.shape.name}, and sizes drawn from a Pareto law, our "
            f"assumption (seed {SEED}); expectations over the noise, of which {REPLICATIONS} replications "
            "are recorded; intervals by Student's law, for normal replications; other data give other errors"
        )

    @property
    def where(self) -> str:
        return f"Webb et al. 2025, Section 8 and Appendix B, on a synthetic {self.shape.name}"

    @cached_property
    def recorded(self) -> str:
        return recorded(f"webb2025-{self.state}.csv", self.digest)

    def stated(self) -> dict[str, OfExperiment]:
        """The object of each claim, with the intervals that the recorded numbers give it."""
        record = Record(
            f"the experiment of Section 8 on a synthetic {self.shape.name} (seed {SEED}, {REPLICATIONS} "
            "replications)",
            self.digest,
            f"{ERROR:g}",
        )
        found = found_in(self.recorded, self.state)
        return {key: record.statement(found[key], out) for key, out in self.expected.items()}


@cache
def found_in(text: str, state: str) -> Mapping[str, Finding]:
    """What recorded numbers say of each sentence, with the intervals that they give."""
    return {one.key: one for one in findings(rows_of(text, ReplicationRow), state)}


OF_STATES = {
    one.state: one
    for one in (
        OfState(
            "rhode-island",
            "7d6d2c7f02c7b6d2989e6c78b4546040a4b79d736152be1789c71dcc43dab36c",
            2,
            BOTH_STATES
            | {
                "figure-2-county-wages": REPRODUCED,
                "figure-2-county-wages-thousands": REPRODUCED,
                "figure-2-industry-wages-thousands": REPRODUCED,
            },
        ),
        OfState(
            "new-jersey",
            "f0aec60e51edf0153798cb16e1ee46a642ee1369ff2965b68407a8ce259f3691",
            1,
            BOTH_STATES
            | {
                "figure-3-wages": REPRODUCED,
                "figure-2-county-wages": NOT,
                "figure-2-county-wages-thousands": NOT,
            },
        ),
    )
}

OBJECTS = {
    f"{name}-{key}": statement for name, one in OF_STATES.items() for key, statement in one.stated().items()
}


def as_recorded(name: str, key: str) -> Verdict:
    """Each replication gives one number, its mean over groups or a quartile, and replications are
    independent. Student's interval encloses the expectation, which presumes that such a number is nearly
    normal. A sentence is reproduced when every comparison that it consists of is decided so, and not
    reproduced when one is decided otherwise. The numbers are the recorded ones, by their digest;
    the claims evaluated-webb-…-again compute some of them.
    """
    one, stated = OF_STATES[name], OBJECTS[f"{name}-{key}"]
    shown = statistical.measured(stated, one.recorded, lambda text: found_in(text, name)[key].comparisons)
    return holds(shown, value=str(decisive(stated.quantities)))


def _says(key: str, outcome: Outcome) -> str:
    place, sentence, reading = SENTENCES[key]
    if place == "ours":
        return f"{sentence}, in the synthetic experiment."
    comes = "comes" if outcome == REPRODUCED else "does not come"
    return f"What {place} says {comes} out in the synthetic experiment: {sentence} ({reading})."


for _name, _state in OF_STATES.items():
    for _key, _outcome in _state.expected.items():
        claim(
            f"establish/evaluated-webb-{_name}-{_key}",
            where=_state.where,
            says=_says(_key, _outcome),
            states=OBJECTS[f"{_name}-{_key}"],
            scope=_state.scope,
        )(partial(as_recorded, _name, _key))


def recorded_numbers_come_out_again(name: str) -> Verdict:
    """Each number agrees to 5 digits, or to a millionth of a group's mean true sum. numpy promises no stream
    of draws across its versions: where another version draws otherwise this claim is unsettled, not the
    findings.
    """
    one = OF_STATES[name]
    data = made_up(one.shape, one.shape.establishments, SEED)
    again = run(data, seed=SEED, replications=one.again).replications
    before = [row for row in rows_of(one.recorded, ReplicationRow) if row.replication < one.again]
    wrong = [
        f"{row.measure}, {row.strategy}, {row.level}, replication {row.replication}"
        for row, other in zip(before, again, strict=True)
        if not agree(row, other, 1e-6 * row.true)
    ]
    return holds(
        Evidence(
            f"{len(before)} rows of numbers agree",
            None if wrong else True,
            Grade.STATISTICAL,
            "run again",
            "; ".join(wrong[:3]),
            f"seed {SEED}, {one.again} of {REPLICATIONS} replications",
        )
    )


for _name, _state in OF_STATES.items():
    claim(
        f"establish/evaluated-webb-{_name}-again",
        where=_state.where,
        says="The first replications of the experiment give the recorded numbers again.",
        scope=_state.scope,
        thorough=True,
    )(partial(recorded_numbers_come_out_again, _name))
