"""What a mechanism says of itself at the parameters in a record, to compare with what the record says."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from establish.impl.budget.queries import MECHANISMS
from establish.impl.budget.satisfied import satisfied
from establish.impl.cards import cards, names_under, of_counts
from establish.impl.certificate import CertificateError, Granted
from establish.impl.mechanisms.on_counts import ROUNDED, OnCounts
from establish.impl.microdata.neighbor_functions import neighbor_function
from establish.impl.publish import earnings as of_earnings
from establish.impl.publish import establishments as of_establishments
from establish.impl.publish.entered import TABLE, definition_of_counts, loss_of_table
from establish.impl.publish.margins import LEVEL
from establish.impl.publish.sidecar import ROUNDED_BEFORE, Described, describe, signs
from establish.impl.tabulate.tabulate import TWO_JOBS
from establish.proofs_check.certification.record import UNREADABLE, Record, Use
from establish.proofs_check.certification.runs import granted
from establish.spec.composition import (
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    Loss,
    in_sequence,
    read_definition,
    read_loss,
)
from establish.spec.parameters import exact

COMPARED = ("calibration", "parameters", "noise", "domain", "satisfies")
"""What must be the same, word for word."""

CLOSE = {"constants": 1e-12, "expected_error": 2e-3}
"""Numbers that must be the same but for so much of them, and all that stands around them: the last digits of
floats differ from one machine to another, and errors are told to 4 digits."""

ASKED = (
    *("count_column", "largest_column", "where", "kept_columns", "left_out_columns", "public_columns"),
    *("disjoint", "earnings_column", "cell_columns", "cells", "person_column"),
)
"""What a single table was asked for: the plan in its record is the digest of these and of the parameters."""

ACCOUNT = ("plan", "definition", "alpha", "records_per_person", "attributes", "queries", "loss")
"""What the record of a single table says of its budget; a part that its definition lacks is not there."""

OF_COUNTS, OF_ESTABLISHMENTS = (*of_counts(), *names_under("node-dp")), names_under("gedp")
"""Of the first, in a plan their guarantee is that of the query, not of one count."""


def differing(use: Use, record: Record, grants: Granted = granted) -> list[str]:
    """Which parts of what the record says of a use are not what follows from its parameters.

    grants: what a mechanism is granted, by default read from the objects of the theorems.
    """
    try:
        if record.is_of_plan and not _is_proved(use, record.content):
            return ["definition"]
        law = made_anew(use, cells_given=record.content.get("cells") != "from the data")
        expected: dict[str, Any] = json.loads(json.dumps(describe(law, {}, grants(use.mechanism))))
        if record.is_of_plan and use.mechanism in OF_COUNTS:
            expected["satisfies"] = [_of_query(use, record.content)]
    except UNREADABLE:
        return ["parameters"]
    except CertificateError as error:
        return [str(error)]
    claims = tuple(entry["claim"] for entry in expected["rests_on"])
    found = [key for key in COMPARED if use.said.get(key) != expected[key]]
    found += [key for key, within in CLOSE.items() if not _close(use.said.get(key), expected[key], within)]
    return found if use.claims == claims else [*found, "rests_on"]


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def _close(said: Any, meant: Any, within: float) -> bool:
    """Whether both are the same but for ``within`` of each number, also of those in texts."""
    if isinstance(meant, dict):
        alike = isinstance(said, dict) and said.keys() == meant.keys()
        return alike and all(_close(said[key], meant[key], within) for key in meant)
    if isinstance(meant, list):
        alike = isinstance(said, list) and len(said) == len(meant)
        return alike and all(_close(a, b, within) for a, b in zip(said, meant, strict=True))
    if isinstance(meant, str):
        if not isinstance(said, str) or _NUMBER.sub("#", said) != _NUMBER.sub("#", meant):
            return False
        pairs = zip(_NUMBER.findall(said), _NUMBER.findall(meant), strict=True)
        return all(_close(float(a), float(b), within) for a, b in pairs)
    if isinstance(meant, float | int) and not isinstance(meant, bool):
        number = isinstance(said, float | int) and not isinstance(said, bool)
        return number and (said == meant or abs(said - meant) <= within * abs(meant))
    return bool(said == meant)


def _is_proved(use: Use, content: Mapping[str, Any]) -> bool:
    """Whether the mechanism, at these parameters, is one for the definition that the plan is said to have."""
    definition, given = read_definition(content), use.said["parameters"]
    if use.mechanism not in MECHANISMS[definition.name]:
        return False
    if isinstance(definition, ErEe):
        return exact("alpha", given["alpha"]) == definition.alpha
    if isinstance(definition, Gedp):
        own = definition.by_name[use.said["measure"]]
        psi = neighbor_function(own.psi, own.shift).name
        return given["psi"] == psi and exact("gamma", given["gamma"]) == own.gamma
    return True


def account_differs(record: Record) -> list[str]:
    """Which parts of the account in the record of a single table do not follow from its mechanism."""
    (use,) = record.uses
    try:
        given, loss = use.said["parameters"], _of_use(use).record()
        on_counts = bool(cards()[use.mechanism].takes)
        protected = (
            definition_of_counts(granted(use.mechanism), given)
            if on_counts
            else DifferentialPrivacy("record-dp")
        )
        asked = {key: record.content[key] for key in ASKED if key in record.content}
        text = json.dumps({**asked, **given}, sort_keys=True, ensure_ascii=False)
        plan = hashlib.sha256(text.encode()).hexdigest()
        expected = {"plan": plan, **protected.record(), "queries": {TABLE: loss}, "loss": loss}
    except (*UNREADABLE, CertificateError):
        return ["parameters"]
    found = [key for key in ACCOUNT if record.content.get(key) != expected.get(key)]
    intervals = record.content.get("intervals")
    level = intervals is None or (isinstance(intervals, dict) and intervals.get("level") == LEVEL)
    return found if level else [*found, "intervals"]


def notes_fit(record: Record) -> bool:
    """Whether the notes begin with what is said of every such release: how it is rounded, and its signs.

    True where the parameters are none, of which :func:`differing` tells.
    """
    kinds = {use.mechanism for use in record.uses}
    if kinds <= {*OF_COUNTS}:
        try:
            laws = [made_anew(use, cells_given=True) for use in record.uses]
        except UNREADABLE:
            return True
        rounding = [law.rounding for law in laws if isinstance(law, OnCounts)]
        needed = [*(rounding or [ROUNDED])[:1], signs(laws)]
    elif kinds <= {*OF_ESTABLISHMENTS}:
        needed = [of_establishments.EXACT]
    else:
        needed = of_earnings.NOTES
    notes = record.content.get("notes")
    if not isinstance(notes, list):
        return False
    return [ROUNDED if note == ROUNDED_BEFORE else note for note in notes[: len(needed)]] == needed


def words_differ(record: Record) -> list[str]:
    """What a plan on establishments explains otherwise than it is: its columns, and how it was fitted."""
    if not {use.mechanism for use in record.uses} <= {*OF_ESTABLISHMENTS}:
        return []
    meant = {"columns": of_establishments.COLUMNS, "fitted": record.content.get("fitted")}
    if isinstance(meant["fitted"], dict):
        meant["fitted"] = {**meant["fitted"], "method": of_establishments.METHOD}
    return [key for key, value in meant.items() if record.content.get(key) != value]


def losses_fit(record: Record) -> bool:
    """Whether the losses in the record of a plan are those that it consists of.

    A query on earnings or of sums loses what its uses of a mechanism lose together, for every record of a
    person, and the plan what its queries do. A count of jobs is lost at least once, and again for each cell
    of worker attributes, which the plan tells; queries on disjoint sets of establishments lose less than
    their sum together, but not less than one of them.
    """
    try:
        total = read_loss(record.content["loss"])
        losses = {name: read_loss(loss) for name, loss in record.content["queries"].items()}
        uses: dict[str, list[Loss]] = {name: [] for name in losses}
        definition = read_definition(record.content)
        records = definition.records if isinstance(definition, DifferentialPrivacy) else 1
        for use in record.uses:
            uses[use.query].append(_of_use(use).times(records))
        together = in_sequence(losses.values())
        each = [(in_sequence(uses[name]), loss) for name, loss in losses.items()]
        if any(use.mechanism not in OF_COUNTS for use in record.uses):
            return total == together and all(used == loss for used, loss in each)
        least = all(used.within(loss) and loss.within(total) for used, loss in each)
        return least and total.within(together)
    except UNREADABLE:
        return False


def _of_use(use: Use) -> Loss:
    """What one count, one sum of an attribute, or one record's percentiles lose."""
    given = use.said["parameters"]
    if "mu" in given:
        return Gaussian.of(given["mu"])
    return loss_of_table(given, granted(use.mechanism) if "rho" in given else ())


def _of_query(use: Use, content: Mapping[str, Any]) -> dict[str, str]:
    loss = read_loss(content["queries"][use.query])
    refuse, first = TWO_JOBS
    chosen = {refuse: False, first: True}[content["two_jobs"]]
    found = satisfied(read_definition(content), loss, chosen=chosen)
    return {"definition": found.definition, "applies_to": found.applies_to, "scope": found.scope}


def made_anew(use: Use, *, cells_given: bool) -> Described:
    """The mechanism at the parameters in a record. Raises what a record that is none makes of it."""
    made: Described = (
        cards()[use.mechanism]
        .load()
        .again(use.said["parameters"], use.said["calibration"], cells_given=cells_given)
    )
    return made
