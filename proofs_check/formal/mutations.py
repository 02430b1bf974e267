"""Single edits of formulas and of programs, and which theorem each one breaks (``make mutations``).

An edit that no proof notices is either still true, which the table explains, or shows that a theorem is
missing. The hash of every formula and file in the record notices all of them.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from establish.proofs_check.formal import coq
from establish.proofs_check.formal.edits import OF_FORMULAS, Mutation
from establish.proofs_check.formal.edits_of_rules import OF_RULES
from establish.proofs_check.formal.formulas import MODULE, definitions, source
from establish.proofs_check.formal.record import closure
from establish.proofs_check.formal.theorems import sources

MUTATIONS: tuple[Mutation, ...] = (*OF_FORMULAS, *OF_RULES)


def mutated(mutation: Mutation, formulas: dict[str, str]) -> dict[str, str]:
    """The text of every file, the generated one among them, with one edit. Raises ValueError when it
    changes nothing.
    """
    texts, (stem, _, name) = sources(), mutation.formula.partition(".")
    if name:
        texts[stem] = _edited(texts[stem], rf"(?:Definition|Fixpoint|Inductive|Theorem) {name}\b", mutation)
        return {**texts, MODULE: source(formulas)}
    changed = _edited(formulas[stem], ":=", mutation)
    return {**texts, MODULE: source({**formulas, stem: changed})}


def _edited(text: str, start: str, mutation: Mutation) -> str:
    """The first definition after ``start`` with the edit; it ends where the next sentence begins a line."""
    begins = re.search(start, text)
    at = begins.end() if begins else len(text)
    ends = re.search(r"^[A-Z(]", text[at:], re.MULTILINE)
    until = at + ends.start() if ends else len(text)
    changed = text[at:until].replace(mutation.old, mutation.new, 1)
    if changed == text[at:until]:
        raise ValueError(f"{mutation.formula} does not contain {mutation.old}")
    return text[:at] + changed + text[until:]


def noticed_by(mutation: Mutation, folder: Path, compiled: Path) -> str:
    """The stem of the first file that Coq refuses after the edit, or '' when it accepts all of them.

    folder: where to work. compiled: a folder in which everything was compiled without the edit.
    """
    shutil.copytree(compiled, folder)
    texts = mutated(mutation, definitions())
    compiled_stems = mutation.files or mutation.formula.split(".")[:1]
    needed = set().union(*(closure(stem, texts) for stem in compiled_stems))
    try:
        coq.Workshop(folder, {stem: texts[stem] for stem in needed}).compile(1, lambda line: None)
    except coq.CoqError as error:
        return str(error).partition(".v was refused")[0].removeprefix("coqc ")
    finally:
        shutil.rmtree(folder)
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Status 0 when every edit is noticed or explained, 1 otherwise, 2 when Coq is missing."""
    parser = argparse.ArgumentParser(prog="make mutations ARGS=…", description=__doc__)
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--folder", type=Path, default=Path(".coq"), help="where files are compiled")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table")
    options = parser.parse_args(arguments)
    if missing := coq.missing():
        print(f"mutations: these Debian packages are missing: {' '.join(missing)}", file=sys.stderr)
        return 2
    compiled = coq.Workshop(options.folder, {**sources(), MODULE: source(definitions())})
    compiled.compile(options.workers, print)
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(options.workers) as pool:
        folders = [Path(home) / str(number) for number in range(len(MUTATIONS))]
        rows = []
        notice = partial(noticed_by, compiled=options.folder)
        for mutation, stem in zip(MUTATIONS, pool.map(notice, MUTATIONS, folders), strict=True):
            verdict = f"breaks {stem}.v" if stem else f"still true: {mutation.survives or '?'}"
            rows.append((mutation, stem, verdict))
            print(f"{mutation.formula}: {mutation.old} → {mutation.new}: {verdict}", flush=True)
    caught = sum(bool(stem) for _, stem, _ in rows)
    wrong = [m for m, stem, _ in rows if bool(stem) == bool(m.survives)]
    print(f"{caught} of {len(rows)} edits break a proof; {len(rows) - caught} are still true")
    if options.json is not None:
        table = [{"formula": m.formula, "old": m.old, "new": m.new, "outcome": v} for m, _, v in rows]
        options.json.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
