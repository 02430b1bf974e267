"""How every command of ours reads its options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from establish.spec.parameters import ParameterError


class OnceEach(TyperCommand):
    """A command that refuses an option given twice, where only one value could be used."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, times in Counter(order).items():
            if times > 1 and parameter.param_type_name == "option" and not parameter.multiple:
                name = max(parameter.opts, key=len)
                raise typer.BadParameter(f"{name} is given {times} times: give it once", ctx)
        return super().parse_args(ctx, args)


def application(**settings: Any) -> typer.Typer:
    """An empty command line with the manners of ours."""
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        add_completion=False,
        **settings,
    )


def require_one_of(name: str, value: str, allowed: Collection[str]) -> None:
    """Raise ParameterError, before anything heavy is loaded, for a value that is not allowed."""
    if value not in allowed:
        raise ParameterError(f"{name} = {value} is not known: use one of {', '.join(allowed)}")


def require_there(argument: str, path: Path, *, folder: bool = False) -> None:
    """Raise ParameterError, before anything heavy is loaded, unless ``path`` is a file.

    folder: whether a folder will do, too.
    """
    if not (path.exists() if folder else path.is_file()):
        raise ParameterError(f"{argument} = {path} is not a file")
