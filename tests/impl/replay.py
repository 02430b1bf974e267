"""Crash consistency by replay: what a release may leave on disk when the machine dies, state by state.

A release is run once, and its writes, renames and fsyncs are recorded. A state is what a disk may hold
after a crash: of the operations before it, all that an fsync made durable, and any of the others, of which
a write may be torn. Every state is put into a folder of its own, and there must hold:

- the ledger can be read, and has every entry whose fsync was done;
- an output under its name is whole, and the ledger has its entry;
- no head names an entry that the ledger lacks, so that the next release is not refused;
- ``resume`` publishes what was drawn, or nothing; it changes no entry.

Run as ``python replay.py STATES FOLDER SEED``: prints one JSON object with what was seen.
"""

import dataclasses
import hashlib
import json
import os
import random
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from establish import LogLaplace, ParameterError
from establish.impl.budget.books import Books, books_of
from establish.impl.budget.heads import LedgerLost, head_of, read_heads
from establish.impl.budget.ledger import entries_of
from establish.impl.publish.counts import release_table
from establish.impl.publish.resumed import resume
from establish.impl.signing import new_key, signer


@dataclass(frozen=True)
class Step:
    """One operation. kind: write, truncate, sync (of a file); make, name, remove, fold, settle (of a folder).

    inode: the file's, from 0. at, to: paths below the folder of the release. data: what is written.
    """

    kind: str
    inode: int = -1
    at: str = ""
    to: str = ""
    offset: int = 0
    data: bytes = b""


Start = dict[str, tuple[int, bytes]]
"""The files that are there before: by path, which inode of ours, and what it holds."""


@dataclass
class Trace:
    """The steps of one release, below ``root``; files are known by the inode that the system gave them."""

    root: Path
    steps: list[Step] = field(default_factory=list)
    inodes: dict[int, int] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)

    def begin(self) -> Start:
        """Take the files that are there for known, and durable."""
        found = {}
        for path in sorted(p for p in self.root.iterdir() if p.is_file()):
            own = self.inodes[path.stat().st_ino] = len(self.inodes)
            self.contents[own] = path.read_bytes()
            found[path.name] = (own, self.contents[own])
        return found

    def below(self, path: object, folder: int | None = None) -> str | None:
        """The path below the root; None for another one."""
        if isinstance(path, int):
            path = os.readlink(f"/proc/self/fd/{path}")
        full = Path(os.readlink(f"/proc/self/fd/{folder}")) / str(path) if folder else Path(str(path))
        return str(full.relative_to(self.root)) if full.is_relative_to(self.root) else None

    def inode(self, number: int, at: str) -> int:
        """Ours, of the system's; a file that nobody was seen to make is made now."""
        if number not in self.inodes:
            self.inodes[number] = len(self.inodes)
            self.steps.append(Step("make", self.inodes[number], at))
        return self.inodes[number]

    def catch_up(self, path: Path, at: str) -> int:
        """What others wrote to the file since: libraries do not write through Python."""
        own = self.inode(path.stat().st_ino, at)
        now, known = path.read_bytes(), self.contents.get(own, b"")
        if now != known:
            self.steps.append(Step("truncate", own, at))
            self.steps.append(Step("write", own, at, data=now))
            self.contents[own] = now
        return own


@contextmanager
def recorded(trace: Trace) -> Iterator[None]:
    """Inside, the functions of ``os`` that change files note what they do."""
    real = {name: getattr(os, name) for name in ("open", "write", "fsync", "ftruncate", "replace")}
    real |= {name: getattr(os, name) for name in ("mkdir", "rmdir", "unlink", "rename")}

    def opened(path, flags, mode=0o777, *, dir_fd=None):
        at = trace.below(path, dir_fd)
        new = at is not None and flags & os.O_CREAT and not os.path.lexists(trace.root / at)
        file = real["open"](path, flags, mode, dir_fd=dir_fd)
        if new:
            trace.inode(os.fstat(file).st_ino, at)
        return file

    def write(file, content):
        at = trace.below(file)
        done = real["write"](file, content)
        if at is not None:
            own = trace.inode(os.fstat(file).st_ino, at)
            before = trace.contents.get(own, b"")
            trace.steps.append(Step("write", own, at, offset=len(before), data=bytes(content[:done])))
            trace.contents[own] = before + bytes(content[:done])
        return done

    def fsync(file):
        at = trace.below(file)
        if at is not None:
            if stat.S_ISDIR(os.fstat(file).st_mode):
                trace.steps.append(Step("settle", at=at))
            else:
                trace.steps.append(Step("sync", trace.catch_up(trace.root / at, at), at))
        real["fsync"](file)

    def ftruncate(file, length):
        at = trace.below(file)
        if at is not None:
            own = trace.inode(os.fstat(file).st_ino, at)
            if trace.contents.get(own, b"")[length:]:
                trace.steps.append(Step("truncate", own, at, offset=length))
                trace.contents[own] = trace.contents[own][:length]
        real["ftruncate"](file, length)

    def replace(old, new, **more):
        at, to = trace.below(old), trace.below(new)
        if at is not None and to is not None:
            own = trace.catch_up(Path(str(old)), at)
            trace.steps.append(Step("name", own, at, to))
        real["replace"](old, new, **more)

    def mkdir(path, mode=0o777, **more):
        real["mkdir"](path, mode, **more)
        if (at := trace.below(path)) is not None:
            trace.steps.append(Step("fold", at=at))

    def rmdir(path, *, dir_fd=None):
        real["rmdir"](path, dir_fd=dir_fd)
        if (at := trace.below(path, dir_fd)) is not None:
            trace.steps.append(Step("remove", at=at))

    def unlink(path, *, dir_fd=None):
        real["unlink"](path, dir_fd=dir_fd)
        if (at := trace.below(path, dir_fd)) is not None:
            trace.steps.append(Step("remove", at=at))

    own = {"open": opened, "write": write, "fsync": fsync, "ftruncate": ftruncate, "mkdir": mkdir}
    own |= {"replace": replace, "rename": replace, "rmdir": rmdir, "unlink": unlink}
    for name, function in own.items():
        setattr(os, name, function)
    try:
        yield
    finally:
        for name, function in real.items():
            setattr(os, name, function)


def durable(steps: list[Step]) -> set[int]:
    """The places of the steps that an fsync among them made durable."""
    found: set[int] = set()
    for place, step in enumerate(steps):
        if step.kind == "sync":
            found |= {
                i
                for i, one in enumerate(steps[:place])
                if one.inode == step.inode and one.kind in ("write", "truncate")
            }
        if step.kind == "settle":
            found |= {
                i
                for i, one in enumerate(steps[:place])
                if one.kind in ("make", "name", "remove", "fold")
                and step.at in (_folder(one.to or one.at), _folder(one.at))
            }
    return found


def _folder(path: str) -> str:
    return str(Path(path).parent)


def a_state(rng: random.Random, start: Start, steps: list[Step], crash: int) -> dict[str, bytes]:
    """What the disk may hold after the first ``crash`` steps: files by path; a folder ends with a slash."""
    before = steps[:crash]
    certain = durable(before)
    chance = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    names: dict[str, int | None] = {path: number for path, (number, _) in start.items()}
    data: dict[int, bytes] = dict(start.values())
    for place, step in enumerate(before):
        if place not in certain and rng.random() >= chance:
            continue
        own = step.inode
        if step.kind == "write":
            content = step.data
            if place not in certain and rng.random() < 0.5:
                cut = rng.randint(0, len(content))  # torn: a part, or zeros where data should be
                parts = [content[:cut], content[:cut] + b"\0" * (len(content) - cut)]
                if step.offset:  # where the first block of a file alone is lost, the ledger is refused
                    parts.append(b"\0" * cut + content[cut:])
                content = rng.choice(parts)
            held = data.get(own, b"").ljust(step.offset, b"\0")
            data[own] = held[: step.offset] + content + held[step.offset + len(content) :]
        elif step.kind == "truncate":
            data[own] = data.get(own, b"")[: step.offset]
        elif step.kind == "make":
            names.setdefault(step.at, own)
        elif step.kind == "fold":
            names[f"{step.at}/"] = None
        elif step.kind == "name":
            if names.get(step.at) == own:
                del names[step.at]
            names[step.to] = own
        elif step.kind == "remove":
            names.pop(step.at, None)
            names.pop(f"{step.at}/", None)
    folders = {name for name in names if name.endswith("/")}
    return {
        path: data.get(own, b"") if own is not None else b""
        for path, own in names.items()
        if path in folders or "/" not in path or f"{_folder(path)}/" in folders
    }


def files_of(root: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in root.iterdir() if p.is_file()}


def scenario(folder: Path, *, second: bool, signed: bool, again: bool) -> tuple[Trace, Start]:
    """A release in ``folder``, recorded, and what the folder held before it."""
    (folder / "in.csv").write_text("place,jobs\nNorth,40\nSouth,50\n")
    if signed:
        new_key(folder / "key")
    sign = signer(folder / "key") if signed else None
    call = {"count": "jobs", "books": books(folder, second), "sign": sign}
    if again:
        release_table(folder / "in.csv", folder / "o.csv", LogLaplace("1/10", 2, "published"), **call)
    trace = Trace(folder)
    start = trace.begin()
    with recorded(trace):
        release_table(
            folder / "in.csv", folder / "o.csv", LogLaplace("1/10", 2, "published"), force=again, **call
        )
    return trace, start


def books(folder: Path, second: bool) -> Books:
    return books_of([folder / "in.csv"], second=folder / "heads" if second else None)


def check(folder: Path, second: bool, promised: int, drawn: dict[str, set[str]]) -> str:
    """Every invariant, in one state. promised: entries that must be there. drawn: digests by name."""
    own = books(folder, second)
    ledger, record = folder / "in.csv.ledger", folder / "o.csv.json"
    entries = entries_of(ledger)
    known = {(e.number, e.checksum) for e in entries}
    assert len(entries) >= promised, "an entry whose fsync was done is lost"
    for name in ("o.csv", "o.csv.json", "o.csv.json.sig"):
        if (folder / name).exists():
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            assert digest in drawn.get(name, set()), f"{name} is visible and not whole"
            assert entries, "an output is visible and no entry is there"
    if record.exists():
        head = head_of(record)
        assert head is not None
        assert (head.number, head.checksum) in known, "a visible record names an entry that is not there"
    for place in (own.beside, own.second):
        for head in read_heads(place).heads.values() if place else ():
            assert (head.number, head.checksum) in known, "a head names an entry that is not there"
    before = ledger.read_bytes() if ledger.exists() else b""
    try:
        entry = resume(own, record, force=True).entry
    except LedgerLost:
        raise
    except ParameterError as refused:
        outcome = "not completed" if "cannot be completed" in str(refused) else "nothing to complete"
    else:
        outcome = "completed"
        head = head_of(record)
        assert head is not None
        assert (head.number, head.checksum) == (entry.number, entry.checksum)
        tables = json.loads(record.read_text("utf-8"))["tables"]
        assert tables == {"o.csv": hashlib.sha256((folder / "o.csv").read_bytes()).hexdigest()}
    assert (ledger.read_bytes() if ledger.exists() else b"") == before, "resume wrote to the ledger"
    if entries:
        own.require_left(dataclasses.replace(entries[-1].spending, release="f" * 32), None, folder)
    return outcome


def main(states: int, folder: Path, seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    kinds = [(s, k, a) for s in (False, True) for k in (False, True) for a in (False, True)]
    seen = {"states": 0, "distinct": 0, "steps": 0, "fsyncs": 0}
    distinct: set[str] = set()
    for number, (second, signed, again) in enumerate(kinds):
        real = folder / f"scenario-{number}"
        real.mkdir()
        trace, start = scenario(real, second=second, signed=signed, again=again)
        after = files_of(real)
        seen["steps"] += len(trace.steps)
        seen["fsyncs"] += sum(step.kind in ("sync", "settle") for step in trace.steps)
        drawn = {
            name: {
                hashlib.sha256(content).hexdigest()
                for content in (after[name], start.get(name, (0, after[name]))[1])
            }
            for name in after
        }
        syncs = [
            place
            for place, step in enumerate(trace.steps)
            if step.kind == "sync" and step.at == "in.csv.ledger"
        ]
        settled = next(i for i in range(syncs[-1], len(trace.steps)) if trace.steps[i].kind == "settle")
        for place in range(states * number // 8, states * (number + 1) // 8):
            crash = rng.randint(0, len(trace.steps))
            state = a_state(rng, start, trace.steps, crash)
            distinct.add(hashlib.sha256(repr(sorted(state.items())).encode()).hexdigest())
            own = folder / "state" / real.name
            own.mkdir(parents=True)
            for path in sorted(state, key=len):
                if path.endswith("/"):
                    (own / path).mkdir(exist_ok=True)
            for path, content in state.items():
                if not path.endswith("/"):
                    # the ledger's entries name the folder in which the release ran
                    (own / path).write_bytes(content)
            promised = (1 if again else 0) + (crash > settled)
            moved = shutil.move(real, folder / "aside")
            shutil.move(own, real)
            try:
                outcome = check(real, second, promised, drawn)
            except Exception as error:
                where = f"scenario {number}, crash after {crash}, state {place}"
                raise AssertionError(f"{where}: {error}") from error
            finally:
                shutil.rmtree(real)
                shutil.move(moved, real)
            seen[outcome] = seen.get(outcome, 0) + 1
            seen["states"] += 1
    seen["distinct"] = len(distinct)
    return seen


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
