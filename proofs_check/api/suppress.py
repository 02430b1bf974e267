"""What an attacker cannot rule out, for every suppressed cell of a published table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.api.memory import PARTS, within_memory
from establish.proofs_check.api.progress import complaints, progress_bar
from establish.proofs_check.api.python import FilePath, Names, names_of, optional_path
from establish.proofs_check.api.told import Told
from establish.spec.parameters import ParameterError, Rational, exact

if TYPE_CHECKING:
    from establish.impl.suppression.audit import Answer, Contradiction
    from establish.impl.suppression.cells import Cells
    from establish.impl.suppression.formulas import Formulas
    from establish.impl.suppression.layout import Attacker, Layout
    from establish.impl.suppression.likelihood import Law
    from establish.impl.suppression.search import Sink
    from establish.impl.suppression.sums import Problem
    from establish.impl.suppression.verdicts import Interval, Level

Labels = Mapping[str, str] | Names
"""By column a label or a file: {"region": "All"}, or texts such as "region=All"."""


class ContradictionError(ParameterError):
    """The publication contradicts itself: no table fits the published cells as this attacker sees them."""

    def __init__(self, asked: Problem, found: Contradiction) -> None:
        self.clash = [f"{factor} × {asked.sum_named(row)}" for row, factor in found.dual.items()]
        super().__init__(
            "contradiction: no table fits the published cells as this attacker sees them; these sums, each "
            f"times its factor, contradict each other: {'; '.join(self.clash)}"
        )


@dataclass(frozen=True)
class Learned:
    """What owners of one-establishment cells learn by sums alone: by owner, and by pair of owners."""

    owners: Sequence[int]
    alone: Mapping[Any, Any]
    two: Mapping[Any, Any]


@dataclass(frozen=True, repr=False)
class SuppressionAudit(Told):
    """The intervals that an attacker cannot rule out, with a verdict for each suppressed cell.

    asked, layout, cells: the table and its sums. absent: by label column, codes of a list that it leaves out.
    known: the attacker. answer: how much work it was. found, words: intervals and verdicts, in one order.
    open: cells published though a rule calls them sensitive. seen, learned: what owners learn, where that was
    asked for. laws: how likely each value is, where that was asked for.
    """

    asked: Problem
    layout: Layout
    cells: Cells
    absent: Mapping[str, int]
    known: Attacker
    answer: Answer
    found: Sequence[Interval]
    words: Sequence[str]
    open: int
    seen: Mapping[int, str] | None = None
    learned: Learned | None = None
    laws: Mapping[int, Law] = field(default_factory=dict)

    @property
    def bad(self) -> bool:
        """Whether a cell is known exactly, or is not proved to have the protection that it must have."""
        from establish.proofs_check.api.suppression_files import bad

        learned = self.learned is not None and bool(self.learned.alone or self.learned.two)
        return bool(self.open) or learned or bad([*self.words, *(self.seen or {}).values()])

    @property
    def counts(self) -> Mapping[str, int]:
        """How many suppressed cells have which verdict."""
        from establish.impl.suppression.verdicts import counts

        return counts(self.words)

    @property
    def attacker(self) -> str:
        """All that is taken for granted of the attacker, in the words of the options."""
        from establish.impl.suppression.layout import assumed

        return assumed(self.layout, self.known)

    def to_json(self) -> list[dict[str, Any]]:
        """One entry for each suppressed cell: labels, both ends, whether they are attained, the verdict.

        It is confidential where an attacker could not compute it: keep it as the data.
        """
        return list(self.rows())

    def rows(self) -> Iterator[dict[str, Any]]:
        """The same one by one; with the verdict of the best informed owner where owners were asked for."""
        from establish.impl.suppression.verdicts import record

        attacker, seen = self.attacker, self.seen or {}
        for one, word in zip(self.found, self.words, strict=True):
            judged = {"verdict": word, **({"owner": seen[one.place]} if one.place in seen else {})}
            yield {**record(self.asked, self.layout.by, one, attacker), **judged}

    def explained(self, formulas: Formulas) -> Iterator[dict[str, Any]]:
        """The same with the sums that give each end."""
        from establish.impl.suppression.presolve import LOWER, UPPER

        at = {place: k for k, place in enumerate(self.asked.unknown)}
        for one, row in zip(self.found, self.rows(), strict=True):
            lower, upper = (formulas.of(self.asked, at[one.place], side) for side in (LOWER, UPPER))
            yield {**row, "lower_by": lower, "upper_by": upper}

    def likelihoods(self) -> Iterator[dict[str, Any]]:
        """How likely each value of a rounded cell is, where that was computed."""
        for place, law in self.laws.items():
            yield {
                "cell": dict(zip(self.layout.by, self.asked.cells[place], strict=True)),
                "likelihood": {str(value): str(share) for value, share in law.items()},
                "attacker": self.attacker,
            }

    def lines(self) -> Iterator[str]:
        """The attacker, the table and how many cells have which verdict; no value of a cell."""
        yield f"attacker: {self.known}"
        yield f"{self.asked.listed} cells, {len(self.found)} of them unknown, in {len(self.asked.sums)} sums"
        whole = sum(one.attained for one in self.found)
        yield (f"{whole} intervals certified and attained at both ends, {len(self.found) - whole} enclosures")
        told = ", ".join(f"{number} {word}" for word, number in self.counts.items())
        yield f"outsider: {told or 'no cell'}"


@within_memory("the audit", PARTS)
def suppress_audit(
    tables: Any,
    *,
    by: Names = (),
    value: str = "",
    total: Labels | None = None,
    hierarchy: Labels | None = None,
    codes: Labels | None = None,
    status: str = "",
    dash: str = "unknown",
    count: str = "",
    lower: str = "",
    upper: str = "",
    true: str = "",
    attacker: str = "nonnegative",
    knows: Names | None = None,
    narrow: Rational = 10,
    rule: Names | None = None,
    contributions: Names = (),
    lpl: str = "",
    upl: str = "",
    spl: str = "",
    owners: bool = False,
    json: FilePath | None = None,
    explain: FilePath | None = None,
    likelihood: FilePath | None = None,
    certificates: FilePath | None = None,
    jj: FilePath | None = None,
    force: bool = False,
) -> SuppressionAudit:
    """For every suppressed cell, the range of values that an attacker cannot rule out.

    tables: one published table or a list: paths (.csv, .csv.gz, .parquet, or one .jj), or tables with the
    Arrow interface. by: the label columns. value: the column of values. total: by column the label of the
    total. hierarchy: by column a file, a code system (naics, qcew, cbp, fips), prefix or flat. codes: by
    column the complete list of codes of a year. status: a column; s, z or blank is published, u, m, N is
    suppressed; dash: what "-" means. count, lower, upper, true, lpl, upl, spl: columns. attacker: words, as
    "nonnegative,integers". knows: cells, as "region=N,industry=A". narrow: a percentage. rule, contributions:
    as "p:10". json, explain, likelihood, certificates, jj: files to write, mode 600; certificates need
    tables in files. Both ends of every interval are certified. Raises ParameterError or Misuse for bad
    input or too little memory, and ContradictionError where the published sums contradict each other.
    """
    from establish.impl.suppression.certificate import certificate_file
    from establish.impl.suppression.confidential import require_writable
    from establish.impl.suppression.formulas import Formulas
    from establish.impl.suppression.jj import write_jj
    from establish.impl.suppression.layout import attacker as attacker_of
    from establish.impl.suppression.layout import hierarchy_files
    from establish.impl.suppression.likelihood import posteriors
    from establish.impl.suppression.requirements import levels, published_though_sensitive
    from establish.impl.suppression.verdicts import intervals, verdict
    from establish.proofs_check.api.suppression_files import write_rows
    from establish.proofs_check.api.suppression_inputs import (
        cell_of,
        codes_left_out,
        layout_of,
        load,
        require,
        require_contributions,
        tables_of,
    )
    from establish.spec.disclosure_limitation.protection import rule as rule_of

    sources, named = tables_of(tables), ",".join(names_of("--by", by))
    own, rules = ",".join(names_of("--contributions", contributions)), names_of("--rule", rule or ())
    of_jj = [isinstance(one, Path) and one.suffix.lower() == ".jj" for one in sources]
    if any(of_jj):
        require(len(sources) == 1 and not (by or value), "a .jj file is audited alone, without --by")
    else:
        require(bool(by and value), "--by and --value are missing")
    layout = layout_of(
        named, value, pairs_of("--total", total), pairs_of("--hierarchy", hierarchy), own, status=status,
        dash=dash, count=count, lower=lower, upper=upper, true=true, lpl=lpl, upl=upl, spl=spl,
    )  # fmt: skip
    require_contributions(rules, own)
    require(bool(count) or not owners, "--owners needs --count")
    width = exact("--narrow", narrow)
    require(width >= 0, f"--narrow {narrow} is not allowed: it is at least 0")
    places = {
        "--json": json, "--explain": explain, "--likelihood": likelihood,
        "--certificates": certificates, "--jj": jj,
    }  # fmt: skip
    outs = {option: optional_path(option, given) for option, given in places.items()}
    read = [one for one in sources if isinstance(one, Path)]
    require(certificates is None or len(read) == len(sources), "--certificates needs tables in files")
    require_writable(outs, [*read, *hierarchy_files(layout)])
    require_free(outs, force)
    known = attacker_of(attacker, tuple(cell_of(layout, text) for text in names_of("--knows", knows or ())))
    require(likelihood is None or known.rounding == "random", "--likelihood needs random:B")
    require(jj is None or not known.rounded, "--jj writes true values, not a rounded table")
    cells, asked, layout = load(sources, layout, known)
    absent = codes_left_out(cells, layout, pairs_of("--codes", codes))
    asked_rules = [rule_of(text) for text in rules]
    needed = levels(cells, layout, asked_rules)
    open_ = published_though_sensitive(cells, layout, asked_rules, known.rounded)
    if outs["--jj"] is not None:
        write_jj(outs["--jj"], asked, cells, layout, needed)
    formulas = Formulas()
    with ExitStack() as stack:
        sinks: list[Sink] = [formulas] if explain is not None else []
        if outs["--certificates"] is not None:
            inputs = [*read, *hierarchy_files(layout)]
            writer = certificate_file(outs["--certificates"], inputs, layout, known, asked)
            sinks.append(stack.enter_context(writer))
        answer = _answer(asked, known, sinks)
    found = intervals(asked, answer)
    words = [verdict(one, width, needed.get(one.place)) for one in found]
    seen = _seen(asked, layout, cells, known, found, width, needed) if owners and layout.true else None
    done = SuppressionAudit(asked, layout, cells, absent, known, answer, found, words, open_, seen)
    if outs["--json"] is not None:
        write_rows("--json", outs["--json"], done.rows())
    if outs["--explain"] is not None:
        _shorten(asked, found, words, formulas)
        write_rows("--explain", outs["--explain"], done.explained(formulas))
    if outs["--likelihood"] is not None:
        done = replace(done, laws=posteriors(asked, answer, cells, int(known.base)))
        write_rows("--likelihood", outs["--likelihood"], done.likelihoods())
    return replace(done, learned=_learned(asked, layout, cells, found)) if owners else done


def pairs_of(argument: str, given: Labels | None) -> list[str]:
    """COLUMN=LABEL for each of a mapping, or the texts as they are."""
    if isinstance(given, Mapping):
        return [f"{name}={label}" for name, label in given.items()]
    return names_of(argument, given or ())


def _learned(asked: Problem, layout: Layout, cells: Cells, found: Sequence[Interval]) -> Learned:
    from establish.impl.suppression.owners import forms, learned_by_one, learned_by_two, neighbors
    from establish.proofs_check.api.suppression_files import owned

    at = {place: k for k, place in enumerate(asked.unknown)}
    owners = [at[place] for place in owned(layout, cells, found)]
    rows = asked.table.rows
    known = [at[one.place] for one in found if one.exact]
    shapes = forms(rows, known, len(asked.unknown))
    two = learned_by_two(shapes, neighbors(rows, owners))
    return Learned(owners, learned_by_one(shapes, owners), two)


def _shorten(asked: Problem, found: Sequence[Interval], words: Sequence[str], formulas: Formulas) -> None:
    """Shorter formulas for what is known too well: the others are not what one wants to explain."""
    from establish.impl.suppression.presolve import LOWER, UPPER
    from establish.impl.suppression.short_formulas import Shortening
    from establish.impl.suppression.verdicts import EXACT, NARROW, SHORT

    shortening = Shortening(asked.table)
    at = {place: k for k, place in enumerate(asked.unknown)}
    bad = [at[one.place] for one, word in zip(found, words, strict=True) if word in (EXACT, NARROW, SHORT)]
    with progress_bar() as bar:
        for place in bar.track(bad, description="shortening"):
            for side in (LOWER, UPPER):
                formulas.shorten(place, side, shortening)


def _seen(
    asked: Problem, layout: Layout, cells: Cells, known: Attacker, found: Sequence[Interval],
    narrow: Fraction, needed: Mapping[int, Level],
) -> dict[int, str]:  # fmt: skip
    """What the best informed owner sees of each cell but its own: the worst verdict."""
    from establish.impl.suppression.attacker_bounds import true_value
    from establish.impl.suppression.owner_audits import seen_by_owners
    from establish.impl.suppression.verdicts import verdict, worst
    from establish.proofs_check.api.suppression_files import owned

    entries = list(cells.values())
    values = {
        place: true_value(asked.names[place], entries[place], layout, known.rounded)
        for place in owned(layout, cells, found)
    }
    words: dict[int, str] = {}
    with progress_bar() as bar:
        task = bar.add_task("owners", total=len(values))
        for _, own in seen_by_owners(
            asked, values, known.integers, lambda done, all: bar.update(task, completed=done)
        ):
            for one in own:
                word = verdict(one, narrow, needed.get(one.place))
                words[one.place] = worst([word, words.get(one.place, word)])
    return words


def _answer(asked: Problem, known: Attacker, sinks: Sequence[Sink]) -> Answer:
    from establish.impl.suppression.audit import Contradiction, audit
    from establish.impl.suppression.engines import highs
    from establish.impl.suppression.search import Unsettled

    if highs() is None:
        complaints().print(
            "establish: highspy is not installed (extra suppress): the exact simplex method takes its "
            "place, for small tables only"
        )
    try:
        with progress_bar() as bar:
            task = bar.add_task("auditing", total=None)
            return audit(
                asked, known.integers, sinks,
                lambda done, all: bar.update(task, completed=done, total=all),
            )  # fmt: skip
    except Contradiction as contradiction:
        raise ContradictionError(asked, contradiction) from None
    except Unsettled:
        raise ParameterError(
            "neither a table that fits the published cells was found nor a proof that there is none"
        ) from None
