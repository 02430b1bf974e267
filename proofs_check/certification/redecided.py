"""What a release drew, decided again from the words that it told: by the specification, in balls."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.certification.counts import specification
from establish.proofs_check.certification.decided import Decider
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.parameters import ParameterError

FEW = 1_000
"""Of a table with more cells so many are decided, drawn at random."""


def redecided(
    runs: Any,
    counts: Sequence[int],
    largest: Sequence[int],
    words: NDArray[np.uint64],
    released: Sequence[int],
    number: int = FEW,
    seed: int | None = None,
) -> Evidence:
    """Evidence that cells of a release are the quantile of the specification at the words it told.

    runs: the mechanism of a release of counts. counts, largest: of its cells, which are confidential. words,
    released: theirs. number: how many cells; all where there are not more. seed: of their choice. Neither
    says nor witness hold a count. Raises ParameterError for lists of different lengths.
    """
    lengths = [len(each) for each in (counts, largest, words, released)]
    if len({*lengths}) != 1:
        raise ParameterError(f"counts, largest, words, released: their lengths differ: {lengths}")
    decider, total = Decider.of(runs, specification(runs)), len(released)
    if hasattr(runs, "answers"):
        raise ParameterError(f"{runs.name} releases an estimate from what it draws: it is not decided again")
    whole = {"counts": counts, "largest": largest, "released": released}
    for name, each in whole.items():
        if not all(isinstance(value, int | np.integer) for value in each):
            raise ParameterError(f"{name}: each is a whole number")
    if not all(0 <= most <= count for count, most in zip(counts, largest, strict=True)):
        raise ParameterError("counts, largest: of each cell 0 ≤ largest ≤ count")
    chosen = sorted(np.random.default_rng(seed).permutation(total)[:number].tolist())

    def is_drawn(cell: int) -> bool:
        return decider.is_drawn(
            (int(counts[cell]), int(largest[cell]), int(words[cell]), int(released[cell]))
        )

    scope = f"{len(chosen)} of {total} cells" + (", drawn at random" if len(chosen) < total else "")
    says = f"{runs.name} ({runs.calibration}) released the quantile of the specification at the words it told"
    return exhaustive.for_all(chosen, is_drawn, says, scope)
