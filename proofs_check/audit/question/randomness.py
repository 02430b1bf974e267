"""Where the randomness of a mechanism comes from."""

import random
from collections.abc import Sequence

import numpy as np

from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.audit.question.result import Dataset

PROBES = 32
"""Calls that tell a constant output from a random one."""


def remarks(mechanism: Mechanism, datasets: Sequence[Dataset], seed: int) -> tuple[str, ...]:
    """What the user should know about where the mechanism's randomness comes from.

    It is looked at on the first of the datasets on which the output varies.
    """
    for dataset in datasets:
        numpy_before, python_before = _state(), random.getstate()
        rng = np.random.default_rng(seed)
        fresh = rng.bit_generator.state
        first = mechanism.draw(dataset, PROBES, rng)
        untouched = rng.bit_generator.state == fresh
        uses_global = numpy_before != _state() or python_before != random.getstate()
        if (first != first[0]).any() or uses_global:
            break
    else:
        return ()
    again = mechanism.draw(dataset, PROBES, np.random.default_rng(seed))
    other = mechanism.draw(dataset, PROBES, np.random.default_rng(seed + 1))
    notes = []
    if untouched:
        notes.append("the mechanism ignores rng: its randomness comes from elsewhere")
    elif not np.array_equal(first, again):
        notes.append(
            "the same rng gave other outputs: some randomness comes from elsewhere, "
            "and this audit cannot be repeated by its seed"
        )
    elif np.array_equal(first, other):
        notes.append("the outputs are the same for every state of rng")
    if mechanism.workers and (untouched or not np.array_equal(first, again)):
        mechanism.close()
        notes.append("one process drew all outputs: copies in several could draw the same ones")
    if uses_global:
        notes.append("the mechanism uses a global random generator, which other code can seed")
    return tuple(notes)


def _state() -> str:
    return repr(np.random.get_state())  # noqa: NPY002  # looked at, not drawn from
