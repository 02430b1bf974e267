"""What users read keeps to our words: a retired one is refused, with the one that took its place."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CODE = ("spec", "impl", "proofs_check")
"""Their text literals are what users read: messages, help, lines that commands print, records and pages."""

OF_CLAIMS = ("proofs_check/papers",)
"""What claims say is held beside the sources' own words, not here."""

PROSE = ("README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/pages/**/*.md", "proofs_check/**/templates/*")

MARKUP = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>")
"""What templates fill in, and tags."""

SETTLED = ("claim", "law", "object", "question", "sentence", "statement", "verdict")
"""What a sentence is about that may say "settle"."""

RETIRED = {
    r"\bowed\b": "proof obligation",
    r"\bplanted (?:neighbor|falsehood)s?\b|\b(?:finds|refute|of) the planted\b": "mutant",
    r"\b(?:arithmetic|a|any|every|this|its|their) world\b|\bworlds\b": "number system",
    r"\b[Ii]t ends with (?:\d|status)|\bfor misuse\b|asked for something it cannot": "Exit status: 0 ...",
    r"\b(?:that|which) takes? long\b": "slow",
    r"\b(?:is|was|are) no evidence\b": "is not evidence",
    r"\bis consistent with this\b": "is at least",
    r"\bmake up (?:data|tables|establishment)|\b(?:data|tables) (?:is|are) made up\b": "synthetic",
    rf"^(?!.*\b(?:{'|'.join(SETTLED)})s?\b).*\bsettle[sd]?\b": "decide, compute or choose",
}
"""By pattern, what to say instead; CONTRIBUTING has what each word means."""


def literals(source: str) -> Iterator[str]:
    """The texts of Python source, but for docstrings; of an f-string, its own words around {}."""
    tree = ast.parse(source)
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    stated = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield "".join(map(str, parts))
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner | stated
        ):
            yield node.value


def sentences(text: str) -> list[str]:
    """The text in sentences, each on one line; code in backticks is left out."""
    flat = " ".join(re.sub(r"```.*?```|`[^`\n]*`", "…", text, flags=re.DOTALL).split())
    return re.split(r"(?<=[.;:!?]) ", flat)


def retired(text: str) -> list[str]:
    """The sentences that use a retired word, each with what to say instead."""
    return [
        f"{sentence!r}: say {instead!r}"
        for sentence in sentences(text)
        for pattern, instead in RETIRED.items()
        if re.search(pattern, sentence)
    ]


def read_by_users() -> Iterator[tuple[str, str]]:
    """(file, text)."""
    for folder in CODE:
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if not name.startswith(OF_CLAIMS):
                yield from ((name, text) for text in literals(file.read_text("utf-8")) if " " in text)
    for pattern in PROSE:
        for file in sorted(ROOT.glob(pattern)):
            text = file.read_text("utf-8")
            yield file.relative_to(ROOT).as_posix(), text if file.suffix == ".md" else MARKUP.sub(" ", text)


def test_no_text_for_users_has_a_retired_word():
    texts = list(read_by_users())
    read = {name for name, _ in texts}
    assert {"README.md", "proofs_check/commands/audit.py", "docs/pages/index.md"} <= read
    assert [f"{name}: {found}" for name, text in texts for found in retired(text)] == []


@pytest.mark.parametrize(
    "planted",
    [
        'HELP = """Try it.\n\nIt ends with 0 when all is well."""',
        'raise ValueError(f"{name} is owed, and no evidence was given")',
        'print("reads the formula in an arithmetic world c")',
        'print(f"finds the planted neighbor {neighbor}")',
        'help = "Every column is " "settled before anything is spent."',
        'print("2 claims that take long were left out")',
    ],
)
def test_a_retired_word_in_a_message_is_seen(planted):
    assert [found for text in literals(planted) for found in retired(text)]


def test_what_is_no_message_or_has_another_meaning_is_left_alone():
    source = (
        'def f():\n    """What is owed."""\n    return "any knowledge of the world", "settle the claim"\n'
    )
    assert [found for text in literals(source) for found in retired(text)] == []
