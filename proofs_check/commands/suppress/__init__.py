"""``establish suppress``: what suppressed, rounded and noisy cells give away, with proofs."""

from establish.proofs_check.commands.options import OnceEach, application
from establish.proofs_check.commands.suppress import audit, noise, plan, verify

HELP = """Audit, verify and plan cell suppression; audit rounded, merged and noisy tables.

\b
Examples:
  establish suppress audit cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --status status
  establish suppress verify out.certificate cells.csv
  establish suppress plan cells.csv --by region,industry --total region=All --total industry=All \\
      --value jobs --contributions first,second --rule p:10 --out pattern.csv
"""

app = application(help=HELP)
app.command("audit", cls=OnceEach, help=audit.HELP)(audit.suppress_audit)
app.command("verify", cls=OnceEach, help=verify.HELP)(verify.suppress_verify)
app.command("plan", cls=OnceEach, help=plan.HELP)(plan.suppress_plan)
app.command("noise", cls=OnceEach, help=noise.HELP)(noise.suppress_noise)
