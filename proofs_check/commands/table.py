"""The table of settled claims, by source and section, and the counts below it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from establish.proofs_check.commands.terminal import one_line, plain_table, shortened
from establish.proofs_check.engine.readings import EXTENTS
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import ORIGINS
from establish.proofs_check.engine.sections import section, section_order
from establish.proofs_check.engine.verdicts import NOT_RUN, Grade, Outcome

STYLES: dict[str, str] = {
    Outcome.HOLDS: "green",
    Outcome.HOLDS_LOOSELY: "cyan",
    Outcome.FAILS: "bold red",
    Outcome.ILL_POSED: "magenta",
    Outcome.MISPRINT: "yellow",
    Outcome.NOT_CHECKABLE: "dim",
    Outcome.UNSETTLED: "reverse red",
    NOT_RUN: "dim",
}
"""The color of each verdict on a terminal; the word alone says the same."""


def in_short(record: Record) -> str:
    """The tight value or the counterexample in one line, whichever the verdict turns on; a value that rests
    on less than the verdict does begins with its own grade.
    """
    wrong = (Outcome.FAILS, Outcome.ILL_POSED, Outcome.MISPRINT)
    first = record.counterexample if record.verdict in wrong else record.value
    weaker = record.value_evidence == Grade.STEPS != record.evidence
    value = f"{Grade.STEPS}: {record.value}" if record.value and weaker else record.value
    first = value if first == record.value else first
    return one_line(first or value or record.counterexample or record.condition)


def print_table(console: Console, records: Sequence[Record]) -> None:
    """One table per source, in the order of ``records``, with a heading per section.

    Each claim takes one line: ids and verdicts are never cut, statements and results may be.
    """
    for source, group in groupby(records, key=lambda record: record.source):
        table = plain_table()
        table.add_column(f"{source}/", no_wrap=True)
        table.add_column("statement")
        table.add_column("verdict", no_wrap=True)
        table.add_column("evidence", no_wrap=True)
        table.add_column("result")
        table.add_column("sec", no_wrap=True, justify="right")
        for place, rows in groupby(
            sorted(group, key=lambda r: section_order(r.location)), key=lambda r: section(r.location)
        ):
            table.add_row(Text(place, style="bold underline"))
            for record in rows:
                table.add_row(
                    Text(f"  {record.id.partition('/')[2]}"),
                    shortened(record.statement),
                    Text(record.verdict, style=STYLES[record.verdict]),
                    Text(record.evidence or "-"),
                    shortened(in_short(record)),
                    Text(f"{record.seconds:.2f}"),
                )
        console.print(table)
        console.print()


def counts(records: Iterable[Record]) -> str:
    """How many claims by verdict, a line for each origin, and by evidence grade; below the printed ones, of
    how many the objects are the printed sentence.
    """
    records = list(records)
    grades = Counter(record.evidence or "none" for record in records)
    verdicts = {origin: Counter(r.verdict for r in records if r.origin == origin) for origin in ORIGINS}
    extents = Counter(EXTENTS[r.compared] for r in records if r.compared)
    lines = [(o, [*map(str, Outcome), NOT_RUN], found) for o, found in verdicts.items() if found]
    if extents:
        lines.insert(1, ("  checked", list(dict.fromkeys(EXTENTS.values())), extents))
    lines.append(("by evidence", [*(str(grade) for grade in Grade), "none"], grades))
    return "\n".join(
        f"{title + ':':13}" + ", ".join(f"{count[name]} {name}" for name in names if count[name])
        for title, names, count in lines
    )
