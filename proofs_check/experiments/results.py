"""The numbers of an experiment on disk: Parquet in full, and text of six digits that can be compared."""

import csv
import gzip
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from hashlib import sha256
from importlib.resources import files
from math import isclose, isnan
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

Row = TypeVar("Row")


class RecordError(Exception):
    """A recorded file of numbers is not the one that was recorded."""


def text_of(rows: Sequence[Any]) -> str:
    """The rows, all of one dataclass, as CSV; numbers with six digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([field.name for field in fields(rows[0])])
    writer.writerows([_text(value) for value in asdict(row).values()] for row in rows)
    return out.getvalue()


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


_READ: dict[type, Callable[[str], object]] = {str: str, int: int, float: float, bool: "True".__eq__}


def rows_of(text: str, kind: type[Row]) -> list[Row]:
    """The rows of ``text_of``, of the dataclass ``kind`` with fields of str, int, float and bool."""
    types = {name: _READ[of] for name, of in get_type_hints(kind).items()}
    found = csv.DictReader(io.StringIO(text))
    return [kind(**{name: types[name](value) for name, value in row.items()}) for row in found]


def agree(one: Any, other: Any, tolerance: float = 1e-5) -> bool:
    """Whether two rows of one dataclass agree: floats to 5 digits or to ``tolerance``, NaN with NaN."""
    return all(
        (isnan(a) and isnan(b)) or isclose(a, b, rel_tol=1e-5, abs_tol=tolerance)
        if isinstance(a, float)
        else a == b
        for a, b in zip(asdict(one).values(), asdict(other).values(), strict=True)
    )


def digest(text: str) -> str:
    """SHA-256 of the text."""
    return sha256(text.encode("utf-8")).hexdigest()


def recorded(name: str, expected: str) -> str:
    """The text of a file of numbers that travels with the package, compressed (``gzip -9n NAME``).

    Raises RecordError unless its digest is ``expected``, by which the numbers belong to whoever names it.
    """
    home = files("establish.proofs_check.experiments").joinpath("recorded", f"{name}.gz")
    text = gzip.decompress(home.read_bytes()).decode("utf-8")
    if digest(text) != expected:
        raise RecordError(f"recorded/{name} has the digest {digest(text)} instead of {expected}")
    return text


def write_parquet(rows: Sequence[Any], path: Path) -> None:
    """The rows, all of one dataclass, with one column a field."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [field.name for field in fields(rows[0])]
    pq.write_table(pa.table({name: [getattr(row, name) for row in rows] for name in names}), path)


def write_points(points: Sequence[Mapping[str, object]], path: Path) -> None:
    """What a figure shows, as CSV beside it; numbers in full."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(points[0]))
        writer.writeheader()
        writer.writerows(points)
