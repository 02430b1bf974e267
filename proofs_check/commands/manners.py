"""How every command of ours reads its options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand


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
