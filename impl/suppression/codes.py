"""The labels of a table as codes of a public system: what each is part of, and what cannot be placed."""

from collections.abc import Collection

from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS, CodeSystem
from establish.spec.parameters import ParameterError

Parents = dict[str, str]
"""The label above each label; labels without one are left out."""


def by_codes(column: str, system: CodeSystem, labels: Collection[str], total: str) -> Parents:
    """The nearest label of the table above each.

    total: a label, which may be a code or not; "" for none, or the system's own where that is a label. Raises
    ParameterError that names the label: for one that is no code, for two spellings of one code, and for a
    code that is not part of the total.
    """
    spelled = _spelled(column, system, labels, total)
    found: Parents = {}
    for code, label in spelled.items():
        if label == total:
            continue
        above = [spelled[whole] for whole in _chain(system, code) if whole in spelled]
        if total and total not in above:
            raise ParameterError(
                f"{column} = {label} is not part of the total {total} by the rule of {system.name}"
            )
        if above:
            found[label] = above[0]
    return found


def ways_of_codes(system: CodeSystem, labels: Collection[str]) -> list[str]:
    """The names of the ways in which these labels add up to everything; none where there is one only."""
    return [name for name, codes in system.ways.items() if codes.intersection(labels)]


def _chain(system: CodeSystem, code: str) -> list[str]:
    """The codes above one, nearest first."""
    found = []
    whole = system.above(code)
    while whole is not None:
        found.append(whole)
        whole = system.above(whole)
    return found


def _spelled(column: str, system: CodeSystem, labels: Collection[str], total: str) -> dict[str, str]:
    """The label of each code that the table has; that of the total comes first."""
    spelled = {_whole(system, total): total} if total else {}
    for label in labels:
        if label == total:
            continue
        try:
            code = system.read(label)
        except ParameterError as why:
            raise ParameterError(f"{column} = {label} is not a code of {system.name}: {why}") from None
        if code in spelled:
            raise ParameterError(
                f"{column} = {spelled[code]} and {column} = {label} are two spellings of one cell: keep one"
            )
        spelled[code] = label
    return spelled


def _whole(system: CodeSystem, total: str) -> str:
    """The code of the total; where it is no code it stands for everything."""
    try:
        return system.read(total)
    except ParameterError:
        return system.whole


def system_that_differs(labels: Collection[str], total: str, parents: Parents) -> str:
    """The first code system that places all labels, but otherwise than ``parents``; "" for none.

    Added up by ``parents``, such a column would as a rule count the same cells twice.
    """
    for name, system in CODE_SYSTEMS.items():
        try:
            found = by_codes("", system, labels, total)
        except ParameterError:
            continue
        if found != parents:
            return name
    return ""
