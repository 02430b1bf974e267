"""Names of columns in messages, without what might be a value."""

import re
from collections.abc import Iterable

_VALUE = re.compile(r"\d.*\d.*\d|^[\d.,+-]+$", re.DOTALL)


def shown_names(columns: Iterable[str]) -> str:
    """The names, but for those that are numbers or have three digits: of them the place is told.

    A file without a header line, or with a damaged one, has confidential values in the place of names.
    """
    return ", ".join(
        f"(column {place})" if _VALUE.search(name) else name for place, name in enumerate(columns, start=1)
    )
