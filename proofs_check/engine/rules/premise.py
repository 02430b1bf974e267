"""A lemma that is cited and not shown here, by its name: nothing that rests on it is more than ``steps``."""

import re

from establish.proofs_check.engine.rules.rule import RuleError
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.verdicts import PREMISE, Evidence, Grade, Made

JOINS = re.compile(r" \+ | at \d+ points?$")
"""What stands between the names of methods, and after one."""


def premise(name: str, statement: Statement, *, cites: str) -> Evidence:
    """``statement`` as a lemma that others proved, at the grade ``steps``, after its adversary has attacked
    it.

    name: what it is called, such as "Poisson summation"; `establish trust` lists it, and the condition of a
    verdict that rests on it names it. cites: where its proof stands. Refuted where the adversary finds a
    counterexample, and undecided where it refutes no mutant. Raises RuleError for a name or source that is
    empty, of several lines, or reads like the names of methods joined.
    """
    for word, text in (("name", name), ("cites", cites)):
        if not (isinstance(text, str) and text.strip() and text.isprintable()) or JOINS.search(text):
            raise RuleError(
                f"premise: {word} = {text!r} must be a text of one line, not empty, without ' + ' and "
                "' at 3 points'"
            )
    searched = statement.search()
    established = False if searched.refuted else True if searched.sees else None
    return Evidence(
        f"{statement.text} ({name}: {cites})",
        established,
        Grade.STEPS,
        f"{PREMISE}{name}",
        searched.refuted or ("" if searched.sees else "its adversary refutes no mutant"),
        scope=f"given {name} ({cites})",
        decides=statement.text,
        identity=statement.identity,
        made=Made(statement),
    )
