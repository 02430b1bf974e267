"""The two sides of a comparison as the author of a check wrote them, before anything is simplified."""

import ast
import linecache
import re
import sys
from itertools import islice
from textwrap import dedent
from types import FrameType

LONGEST = 300
"""Characters of one side; a longer one is cut."""

_LINES = 12
"""Of a local variable's definition, at most."""


def sides(first: int, second: int) -> tuple[str, str]:
    """The source of two arguments of the call that is being made, by their numbers from 0.

    To be called by the function whose call is meant. A side is "" where its source is not known, or is
    a name that stands for more than one thing.
    """
    frame = sys._getframe(2)
    call = _call(frame)
    if call is None or any(isinstance(given, ast.Starred) for given in call.args):
        return "", ""
    given = [_shown(call.args[i], frame) if i < len(call.args) else "" for i in (first, second)]
    return given[0], given[1]


def _call(frame: FrameType) -> ast.Call | None:
    """The call that ``frame`` is at, read from its file."""
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    line, last, start, end = next(positions, (None, None, None, None))
    if line is None or last is None or start is None or end is None:
        return None
    lines = [text.encode() for text in linecache.getlines(frame.f_code.co_filename)[line - 1 : last]]
    if not lines:
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    try:
        node = ast.parse(f"({b''.join(lines).decode()})", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return node if isinstance(node, ast.Call) else None


def _shown(given: ast.expr, frame: FrameType) -> str:
    if isinstance(given, ast.Name):
        found = _defined(given.id, frame)
        if found is None:
            return ""
        given = found
    text = re.sub(r"\bsympy\.", "", ast.unparse(given))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _defined(name: str, frame: FrameType) -> ast.expr | None:
    """The expression that the local variable ``name`` was set to, if it is set in one place."""
    begin, end = frame.f_code.co_firstlineno, frame.f_lineno
    lines = linecache.getlines(frame.f_code.co_filename)[begin - 1 : end]
    begins = [i for i, line in enumerate(lines) if re.match(rf"\s+{re.escape(name)} = ", line)]
    others = [line for line in lines if re.search(rf"\bfor\b.*\b{re.escape(name)}\b.*\bin\b", line)]
    if len(begins) != 1 or others:
        return None
    for count in range(1, _LINES + 1):
        try:
            set_to = ast.parse(dedent("".join(lines[begins[0] : begins[0] + count]))).body[0]
        except SyntaxError:
            continue
        return set_to.value if isinstance(set_to, ast.Assign) else None
    return None


def compared(left: object, relation: str, right: object, written: tuple[str, str]) -> str:
    """``written`` sides, and what they come out as where that says more."""
    ours, theirs = (text or str(value) for text, value in zip(written, (left, right), strict=True))
    as_written = f"{ours} {relation} {theirs}"
    if as_written == f"{left} {relation} {right}":
        return as_written
    if str(left) == str(right):
        return f"{as_written}; both are {left}"
    return f"{as_written}; {left} {relation} {right}"
