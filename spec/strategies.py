"""Hypothesis's strategies, which are imported when the first is made: who releases a table makes none."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypothesis.strategies import *  # noqa: F403


def __getattr__(name: str) -> Any:
    from hypothesis import strategies

    return getattr(strategies, name)
