"""What every mechanism says of itself, and when two are the same."""

import html
from collections.abc import Mapping
from typing import Any, Self, cast


class Described:
    """A mechanism that prints its class and parameters. Two are equal when these and their scopes are."""

    calibration: Any
    parameters: Any
    """The exact parameters by name, as records write them."""
    scope: Any
    expected_error: Any

    @classmethod
    def again(cls, given: Mapping[str, Any], calibration: str, *, cells_given: bool) -> Self:
        """The mechanism whose ``parameters`` are ``given``. cells_given: for those of earnings.

        Raises what parameters that are none make of it.
        """
        kind: Any = cls
        return cast(Self, kind(**given, calibration=calibration))

    def _identity(self) -> tuple[Any, ...]:
        return type(self), self.calibration, self.parameters, self.scope

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Described) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(str(self._identity()))

    def __repr__(self) -> str:
        shown = [f"{name} = {value}" for name, value in self.parameters.items() if isinstance(value, str)]
        return f"{type(self).__name__}({', '.join(shown)}; {self.calibration} calibration)"

    def _repr_html_(self) -> str:
        errors: Mapping[str, str] = self.expected_error
        lines = [repr(self), *(f"{name}: {text}" for name, text in errors.items())]
        text = html.escape("\n".join(lines))
        return f'<pre style="white-space: pre-wrap">{text}</pre>'
