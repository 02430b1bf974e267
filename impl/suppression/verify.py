"""Re-check a certificate of intervals, without a solver: ``python verify.py CERTIFICATE TABLE...``.
Sums come from the table and its hierarchies; ends must follow from the sums listed, and be reached."""

import csv
import gzip
import hashlib
import json
import re
import sys
from fractions import Fraction
from math import ceil, floor, inf, isinf
from pathlib import Path
from typing import Any


class Refused(Exception):
    """The certificate does not prove what it says."""


def number(text: Any) -> Any:
    """An exact number, None for an empty field. Refused for one that is too long to read."""
    text = "" if text is None else str(text).strip()
    if len(text) > 4000 or not text.isascii() or re.search("[eE][+-]?[0-9_]{4}|/[0_]*$", text):
        raise Refused("a number is too long, divides by 0, or is not in plain digits")
    value = Fraction(text) if text else None
    return value.numerator if value is not None and value.denominator == 1 else value


def csv_rows(path: Path) -> Any:
    """The rows of a CSV file, as texts by column."""
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


def jj_rows(path: Path) -> tuple[list[dict[str, Any]], list[tuple[dict[int, int], Any]]]:
    """The cells of a JJ file as rows, and its sums: factors by place, and what they add up to."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    names = ("cell", "value", "weight", "status", "lb", "ub", "lpl", "upl", "spl")
    rows = [dict(zip(names, r.split(), strict=True)) for r in lines[2 : 2 + int(lines[1])]]
    place, terms = {r["cell"]: k for k, r in enumerate(rows)}, r"(\d+)\s*\(\s*([+-]?\d+)\s*\)"
    sums = [(line.split()[0], re.findall(terms, line)) for line in lines[3 + len(rows) :]]
    return rows, [({place[p]: int(f) for p, f in pairs}, number(b)) for b, pairs in sums]


SPANS = {str(n): f"{a}-{b}" for a, b in ((31, 33), (44, 45), (48, 49)) for n in range(a, b + 1)}
GROUPS = "1011 11 21,1012 23,1013 31-33,1021 22 42 44-45 48-49,1022 51,1023 52 53,1024 54 55 56,1025 61 62,"
GROUPS += "1026 71 72,1027 81,1028 92,1029 99"
SUPER = {sector: group.split()[0] for group in GROUPS.split(",") for sector in group.split()[1:]}


def codes_of(rule: str, label: str, total: str) -> tuple[str | None, ...]:
    """The codes from everything, None, down to what a label names by a rule of adding up; () for no code."""
    if rule in ("flat", "prefix") and label != total:
        return (None, *(label[:k] for k in range(1, len(label)) if rule == "prefix"), label)
    if rule in ("flat", "prefix") or (rule, label) in (("qcew", "10"), ("cbp", "------"), ("fips", "US000")):
        return (None,)
    if rule == "fips":
        state, county = label[:2], label[2:].replace("000", "")
        area = re.fullmatch("(?!00)([0-9]{2}|[0-9]{5})", label)
        return ((None,) * (state <= "56") + (state,) + (label,) * bool(county)) * bool(area)
    if rule == "qcew" and label in ("101", "102", *SUPER.values()):
        return (None, label[:3], label)[: len(label) - 1]
    if rule == "cbp":
        digits = label.rstrip("-/")
        if "-" in digits or label != digits.ljust(6, "-" if len(digits) == 2 else "/"):
            return ()
        label = {"31": "31-33", "44": "44-45", "48": "48-49"}.get(digits, digits)
    sector = SPANS.get(label[:2], label[:2])
    known = sector in SUPER or (rule, sector) == ("cbp", "95")
    if not known or not re.fullmatch(f"{sector}|[0-9]{{3,6}}", label):
        return ()
    high = codes_of(rule, SUPER[sector], "")[1:] if rule == "qcew" else ()
    return (None, *high, sector, *(label[:k] for k in range(3, len(label) + 1) if label != sector))


def parents(spec: str, labels: list[str], total: str) -> dict[str, str]:
    """The label above each label, "" for none."""
    if spec in ("flat", "prefix", "naics", "qcew", "cbp", "fips"):
        distinct = dict.fromkeys([total] * bool(total) + labels)
        paths = {label: codes_of(spec, label, total) or (None,) * (label == total) for label in distinct}
        named = {path[-1]: label for label, path in paths.items() if path}
        if wrong := [label for label, path in paths.items() if not path or named[path[-1]] != label]:
            raise Refused(f"{wrong[0]} is not a code of {spec}, or is there in two spellings")
        above = {label: [named[c] for c in path[-2::-1] if c in named] for label, path in paths.items()}
        return {label: wholes[0] for label, wholes in above.items() if wholes and label != total}
    found = dict[str, str]()
    hrc, lines = spec.lower().endswith(".hrc"), Path(spec).read_text("utf-8-sig").splitlines()
    rows = [[line.strip()] for line in lines] if hrc else list(csv.reader(lines))
    if [field.strip() for field in rows[0]] == ["label", "parent"]:
        return dict(rows[1:])
    chain = [total if hrc else ""]
    for row in (row for row in rows if row and row[0] and (hrc or "@" in row[0])):
        depth = row[0].count("@") if not hrc else 1 + len(row[0]) - len(row[0].lstrip("@"))
        chain[depth:] = [row[0].lstrip("@") if hrc else row[1]]
        found[chain[-1]] = chain[-2]
    return found


def derive(layout: Any, names: list[tuple[str, ...]]) -> list[tuple[dict[int, int], Any]]:
    """A sum of 0 for each way in which cells are part of another; totals not listed are appended."""
    ways = []
    for at, column in enumerate(layout["by"]):
        labels, total = [cell[at] for cell in names], layout["totals"].get(column, "")
        specs = [spec for other, spec in layout["hierarchies"] if other == column]
        ways += [(at, parents(spec, labels, total)) for spec in specs or ["flat"]]
    place = {cell: k for k, cell in enumerate(names)}
    found: dict[tuple[int, int], dict[int, int]] = {}
    for cell in names:
        for way, (at, over) in enumerate(ways):
            if over.get(cell[at]):
                total = (*cell[:at], over[cell[at]], *cell[at + 1 :])
                if place.setdefault(total, len(names)) == len(names):
                    names.append(total)
                found.setdefault((way, place[total]), {place[total]: 1})[place[cell]] = -1
    return [(row, 0) for row in found.values()]


def entry(layout: Any, row: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The published value of a cell, None for a suppressed one, and what else is said of it."""
    status = str((layout["status"] and row.get(layout["status"])) or "").strip()
    hidden = status in ("u", "m", "N") or (status == "-" and layout["dash"] == "unknown")
    given = {n: row.get(layout[n]) for n in ("count", "lower", "upper", "true") if layout[n]}
    known = {n: number(v) for n, v in given.items() if number(v) is not None}
    return None if hidden else 0 if status == "-" else number(row[layout["value"]]), known


def true_of(a: Any, value: Any, extra: dict[str, Any]) -> Any:
    """The true value of a cell: published, unless suppressed or rounded."""
    return extra["true"] if value is None or a["base"] else value


def limits(a: Any, value: Any, extra: dict[str, Any], trues: list[Any]) -> tuple[Any, Any]:
    """The tightest bounds of a cell that attacker ``a`` knows."""
    pairs: list[tuple[Any, Any]] = [(0, None)] if a["nonnegative"] else []
    pairs += [(0, 0)] if a["counts"] and extra.get("count") == 0 else []
    pairs += [(extra.get("lower"), extra.get("upper"))] if a["bounds"] else []
    pairs += [(min(trues), max(trues))] if trues else []
    if a["within"] is not None:
        true = true_of(a, value, extra)
        by = abs(true) * number(a["within"]) / 100
        pairs.append((true - by, true + by) if true % 1 else (floor(true - by), ceil(true + by)))
    if a["base"] and value is not None:
        room = Fraction(number(a["base"]), 2) if a["rounding"] == "nearest" else number(a["base"]) - 1
        pairs.append((value - room, value + room))
    if a["integers"]:
        pairs = [(low and ceil(low), high and floor(high)) for low, high in pairs]
    low = max((end for end, _ in pairs if end is not None), default=-inf)
    return low, min((end for _, end in pairs if end is not None), default=inf)


class Check:
    """The sums, the present table x (none at first) and how far each sum is off, what is proved."""

    def __init__(self, layout: Any, attacker: Any, rows: list[Any], sums: Any = None) -> None:
        cells: dict[tuple[str, ...], tuple[Any, dict[str, Any]]] = {}
        for row in rows:
            cell = tuple(str(row.get(n, layout["totals"].get(n))) for n in layout["by"])
            (old, more), (value, extra) = cells.get(cell, (None, {})), entry(layout, row)
            if None not in (old, value) and old != value:
                raise Refused(f"the cell {cell} has two published values")
            cells[cell] = (value if old is None else old), {**extra, **more}
        names, known, knows = list(cells), {}, {tuple(cell) for cell in attacker["knows"]}
        sums = derive(layout, names) if sums is None else sums
        trues = [true_of(attacker, v, e) for v, e in cells.values() if attacker["box"]]
        self.whole, self.x, self.bounds = attacker["integers"], dict[int, Any](), dict[int, Any]()
        for place, name in enumerate(names):
            value, extra = cells.get(name, (None, {}))
            if name in knows or (value is not None and not attacker["base"]):
                known[place] = true_of(attacker, value, extra)
            else:
                self.bounds[place] = limits(attacker, value, extra, trues if name in cells else [])
        self.proved, self.of = dict[tuple[str, int], bool](), {p: list[int]() for p in self.bounds}
        self.rows = [{p: f for p, f in row.items() if p in self.of} for row, _ in sums]
        self.right = [b - sum(f * known[p] for p, f in r.items() if p in known) for r, b in sums]
        self.off = {at: right for at, right in enumerate(self.right) if right}
        for at, place in ((at, place) for at, row in enumerate(self.rows) for place in row):
            self.of[place].append(at)

    def table(self, changes: dict[int, Any]) -> None:
        for p, value in changes.items():
            if not self.bounds[p][0] <= value <= self.bounds[p][1] or (self.whole and value % 1):
                raise Refused(f"cell {p} is outside its bounds")
            step, self.x[p] = value - self.x.get(p, 0), value
            for at in self.of[p]:
                left = self.off.pop(at, 0) - self.rows[at][p] * step
                self.off |= {at: left} if left else {}
        if self.off or len(self.x) != len(self.bounds):
            raise Refused("a table does not satisfy all sums")

    def end(self, dual: dict[int, Any], side: str, place: int, bound: Any, reached: Any) -> None:
        sign = 1 if side == "lower" else -1
        total, rest = sum(y * self.right[at] for at, y in dual.items()), {place: 1}
        for p, part in ((p, y * f) for at, y in dual.items() for p, f in self.rows[at].items()):
            rest[p] = rest.get(p, 0) - part
        total += sum(r * self.bounds[p][r * sign < 0] for p, r in rest.items() if r)
        total = -sign * (-sign * total // 1) if self.whole else total
        if total != number(bound) or self.x[place] != number(reached):
            raise Refused(f"the {side} end of cell {place} is not what its sums and its table give")
        self.proved[side, place] = bound == reached

    def direction(self, change: dict[int, Any], ends: list[list[Any]]) -> None:
        rows = [self.rows[at] for p in change for at in self.of[p]]
        stays = all(sum(f * change.get(p, 0) for p, f in row.items()) == 0 for row in rows)
        free = all(isinf(self.bounds[p][v > 0]) for p, v in change.items() if v)
        ahead = all((side == "upper") == (change[p] > 0) and change[p] for side, p in ends)
        if not (self.x and stays and free and ahead):
            raise Refused("a direction does not show what it is said to show")
        self.proved |= {(str(side), int(p)): True for side, p in ends}


def verify(path: Path, tables: list[Path], read: Any = csv_rows) -> tuple[Any, Check]:
    """The first line, and what was proved. Raises Refused; KeyError, ... for a malformed file."""
    lines = path.read_bytes().splitlines(keepends=True)
    head = json.loads(lines[0])
    inputs = [*tables, *(Path(s) for _, s in head["layout"]["hierarchies"] if "." in s)]
    digests = [hashlib.sha256(p.read_bytes()).hexdigest() for p in inputs]
    seal = hashlib.sha256(b"".join(lines[:-1])).hexdigest() + "\n"
    if (head["format"], head["inputs"], lines[-1].decode()) != (1, digests, seal):
        raise Refused("the certificate or its table is not as it was written")
    jj = tables[0].suffix.lower() == ".jj"
    rows, sums = jj_rows(tables[0]) if jj else ([row for p in tables for row in read(p)], None)
    layout, optional = head["layout"], head["layout"]["totals"] if len(tables) > 1 else {}
    named = {layout[n] for n in ("value", "status", "count", "lower", "upper", "true") if layout[n]}
    if missing := (named | {*layout["by"]} - {*optional}).difference(*rows):
        raise Refused(f"the table has no column {', '.join(sorted(missing))}")
    check = Check(layout, head["attacker"], rows, sums)
    for line in lines[1:-1]:
        kind, pairs, *fact = json.loads(line)
        act: Any = {"table": check.table, "direction": check.direction, "end": check.end}[kind]
        act({int(k): number(v) for k, v in pairs.items()}, *fact)
    if check.off or set(check.proved) != {(s, p) for s in ("lower", "upper") for p in check.bounds}:
        raise Refused("not every end is there")
    return head, check


if __name__ == "__main__":
    head, done = verify(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
    print(head, len(done.proved), "ends proved; attained:", sum(done.proved.values()))
