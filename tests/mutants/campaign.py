"""Edit formulas one by one and see who notices: claims, certificates or tests (``make mutants``).

The edits are drawn from ``spec/`` and from the files of ``impl/`` that certificates name, in an order that
a seed fixes. Each is made in a copy of the tree and shown to those it can reach, the nearest first, until
one notices: to the claims whose modules import the file, to the checks of certificates, to the test files.
A file of ``impl/`` is shown to the checks of certificates first. What only compares texts or digests of
our code does not count: it notices every edit.

A general tool (mutmut, cosmic-ray) runs one test command for each edit. Here most edits are settled by two
or three claims out of hundreds, which our own record of who reads what picks, in a process that has loaded
the libraries.
"""

import argparse
import compileall
import csv
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from edits import Mutant, mutants

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FLOORS = ("spec", "impl", "proofs_check")

LEFT_OUT = ("spec/gallina.py", "spec/telling.py")
"""Files of the specification without a formula: how formulas are printed for Coq, and messages."""

TEXTUAL = ("tests/test_wheel.py", "tests/test_ledger.py", "tests/proofs_check/formal/", "tests/mutants/")
"""Tests that compare texts or digests, repeat what the claims say, or are about this campaign."""

CLAIMS, CERTIFICATES, TESTS, NOBODY = "claims", "certificates", "tests", ""
BY = (CLAIMS, CERTIFICATES, TESTS, NOBODY)

AIMS = {"spec": 0.95, "impl": 0.9}
"""The share that claims alone shall notice in the specification, and certificates in what runs."""


@dataclass(frozen=True)
class Row:
    """How one mutant came out. by: one of BY. who: the claim, the check or the test that noticed it."""

    id: str
    file: str
    within: str
    diff: str
    by: str
    who: str
    how: str
    seconds: float
    tree: str


class Tree:
    """A copy of the project in which one file at a time is edited."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder = folder.resolve()
        shutil.rmtree(folder, ignore_errors=True)
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        digest = hashlib.sha256()
        for name in sorted(filter(None, listed.stdout.split("\0"))):
            if not (source := ROOT / name).is_file() and not source.is_symlink():
                continue
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
            if name.startswith((*FLOORS, "tests")) and not name.startswith("tests/mutants"):
                digest.update(name.encode() + target.read_bytes())
        self.digest = digest.hexdigest()[:10]
        for floor in (*FLOORS, "tests"):
            compileall.compile_dir(folder / floor, quiet=1)

    @contextmanager
    def edited(self, file: str, text: str) -> Iterator[None]:
        """The file with another content inside the block, and a time that no compiled file has."""
        path = self.folder / file
        before, at = path.read_bytes(), path.stat().st_mtime_ns
        try:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(at + 10**12, at + 10**12))
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(at, at))

    @property
    def environment(self) -> dict[str, str]:
        """Our code from the copy, which runs without certificates; one thread."""
        return {
            **os.environ,
            "PYTHONPATH": str(self.folder / ".editor"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "ESTABLISH_UNCERTIFIED": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "COLUMNS": "200",
        }


class Noticing:
    """The process that settles claims and runs checks in the copy."""

    def __init__(self, tree: Tree) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "noticing.py")],
            cwd=tree.folder,
            env=tree.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, what: str, **request: object) -> Iterator[dict[str, Any]]:
        """The answers to one request, without the last line."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"ask": what, **request}) + "\n")
        stdin.flush()
        for line in stdout:
            found = json.loads(line)
            if "end" not in found:
                yield found
            elif found["end"]:
                number = os.WTERMSIG(found["end"])
                slow = number in (signal.SIGPROF, signal.SIGALRM)
                yield {"died": "does not end" if slow else f"signal {number}"}
                return
            else:
                return
        raise RuntimeError("the process that notices has ended")

    def noticed(self, what: str, wanted: Sequence[dict[str, Any]]) -> tuple[str, str] | None:
        """(who, how), or None when nobody noticed."""
        trying, found = "", None
        for told in self.ask(what, wanted=list(wanted)) if wanted else ():
            trying = told.get("trying", trying)
            if "noticed" in told:
                found = told["noticed"], told["how"]
            elif "died" in told:
                found = trying, told["died"]
        return found

    def close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


MOST, MOST_OF_CHECKS = 12.0, 40.0
"""Seconds of the processor that the claims which one mutant is shown to take together, the nearest first, and
the checks of certificates, the quickest first."""


class Reach:
    """Who can notice an edit of a file, the nearest first."""

    def __init__(self, told: Iterable[dict[str, Any]]) -> None:
        self.claims: list[dict[str, Any]] = []
        self.checks: list[dict[str, Any]] = []
        self.tests: list[dict[str, Any]] = []
        for one in told:
            if "noticed" in one or "died" in one:
                raise RuntimeError(f"without any edit: {one}")
            for kind, found in one.items():
                {"claim": self.claims, "check": self.checks, "test": self.tests}[kind].append(found)

    def claims_on(self, mutant: Mutant) -> list[dict[str, Any]]:
        top = mutant.within.partition(".")[0]
        name = f"{mutant.file.removesuffix('.py').replace('/', '.')}.{top}"
        module = name.rpartition(".")[0]
        reaching = [claim for claim in self.claims if mutant.file in claim["files"]]

        def nearness(claim: dict[str, Any]) -> tuple[bool, bool, bool, float]:
            reads = claim["reads"]
            near = any(read.startswith(module) for read in reads)
            stated = mutant.file in claim["stated"]
            return name not in reads, not near, not stated, claim["seconds"]

        ordered = sorted(reaching, key=nearness)
        spent = accumulate(claim["seconds"] for claim in ordered)
        return [claim for claim, seconds in zip(ordered, spent, strict=True) if seconds < MOST]

    def checks_on(self, mutant: Mutant) -> list[dict[str, Any]]:
        reaching = [check for check in self.checks if mutant.file in check["files"]]
        ordered = sorted(reaching, key=lambda check: check["seconds"])
        spent = accumulate(check["seconds"] for check in ordered)
        return [check for check, s in zip(ordered, spent, strict=True) if s < MOST_OF_CHECKS]

    def certified_by(self, mutant: Mutant) -> frozenset[str]:
        """The claims that certificates about this file rest on."""
        own = (check["rests_on"] for check in self.checks if mutant.file in check["files"])
        return frozenset(claim for rests_on in own for claim in rests_on)

    def tests_on(self, mutant: Mutant) -> list[str]:
        stem = Path(mutant.file).stem
        reaching = [test for test in self.tests if mutant.file in test["files"]]

        def nearness(test: dict[str, Any]) -> tuple[bool, bool, int]:
            named = stem in Path(test["file"]).stem
            return not named, stem not in test["words"], len(test["files"])

        return [test["file"] for test in sorted(reaching, key=nearness)]


class Tests:
    """Runs of test files in the copy."""

    def __init__(self, tree: Tree, seconds: int) -> None:
        self._tree, self._seconds = tree, seconds
        self._textual: list[str] = []

    def noticed(self, mutant: Mutant, files: Sequence[str]) -> tuple[str, str] | None:
        """The first test that fails, but for those that fail on any change of the text as well."""
        start = time.monotonic()
        while files:
            failed = self._first_failure(files, max(self._seconds - (time.monotonic() - start), 1))
            if failed is None or failed[0] == "":
                return failed
            with self._tree.edited(mutant.file, mutant.original + "\n# edited\n"):
                if self._first_failure([failed[0]], self._seconds) is None:
                    return failed
            self._textual.append(failed[0])
        return None

    def _first_failure(self, files: Sequence[str], seconds: float) -> tuple[str, str] | None:
        left_out = [f"--deselect={test}" for test in self._textual if test not in files]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-m",
            "not campaign",
            "--tb=line",
            "-rfE",
            "-p",
            "no:cacheprovider",
        ]
        try:
            done = subprocess.run(
                [*command, *left_out, *files],
                cwd=self._tree.folder,
                env=self._tree.environment,
                capture_output=True,
                text=True,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return "", f"not all of {len(files)} test files in {self._seconds} s"
        if done.returncode in (0, 5):
            return None
        hit = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - (.*))?$", done.stdout, re.MULTILINE)
        if hit is None:
            return files[0], (done.stdout + done.stderr).strip()[-200:]
        return hit[1], hit[2] or ""


def test_files(tree) -> Iterator[dict[str, Any]]:
    """Every test file with the modules of ours that it imports or that the commands it runs import."""
    commands = [
        f"establish.proofs_check.commands.{path.stem}"
        for path in (tree.folder / "proofs_check" / "commands").rglob("*.py")
    ]
    for path in sorted((tree.folder / "tests").rglob("test_*.py")):
        name, text = path.relative_to(tree.folder).as_posix(), path.read_text("utf-8")
        if name.startswith(TEXTUAL):
            continue
        modules = re.findall(r"^\s*(?:from|import) (establish[\w.]*)", text, re.MULTILINE)
        for base, names in re.findall(r"from (establish[\w.]*) import \(?([\w, \n]+)", text):
            modules += [f"{base}.{word}" for word in re.findall(r"\w+", names)]
        if re.search(r"\b(run|succeeds|refusal)\(", text):
            modules += commands
        yield {"file": name, "modules": modules, "words": sorted(set(re.findall(r"\w+", text)))}


def chosen(folder: Path, only: Sequence[str], seed: int, count: int) -> list[Mutant]:
    """The first ``count`` mutants of the project in a folder, in the order of the seed."""
    certified = json.loads(gzip.decompress((folder / "impl" / "certificates.lock.gz").read_bytes()))["files"]
    named = {name for name in certified if name.startswith("impl/")}
    files = [path.relative_to(folder).as_posix() for path in (folder / "spec").rglob("*.py")]
    files = [file for file in sorted({*files, *named}) if file not in LEFT_OUT]
    if only:
        files = [file for file in files if file.startswith(tuple(only))]
    found = [m for file in files for m in mutants(file, (folder / file).read_text("utf-8"))]
    return sorted(found, key=lambda mutant: mutant.place(seed))[:count]


def shown(
    mutant: Mutant, reach: Reach, noticing: Noticing, tests: Tests, to: Sequence[str]
) -> tuple[str, str, str]:
    """(by, who, how) of the first of ``to`` that notices a mutant, which stands in the copy.

    What claims notice on which a certificate rests, its certificate notices.
    """
    claims, checks = reach.claims_on(mutant), reach.checks_on(mutant)
    stages = [(CLAIMS, "claims", claims), (CERTIFICATES, "certification", checks)]
    certified = reach.certified_by(mutant) if mutant.file.startswith("impl/") else frozenset()
    if CLAIMS not in to:
        stages[0] = CLAIMS, "claims", [claim for claim in claims if claim["id"] in certified]
    for by, ask, wanted in reversed(stages) if mutant.file.startswith("impl/") else stages:
        if by not in to and by != CLAIMS:
            continue
        if found := noticing.noticed(ask, wanted):
            return CERTIFICATES if found[0] in certified else by, *found
    if TESTS not in to:
        return NOBODY, "", f"shown to {' and '.join(to)} only"
    found = tests.noticed(mutant, reach.tests_on(mutant))
    if found is None or not found[0]:
        return NOBODY, "", found[1] if found else ""
    return TESTS, *found


def explained() -> dict[str, tuple[str, str]]:
    """Survivors by id: (``equivalent`` or ``open``, why)."""
    with (HERE / "survivors.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: (row["kind"], row["why"]) for row in csv.DictReader(file)}


def report(rows: Sequence[Row]) -> Iterator[str]:
    """The table by file and by who noticed, the scores, and the survivors."""
    known = explained()
    yield f"{'file':46} {'mutants':>7} {'claims':>7} {'certif.':>7} {'tests':>6} {'nobody':>7}"
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        for name in (row.file, f"{row.file.partition('/')[0]}/", "all"):
            counts.setdefault(name, Counter())[row.by] += 1
    for name in sorted(counts, key=lambda name: (name == "all", name.endswith("/"), name)):
        found = counts[name]
        yield f"{name:46} {found.total():7} " + " ".join(
            f"{found[by]:{width}}" for by, width in zip(BY, (7, 7, 6, 7), strict=True)
        )
    real = [row for row in rows if known.get(row.id, ("",))[0] != "equivalent"]
    if len(rows) > len(real):
        yield f"{len(rows) - len(real)} are equivalent, as survivors.csv says, and do not count below"
    for floor, by in (("spec", CLAIMS), ("impl", CERTIFICATES)):
        of_floor = [row for row in real if row.file.startswith(floor)]
        if of_floor:
            share = sum(row.by == by for row in of_floor) / len(of_floor)
            yield f"{floor}/: {share:.1%} of {len(of_floor)} noticed by {by} (aim {AIMS[floor]:.0%})"
    if real:
        share = sum(row.by != NOBODY for row in real) / len(real)
        yield f"all: {share:.1%} of {len(real)} noticed (aim 100%)"
    for row in rows:
        if row.by == NOBODY:
            kind, why = known.get(row.id, ("not explained", row.how))
            yield f"\nsurvivor {row.id} {row.file} {row.within}: {kind}{f', {why}' if why else ''}"
            yield row.diff


def kept(file: Path, tree: Tree) -> dict[str, Row]:
    """Rows of earlier runs: what was noticed stays noticed, and survivors of another tree are tried again but
    for those that are equivalent.
    """
    if not file.is_file():
        return {}
    rows = [Row(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    equivalent = {id for id, (kind, _) in explained().items() if kind == "equivalent"}
    settled = [row for row in rows if row.by != NOBODY or row.id in equivalent]
    return {row.id: row for row in (*settled, *(r for r in rows if r.tree == tree.digest))}


def unedited(tree: Tree, noticing: Noticing, file: Path, to: Sequence[str]) -> list[dict[str, Any]]:
    """What is told of the copy without any edit; kept in ``file``."""
    if file.is_file():
        return list(json.loads(file.read_text("utf-8")))
    print("settling claims and checks without any edit", file=sys.stderr, flush=True)
    tests, certified = list(test_files(tree)), CLAIMS not in to
    told = list(noticing.ask("baseline", tests=tests, certified=certified))
    file.write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    return told


def campaign(
    tree: Tree, wanted: Sequence[Mutant], results: Path, seconds: int, to: Sequence[str]
) -> list[Row]:
    """Every mutant shown to those it can reach; rows are added to ``results`` as they come."""
    found = kept(results, tree)
    waiting = [mutant for mutant in wanted if mutant.id not in found]
    if waiting:
        noticing = Noticing(tree)
        known = results.with_name(f"{tree.digest}-{results.stem}.json")
        reach = Reach(unedited(tree, noticing, known, to))
        tests, start = Tests(tree, seconds), time.monotonic()
        for number, mutant in enumerate(waiting, start=1):
            began = time.monotonic()
            with tree.edited(mutant.file, mutant.text):
                by, who, how = shown(mutant, reach, noticing, tests, to)
            took = time.monotonic() - began
            row = Row(
                mutant.id,
                mutant.file,
                mutant.within,
                mutant.diff,
                by,
                who,
                how[:300],
                round(took, 1),
                tree.digest,
            )
            found[mutant.id] = row
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            left = (time.monotonic() - start) / number * (len(waiting) - number) / 60
            told = f"{by or 'NOBODY'} {who}".strip()
            print(
                f"[{number}/{len(waiting)}, {left:.0f} min left] {mutant.file} {mutant.id}: {told}"
                f" ({took:.0f} s)",
                file=sys.stderr,
                flush=True,
            )
        noticing.close()
    return [found[mutant.id] for mutant in wanted]


def main(arguments: Sequence[str] | None = None) -> int:
    """Status 0 when every survivor is explained, 1 otherwise."""
    parser = argparse.ArgumentParser(
        prog="make mutants ARGS=…",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples: --only spec/composition/ --count 30; --only impl/ --to certificates",
    )
    parser.add_argument("--count", type=int, default=200, metavar="N", help="how many (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="fixes the order (1)")
    parser.add_argument("--only", action="append", default=[], metavar="FILE", help="or a folder")
    parser.add_argument("--id", action="append", default=[], help="this mutant, shown again")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all rows")
    parser.add_argument(
        "--state", type=Path, default=ROOT / ".mutants", metavar="FOLDER", help="copy and results"
    )
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument(
        "--test-seconds", type=int, default=600, metavar="N", help="for the tests of one mutant (600)"
    )
    parser.add_argument(
        "--to", choices=BY[:-1], action="append", help="show mutants to these alone (all three)"
    )
    options = parser.parse_args(arguments)
    options.state.mkdir(parents=True, exist_ok=True)
    to = options.to or BY[:-1]
    name = "results" if len(to) == len(BY[:-1]) else "-".join(to)
    tree, results = Tree(options.state / "tree"), options.state / f"{name}.jsonl"
    if options.fresh:
        results.unlink(missing_ok=True)
    if options.id:
        wanted = [m for m in chosen(tree.folder, options.only, 0, 10**9) if m.id in options.id]
        lines = results.read_text("utf-8").splitlines() if results.is_file() else []
        others = [line for line in lines if json.loads(line)["id"] not in options.id]
        results.write_text("".join(f"{line}\n" for line in others), encoding="utf-8")
    else:
        wanted = chosen(tree.folder, options.only, options.seed, options.count)
    if not wanted:
        parser.error("no mutant is like that: --only names a file or folder of spec/ or impl/")
    rows = campaign(tree, wanted, results, options.test_seconds, to)
    print("\n".join(report(rows)))
    if options.json:
        data = [asdict(row) for row in rows]
        options.json.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")
    known = explained()
    return 1 if any(row.by == NOBODY and row.id not in known for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
