"""References of docstrings, such as ``:func:`name```, as names alone."""

import re
from typing import Any

_ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):(?=<code>)")


def on_page_content(html: str, **_: Any) -> str:
    return _ROLE.sub("", html)
