"""Which columns of a table are published: each is the count, kept or dropped before anything is spent.

A column of digits may be a code or a confidential number, and a text may carry one, as ``1840 jobs`` does:
nobody but whoever releases can tell. So only texts without a number are taken for labels, and every other
column must be named.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from establish.impl.tables.names import shown_names
from establish.spec.parameters import ParameterError

_NUMBER_WORDS = re.compile(
    r"zero|one|two|twelve|three|four|five|six|seven|eight|nine|ten|eleven|(thir|four|fif|six|seven|eigh|nine)"
    r"teen|(twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion|dozen"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"[\d.,+-]+")


def carries_number(text: str) -> bool:
    """Whether a text has a numeric character of any script, or is a number in English words."""
    if any(character.isnumeric() for character in text):
        return True
    words = [word for word in _LETTERS.findall(text.casefold()) if word != "and"]
    return bool(words) and all(map(_NUMBER_WORDS.fullmatch, words))


def are_labels(texts: Iterable[str]) -> bool:
    """Whether a column of these texts is one of labels for sure: some are not empty, none has a number."""
    filled = [text for text in texts if text]
    return bool(filled) and not any(map(carries_number, filled))


@dataclass(frozen=True)
class Asked:
    """What was said of a table. count, largest: confidential columns. keep, drop: to be published, and not.

    public: columns that a condition may read even where they are dropped; establishments: one more, with
    the number of establishments in each cell. drop_others: whether all columns that are not named are
    dropped, so that ``keep`` lists all that is published. where: the condition that chooses rows. disjoint:
    whether no row is a total of others, whatever its label.
    """

    count: str
    largest: str | None = None
    keep: Sequence[str] = ()
    drop: Sequence[str] = ()
    public: Sequence[str] = ()
    establishments: str | None = None
    drop_others: bool = False
    where: str | None = None
    disjoint: bool = False

    @property
    def readable(self) -> tuple[str, ...]:
        """What a condition may read whatever becomes of it."""
        return (*self.public, *([] if self.establishments is None else [self.establishments]))

    @property
    def confidential(self) -> tuple[str, ...]:
        return (self.count,) if self.largest is None else (self.count, self.largest)


@dataclass(frozen=True)
class Columns:
    """The columns of a table, settled. kept: labels; hidden: those that a condition may not read."""

    count: str
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    hidden: tuple[str, ...]
    published: tuple[str, ...]
    """The labels and the count, in the order of the file."""


def settled(
    columns: Sequence[str], is_label: Callable[[str], bool], asked: Asked, *, strict: bool
) -> Columns:
    """What becomes of each of ``columns``.

    is_label: whether a column is of labels for sure; it is asked of columns that are not named. strict:
    whether labels must be named, too, as in production. Raises ParameterError for a column that is not there
    or named for two things, and for those that could be either, with the options that settle them.
    """
    _require_consistent(columns, asked)
    named = {*asked.confidential, *asked.keep, *asked.drop}
    labels = {c for c in columns if c not in named and not strict and not asked.drop_others and is_label(c)}
    named |= {*labels, *asked.readable}
    undecided = [] if asked.drop_others else [c for c in columns if c not in named]
    if undecided:
        raise ParameterError(_undecided(columns, undecided, strict=strict))
    kept = tuple(c for c in columns if c in labels or c in asked.keep)
    dropped = tuple(c for c in columns if c not in (*kept, *asked.confidential))
    hidden = (*asked.confidential, *(c for c in dropped if c not in asked.readable))
    return Columns(asked.count, kept, dropped, hidden, tuple(c for c in columns if c in (*kept, asked.count)))


def _undecided(columns: Sequence[str], undecided: Sequence[str], *, strict: bool) -> str:
    """What to type. A name is told, as the first line has the count's, but for one that is a number."""
    numbers = {c: f"(column {columns.index(c) + 1})" for c in undecided if _NUMBER.fullmatch(c)}
    told = [numbers.get(c, c) for c in undecided]
    typed = [c for c in undecided if c not in numbers]
    one = len(told) == 1
    listed = f"column {told[0]}" if one else f"columns {', '.join(told[:-1])} and {told[-1]}"
    why = f"could be {'a label or a confidential number' if one else 'labels or confidential numbers'}"
    if strict:
        why = f"{'is' if one else 'are'} not named, and in production every column must be"
    them = "it" if one else "them"
    return (
        f"{listed} {why}; no budget is spent: publish {them} with {_options('--keep', typed)}, leave {them} "
        f"out with {_options('--drop', typed)}, or leave out every column that you do not name with "
        "--drop-others"
    )


def _options(option: str, columns: Sequence[str]) -> str:
    return shlex.join(word for column in columns for word in (option, column)) or f"{option} COLUMN"


def _require_consistent(columns: Sequence[str], asked: Asked) -> None:
    """Raises ParameterError for a column that is not there, or named for two things."""
    if asked.establishments is not None and asked.establishments not in (
        others := [c for c in columns if c not in asked.confidential]
    ):
        raise ParameterError(
            f"--establishments = {asked.establishments} is not a public column; the columns are "
            f"{shown_names(others)}"
        )
    named = [("--count", asked.count)]
    named += [("--keep", c) for c in asked.keep]
    named += [("--drop", c) for c in asked.drop]
    named += [("--public", c) for c in asked.public]
    if asked.largest is not None:
        named.append(("--largest", asked.largest))
    for option, column in named:
        if column not in columns:
            raise ParameterError(
                f"{option} = {column} is not a column; the columns are {shown_names(columns)}"
            )
    if asked.count == asked.largest:
        raise ParameterError(f"--largest = {asked.largest} is the count column: leave --largest out")
    for option, column in named:
        if option == "--keep" and column in asked.confidential:
            raise ParameterError(f"--keep = {column} is confidential and cannot be kept")
        if option == "--public" and column in asked.confidential:
            raise ParameterError(f"--public = {column} is what is protected: it is not public")
        if option == "--drop" and column in asked.confidential:
            raise ParameterError(f"--drop = {column} is what is protected: its noisy counts are published")
        if option == "--drop" and column in asked.keep:
            raise ParameterError(f"--drop = {column} is named by --keep, too: leave one out")
