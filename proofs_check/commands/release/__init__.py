"""``establish release``: tables with noise in place of confidential numbers, by three commands."""

import shlex
from typing import Any

from typer.core import TyperGroup

from establish.proofs_check.commands.options import OnceEach, application
from establish.proofs_check.commands.release import counts, earnings, plan
from establish.proofs_check.engine.misuse import Misuse

HELP = """Release counts with noise, protected percentiles of earnings, or a whole plan.

\b
Examples:
  establish release counts cells.csv --mechanism log-laplace --alpha 1/10 --epsilon 2 \\
      --count jobs --out noisy.csv
  establish release earnings people.csv --mechanism histogram-percentiles --epsilon 1 \\
      --earnings earnings --cell college --out percentiles.csv
  establish release plan plan.toml --out published

\b
No true count is ever written or printed. Each output comes with a record, which states what was done, which
privacy definition the release satisfies, and which claims prove it. establish verify checks the record.

\b
To see the cost before a release: establish budget PLAN shows the cost, the mechanisms, the expected errors
and the budget left. For one table, establish compare shows the errors, and establish budget --ledger shows
what has been spent. These commands draw no noise and write nothing. They read confidential data only if you
ask for it.
"""


class _ThreeCommands(TyperGroup):
    """Refuses a call that names no command, and prints the one that is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if _names_no_command(args, self.list_commands(ctx)):
            words = [word.removeprefix("--plan=") for word in args if word != "--plan"]
            told = shlex.join(["establish", "release", _meant(args), *words])
            raise Misuse(f"say what to release, counts, earnings or a plan: {told}")
        return super().parse_args(ctx, args)


def _names_no_command(args: list[str], commands: list[str]) -> bool:
    """Whether the call starts with a file, or with an option of one of the commands."""
    if not args or args[0] in commands:
        return False
    first = args[:1] if not args[0].startswith("-") else args
    return any("." in word for word in first)


def _meant(args: list[str]) -> str:
    """The command that a call without one means."""
    if any(word.lower().endswith(".toml") for word in args):
        return "plan"
    named = {*earnings.NAMES, "--earnings"}
    words = {part for word in args for part in word.split("=")}
    return "earnings" if named & words else "counts"


app = application(cls=_ThreeCommands, help=HELP)
app.command("counts", cls=OnceEach, help=counts.HELP)(counts.release_counts)
app.command("earnings", cls=OnceEach, help=earnings.HELP)(earnings.release_earnings)
app.command("plan", cls=OnceEach, help=plan.HELP)(plan.release_plan)
