"""What is kept of spending: ledgers, their heads, signatures, and what releases of one table enter."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from establish.impl.budget.books import books_of
from establish.impl.budget.heads import Head, dataset_of, draft_head, head_of, heads_in, put_head, read_heads
from establish.impl.budget.ledger import entries_of, read_ledger, require_left, spend
from establish.impl.budget.lines import encode, scan
from establish.impl.budget.spending import Spending
from establish.impl.guarantee import DEFINITIONS, Grant
from establish.impl.publish.entered import (
    cap_of_table,
    definition_of_counts,
    publish_entered,
    spending_of_table,
)
from establish.impl.signing import is_signed, new_key, public_key, signer, signer_of
from establish.proofs_check.certification.compared import Triple, agree
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.composition import (
    Approximate,
    Attribute,
    Definition,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    Loss,
    in_sequence,
)

LARGEST = 20_000_000
"""Bytes of a record that is read, at most."""

LEDGERS: tuple[tuple[Definition, Loss, Loss], ...] = (
    (ErEe.of("weak-er-ee", "1/10"), Approximate.of("1/3", "1/100"), Approximate.of(1, "3/100")),
    (DifferentialPrivacy("record-dp", 2), Approximate.of("2/7"), Approximate.of("6/7")),
    (
        Gedp.of([Attribute.of("pay", "log", 1, 1), Attribute.of("jobs", "sqrt", "1/2", "3/8")]),
        Gaussian.of(Fraction(1, 2)),
        Gaussian.of(1),
    ),
)
"""Definitions, what each of some releases loses, and a cap that three of them reach or pass."""


def _entry(definition: Definition, loss: Loss, dataset: str = "set") -> Spending:
    return Spending("t", "plan", definition, {"q": loss}, loss, dataset=dataset, output="out")


def _kept() -> Iterator[Triple]:
    """Ledgers begun without a cap, which a later release fixes."""
    for definition, loss, cap in LEDGERS:
        with tempfile.TemporaryDirectory() as name:
            path, first = Path(name, "ledger"), _entry(definition, loss)
            yield "no file", (read_ledger(path), entries_of(path)), (None, [])
            yield "before", require_left(path, first, None).entries, (first,)
            yield "first", spend(path, first, None).number, 1
            account = read_ledger(path)
            assert account is not None
            own = account.definition, account.cap, account.left, account.entries, account.dataset
            yield "account", own, (definition, None, None, (first,), "set")
            second = _entry(definition, loss)
            yield "second", spend(path, second, cap).number, 2
            account = read_ledger(path)
            assert account is not None
            spent = in_sequence([loss, loss])
            yield ("fixed", (account.cap, account.spent, account.entries), (cap, spent, (first, second)))
            yield "left", account.left, cap.left(spent)
            other = _entry(definition, loss, "another")
            yield "another data set", refused(spend, path, other, cap), True
            yield "another cap", refused(spend, path, _entry(definition, loss), loss), True
            yield "twice", refused(spend, path, second, cap), True
            third, fits = _entry(definition, loss), in_sequence([spent, loss]).within(cap)
            yield "third", refused(require_left, path, third, cap), not fits
            yield "third", refused(spend, path, third, cap), not fits
            more = _entry(definition, cap)
            yield "over", refused(spend, path, more, cap), True
            yield "entries", len(entries_of(path)), 3 if fits else 2
            known = [Head("set", n.number, n.checksum, "record") for n in entries_of(path)]
            yield "heads", refused(require_left, path, more, cap, known[:1]), True
            yield from _damaged(path, known)


def _damaged(path: Path, known: list[Head]) -> Iterator[Triple]:
    """Content that is no longer what was written."""
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    path.write_bytes(content + lines[-1][:20])
    yield "torn", len(entries_of(path)), len(known)
    for place in (12, len(lines[0]) + 30, len(content) - 40):
        path.write_bytes(content[:place] + b"#" + content[place + 1 :])
        yield "damaged", refused(read_ledger, path), True
    header, entries = lines[0].replace(b"version 2", b"version 9"), lines[1:]
    body = json.loads(header)
    del body["checksum"], body["number"]
    line, _ = encode(0, body, "")
    path.write_bytes(line)
    yield "another version", refused(read_ledger, path), True
    line, _ = encode(0, {**body, "ledger": body["ledger"].replace("9", "2"), "cap": 3}, "")
    path.write_bytes(line)
    yield "another cap", refused(read_ledger, path), True
    path.write_bytes(lines[0] + entries[0])
    loss = known[-1].number
    last = _entry(read_ledger(path).definition, LEDGERS[0][1])  # type: ignore[union-attr]
    yield "cut", loss == 1 or refused(require_left, path, last, None, known), True


def _lines() -> Iterator[Triple]:
    """Lines that continue one another."""
    first, checksum = encode(0, {"a": "ü"}, "")
    second, last = encode(1, {"b": 1}, checksum)
    found = scan(first + second)
    said = [(line.number, line.checksum) for line in found.lines]
    yield "lines", said, [(0, checksum), (1, last)]
    yield "whole", (found.length, found.torn, found.checksum), (len(first + second), False, last)
    yield "nothing", (scan(b"").lines, scan(b"").checksum), ((), "")
    yield "one line", scan(first + second[:9]).torn, True
    for wrong in (second, first + first, first + second + second, b"x" * 30 + b"\n"):
        yield "another order", refused(scan, wrong), True


def _heads() -> Iterator[Triple]:
    """Heads as they are kept and read, and what is none."""
    with tempfile.TemporaryDirectory() as name:
        folder, digest = Path(name), "0123456789abcdef" * 4
        path = folder / "heads"
        key = folder / "key"
        fingerprint = new_key(key)
        own = signer(key)
        yield "modes", [oct(p.stat().st_mode)[-3:] for p in (key,)], ["600"]
        yield "the public key", signer_of(b"x", own.public.hex(), own.sign(b"x").hex()), fingerprint
        public = public_key(folder / "key.pub")
        signed = is_signed(public, b"x", own.sign(b"x")), is_signed(public, b"y", own.sign(b"x"))
        yield "signatures", signed, (True, False)
        yield "a key that is there", refused(new_key, key), True
        yield "no head", read_heads(path).heads, {}
        for number, sign in ((1, None), (2, own)):
            head = Head("set", number, digest, str(path)).with_signature(sign)
            put_head(draft_head(path, head, digest), path)
            found = read_heads(path)
            signed_by = found.heads["set"].signed_by
            yield "head and rows", (found.heads, found.rows), ({"set": head}, digest)
            yield "signed by", signed_by, "" if sign is None else fingerprint
        put_head(draft_head(path, Head("other", 1, digest, str(path)), digest), path)
        yield "two heads", sorted(read_heads(path).heads), ["other", "set"]
        content = json.loads(path.read_text("utf-8"))
        for entry, value in ((0, digest), ("1", digest), (1, digest[1:]), (1, 5), (True, digest)):
            wrong = {**content, "heads": {"set": {"entry": entry, "head": value}}}
            path.write_text(json.dumps(wrong))
            yield f"a damaged head {entry}", refused(read_heads, path), True
        for rows in (digest[1:], digest.upper(), 5):
            path.write_text(json.dumps({**content, "rows": rows}))
            yield f"damaged rows {rows}", refused(read_heads, path), True
        path.write_text(json.dumps({name: own for name, own in content.items() if name != "rows"}))
        yield "no rows", read_heads(path).rows, ""
        content["heads"]["set"]["entry"] = 3
        path.write_text(json.dumps(content))
        yield "a head that is not as signed", refused(read_heads, path), True
        record = folder / "r.json"
        text = json.dumps({"dataset": "set", "ledger": {"entry": 1, "head": digest}})
        for size, there in ((0, 1), (LARGEST, 1), (LARGEST + 1, 0)):
            record.write_text(text + " " * (size - len(text)))
            yield f"a record of {size}", len(list(heads_in(folder, "set"))), there
        record.write_text(text)
        yield "of another", list(heads_in(folder, "other")), []
        for entry, value in ((0, digest), (1, digest.upper()), (1, 3)):
            wrong = {"dataset": "set", "ledger": {"entry": entry, "head": value}}
            record.write_text(json.dumps(wrong))
            yield f"no record {entry}", head_of(record), None
        for given, good in (("", 0), (" ", 0), ("a", 1), ("a" * 200, 1), ("a" * 201, 0), ("\n", 0)):
            yield f"a name of {len(given)}", refused(dataset_of, record, given), not good
        yield "the name of a file", dataset_of(record, None), "r.json"


GRANTED: tuple[tuple[tuple[str, ...], Definition], ...] = (
    (("strong-er-ee", "weak-er-ee"), ErEe.of("weak-er-ee", "1/10")),
    (("strong-er-ee",), ErEe.of("strong-er-ee", "1/10")),
    (("edge-dp",), DifferentialPrivacy("edge-dp")),
    ((), ErEe.of("weak-er-ee", "1/10")),
)
"""What is granted to a mechanism, and what the budget of its table is kept for."""


def _of_table() -> Iterator[Triple]:
    """One table, as it is entered and signed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "d.csv").write_text("x")
        books = books_of([folder / "d.csv"], dataset="set")
        out, definition = folder / "o.csv", ErEe.of("weak-er-ee", "1/10")
        for names, meant in GRANTED:
            grants = [Grant("tight", *DEFINITIONS[name], {"epsilon": "1"}, {}, (), "") for name in names]
            yield f"granted {names}", definition_of_counts(grants, {"alpha": "1/10"}), meant
        yield "granted nothing", definition_of_counts((), {}), DifferentialPrivacy("edge-dp")
        given: dict[str, object] = {"epsilon": "1/2", "delta": "1/100"}
        make: Any = partial(spending_of_table, books, out, definition, seeded=True)
        entry = make(given, {"a": 1, "b": 2})
        loss = Approximate.of("1/2", "1/100")
        yield "its loss", (entry.loss, entry.queries), (loss, {"table": loss})
        said = entry.definition, entry.seeded, entry.dataset, entry.output
        yield "its words", said, (definition, True, "set", str(folder / "o.csv.json"))
        yield "one digest", make(given, {"b": 2, "a": 1}).plan, entry.plan
        yield "another", make(given, {"b": 3, "a": 1}).plan == entry.plan, False
        yield "without δ", make({"epsilon": 3}, {}).loss, Approximate.of(3)
        yield "no cap", cap_of_table(books, None, None), None
        yield "a cap", cap_of_table(books, "2", "1/9"), Approximate.of(2, "1/9")
        yield "a cap without δ", cap_of_table(books, "2", None), Approximate.of(2)
        yield "δ alone", refused(cap_of_table, books, None, "1/9"), True
        none = books_of([folder / "d.csv"], without=True)
        yield "no ledger", refused(cap_of_table, none, "2", None), True
        new_key(folder / "key")
        own = signer(folder / "key")
        writes = {out: lambda path: path.write_text("t") and None}
        done = publish_entered(books, entry, loss, writes, folder / "o.csv.json", {}, replace=False, sign=own)
        record = (folder / "o.csv.json").read_bytes()
        signature = (folder / "o.csv.json.sig").read_bytes()
        yield "its signature", is_signed(own.key.public_key(), record, signature), True
        head = read_heads(books.beside).heads["set"]
        yield "its head", (head.number, head.signed_by), (1, own.name)
        yield "its entry", done.receipt and done.receipt.number, 1
        yield "its signer", entries_of(folder / "d.csv.ledger")[0].spending.signed_by, own.name


@cache
def kept() -> Evidence:
    """Evidence that ledgers keep what was spent, refuse what is over their cap, and notice what is lost."""
    return agree(
        chain(_kept(), _lines(), _heads(), _of_table()),
        "ledgers and their heads keep every loss exactly, refuse more than their cap, and notice damage",
        "three definitions, ledgers with and without a cap, signed and not, changed byte by byte",
    )
