"""Coq as it is installed here: what it needs, and files compiled in the order of their dependencies."""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path

LIBRARY = "Establish"
"""The logical name of our files in Coq."""

PACKAGES = {
    "coq": "",
    "libcoq-coquelicot": "Coquelicot",
    "libcoq-flocq": "Flocq",
    "libcoq-interval": "Interval",
    "libcoq-mathcomp-analysis": "mathcomp/analysis",
}
"""The Debian packages that the proofs need, and the folder by which each is recognized."""


class CoqError(Exception):
    """Coq is not installed, or it refused a file. The message is for people."""


def missing() -> list[str]:
    """The Debian packages that are not installed."""
    if shutil.which("coqc") is None:
        return list(PACKAGES)
    home = Path(_said("coqc", "-where").strip()) / "user-contrib"
    return [package for package, folder in PACKAGES.items() if not (home / folder).is_dir()]


def version() -> str:
    """The version of coqc, such as 8.16.1."""
    found = re.search(r"version (\S+)", _said("coqc", "--version"))
    if found is None:
        raise CoqError("coqc does not say its version")
    return found[1]


def package_versions() -> dict[str, str]:
    """The installed version of every package in PACKAGES; '' where dpkg does not know it."""
    versions = {}
    for package in PACKAGES:
        command = ["dpkg-query", "--show", "--showformat=${Version}", package]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError:
            return dict.fromkeys(PACKAGES, "")
        versions[package] = done.stdout if done.returncode == 0 else ""
    return versions


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@dataclass
class Workshop:
    """A folder in which our files are compiled; what did not change is not compiled again.

    folder: where sources and compiled files lie. sources: text by stem.
    """

    folder: Path
    sources: Mapping[str, str]
    needs: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.v"):
            if old.stem not in self.sources:
                for leftover in self.folder.glob(f"{old.stem}.*"):
                    leftover.unlink()
        for stem, text in self.sources.items():
            path = self.folder / f"{stem}.v"
            if not path.is_file() or path.read_text("utf-8") != text:
                path.write_text(text, "utf-8")
        self.needs = {stem: self._named_in(text) for stem, text in self.sources.items()}

    def _named_in(self, text: str) -> set[str]:
        """The files of ours that a file requires, by its ``From Establish Require`` lines."""
        lines = re.findall(rf"From {LIBRARY} Require (?:Import |Export )?([\w\s]+)\.", text)
        found = {name for line in lines for name in line.split()}
        unknown = sorted(found - set(self.sources))
        if unknown:
            raise CoqError(f"a file requires {unknown[0]}, which is not among ours")
        return found

    def closure(self, stem: str) -> set[str]:
        """``stem`` and every file of ours that it rests on."""
        seen, todo = set(), [stem]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.needs[name]
        return seen

    def libraries(self, stem: str) -> frozenset[str]:
        """The libraries of others that ``stem`` is built with, itself or by what it rests on."""
        texts = "\n".join(self.sources[name] for name in self.closure(stem))
        return frozenset(re.findall(r"^From (\w+)[.\w]* Require", texts, re.MULTILINE)) - {LIBRARY}

    def key(self, stem: str) -> str:
        """What decides whether a compiled file is still right: its text and all that it rests on."""
        texts = [f"{name}\0{self.sources[name]}" for name in sorted(self.closure(stem))]
        return sha256("\0".join([version(), *texts]).encode()).hexdigest()

    def compile(self, workers: int, say: Callable[[str], None]) -> None:
        """Compile every file. Raises CoqError with Coq's own words for the first that is refused."""
        order = TopologicalSorter(self.needs)
        order.prepare()
        with ThreadPoolExecutor(workers) as pool:
            running: dict[str, Future[None]] = {}
            while order.is_active():
                running |= {stem: pool.submit(self._one, stem, say) for stem in order.get_ready()}
                finished, _ = wait(running.values(), return_when=FIRST_COMPLETED)
                for stem in [stem for stem, job in running.items() if job in finished]:
                    running.pop(stem).result()
                    order.done(stem)

    def _one(self, stem: str, say: Callable[[str], None]) -> None:
        if (self.folder / f"{stem}.vo").is_file() and self.is_stamped(stem, "key"):
            return
        say(f"coqc {stem}.v")
        self.run("coqc", "-q", "-w", "none", f"{stem}.v")
        self.stamp(stem, "key")

    def is_stamped(self, stem: str, what: str) -> bool:
        """Whether `stamp` was called for the file as it is, with all that it rests on."""
        stamp = self.folder / f"{stem}.{what}"
        return stamp.is_file() and stamp.read_text() == self.key(stem)

    def stamp(self, stem: str, what: str) -> None:
        """Remember that something was done with the file as it is."""
        (self.folder / f"{stem}.{what}").write_text(self.key(stem))

    def run(self, command: str, *options: str) -> str:
        """The output of a program of Coq on our files. Raises CoqError when it refuses them."""
        done = subprocess.run(
            [command, "-Q", ".", LIBRARY, *options],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise CoqError(f"{command} {options[-1]} was refused:\n{done.stdout}{done.stderr}")
        return done.stdout

    def answers(self, name: str, text: str) -> str:
        """What Coq answers to the queries in ``text``, a file of its own that is not kept."""
        path = self.folder / f"{name}.v"
        path.write_text(text, "utf-8")
        try:
            return self.run("coqc", "-q", "-w", "none", path.name)
        finally:
            for leftover in self.folder.glob(f"*{name}.*"):
                leftover.unlink()
