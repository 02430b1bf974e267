"""``establish release``: tables with noise in place of confidential numbers, by three commands."""

from __future__ import annotations

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
No true count is ever written or printed. Beside every output a record says what was done, what it
satisfies and what that rests on; establish verify reads it.

\b
What a release would cost, without one: establish budget PLAN tells the cost, the mechanisms, the expected
errors and what is left; for one table establish compare tells the errors, and establish budget --ledger
what was spent. They draw and write nothing, and read no confidential data unless they are asked to.
"""


class _ThreeCommands(TyperGroup):
    """Refuses the call of earlier versions, which named no command, and prints the new one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if _names_no_command(args, self.list_commands(ctx)):
            words = [word.removeprefix("--plan=") for word in args if word != "--plan"]
            told = shlex.join(["establish", "release", _meant(args), *words])
            raise Misuse(f"release needs to know what it releases: {told}")
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
