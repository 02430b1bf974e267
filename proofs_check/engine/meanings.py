"""What verdicts and grades of evidence mean, in words: commands, pages and notes say the same."""

from collections.abc import Mapping

from establish.proofs_check.engine.verdicts import NOT_RUN, Grade, Outcome

VERDICTS: Mapping[str, str] = {
    Outcome.HOLDS: "is true",
    Outcome.HOLDS_LOOSELY: "is true, and remains true with the stronger value that is given",
    Outcome.FAILS: "is false, and the counterexample shows it",
    Outcome.ILL_POSED: "is undefined or false without the condition given, and true with it",
    Outcome.MISPRINT: "is wrong as printed; the reading that is meant is given",
    Outcome.NOT_CHECKABLE: "cannot be decided from what is public",
    Outcome.UNSETTLED: "has no verdict: the evidence is not enough for one",
    NOT_RUN: "was not checked",
}
"""What each verdict says of the statement."""

CONDITIONS: Mapping[str, str] = {
    Outcome.NOT_CHECKABLE: "What would decide it, and is not public",
    Outcome.UNSETTLED: "Reason",
    NOT_RUN: "Reason",
}
"""What the condition of a verdict is called where it is none."""

GRADES: Mapping[str, str] = {
    Grade.FORMAL: "the kernel of a proof assistant accepted it",
    Grade.PROOF: "exact arithmetic, a solver or computer algebra decides it as a whole",
    Grade.STEPS: "each step is decided by machine, and prose that no machine reads joins the steps",
    Grade.ENCLOSURE: "interval arithmetic with rounding in the safe direction decides it",
    Grade.EXHAUSTIVE: "every case of a finite universe was looked at",
    Grade.STATISTICAL: "a simulation shows it, wrong with the stated small probability",
}
"""What each grade of evidence means."""
