"""Look for a violation of privacy in a mechanism, and keep the question for a page about the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.progress import share_bar
from establish.proofs_check.api.python import FilePath
from establish.proofs_check.api.verify import prepare_page
from establish.proofs_check.audit.ask import audit as answered
from establish.proofs_check.audit.black.black_box import SAMPLES, SECONDS
from establish.proofs_check.audit.question.result import AuditResult, Pair

if TYPE_CHECKING:
    from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite


@dataclass(frozen=True, repr=False)
class Audited(AuditResult):
    """The answer to one audit, with what was asked: mechanism, definition and seed."""

    asked: tuple[Any, AuditDefinition, int] | None = None

    def report(self, file: FilePath, *, target: str = "", call: str = "", force: bool = False) -> None:
        """Write a page about the answer, .html, with drawings (extra report).

        target: what the page calls the mechanism; by default its own name. call: how to ask again. Raises
        Misuse where it cannot be written, ParameterError where it is there.
        """
        page = prepare_page(file, force)
        from establish.proofs_check.api.audit_report import tell
        from establish.proofs_check.report import one_file
        from establish.proofs_check.report.audited import drawings, figures

        assert self.asked is not None, "an answer is made by audit"
        mechanism, definition, seed = self.asked
        name = target or str(getattr(mechanism, "__name__", type(mechanism).__name__))
        content = {
            "about": f"Audit of {name}",
            "kind": self.outcome,
            "headline": f"{self.headline}: {self.definition}",
            "result": self,
            "figures": list(figures(self, definition)),
            "drawings": list(drawings(self, definition, mechanism, seed)),
            "lines": list(tell(self, definition)),
            "call": call or f"establish.audit({name}, ..., seed={seed})  # {definition}",
        }
        one_file.write(page, "audit.html", content)


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
    progress: Callable[[float], None] | None = None,
) -> Audited:
    """Look for neighbors and an event on which ``mechanism`` breaks ``definition``.

    The arguments are those of :func:`establish.proofs_check.audit.ask.audit`; progress: told which share is
    done, in place of a bar on a terminal or in a notebook. Raises AuditError, a ParameterError.
    """
    asked = dict(locals())
    with share_bar("auditing") as bar:
        found = answered(**asked | {"progress": progress or bar})
    own = {each.name: getattr(found, each.name) for each in fields(AuditResult)}
    return Audited(**own, asked=(mechanism, definition, seed))
