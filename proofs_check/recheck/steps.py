"""How one step of a proof follows: by what it says alone, or from the steps before it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from establish.proofs_check.recheck.goals import NEVER, Close, Goal, decide, goals
from establish.proofs_check.recheck.quotients import Open
from establish.proofs_check.recheck.sentences import Refused, Sentence, rational
from establish.proofs_check.recheck.values import lies_in, truth


class Step(NamedTuple):
    """sentence: what it says, None for an object that is none. refutes: whether it says that this is false.
    by: the method or rule. data: the step as it was read.
    """

    sentence: Sentence | None
    refutes: bool
    by: str
    data: Mapping[str, Any]


def rechecked(
    step: Step, premises: Sequence[Step], shown: set[Goal], close: Close | None = None, sure: bool = True
) -> tuple[str, bool]:
    """Whose word carries the step, empty where it was shown here; and whether no premise was needed.

    shown: the goals that steps before it have shown, to which its own are added. close: by default the
    identities of the step. sure: whether nobody's word carries a premise; what rests on one is not among the
    goals that were shown. Raises Refused where the step is wrong.
    """
    if step.sentence is None:
        return step.by, not premises
    if step.refutes:
        return _refuted(step, step.sentence), True
    _tried(step.sentence, step.data)
    close = _close(step) if close is None else close
    *owed, conclusion = enumerate(_goals(step))
    undefined = [goal for place, goal in owed if not _decided(str(place), goal, close, shown)]
    own = f"{step.by} (definedness)" if undefined else ""
    if _decided(str(conclusion[0]), conclusion[1], close, shown):
        return own, True
    told = _derived(step, premises)
    if told is None or any(not _decided(f"r{i}", goal, close, shown) for i, goal in enumerate(told)):
        return step.by, not premises
    if sure and not own:
        shown.add(conclusion[1])
    return own, False


def _close(step: Step) -> Close:
    found = step.data.get("identities", {})
    if not isinstance(found, dict):
        raise Refused("identities stand by the path of the goal that they decide")
    if not found:
        return lambda path, known: False
    from establish.proofs_check.recheck.kinds.identities import closes

    return closes(found)


def _goals(step: Step) -> list[Goal]:
    try:
        return list(goals(step.sentence)) if step.sentence else []
    except Open:  # a part of which nobody here knows where it is defined
        return [UNSAID, UNSAID]


UNSAID = Goal((), (), (NEVER,))
"""A goal that is never shown."""


def _derived(step: Step, premises: Sequence[Step]) -> list[Goal] | None:
    """The goals that a rule leaves; None where it is not known here, or derives something else."""
    if step.by not in RULES or step.sentence is None:
        return None
    home = import_module(f"establish.proofs_check.recheck.kinds.{RULES[step.by]}")
    rule: Rule = getattr(home, {"whole_number": "cover"}.get(step.by, step.by))
    try:
        told = [one.sentence for one in premises if one.sentence is not None and not one.refutes]
        return list(rule(step.sentence, told, step.data)) if len(told) == len(premises) else None
    except (Open, IndexError, ValueError):
        return None


def _decided(place: str, goal: Goal, close: Close, shown: set[Goal]) -> bool:
    if goal in shown:
        return True
    try:
        decide(goal, f"{place}:", close)
    except (Open, ArithmeticError, ValueError):
        return False
    shown.add(goal)
    return True


def _refuted(step: Step, sentence: Sentence) -> str:
    point = _point(step.data.get("at"), sentence)
    if not lies_in(point, sentence):
        raise Refused("the point does not lie in the domain, or nothing here can tell it")
    told = truth(sentence.conclusion, point)
    if told is None:
        return step.by
    if told:
        raise Refused("the sentence is true at the point that is to refute it")
    return ""


def _tried(sentence: Sentence, data: Mapping[str, Any]) -> None:
    """The sentence must be true at the point of its domain that is given; a case may have none."""
    if data.get("at") is None:
        return
    point = _point(data["at"], sentence)
    if not lies_in(point, sentence):
        raise Refused("its domain may be empty: the point that is given does not lie in it")
    if truth(sentence.conclusion, point) is False:
        raise Refused("the sentence is false at the point of its domain that is given")


def _point(data: Any, sentence: Sentence) -> list[Fraction]:
    if not isinstance(data, list) or len(data) != len(sentence.fields):
        raise Refused("a step gives a point: one rational for each variable")
    return [rational(text) for text in data]


Rule = Callable[[Sentence, Sequence[Sentence], Mapping[str, Any]], Iterator[Goal]]

RULES = dict.fromkeys(
    ("chain", "by_gap", "increasing", "cover", "whole_number", "substitute", "instances"), "rules"
) | {"slope_and_end": "slopes"}
"""What is derived again from premises: the file of `kinds` in which each rule stands."""
