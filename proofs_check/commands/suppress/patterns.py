"""What ``establish suppress plan`` prints."""

from establish.proofs_check.api.suppress_plan import SuppressionPlan
from establish.proofs_check.commands.suppress.report import say


def tell_pattern(planned: SuppressionPlan) -> None:
    """What the pattern costs, that it is proved, and what statuses settled."""
    for line in planned.lines():
        say(line)
    given = planned.given
    if given.published or given.suppressed:
        published, suppressed = len(given.published), len(given.suppressed)
        say(f"by status, {published} cells are published and {suppressed} stay suppressed")
    if planned.bare:
        say(
            f"{len(planned.bare)} cells of status u have no protection level, so nothing is proved about "
            f"them; an attacker knows {planned.exposed} of them exactly"
        )
