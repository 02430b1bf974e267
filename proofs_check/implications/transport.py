"""Shipping integer supplies to integer demands over allowed pairs: maximum flow, exactly."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Shipment:
    """amounts: what goes from a source to a sink. stuck: empty when all supply is shipped.

    Otherwise the sources in ``stuck`` supply more than all sinks that they may use demand together.
    """

    amounts: dict[tuple[int, int], int]
    stuck: frozenset[int]


def ship(supply: Sequence[int], demand: Sequence[int], allowed: Sequence[Sequence[int]]) -> Shipment:
    """A largest shipment, by augmenting paths; ``allowed[i]`` lists the sinks of source i."""
    left, open_ = list(supply), list(demand)
    amounts: dict[tuple[int, int], int] = {}
    users: list[set[int]] = [set() for _ in demand]

    def add(i: int, j: int, amount: int) -> None:
        amounts[i, j] = amounts.get((i, j), 0) + amount
        if amounts[i, j]:
            users[j].add(i)
        else:
            del amounts[i, j]
            users[j].discard(i)

    for i, sinks in enumerate(allowed):
        for j in sinks:
            if amount := min(left[i], open_[j]):
                add(i, j, amount)
                left[i], open_[j] = left[i] - amount, open_[j] - amount

    while True:
        came: dict[int, tuple[int, int] | None] = {i: None for i, rest in enumerate(left) if rest}
        queue, seen, end = deque(came), set[int](), None
        while queue and end is None:
            i = queue.popleft()
            for j in allowed[i]:
                if j in seen:
                    continue
                seen.add(j)
                if open_[j]:
                    end = (i, j)
                    break
                for user in users[j]:
                    if user not in came:
                        came[user] = (i, j)
                        queue.append(user)
        if end is None:
            return Shipment(amounts, frozenset(came))
        path: list[tuple[int, int]] = [end]
        back: list[tuple[int, int]] = []
        source = end[0]
        while (step := came[source]) is not None:
            back.append((source, step[1]))
            path.append(step)
            source = step[0]
        amount = min([left[source], open_[end[1]], *(amounts[pair] for pair in back)])
        for i, j in path:
            add(i, j, amount)
        for i, j in back:
            add(i, j, -amount)
        left[source], open_[end[1]] = left[source] - amount, open_[end[1]] - amount
