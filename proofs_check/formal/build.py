"""Compile every proof, ask Coq what it accepted, and compare with the record (``make formal``)."""

import argparse
import datetime
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from establish.proofs_check.formal import coq
from establish.proofs_check.formal.formulas import MODULE, definitions, digest, source
from establish.proofs_check.formal.interrogate import statements_and_assumptions
from establish.proofs_check.formal.lines import text_of
from establish.proofs_check.formal.record import RECORD
from establish.proofs_check.formal.rules import argued
from establish.proofs_check.formal.theorems import HERE, sources, subjects

_UNSOUND = re.compile(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Unset Guard Checking)\b")


def main(arguments: Sequence[str] | None = None) -> int:
    """Status 0 when all was accepted and agrees with the record, 1 for a difference, 2 for misuse."""
    options = _parser().parse_args(arguments)
    if missing := coq.missing():
        print(f"formal: these Debian packages are missing: {' '.join(missing)}", file=sys.stderr)
        return 2
    started = time.monotonic()
    try:
        found = _found(options)
    except coq.CoqError as error:
        print(f"formal: {error}", file=sys.stderr)
        return 1
    print(f"all accepted, in {time.monotonic() - started:.0f} s")
    if options.record:
        target = options.into or _in_checkout()
        target.write_text(text_of(found), "utf-8")
        print(f"recorded in {target}")
        return 0
    return _compared(found)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make formal ARGS=…", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".coq"), help="where files are compiled")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--record", action="store_true", help="write the record instead of comparing")
    parser.add_argument("--into", type=Path, help="the file that --record writes")
    parser.add_argument("--quick", action="store_true", help="leave coqchk out; cannot be recorded")
    parser.add_argument("--full", action="store_true", help="let coqchk check the libraries too (hours)")
    return parser


def _found(options: argparse.Namespace) -> dict[str, Any]:
    if options.record and options.quick:
        raise coq.CoqError("--quick leaves coqchk out, so its result cannot be recorded")
    texts, formulas = sources(), definitions()
    for stem, text in texts.items():
        if unsound := _UNSOUND.search(re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)):
            raise coq.CoqError(f"{stem}.v contains {unsound[0]}")
    workshop = coq.Workshop(options.folder, {**texts, MODULE: source(formulas)})
    workshop.compile(options.workers, lambda line: print(line, flush=True))
    about = (*subjects(), *(rule.subject for rule in argued().values()))
    names = list(dict.fromkeys(name for each in about for name in each.theorems))
    with ThreadPoolExecutor(1) as beside:
        checking = beside.submit(_checked, workshop, options)
        answers = statements_and_assumptions(workshop, names, options.workers)
        checked = checking.result()
    sets = {digest("\n".join(axioms))[:12]: list(axioms) for _, axioms in answers.values()}
    return {
        "coq": coq.version(),
        "packages": coq.package_versions(),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "coqchk": checked,
        "files": {stem: digest(text) for stem, text in sorted(texts.items())},
        "definitions": {name: digest(text) for name, text in formulas.items()},
        "assumptions": sets,
        "theorems": {
            name: {"statement": statement, "assumptions": digest("\n".join(axioms))[:12]}
            for name, (statement, axioms) in answers.items()
        },
    }


def _checked(workshop: coq.Workshop, options: argparse.Namespace) -> str:
    """The result of coqchk, where it is asked for; what did not change is not checked again. Raises CoqError
    when it refuses a file.
    """
    if options.quick:
        return "not run"
    print(
        "coqchk on our files" + (" and the libraries" if options.full else ", libraries trusted"), flush=True
    )
    stems = sorted(workshop.sources)
    if options.full:
        workshop.run("coqchk", "-silent", *(f"{coq.LIBRARY}.{stem}" for stem in stems))
        return "our files and all libraries were checked"
    stems = [stem for stem in stems if not workshop.is_stamped(stem, "checked")]
    shares = [stems[first :: options.workers] for first in range(options.workers)]
    with ThreadPoolExecutor(options.workers) as pool:
        for _ in pool.map(lambda share: _check_alone(workshop, share), filter(None, shares)):
            pass  # a refusal is raised here
    return "our files were checked; libraries were trusted"


def _check_alone(workshop: coq.Workshop, stems: Sequence[str]) -> None:
    """Let coqchk check these files, and trust what they rest on. Raises CoqError when it refuses one."""
    workshop.run(
        "coqchk", "-silent", *(word for stem in stems for word in ("-norec", f"{coq.LIBRARY}.{stem}"))
    )
    for stem in stems:
        workshop.stamp(stem, "checked")


def _in_checkout() -> Path:
    """The record of the checkout that this is run in; that of the package elsewhere."""
    checkout = Path("proofs_check/formal")
    return (checkout if checkout.is_dir() else HERE) / "record.json"


def _compared(found: dict[str, Any]) -> int:
    if not RECORD.is_file():
        print("there is no record yet: make formal ARGS=--record", file=sys.stderr)
        return 1
    recorded = json.loads(RECORD.read_text("utf-8"))
    differences = []
    for part in ("files", "definitions", "assumptions", "theorems"):
        for name in sorted(set(found[part]) | set(recorded[part])):
            if found[part].get(name) != recorded[part].get(name):
                differences.append(f"{part}: {name}")
    for line in differences:
        print(f"differs from the record: {line}", file=sys.stderr)
    if not differences:
        print(f"agrees with the record of {recorded['date']} (coqc {recorded['coq']})")
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
