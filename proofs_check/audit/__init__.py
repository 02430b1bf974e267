"""Is a mechanism private, and if not, which two datasets show it?

The names are loaded when they are first used, so that the pytest plugin costs a run without audits nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from establish.proofs_check.engine.lazy import loader

if TYPE_CHECKING:
    from establish.proofs_check.audit.ask import audit
    from establish.proofs_check.audit.question.custom import custom
    from establish.proofs_check.audit.question.definitions import (
        AuditDefinition,
        dp,
        edge,
        gedp,
        node,
        strong_er_ee,
        weak_er_ee,
    )
    from establish.proofs_check.audit.question.mechanism import AuditError
    from establish.proofs_check.audit.question.result import AuditOutcome, AuditResult

__getattr__ = loader(__name__)
