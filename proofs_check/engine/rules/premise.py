"""A lemma that is cited and not shown here, by its name: nothing that rests on it is more than ``steps``."""

from establish.proofs_check.engine.rules.rule import RuleError
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.trust import PREMISE
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made


def premise(name: str, statement: Statement, *, cites: str) -> Evidence:
    """``statement`` as a lemma that others proved, at the grade ``steps``, after its adversary has attacked
    it.

    name: what it is called, such as "Poisson summation"; `establish trust` lists it, and the condition of a
    verdict that rests on it names it. cites: where its proof stands. Refuted where the adversary finds a
    counterexample, and undecided where it refutes no mutant. Raises RuleError for an empty name or
    source, or a name with " + ", which joins the names of methods.
    """
    for word, text in (("name", name), ("cites", cites)):
        if not (isinstance(text, str) and text.strip()) or " + " in text:
            raise RuleError(f"premise: {word} = {text!r} must be a text, not empty and without ' + '")
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
