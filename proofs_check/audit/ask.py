"""The question of an audit, put to the law of a mechanism or to its outputs."""

from collections.abc import Callable, Iterable
from typing import Any

from establish.proofs_check.audit.black.black_box import SAMPLES, SECONDS, audit_black_box
from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import AuditResult, Pair


def audit(
    mechanism: Any,
    definition: AuditDefinition,
    *,
    samples: int = SAMPLES,
    seconds: float = SECONDS,
    seed: int = 0,
    jobs: int | None = None,
    universe: Finite = None,
    pairs: Iterable[Pair] | None = None,
    low_bits: bool = False,
    sharpest: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> AuditResult:
    """Look for neighbors and an event on which ``mechanism`` breaks ``definition``.

    A mechanism with a method ``law(dataset, c)``, or ``output(dataset, c)`` as the ideal mechanisms of
    ``establish.spec`` have, is audited by its law (white box: no sampling, a certificate over a stated
    universe). Any other is called as ``mechanism(dataset, rng)``, or as
    ``mechanism.sample(dataset, size, rng)`` where it offers that (black box): see
    :func:`black_box.audit_black_box` for the arguments.

    Raises AuditError (a ParameterError) when the mechanism cannot be audited: it changes the kind or shape
    of its output, changes its dataset, does not end in time, or fails on every dataset. An exception, NaN,
    None or a text on some datasets is an output like any other.
    """
    from establish.proofs_check.audit.white.white_box import certify, law_of

    if not callable(getattr(definition, "listed", None)):
        raise AuditError(
            f"definition = {definition!r} is not one: give a privacy definition, such as "
            'establish.dp(1) or establish.strong_er_ee("1/10", 2)'
        )
    if law_of(mechanism) is not None:
        return certify(mechanism, definition, universe, pairs, seconds, progress)
    return audit_black_box(
        mechanism,
        definition,
        samples=samples,
        seconds=seconds,
        seed=seed,
        jobs=jobs,
        universe=universe,
        pairs=pairs,
        low_bits=low_bits,
        sharpest=sharpest,
        progress=progress,
    )
