"""Table 11: each of its 18 mean squared errors, in closed form or by simulation."""

from functools import partial
from math import hypot, sqrt

from establish import Evidence, Grade, Outcome, Verdict, claim, enclosure, exact, holds, misprint
from establish.proofs_check.engine.grades import UNSTATED, Stated
from establish.proofs_check.papers.webb2025.rounding import half_unit
from establish.proofs_check.papers.webb2025.strategy_errors.setting import (
    AS_MEANT,
    AS_PRINTED,
    PRINTED,
    ROWS,
    SIGNS,
    TRIALS,
    Setting,
    closed_forms_solve_equation_1,
    entry,
    errors,
    variance_of_squared_error,
    variances,
)
from establish.proofs_check.papers.webb2025.strategy_errors.simulation import Average, simulated
from establish.spec.arithmetic import ARB, Number, World, enclosing

LIMIT = 6.5
"""Standard errors that a distance may have: a normal law has more with probability 8.1e-11.

For an average of n draws with skewness κ that grows by about the factor e^(κz³/(6√n)), below 2 for
κ ≤ `SKEWNESS` and n = 250,000: the error probability stays below 1e-9.
"""

SKEWNESS = 5.0
"""The greatest skewness of one trial for which `LIMIT` is used."""

READING = {
    "root": "50 counties, so 100 establishments",
    "log": "50 counties, so 100 establishments, and γ = 0.5",
}
"""The reading under which the entries of ψ come out."""


def distance(mean: float, printed: str) -> float:
    """How far ``mean`` lies outside the numbers that round to the printed one."""
    return max(0.0, abs(mean - float(printed)) - float(half_unit(printed)))


def agrees(average: Average, printed: str, where: Setting) -> Evidence:
    """Evidence that the paper's average over 10^6 trials can come from a law with this mean."""
    se = hypot(average.se, average.sd / sqrt(TRIALS))
    away = distance(average.mean, printed)
    says = f"{where}: {average}, printed {printed}, is {away / se:.1f} standard errors from rounding to it"
    scope = (
        f"a true setting is rejected with probability below 1e-9, by the normal law of averages; "
        f"one farther off than {2 * LIMIT * se:.2g} is rejected but with that"
    )
    fine = away <= LIMIT * se if average.skewness <= SKEWNESS else None
    return Evidence(says, fine, Grade.STATISTICAL, "simulation", "" if fine else says, scope)


def differs(average: Average, printed: str, where: Setting) -> Evidence:
    """Evidence that the mean squared error does not round to the printed number."""
    away = distance(average.mean, printed)
    says = f"{where}: {average} does not round to {printed}"
    fine = True if away > LIMIT * average.se and average.skewness <= SKEWNESS else None
    scope = "wrong with probability below 1e-9, by the normal law of averages"
    return Evidence(says, fine, Grade.STATISTICAL, "simulation", "", scope)


def _misread(psi: str, wrong: str, value: str, *evidence: Evidence, more: str = "") -> Verdict:
    return misprint(
        *evidence,
        reading=f"{READING[psi]}{more}",
        reading_is=Outcome.HOLDS,
        counterexample=f"{AS_PRINTED[psi]}: {wrong}",
        value=value,
    )


def simulated_entry(psi: str, strategy: str, row: int) -> Verdict:
    """Answers are drawn by the ψ-mechanism, made unbiased and given variance estimates by Theorem 6.6,
    and Equation 1 is solved with the variances of the strategy; the known error under true variances
    serves as control variate. 100 counties, and γ = 0.1 for log, do not give the table. 50 counties of
    2 establishments and γ/μ = 0.5 give all 18 entries, up to what an average over 10^6 trials leaves
    open. Least certain is 10.1 (county, √, Hybrid): there it is 10.157, and such an average lies
    below 10.15 with probability 2e-4; 10.2 may be meant. As printed, 10.5 (county, √, Est) is 10.558, to
    be rounded to 10.6, which noise would turn into 10.5 with probability 1e-7. For √ a variance estimate
    is negative once in 10^8 establishments: Equation 1 then has no minimum, and the normal equations are
    solved instead. With Est variances their solution has a pole where the estimates of both establishments
    of a county and of the county itself are near 0, so that √'s mean square is infinite, strictly; this has
    a probability below 1e-25, and what is given is the mean square apart from it.
    """
    printed = PRINTED[psi, strategy][row]
    stated = simulated(AS_PRINTED[psi]).average(strategy, row)
    off = differs(stated, printed, AS_PRINTED[psi])
    if not off.established:
        return holds(agrees(stated, printed, AS_PRINTED[psi]), value=str(stated))
    meant = simulated(AS_MEANT[psi]).average(strategy, row)
    nearby = agrees(meant, printed, AS_MEANT[psi])
    more = ""
    if differs(meant, printed, AS_MEANT[psi]).established:
        more = f"; it is then {meant}, which does not round to {printed}: {nearby.says.rpartition(', ')[2]}"
    return _misread(psi, str(stated), str(meant), off, nearby, more=more)


def _act(setting: Setting, row: int, c: World) -> Number:
    return errors(variances(setting, c), setting.counties, c)[row]


def _decimal(setting: Setting, row: int) -> str:
    with enclosing():
        return enclosure.digits(_act(setting, row, ARB), 15)


def _exact_average(setting: Setting, row: int) -> Average:
    """The closed form, with what an average over trials of the total varies by.

    Its error is nearly normal, so that the squares have nearly the skewness √8 of χ² with one degree.
    """
    with enclosing():
        deviation = float(variance_of_squared_error(setting, ARB)) ** 0.5
        return Average(float(_act(setting, row, ARB)), 0.0, deviation, sqrt(8))


def exact_entry(psi: str, row: int) -> Verdict:
    """With true variances the estimates are linear in the answers, and their mean squared errors are
    variances, by the normal equations: exact for √, (e^(s²) − 1) times a rational for log. 100 counties, and
    γ = 0.1 for log, do not give the table; 50 counties of 2 establishments and γ/μ = 0.5 do. The total is
    printed with more digits than 10^6 trials give: its standard error comes from the fourth cumulants.
    """
    printed = PRINTED[psi, "act"][row]
    stated, meant = AS_PRINTED[psi], AS_MEANT[psi]
    known = closed_forms_solve_equation_1()
    there = exact.decided(entry(stated, row, printed))
    if there.established:
        return holds(there, *known, value=_decimal(stated, row))
    off = exact.refuted(entry(stated, row, printed))
    if ROWS[row] == "total":
        here = agrees(_exact_average(meant, row), printed, meant)
    else:
        here = exact.decided(entry(meant, row, printed))
    return _misread(psi, _decimal(stated, row), _decimal(meant, row), off, here, *known)


def _objects(psi: str, strategy: str, row: int, printed: str) -> Stated:
    """What an entry with true variances says, and what is meant; the noise of 10^6 trials reaches the printed
    digits of the total. √ gives the entry for establishments in the setting as printed.
    """
    if strategy != "act":
        return UNSTATED
    said, here = ((entry(where[psi], row, printed),) for where in (AS_PRINTED, AS_MEANT))
    if (psi, ROWS[row]) == ("root", "id"):
        return Stated(said, said)
    return Stated(said) if ROWS[row] == "total" else Stated(said, here, here)


for (_psi, _strategy), _entries in PRINTED.items():
    for _row, _entry in enumerate(_entries):
        _stated = _objects(_psi, _strategy, _row, _entry)
        claim(
            f"webb2025/table-11-{ROWS[_row]}-{_psi}-{_strategy}",
            where=f"Appendix H, Table 11, {SIGNS[_psi]}, {_strategy.capitalize()}",
            says=f"For ψ = {SIGNS[_psi]} with {_strategy.capitalize()} variances the mean squared error of "
            f"the {ROWS[_row].replace('id', 'identity')} query is {_entry}.",
            thorough=_strategy != "act",
            states=_stated.printed,
            tight=_stated.tight,
            meant=_stated.meant,
        )(
            partial(exact_entry, _psi, _row)
            if _strategy == "act"
            else partial(simulated_entry, _psi, _strategy, _row)
        )
