"""The laws that rules may read: those of the specification, and no object with a method of the same name."""

from __future__ import annotations

import sys
from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError

HOME = "establish.spec.distributions."
"""Where laws are written: what has the mass 1 is a matter of the specification and its tests."""


def known(law: Any) -> Any:
    """``law`` itself. Raises RuleError where its class is none of the specification, so that nothing says
    that what it calls a density has the mass 1.
    """
    kind = type(law)
    module = sys.modules.get(kind.__module__)
    if not kind.__module__.startswith(HOME) or getattr(module, kind.__qualname__, None) is not kind:
        raise RuleError(
            f"{kind.__qualname__} is not a law of {HOME.removesuffix('.')}: nothing says that its mass is 1"
        )
    return law
