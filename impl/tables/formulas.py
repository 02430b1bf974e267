"""Labels that a spreadsheet would run as a formula when somebody opens the released table."""

import re
from collections.abc import Iterable, Mapping

from establish.spec.parameters import ParameterError

STARTS = "=+@\t\r\n-"
"""What a formula begins with."""

_NUMBER = re.compile(r"[+-]?[0-9.,]+([eE][+-]?[0-9]+)?%?")


def is_formula(label: object) -> bool:
    """Whether a text starts as a formula does, and is more than a sign or a number."""
    if not isinstance(label, str) or not label.startswith(tuple(STARTS)):
        return False
    return len(label) > 1 and not _NUMBER.fullmatch(label)


def warnings(columns: Mapping[str, Iterable[object]], *, refuse: bool) -> list[str]:
    """One sentence for each column that holds such a label, or is called like one.

    columns: what is written, by name. refuse: whether ParameterError is raised instead.
    """
    found = [
        f"column {name!r} has labels that a spreadsheet would run as a formula: they begin with =, +, -, "
        "@ or a control character"
        for name, labels in columns.items()
        if is_formula(name) or any(map(is_formula, {*labels}))  # each label once
    ]
    if found and refuse:
        raise ParameterError(f"{found[0]}; in production they are refused: write them otherwise")
    return found
