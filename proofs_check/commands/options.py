"""How every command of ours reads its options."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from establish.proofs_check.engine.misuse import Misuse

Force = Annotated[bool, typer.Option("--force", help="Replace an existing output.")]

_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
_DECIMAL = re.compile(_WHOLE.pattern + r"(\.[0-9]{1,40})?")


class OnceEach(TyperCommand):
    """A command that refuses an option given twice, where only one value could be used.

    It refuses as well an empty value, one with a NUL, "-" for a file where no stream is meant, and a number
    that is written otherwise than in the digits 0 to 9.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        texts, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, times in Counter(order).items():
            if times > 1 and parameter.param_type_name == "option" and not parameter.multiple:
                raise Misuse(f"{_shown(parameter)} is given {times} times: give it once")
            text = texts.get(parameter.name or "")
            words = text if isinstance(text, list | tuple) else [text]
            if "" in words:
                raise Misuse(f"{_shown(parameter)} is empty: give it a value")
            if any(isinstance(word, str) and "\0" in word for word in words):
                raise Misuse(f"{_shown(parameter)} holds the character NUL, which no name or value may")
            if "-" in words and parameter.type.name == "path":
                raise Misuse(
                    f"{_shown(parameter)} = - is not a file: standard input and output are not used here"
                )
        try:
            rest = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            wrong: Any = error.param
            text = texts.get(wrong.name) if wrong else None
            if not isinstance(text, str):
                raise
            _require_digits(wrong, wrong.default, texts)
            raise Misuse(f"{_shown(wrong)} = {text}: {error.message}") from None
        for parameter in self.params:
            _require_digits(parameter, ctx.params.get(parameter.name), texts)
        return rest


def _require_digits(parameter: Any, like: object, texts: Mapping[str, Any]) -> None:
    """Raise Misuse when the text given for a number such as ``like`` is not written in plain digits.

    inf is one where the help of the option says what it means.
    """
    text = texts.get(parameter.name or "")
    if not isinstance(text, str) or isinstance(like, bool):
        return
    if isinstance(like, int) and not _WHOLE.fullmatch(text):
        raise Misuse(f"{_shown(parameter)} = {text} is not a whole number: write it in the digits 0 to 9")
    endless = text == "inf" and "inf:" in (parameter.help or "")
    if isinstance(like, float) and not endless and not _DECIMAL.fullmatch(text):
        raise Misuse(f"{_shown(parameter)} = {text} is not a number: write it as 20 or 0.5")


def _shown(parameter: Any) -> str:
    """An option by its long name, an argument by the name that the help gives it."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper())


def application(add_completion: bool = False, **settings: Any) -> typer.Typer:
    """An empty command line whose options are read as those of all commands."""
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        add_completion=add_completion,
        **settings,
    )


def ids_like(incomplete: str) -> list[str]:
    """The ids of claims that a shell may complete ``incomplete`` to: all, or a source first."""
    from establish.proofs_check.engine.ledger import recorded

    ids = [id for id in recorded() if id.startswith(incomplete)]
    if "/" in incomplete:
        return ids
    return sorted({id.split("/")[0] + "/" for id in ids})
