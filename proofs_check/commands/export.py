"""``establish export``: the proofs of claims as files that another program checks again."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from establish.proofs_check.commands.check import Patterns
from establish.proofs_check.engine.misuse import Misuse

HELP = """Write the proof of each claim as a file of steps that establish recheck can check.

\b
Examples:
  establish export --out proofs
  establish export 'haney2017/lemma-9.2*' --out proofs
  establish export my_paper.py --out proofs

\b
A step gives a sentence as a tree, its digest, the method or rule that showed it, and the steps from which it
follows. A sentence that is not made of formulas is named by its digest. The command runs the checks again and
searches for identities that decide steps by arithmetic alone, which takes a few seconds per claim. It leaves
out claims that are not graded proof, claims that repeat another claim, and slow claims.
"""


def export(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder to write.")],
    patterns: Patterns = None,
    unasked: Annotated[
        bool, typer.Option("--unasked", help="Only statements on which no second opinion is kept.")
    ] = False,
) -> None:
    _require_empty(out)

    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.engine.opinions import opinion_of
    from establish.proofs_check.engine.register import imported
    from establish.proofs_check.engine.selection import select
    from establish.proofs_check.engine.verdicts import UnsettledError
    from establish.proofs_check.export.proofs import proof_of

    chosen = select(patterns or []).to_check(thorough=False)
    own = {
        id: claim
        for id, claim in chosen.items()
        if not (claim.same_as or (unasked and opinion_of(imported(claim))))
    }
    written, unsettled = 0, []
    with progress_bar(counted=True) as bar:
        task = bar.add_task("writing proofs", total=len(own))
        for id, claim in own.items():
            try:
                proof = proof_of(claim)
            except UnsettledError:
                unsettled.append(id)
                proof = None
            if proof is not None:
                _write(out / f"{id}.json", proof)
                written += 1
            bar.advance(task)
    rest = len(own) - written - len(unsettled)
    print(f"proofs in {out}: {written}; claims left out because they have another grade: {rest}")
    for id in unsettled:
        print(f"{id} is unsettled")
    if unsettled:
        raise typer.Exit(1)


def _require_empty(out: Path) -> None:
    """Raises Misuse for a folder that holds something: a proof of before must not stay among those of now."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Misuse(f"--out {out} must be a new or an empty folder")


def _write(file: Path, proof: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(proof, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
