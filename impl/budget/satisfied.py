"""What one query of counts satisfies under its plan's definition, in the words of the record."""

from establish.impl.guarantee import Guarantee
from establish.spec.composition import Definition, Loss

CHOSEN = (
    "A worker with several jobs keeps the one at the first workplace, and the guarantee is about the tables "
    "after that choice: before it, a change at one establishment may move jobs to others, which no claim "
    "here covers."
)
"""Said in the record where that choice was made."""

_SCOPE = (
    "The workplaces, their attributes and the lists of values are taken as public. Over several queries, and "
    "over several releases, the privacy losses compose as the plan's cost says."
)


def satisfied(definition: Definition, loss: Loss, *, chosen: bool) -> Guarantee:
    """The mechanism alone only knows what one count satisfies, and not of which workers it is.

    chosen: whether workers with several jobs keep the first one.
    """
    cells = "all cells of the query together"
    choice = ", each worker keeping the job at the first workplace" if chosen else ""
    return Guarantee(f"{definition}, {loss}", cells + choice, _SCOPE)
