"""What ``establish suppress plan`` prints."""

from __future__ import annotations

from establish.proofs_check.api.suppress_plan import SuppressionPlan
from establish.proofs_check.commands.suppress.report import say


def tell_pattern(planned: SuppressionPlan) -> None:
    """What the pattern costs, that it is proved, and what statuses settled."""
    for line in planned.lines():
        say(line)
    given = planned.given
    if given.published or given.suppressed:
        say(
            f"by their status {len(given.published)} cells are published and {len(given.suppressed)} stay "
            "suppressed"
        )
    if planned.bare:
        say(
            f"{len(planned.bare)} cells of status u have no protection level, so nothing is proved of them; "
            f"an attacker knows {planned.exposed} of them exactly"
        )
