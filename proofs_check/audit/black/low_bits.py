"""What the last bits of floating-point outputs reveal, beside what the mechanism itself does."""

from collections.abc import Sequence

import numpy as np

from establish.proofs_check.audit.black.features import granularity
from establish.proofs_check.audit.black.learn import learn
from establish.proofs_check.audit.black.samples import Samples, align
from establish.proofs_check.audit.question.level import Level
from establish.proofs_check.audit.question.result import Pair

LOOKED_AT = 4000
"""Outputs of each dataset whose low bits are looked at."""

FEWEST = 400
"""Fewer outputs are not looked at."""

MOST_COLUMNS = 8
"""Of a vector so many coordinates are looked at."""

CLEAR = 8.0
"""Standard errors from which the low bits are said to reveal something."""


def tell_apart(samples: Samples, pairs: Sequence[Pair], level: Level) -> tuple[str, ...]:
    """A sentence when the low bits alone break the level on one of the pairs, else nothing."""
    for pair in pairs:
        size = min(LOOKED_AT, samples.mechanism.left // 2 + min(map(samples.kept, pair)))
        if size < FEWEST:
            continue
        first, second = align(*(samples.of(d, size)[:size] for d in pair))
        bits = [granularity(j, first.shape[1]) for j in range(min(first.shape[1], MOST_COLUMNS))]
        sides = [np.stack([bit.of(side) for bit in bits], axis=1) for side in (first, second)]
        best = learn(sides[0], sides[1], level)[0]
        if best.score >= CLEAR:
            return (
                f"the last bits of the floating-point outputs seem to tell {pair[0]!r} from "
                f"{pair[1]!r}; they are not counted here (audit them with low_bits=True)",
            )
    return ()
