"""Inputs that nobody would write, for every command that reads a file: no traceback, no value of the data.

Run as ``python fuzz.py INPUTS SEED``: prints one JSON object with what was tried, or ends with an error that
shows the input. Each command runs in this process, on a file that is a good one with a few bytes, words or
numbers changed, or with options from a list of odd ones.
"""

import contextlib
import gzip
import io
import json
import os
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import duckdb

from establish.proofs_check.commands.cli import main as command

SECRET = "7193582"
"""Stands in the data as a count, as pay and as earnings; no message may say it."""

PLAN = """title = "Persons"
[budget]
definition = "record-dp"
cap = { epsilon = 40 }
ledger = "p.ledger"
[data]
persons = "people.csv"
earnings = "earnings"
person = "person"
dataset = "people"
[[query]]
name = "college"
by = ["college"]
mechanism = "histogram-percentiles"
epsilon = 0.5
percentiles = [10, 50]
bins = "20000,40000"
"""
ODD = (
    *("", "0", "-1", "1/0", "nan", "inf", "1e999", "٣", "\0", "\n", "'", '"', ";", "--", "a" * 5000),
    *("../../x", "*", "%s", "{}", "NULL", "=1+1", "1_0", "true", "[", "]]", "\\", "é", "\x1b[2J", "jobs"),
)


def changed(rng: random.Random, content: bytes) -> bytes:
    """``content`` with a few changes, of bytes or of words."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(content))
        kind = rng.randrange(6)
        if kind == 0:
            content = content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]
        elif kind == 1:
            content = content[:at] + rng.choice(ODD).encode("utf-8", "surrogateescape") + content[at:]
        elif kind == 2:
            content = content[:at] + content[at + rng.randint(1, 40) :]
        elif kind == 3:
            other = rng.randint(0, len(content))
            content = content[:at] + content[other : other + rng.randint(1, 60)] + content[at:]
        elif kind == 4:
            content = content[:at]
        else:
            words = list(re.finditer(rb"[A-Za-z0-9_./-]+", content))
            if words:
                word = rng.choice(words)
                odd = rng.choice(ODD).encode("utf-8", "surrogateescape")
                content = content[: word.start()] + odd + content[word.end() :]
    return content


LAW = ["--mechanism", "laplace", "--epsilon", "1", "--count", "jobs", "--keep", "place", "--drop-others"]
OPTIONS = {
    "--mechanism": ["laplace", "log-laplace", "smooth-gamma", "smooth-laplace"],
    "--epsilon": ["1", "1/2"],
    "--alpha": ["1/10"],
    "--delta": ["1/100"],
    "--count": ["jobs"],
    "--largest": ["largest"],
    "--where": ["place = 'North'", f"jobs = {SECRET}", "largest > 5", "CAST(place AS INT) = 1"],
    "--keep": ["code"],
    "--drop": ["code"],
    "--establishments": ["code"],
    "--public": ["code"],
    "--dataset": ["cells"],
    "--ledger": ["own.ledger"],
    "--head": ["heads"],
    "--out": ["o.csv", "o.parquet", "o.csv.gz"],
}


def some_options(rng: random.Random) -> list[str]:
    given = ["--out", "o.csv", *LAW]
    for option in rng.sample(list(OPTIONS), rng.randint(1, 4)):
        value = rng.choice(ODD) if rng.random() < 0.6 else rng.choice(OPTIONS[option])
        if option in given:
            given[given.index(option) + 1] = value
        else:
            given += [option, value]
    return given


def some_words(rng: random.Random) -> list[str]:
    """A command that reads no data, with words that it does not expect."""
    first = rng.choice(("imply", "show", "list", "budget", "verify", "keys", "suppress", "tabulate"))
    others = ("--json", "--help", "--definition", "--epsilon", "new", "plan", "cells.csv", "haney2017")
    return [first, *(rng.choice((*ODD, *others)) for _ in range(rng.randint(1, 3)))]


def a_call(rng: random.Random, good: dict[str, bytes]) -> tuple[str, list[str], str]:
    """(kind, arguments, the name of the file that is changed)."""
    counts = ["release", "counts", "cells.csv", "--out", "o.csv", *LAW]
    earnings = ["--mechanism", "histogram-percentiles", "--epsilon", "1", "--earnings", "earnings"]
    totals = ["--by", "a,b", "--total", "a=All", "--total", "b=All"]
    kinds: list[tuple[str, int, list[str], str]] = [
        ("budget PLAN", 36, ["budget", "plan.toml"], "plan.toml"),
        ("budget --ledger", 22, ["budget", "--ledger", "old.ledger"], "old.ledger"),
        ("verify RECORD", 18, ["verify", "old.csv.json"], "old.csv.json"),
        ("verify --key", 3, ["verify", "bad.json", "--key", "k.pub"], "k.pub"),
        ("any command, odd words", 6, some_words(rng), ""),
        ("release counts, options", 5, ["release", "counts", "cells.csv", *some_options(rng)], ""),
        ("release counts, CSV", 2, counts, "cells.csv"),
        ("release counts, gzip", 1, [*counts[:2], "cells.csv.gz", *counts[3:]], "cells.csv.gz"),
        ("release counts, Parquet", 1, [*counts[:2], "c.parquet", *counts[3:]], "c.parquet"),
        ("release counts, head", 1, counts, "cells.csv.head"),
        ("release counts, ledger", 1, counts, "cells.csv.ledger"),
        ("release counts, key", 1, [*counts, "--sign", "k"], "k"),
        (
            "release earnings",
            1,
            ["release", "earnings", "people.csv", *earnings, "--cell", "college", "--out", "o.csv"],
            "people.csv",
        ),
        ("release plan", 1, ["release", "plan", "plan.toml", "--out", "out"], "plan.toml"),
        (
            "suppress audit",
            1,
            ["suppress", "audit", "s.csv", *totals, "--value", "jobs", "--status", "status"],
            "s.csv",
        ),
        ("suppress audit, codes", 2, ["suppress", "audit", "q.csv", *CODES], "q.csv"),
        ("suppress plan, statuses", 1, ["suppress", "plan", *PLANNED], "p.csv"),
        ("suppress verify, certificate", 2, ["suppress", "verify", "q.proof", "q.csv"], "q.proof"),
        ("suppress verify, table", 1, ["suppress", "verify", "q.proof", "q.csv"], "q.csv"),
    ]
    kind, _, call, name = rng.choices(kinds, [weight for _, weight, *_ in kinds])[0]
    return kind, call, name


CODES = [
    *("--by", "area,code", "--hierarchy", "area=fips", "--hierarchy", "code=qcew"),
    *("--value", "jobs", "--status", "st"),
]
PLANNED = [
    *("p.csv", "--by", "r", "--total", "r=All", "--value", "jobs", "--upl", "upl", "--status", "st"),
    *("--cost", "cost", "--out", "p.out", "--force"),
]


def prepare(folder: Path) -> dict[str, bytes]:
    """Good files of every form, in ``folder``."""
    (folder / "cells.csv").write_text(f"place,code,jobs,largest\nNorth,01,{SECRET},5\nSouth,02,60,7\n")
    people = [f"p{i},{'AB'[i % 2]},{SECRET if i == 3 else 30000 + i}" for i in range(30)]
    (folder / "people.csv").write_text("\n".join(["person,college,earnings", *people]) + "\n")
    (folder / "plan.toml").write_text(PLAN)
    (folder / "s.csv").write_text(
        f"a,b,jobs,status\nAll,All,{SECRET}9,\nAll,x,5,\nAll,y,{SECRET}4,\nu,All,7,\nu,x,,D\nu,y,,D\n"
    )
    codes = f"44,10,{SECRET}9,\n44,101,,N\n44,102,20,\n44,23,,N\n44,31-33,9,\n44001,10,,N\n44003,10,8,\n"
    (folder / "q.csv").write_text(f"area,code,jobs,st\n{codes}")
    (folder / "p.csv").write_text("r,jobs,upl,st,cost\nAll,16,,z,1\na,10,,,2\nb,5,,u,1\nc,0,1,,0\nd,1,,m,3\n")
    run(["suppress", "audit", "q.csv", *CODES, "--certificates", "q.proof"])
    run(["release", "counts", "cells.csv", *LAW, "--out", "old.csv"])
    run(["keys", "new", "k"])
    with gzip.open(folder / "cells.csv.gz", "wb") as file:
        file.write((folder / "cells.csv").read_bytes())
    with duckdb.connect() as db:
        db.execute("COPY (FROM read_csv('cells.csv')) TO 'c.parquet' (FORMAT parquet)")
    shutil.copy("cells.csv.ledger", "old.ledger")
    (folder / "bad.json").write_text('{"mechanism": 1}')
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def run(arguments: list[str]) -> tuple[int, str]:
    """Status, and all that was printed. Raises what is no end of a command."""
    out, err = io.StringIO(), io.StringIO()
    status = -1
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            command(arguments)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else -2
    return status, out.getvalue() + err.getvalue()


def main(inputs: int, seed: int) -> dict[str, int]:
    rng, seen = random.Random(seed), {"inputs": 0}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        os.chdir(folder)
        try:
            good, touched = prepare(folder), set[str]()
            for number in range(inputs):
                for path in folder.iterdir():
                    if path.name not in good:
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
                kind, arguments, name = a_call(rng, good)
                for file in {*touched, name} - {""}:
                    content = good[file]
                    (folder / file).write_bytes(changed(rng, content) if file == name else content)
                touched = {name, "cells.csv.ledger", "cells.csv.head"} - {""}
                shown = f"input {number} of seed {seed}: {arguments}, {name}"
                try:
                    status, told = run(arguments)
                except Exception as error:
                    text = (folder / name).read_bytes() if name else b""
                    raise AssertionError(f"{shown}: {error!r}\n{text!r}") from error
                assert status in (0, 1, 2, 3), f"{shown}: status {status}"
                assert "Traceback" not in told, shown
                said = told.replace(" ".join(arguments), "")
                given = any(SECRET in word for word in arguments)
                assert given or SECRET not in said, f"{shown}: a value of the data is told: {told}"
                seen["inputs"] += 1
                seen[f"{kind}: {status}"] = seen.get(f"{kind}: {status}", 0) + 1
        finally:
            os.chdir(before)
    return seen


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2])), indent=1))
