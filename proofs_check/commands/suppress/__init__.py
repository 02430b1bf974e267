"""``establish suppress``: what suppressed cells give away, with proofs, by three commands."""

from __future__ import annotations

from establish.proofs_check.commands.manners import OnceEach, application
from establish.proofs_check.commands.suppress import audit, plan, verify

app = application(help="Audit, verify and plan cell suppression.")
app.command("audit", cls=OnceEach, help=audit.HELP)(audit.suppress_audit)
app.command("verify", cls=OnceEach, help=verify.HELP)(verify.suppress_verify)
app.command("plan", cls=OnceEach, help=plan.HELP)(plan.suppress_plan)
