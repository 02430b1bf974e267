"""A file of a proof, from its text to what was rechecked of it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from establish.proofs_check.recheck.goals import Goal
from establish.proofs_check.recheck.sentences import Refused, digest, parsed
from establish.proofs_check.recheck.steps import Step, rechecked

VERSION = 1
POSITIVE = ("holds", "holds_loosely")
VERDICTS = (*POSITIVE, "fails", "ill_posed", "misprint")
ENTRIES = {"digest", "sentence", "kind", "refutes", "by", "from", "at", "values", "identities"}
NAME = re.compile(r"[^\W_](?:[^\n\r]{0,198}\S)?")
"""What names a claim, a method or a rule: it is printed, in one line, and never empty."""

LARGEST = 50_000_000
"""Bytes of a file that is read."""


class Report(NamedTuple):
    """How one file came out. believed: whose word carries a step, empty where all was rechecked. refused: why
    it is no proof, or empty. steps, again: how many steps there are, and how many were rechecked. decides:
    the digests of the objects that were concluded.
    """

    claim: str
    believed: tuple[str, ...]
    refused: str
    steps: int = 0
    again: int = 0
    decides: tuple[str, ...] = ()


def recheck(file: Path) -> Report:
    """Rechecks one exported proof."""
    name = file.stem
    try:
        if file.stat().st_size > LARGEST:
            raise Refused(f"the file is larger than {LARGEST} bytes")
        text = file.read_text("utf-8")
        data = _object(json.loads(text, parse_constant=_no_constant, object_pairs_hook=_entries))
        name = data["claim"]
        return _checked(name, data)
    except Refused as reason:
        return Report(name, (), str(reason))
    except (ValueError, OSError, RecursionError) as error:
        return Report(name, (), f"this is no exported proof: {error}"[:200])


def _no_constant(text: str) -> Any:
    raise Refused(f"{text} is no number")


def _entries(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused("an entry stands twice: nobody knows which one is meant")
    return found


def _object(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, dict) or set(data) != {"version", "claim", "verdict", "decides", "steps"}:
        raise Refused("a proof has version, claim, verdict, decides and steps, and nothing else")
    if data["version"] != VERSION or type(data["version"]) is not int:
        raise Refused(f"it is of version {str(data['version'])[:20]}, and this program reads {VERSION}")
    if data["verdict"] not in VERDICTS:
        raise Refused(f"verdict = {str(data['verdict'])[:40]!r} is none of {', '.join(VERDICTS)}")
    if not (isinstance(data["claim"], str) and NAME.fullmatch(data["claim"])):
        raise Refused("claim is no id, such as source/label")
    steps, decides = data["steps"], data["decides"]
    if not isinstance(steps, list) or not steps or not isinstance(decides, list):
        raise Refused("steps and decides are lists, and there is a step")
    if not all(isinstance(one, str) for one in decides):
        raise Refused("decides is a list of digests")
    return data


def _checked(name: str, data: Mapping[str, Any]) -> Report:
    steps: list[Step] = []
    believed: list[frozenset[str]] = []
    shown: set[Goal] = set()
    concluded: dict[tuple[str, bool], frozenset[str]] = {}
    again = 0
    for place, each in enumerate(data["steps"]):
        try:
            step, premises = read(each, place)
            sure = not any(believed[i] for i in premises)
            own, alone = rechecked(step, [steps[i] for i in premises], shown, sure=sure)
        except Refused as reason:
            raise Refused(f"step {place}: {reason}") from None
        again += not own
        steps.append(step)
        rests = frozenset({own} - {""}).union(*(() if alone else (believed[i] for i in premises)))
        believed.append(rests)
        if step.sentence is None or step.data.get("at") is not None:  # else its domain may be empty
            key = (each["digest"], step.refutes)
            concluded[key] = min(concluded.get(key, rests), rests, key=len)
    refutes = data["verdict"] not in POSITIVE
    wanted = [(one, refutes) for one in data["decides"]]
    found = [concluded[key] for key in wanted if key in concluded]
    if not wanted or not found or (not refutes and len(found) < len(wanted)):
        raise Refused(f"the steps do not say what the verdict {data['verdict']} needs")
    rests = min(found, key=len) if refutes else frozenset().union(*found)
    return Report(name, tuple(sorted(rests)), "", len(steps), again, tuple(one for one, _ in wanted))


def read(each: Any, place: int) -> tuple[Step, list[int]]:
    """A step, and the places of those from which it was derived."""
    if not isinstance(each, dict) or not set(each) <= ENTRIES:
        raise Refused(f"a step has a digest, by and from, and otherwise {', '.join(sorted(ENTRIES))}")
    if not (isinstance(each.get("by"), str) and NAME.fullmatch(each["by"])):
        raise Refused("by is the name of a method or a rule")
    premises, name = each.get("from", []), each.get("digest")
    if not isinstance(premises, list) or any(type(i) is not int or not 0 <= i < place for i in premises):
        raise Refused(f"from = {str(premises)[:60]}: a step is derived from steps before it")
    refutes = each.get("refutes", False)
    if type(refutes) is not bool:
        raise Refused("refutes is true or false")
    if "sentence" not in each:
        if not isinstance(name, str) or not isinstance(each.get("kind"), str):
            raise Refused("what is no sentence is named by its kind and its digest")
        return Step(None, refutes, each["by"], each), premises
    sentence = parsed(each["sentence"])
    if digest(each["sentence"]) != name:
        raise Refused("its digest is that of another sentence")
    return Step(sentence, refutes, each["by"], each), premises
