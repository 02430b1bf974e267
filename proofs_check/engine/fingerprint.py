"""The content that a verdict depends on: the source of its check and of all it imports."""

import ast
import hashlib
import platform
import re
import secrets
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import establish
from establish.proofs_check.engine.ours import file_of, is_own, name_of, path_of
from establish.proofs_check.engine.register import USERS, Claim
from establish.proofs_check.engine.written import Deferred, written

SETTLES = "establish.proofs_check.engine.settlement"
"""The module that makes a settlement of what a check returns."""

LIBRARIES = ("duckdb", "hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy", "z3-solver")
"""Distributions that take part in a check: with another version, a verdict is computed anew."""


def library_versions() -> dict[str, str]:
    """The versions of Python and of LIBRARIES; "absent" for one that is not installed."""
    return {"python": platform.python_version(), **{each: version(each) for each in LIBRARIES}}


@cache
def version(library: str) -> str:
    """The version of a distribution as it was first asked for in this process, or "absent"."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "absent"


def _source(module: str) -> Path | None:
    """The file of ``module`` when it is ours or a reviewer's own; None for a library's module."""
    if module.partition(".")[0] == "establish":
        return file_of(module)
    try:
        spec = find_spec(module) if is_own(module) else None
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


@cache
def _imported(text: str, package: str) -> frozenset[str]:
    """Every module that ``text`` may import, inside functions too, with its parent packages."""
    return frozenset(_each_imported(text, package))


def _each_imported(text: str, package: str) -> Iterator[str]:
    tree = ast.parse(text)
    if LOADS.search(text):
        for name in _loaded(tree):
            yield from _with_parents(name)
    for node in _lines(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            if any(name.partition(".")[0] == "establish" for name in names):
                names += _behind_the_front_door("*")  # it may use any public name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]) if base else ".".join(above)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
            if base == "establish":
                names += _behind_the_front_door(*(alias.name for alias in node.names))
        for name in names:
            yield from _with_parents(name)


LOADS = re.compile(
    r"\b(import_module|__import__|exec|eval|run_path|run_module|spec_from_file_location|importlib|runpy|pkgutil"
    r"|zipimport|builtins|__builtins__|__loader__|__spec__|load_module|exec_module)\b"
)
"""What imports or runs code by a call. The engine itself loads modules by the names of their folders."""

HARMLESS = {f"importlib.{name}" for name in ("abc", "invalidate_caches", "metadata", "resources")}
"""What of `importlib` loads no module."""

UNKNOWN = "?"
"""In place of a module that is imported by a name that is computed."""


def _loaded(tree: ast.AST) -> Iterator[str]:
    """The modules that calls import by a text; UNKNOWN where what loads modules is named otherwise."""
    plain: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and [(a.name, a.asname) for a in node.names] == [("importlib", None)]:
            plain.add(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("importlib.import_module", "__import__"):
            text = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
            if isinstance(text, str) and text and not text.startswith("."):
                yield text
                plain |= {node.func, *ast.iter_child_nodes(node.func)}
    if any(LOADS.search(word) for node in ast.walk(tree) if node not in plain for word in _words_of(node)):
        yield UNKNOWN


def _words_of(node: ast.AST) -> Iterator[str]:
    """The names in one node, without those below it."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name not in HARMLESS)
    elif isinstance(node, ast.ImportFrom):
        names = {f"{node.module}.{alias.name}" for alias in node.names} - HARMLESS
        yield from names if node.module not in HARMLESS else ()
    elif isinstance(node, ast.Name | ast.Attribute):
        yield node.id if isinstance(node, ast.Name) else node.attr


def _lines(node: ast.AST) -> Iterator[ast.AST]:
    """The statements below a node, at any depth; what stands inside expressions imports nothing."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for line in getattr(node, field, ()):
            yield line
            yield from _lines(line)


def _behind_the_front_door(*names: str) -> list[str]:
    """The modules that the front door loads for these public names; "*" stands for all of them."""
    return [
        f"establish.{home}.{name}"
        for name, home in establish._homes().items()
        if name in names or "*" in names
    ]


def _with_parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _made_when_loaded(claim: Claim) -> list[str]:
    """Digests of what a claim of a user's file says, which may be made of data that the file reads."""
    own = claim.module.startswith(USERS)
    return [each.content for each in claim.stated.all] if own else []


class Fingerprints:
    """Keys of claims by content, for one run: each module is found, read and parsed once."""

    def __init__(self) -> None:
        self._versions = [f"{name} {number}" for name, number in library_versions().items()]
        self._found: dict[str, Path | None] = {}
        self._imports: dict[Path, list[tuple[Path, str]]] = {}
        self._behind: dict[Path, tuple[frozenset[Path], list[str]]] = {}
        self._digests: dict[Path, str] = {}
        self._open: set[Path] = set()

    def _digest(self, file: Path) -> str:
        if file not in self._digests:
            self._digests[file] = hashlib.sha256(file.read_bytes()).hexdigest()
        return self._digests[file]

    def _locate(self, module: str) -> Path | None:
        if module not in self._found:
            self._found[module] = _source(module)
        return self._found[module]

    def _imported_by(self, file: Path, module: str) -> list[tuple[Path, str]]:
        """The files, each with its module, that ``file`` may import."""
        if file not in self._imports:
            package = module if file.name == "__init__.py" else module.rpartition(".")[0]
            names = _imported(file.read_text("utf-8"), package)
            found = ((self._locate(name), name) for name in names if name != UNKNOWN)
            self._imports[file] = [(at, name) for at, name in found if at is not None]
            if UNKNOWN in names and module.partition(".")[0] != "establish":
                self._open.add(file)
        return self._imports[file]

    def files(self, claim: Claim) -> tuple[Path, ...]:
        """The file of the claim's check and every file that it imports, transitively, sorted."""
        return tuple(sorted(self._reached([(path_of(written(claim.check).file), claim.module)])))

    def reached(self, modules: Iterable[str], beside: frozenset[Path] = frozenset()) -> tuple[Path, ...]:
        """The files of ``modules`` of ours and every file of ours that they import, sorted, with those of
        ``beside``, which import nothing else.
        """
        named = [name for module in modules for name in _with_parents(module)]
        found = [(self._locate(name), name) for name in named]
        return tuple(
            sorted(self._reached([(file, name) for file, name in found if file is not None], beside))
        )

    @cached_property
    def settling(self) -> frozenset[Path]:
        """The files that settle and grade a verdict, whatever the claim."""
        return frozenset(self.reached([SETTLES]))

    def _reached(
        self, starts: list[tuple[Path, str]], beside: frozenset[Path] = frozenset()
    ) -> frozenset[Path]:
        seen, waiting = {*beside, *(file for file, _ in starts)}, starts
        while waiting:
            for file, name in self._imported_by(*waiting.pop()):
                if file not in seen:
                    seen.add(file)
                    waiting.append((file, name))
        return frozenset(seen)

    def key(self, claim: Claim) -> str:
        """sha256 over those files and what settles and grades the verdict, each by its name and content, the
        id that settles the claim, and the versions. Where a file loads modules by names that it computes, no
        two keys are the same: nobody knows what the verdict depends on.
        """
        if isinstance(claim.check, Deferred):
            return claim.check.key
        files, contents = self._content(claim)
        once = [secrets.token_hex()] if self._open & files else []
        parts = [claim.same_as or claim.id, *self._versions, *contents, *once, *_made_when_loaded(claim)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _content(self, claim: Claim) -> tuple[frozenset[Path], list[str]]:
        """The files of a key, and each by name and content; the same for all claims of a file."""
        start = path_of(written(claim.check).file)
        if start not in self._behind:
            files = self._reached([(start, claim.module)], self.settling)
            self._behind[start] = files, self.contents(files)
        return self._behind[start]

    def contents(self, files: Iterable[Path]) -> list[str]:
        """Each of these files by name and a digest of its content, sorted."""
        return sorted(f"{name_of(file)} {self._digest(file)}" for file in files)
