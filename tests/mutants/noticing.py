"""Settle claims and run certifications in a copy of the tree, in a process for each request.

Reads requests as lines of JSON and answers each with lines of JSON, the last of which is ``{"end": …}``.
The libraries are loaded once; every request is answered by a fork that imports our own code anew, as it
stands in the copy then. Run with the copy's ``.editor`` on PYTHONPATH.
"""

import contextlib
import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LIBRARIES = (
    "duckdb", "flint", "hypothesis", "mpmath", "numpy", "pyarrow", "scipy.optimize",
    "scipy.special", "scipy.stats", "sympy", "typer", "rich.console", "z3",
)  # fmt: skip
"""What our code imports; it takes seconds."""

MEMORY = 6 << 30
"""Bytes that an edited formula may ask for."""

SLOWER = 4
"""How many times as long as without the edit, plus SPARE seconds, a check may take of the processor."""

SPARE = 8

Say = Callable[..., None]


def limit(seconds: float) -> None:
    """End this process when it takes that much more of the processor, or ten times that by the clock."""
    signal.setitimer(signal.ITIMER_PROF, SLOWER * seconds + SPARE)
    signal.setitimer(signal.ITIMER_REAL, 10 * (SLOWER * seconds + SPARE))


def claims(say: Say, wanted: list[dict[str, Any]]) -> None:
    """Settle claims, each given with its module, its seconds, and how it comes out without the edit."""
    from establish.proofs_check.engine import register
    from establish.proofs_check.engine.settlement import settle_claim

    for one in wanted:
        limit(one["seconds"])
        say(trying=one["id"])
        try:
            importlib.import_module(one["module"])
        except Exception as error:  # what the edit broke may be needed when claims are entered
            return say(noticed=one["id"], how=f"{type(error).__name__}: {error}")
        settled = settle_claim(register._claims[one["id"]])
        if (found := outcome(settled)) != one["outcome"]:
            return say(noticed=one["id"], how=settled.verdict.condition or " ".join(found))
    return None


def outcome(settled: Any) -> list[str]:
    """Verdict, value and grades, without what a proof assistant's record adds for one exact text."""
    grades = settled.grades
    words = (settled.verdict.outcome, settled.verdict.value, grades.statement, grades.value)
    return [str(word) for word in (*words, grades.condition)]


def checks() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...], Callable[[], Any]]]:
    """(name, modules, claims that it rests on, check) of everything that certificates check."""
    from establish.proofs_check.certification.sampling.error_bounds import certify_bounds
    from establish.proofs_check.certification.sampling.exact_way import exact_way
    from establish.proofs_check.certification.sampling.float_bounds import float_bounds
    from establish.proofs_check.certification.subjects import CASES

    of_samplers = ("establish.impl.sampling.laws", "establish.impl.sampling.choice")
    yield "exact way", (*of_samplers, "establish.impl.earnings.quantile_tree"), (), exact_way
    yield "error bounds", of_samplers, (), certify_bounds
    yield "float bounds", of_samplers[:1], (), float_bounds
    shared: dict[Callable[[], Any], list[Any]] = {}
    for case in CASES:
        shared.setdefault(case.conforms, []).append(case)
    for number, (conforms, cases) in enumerate(shared.items()):
        name = f"{cases[0].mechanism}: {getattr(conforms, '__name__', 'check')} {number}"
        modules = dict.fromkeys(module for case in cases for module in case.modules)
        rests_on = dict.fromkeys(claim for case in cases for claim in case.rests_on)
        yield name, tuple(modules), tuple(rests_on), conforms


def certification(say: Say, wanted: list[dict[str, Any]]) -> None:
    """Run the checks of certificates, each given with its seconds."""
    from establish.impl.certificate import certifying

    limit(SPARE)
    try:
        known = {name: check for name, _, _, check in checks()}
    except Exception as error:
        return say(noticed="its import", how=f"{type(error).__name__}: {error}")
    for one in wanted:
        limit(one["seconds"])
        say(trying=one["name"])
        try:
            with certifying():
                found = known[one["name"]]()
        except Exception as error:
            return say(noticed=one["name"], how=f"{type(error).__name__}: {error}")
        for piece in found if isinstance(found, list | tuple) else [found]:
            if piece.established is not True:
                return say(noticed=one["name"], how=f"{piece.says}: {piece.witness}")
    return None


def outcomes(say: Say, ids: list[str]) -> None:
    """How some claims come out without any edit, as `claims` wants them."""
    from establish.proofs_check.engine.register import claims as registered
    from establish.proofs_check.engine.settlement import settle_claim

    everything = registered()
    for entry in (everything[id] for id in ids):
        found = settle_claim(entry)
        one = {"id": entry.id, "module": entry.module, "seconds": found.cpu}
        say(**one, outcome=outcome(found))


def baseline(say: Say, tests: list[dict[str, Any]], certified: bool) -> None:
    """What reaches which files, and how the claims come out, without any edit.

    tests: test files, each with the modules that it imports. certified: whether only claims are wanted that
    certificates rest on.
    """
    from time import process_time

    from establish.impl.certificate import certifying
    from establish.proofs_check.engine.cache import Cache, folder
    from establish.proofs_check.engine.fingerprint import Fingerprints
    from establish.proofs_check.engine.index import index
    from establish.proofs_check.engine.ours import name_of
    from establish.proofs_check.engine.register import claims as registered
    from establish.proofs_check.engine.runner import run

    everything = registered()
    around, prints = index().around, Fingerprints()
    quick = {id: entry for id, entry in everything.items() if not entry.thorough}
    if certified:
        rests_on = {id for _, _, ids, _ in checks() for id in ids}
        quick = {id: entry for id, entry in quick.items() if id in rests_on}
    for result in run(quick.values(), cache=Cache(folder())):
        entry, settled = result.claim, result.settlement
        if entry.same_as:
            continue
        reads = [str(name).split("  ")[0] for name in around[entry.id].reads]
        stated = {f"establish.{read}" for read in reads}
        stated |= {read.rpartition(".")[0] for read in stated}
        say(
            claim={
                "id": entry.id,
                "module": entry.module,
                "seconds": settled.cpu,
                "outcome": outcome(settled),
                "files": [name_of(file) for file in prints.files(entry)],
                "reads": reads,
                "stated": [name_of(file) for file in prints.reached(sorted(stated))],
            }
        )
    for name, modules, rests_on, check in checks():
        start = process_time()
        with certifying():
            check()
        seconds, files = process_time() - start, [name_of(f) for f in prints.reached(modules)]
        say(check={"name": name, "seconds": seconds, "files": files, "rests_on": list(rests_on)})
    for test in tests:
        files = [name_of(file) for file in prints.reached(test.pop("modules"))]
        say(test={**test, "files": files})


def answer(request: dict[str, Any]) -> None:
    """Answer one request on stdout; what our code prints goes nowhere."""
    out = os.fdopen(os.dup(1), "w")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)

    def say(**words: Any) -> None:
        out.write(json.dumps(words, ensure_ascii=False) + "\n")
        out.flush()

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    ask: dict[str, Callable[..., None]] = {
        "claims": claims,
        "certification": certification,
        "outcomes": outcomes,
        "baseline": baseline,
    }
    ours = importlib.util.find_spec("establish")
    if ours is None or not Path(str(ours.origin)).resolve().is_relative_to(Path.cwd()):
        return say(noticed="its import", how="establish is not imported from the copy")
    try:
        ask[request.pop("ask")](say, **request)
    except Exception as error:
        say(noticed="its import", how=f"{type(error).__name__}: {error}")
    return None


def main() -> None:
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    assert not any(name.partition(".")[0] == "establish" for name in sys.modules)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            try:
                answer(json.loads(line))
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        print(json.dumps({"end": status}), flush=True)


if __name__ == "__main__":
    sys.path[:] = [path for path in sys.path if Path(path) != Path(__file__).parent]
    main()
