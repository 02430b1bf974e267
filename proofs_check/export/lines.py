"""How many lines of code a reader has before him."""

import ast
import io
import tokenize
from importlib.resources import files

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


def lines_of(folder: str) -> dict[str, int]:
    """The lines of code of each file of a folder of the package, such as ``proofs_check.recheck``."""
    found = files(f"establish.{folder}").iterdir()
    texts = {file.name: file.read_text("utf-8") for file in found if file.name.endswith(".py")}
    return {name: lines_of_code(text) for name, text in sorted(texts.items())}
