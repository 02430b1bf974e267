"""How a published table is laid out in its file, and what an attacker on it is taken to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from establish.spec.parameters import ParameterError, Rational, exact

Cell = tuple[str, ...]
"""A cell by its labels, one for each label column."""

FORCED = "z"
"""The status of a cell that must be published."""

PUBLISHED, SUPPRESSED = ("s", FORCED), ("u", "m", "N")
"""The letters of a status column: those of Tau-Argus, and N of the Bureau of Labor Statistics."""

DASH = "-"
"""A status that is read as the attacker's convention says."""


@dataclass(frozen=True)
class Layout:
    """The columns of a table of cells.

    by: label columns. totals: the label of the total, by label column. hierarchies: pairs of a label column
    and ``flat``, ``prefix``, ``naics`` or the path of a file; a column may have several. The others name
    columns: value; status; dash, ``unknown`` or ``zero``, is what a status "-" means, "" where none is
    possible; count of
    establishments; lower and upper bounds that the attacker knows; true, the values of all cells; lpl and
    upl, how far below and above the true value the attacker must be left; spl, how wide an interval;
    contributions, the largest ones, largest first; cost, of suppressing a cell.
    """

    by: tuple[str, ...]
    value: str
    totals: Mapping[str, str] = field(default_factory=dict)
    hierarchies: tuple[tuple[str, str], ...] = ()
    status: str = ""
    dash: str = "unknown"
    count: str = ""
    lower: str = ""
    upper: str = ""
    true: str = ""
    lpl: str = ""
    upl: str = ""
    spl: str = ""
    contributions: tuple[str, ...] = ()
    cost: str = ""

    def __post_init__(self) -> None:
        if not self.by or len(set(self.by)) != len(self.by):
            raise ParameterError(f"by = {','.join(self.by)} must name one or more columns, each once")
        for name in (*self.totals, *(column for column, _ in self.hierarchies)):
            if name not in self.by:
                raise ParameterError(f"{name} is not one of the label columns {', '.join(self.by)}")
        if self.dash not in ("unknown", "zero", ""):
            raise ParameterError(f"dash = {self.dash} is not unknown or zero")

    def record(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)

    def named(self, cell: Cell) -> str:
        """``region=North, industry=Retail``."""
        return ", ".join(f"{n}={label}" for n, label in zip(self.by, cell, strict=True))


def assumed(layout: Layout, attacker: Attacker) -> str:
    """All that is taken for granted of an attacker on a table, in the words of the options."""
    said = [attacker.words]
    said += [f"dash={layout.dash}"] if layout.status and layout.dash else []
    said += [f"knows {layout.named(cell)}" for cell in attacker.knows]
    return "; ".join(said)


def require_columns_of(layout: Layout, attacker: Attacker) -> None:
    """Raises ParameterError where the attacker knows what no column says."""
    if attacker.bounds and not (layout.lower or layout.upper):
        raise ParameterError("attacker = bounds needs a column of bounds: lower or upper")
    if attacker.counts and not layout.count:
        raise ParameterError("attacker = counts needs a column count")


def hierarchy_files(layout: Layout) -> list[Path]:
    """The files among the hierarchies: everything with a dot in its name."""
    return [Path(spec) for _, spec in layout.hierarchies if "." in spec]


WORDS = ("sums", "nonnegative", "integers", "counts", "bounds", "box")
"""What an attacker may be said to know without a number."""

NEIGHBORS = ("random", "controlled")
"""Roundings to one of the two multiples of the base around a value."""


@dataclass(frozen=True)
class Attacker:
    """What is known beside the published cells and the sums.

    nonnegative: that values are at least 0. integers: that they are whole. counts: that a cell of 0
    establishments is 0. bounds: the columns lower and upper. box: that values lie between the smallest and
    the largest true value of the table, as Tau-Argus assumes. within: every true value to ±within%.
    rounding: that published values are rounded to multiples of the base: ``nearest``, halves either way, to
    any base above 0; or to one of the two neighbors, multiples to themselves, at ``random`` or ``controlled``
    so that sums hold; this leaves out ±base only for whole values, so it needs ``integers``. knows: cells
    whose true values the attacker knows, one for the owner of a one-establishment cell, two for a coalition.
    Raises ParameterError for a rounding to neighbors without ``integers``.
    """

    nonnegative: bool = False
    integers: bool = False
    counts: bool = False
    bounds: bool = False
    box: bool = False
    within: Fraction | None = None
    rounding: str = ""
    base: int | Fraction = 0
    knows: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if self.rounding in NEIGHBORS and not self.integers:
            raise ParameterError(
                f"attacker = {self.rounding}:{self.base} needs integers: values that are whole numbers"
            )

    @property
    def rounded(self) -> bool:
        """Whether published values are not the true ones."""
        return bool(self.base)

    @property
    def words(self) -> str:
        """The text that :func:`attacker` reads, but for the cells that are known."""
        said = [word for word in WORDS if getattr(self, word, False)]
        said += [f"within:{self.within}"] if self.within is not None else []
        said += [f"{self.rounding}:{self.base}"] if self.base else []
        return ",".join(said) or "sums"

    def record(self) -> dict[str, Any]:
        """The same as plain data."""
        found = asdict(self)
        found["within"] = None if self.within is None else str(self.within)
        found["base"] = int(self.base) if self.base == int(self.base) else str(self.base)
        return found

    def __str__(self) -> str:
        said = ["knows the published cells and which cells add up"]
        said += ["that values are at least 0"] if self.nonnegative else []
        said += ["that values are whole numbers"] if self.integers else []
        said += ["that a cell without establishments is 0"] if self.counts else []
        said += ["the bounds that the table gives"] if self.bounds else []
        said += ["the smallest and the largest value of the table"] if self.box else []
        said += [f"every value to ±{self.within}%, rounded outward"] if self.within is not None else []
        said += [f"that values are rounded ({self.rounding}) to base {self.base}"] if self.base else []
        said += [f"the true value of {len(self.knows)} cells"] if self.knows else []
        return "; ".join(said)


def attacker(text: str, knows: tuple[Cell, ...] = ()) -> Attacker:
    """``sums``, or words from WORDS, ``within:Q``, and ``nearest:B``, ``random:B`` or ``controlled:B``.

    Raises ParameterError for another text.
    """
    given: dict[str, Any] = {}
    for word in text.split(","):
        name, _, number = word.strip().partition(":")
        if name in WORDS and not number:
            given |= {} if name == "sums" else {name: True}
        elif name == "within":
            given[name] = _positive(name, number)
        elif name in ("nearest", *NEIGHBORS):
            given |= {"rounding": name, "base": _base(word.strip(), name, number)}
        else:
            raise ParameterError(
                f"attacker = {word.strip()} is not one of {', '.join(WORDS)}, within:Q, nearest:B, "
                "random:B, controlled:B"
            )
    return Attacker(**given, knows=knows)


def _base(word: str, rule: str, number: str) -> int | Fraction:
    """The base of a rounding: any number above 0 for ``nearest``, else a whole number of at least 2."""
    try:
        base = _positive("base", number)
    except ParameterError:
        allowed = "a number greater than 0" if rule == "nearest" else "a whole number of at least 2"
        raise ParameterError(f"attacker = {word}: the base {number or 'B'} must be {allowed}") from None
    if rule != "nearest" and (base < 2 or base.denominator > 1):
        times = next((10**k for k in range(1, 19) if base * 10**k >= 2 and base * 10**k % 1 == 0), 0)
        rescale = f": multiply every value by {times} where that makes true values whole, and say "
        raise ParameterError(
            f"attacker = {word}: the base {number} must be a whole number of at least 2"
            + (f"{rescale}{rule}:{base * times}" if base.denominator > 1 and times else "")
        )
    return base if base.denominator > 1 else base.numerator


def _positive(name: str, value: Rational) -> Fraction:
    number = exact(name, value)
    if number <= 0:
        raise ParameterError(f"{name} = {value} is not allowed: it must be greater than 0")
    return number
