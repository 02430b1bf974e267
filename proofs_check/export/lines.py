"""How many lines of code a reader has before him."""

import ast
import io
import tokenize
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from establish.proofs_check.recheck.steps import RULES

SILENT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
}


def lines_of_code(text: str) -> int:
    """The lines that hold code: neither empty ones, nor comments, nor texts that stand alone."""
    prose: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - prose)


CORE, KINDS = "proofs_check.recheck", "proofs_check.recheck.kinds"
"""The folders of what rechecks: for every proof, and for those of some kinds."""

FUNCTIONS = {"exp", "log", "sqrt"}


def kinds_of(proof: Mapping[str, Any]) -> set[str]:
    """The kinds of certificates that an exported proof may need: files of KINDS, without their ending."""
    steps = proof["steps"]
    found = {RULES[step["by"]] for step in steps if step["by"] in RULES}
    found |= {"identities" for step in steps if step.get("identities")}
    nodes = [node for step in steps for node in step.get("sentence", {"nodes": ()})["nodes"]]
    return found | {"functions" for op, *_ in nodes if op in FUNCTIONS or op == "^"}


def lines_to_read(proof: Mapping[str, Any]) -> int:
    """How many lines of code stand behind what is rechecked of a proof."""
    kinds = lines_of(KINDS)
    return sum(lines_of(CORE).values()) + sum(kinds[f"{kind}.py"] for kind in kinds_of(proof))


@cache
def lines_of(folder: str) -> dict[str, int]:
    """The lines of code of each file of a folder of the package, such as ``proofs_check.recheck``."""
    found = files(f"establish.{folder}").iterdir()
    texts = {file.name: file.read_text("utf-8") for file in found if file.name.endswith(".py")}
    return {name: lines_of_code(text) for name, text in sorted(texts.items())}
