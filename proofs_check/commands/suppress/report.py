"""What ``establish suppress`` prints."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from establish.impl.suppression.likelihood import TABLES
from establish.impl.suppression.noise import Known
from establish.impl.suppression.verdicts import counts, distinct, text
from establish.proofs_check.api.suppress import ContradictionError, Learned, SuppressionAudit
from establish.proofs_check.api.suppress_plan import SuppressionPlan
from establish.proofs_check.api.suppression_files import write_rows
from establish.proofs_check.commands.terminal import output
from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise

CLEAR = Fraction(1, 2)
"""A share of the likelihood that leaves little doubt."""


def say(text: str) -> None:
    """One line on standard output."""
    output().print(text, soft_wrap=True)


def tell_contradiction(found: ContradictionError) -> None:
    """The sums that clash."""
    say("contradiction: no table fits the published cells as this attacker sees them")
    say("these sums, each times its factor, contradict each other:")
    for clash in found.clash:
        say(f"  {clash}")


def tell_absent(absent: Mapping[str, int]) -> None:
    """How many codes of a list the table leaves out."""
    for name, number in absent.items():
        say(
            f"{name}: the table leaves out {number} codes of the list next to codes that it has; their cells "
            "count as 0"
        )


def tell_reading(done: SuppressionAudit) -> None:
    """The rules by which labels add up, and values that suppressed cells still hold."""
    tell_absent(done.absent)
    for name, rules in done.asked.ways.items():
        for rule in dict.fromkeys(rule.split()[0] for rule in rules):
            if rule in CODE_SYSTEMS:
                say(f"{name}: {CODE_SYSTEMS[rule].what} ({CODE_SYSTEMS[rule].source})")
        if len(rules) > 1:
            say(f"{name} adds up {len(rules)} ways, and the attacker uses all of them: {', '.join(rules)}")
    left = sum(entry.left for entry in done.cells.values() if entry.value is None)
    if left:
        say(
            f"{left} suppressed cells still hold a value other than 0 in {done.layout.value}: the audit "
            "ignores it; remove it before you publish the file"
        )


def tell(done: SuppressionAudit) -> None:
    """The attacker, the system, and how much of the answer is proved."""
    asked, layout, answer, found = done.asked, done.layout, done.answer, done.found
    say(f"attacker: {done.known}")
    if layout.status and layout.dash:
        say(f'a status "-" is read as {layout.dash}')
    bounds = [name for name in (layout.lower, layout.upper) if name]
    if bounds and not done.known.bounds:
        say(f"this attacker does not know the bounds in {' and '.join(bounds)}")
    say(
        f"{asked.listed} cells, {len(found)} of them unknown, in {len(asked.sums)} sums; "
        f"{len(asked.cells) - asked.listed} totals are not listed; parts that are not listed count as 0"
    )
    whole = sum(one.attained for one in found)
    say(f"{whole} intervals certified and attained at both ends, {len(found) - whole} enclosures")
    say(
        f"{answer.programs} linear programs over {answer.left} unknowns in {answer.components} "
        f"components; the largest has {answer.largest}"
    )


def tell_verdicts(done: SuppressionAudit) -> None:
    """How many cells have which verdict: in all, by level, by number of establishments."""
    asked, layout = done.asked, done.layout
    say("outsider: " + _counted(done.words))
    exact = [one.place for one in done.found if one.exact]
    if exact:
        say(f"  exact, a total and its only part counted once: {distinct(asked, exact)}")
    pairs = list(zip(done.found, done.words, strict=True))
    if any(len(set(column)) > 1 for column in zip(*asked.levels, strict=True)):
        groups = [
            (", ".join(f"{n} {d}" for n, d in zip(layout.by, asked.levels[one.place], strict=False)), w)
            for one, w in pairs
        ]
        _tell_groups("level", groups)
    if layout.count:
        sizes = [entry.extra.get(layout.count) for entry in done.cells.values()]
        _tell_groups("establishments", [(_size(sizes[one.place]), word) for one, word in pairs])


def _size(count: object) -> str:
    return "not given" if count is None else str(count) if count in (0, 1, 2) else "3 or more"


def _tell_groups(title: str, pairs: Iterable[tuple[str, str]]) -> None:
    groups: dict[str, list[str]] = {}
    for group, word in pairs:
        groups.setdefault(group, []).append(word)
    for group in sorted(groups):
        say(f"  {title} {group}: {_counted(groups[group])}")


def _counted(words: Sequence[str]) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts(words).items()) or "no cell"


def tell_owners(found: Learned) -> None:
    """What owners of one-establishment cells learn by sums, alone and in pairs."""
    own = set(found.owners)
    say(f"owners of one-establishment cells: {len(own)}; from the sums alone, whatever the values are:")
    for who, learned in (("one owner", found.alone), ("two owners in one sum", found.two)):
        cells_ = {place for places in learned.values() for place in places}
        say(
            f"  {who} can learn {len(cells_)} other cells, {len(cells_ - own)} of them with several "
            f"establishments; {len(learned)} {'owners' if who == 'one owner' else 'pairs'} learn some"
        )


def tell_seen(owners: int, words: Mapping[int, str]) -> None:
    """What the best informed owner sees of each cell, with the true value of its own."""
    say(
        f"the {owners} owners, who know their own values; each cell as the best informed one sees it: "
        f"{_counted(list(words.values()))}"
    )


def tell_likelihood(done: SuppressionAudit) -> None:
    """For how many rounded cells it was computed how likely each value is."""
    clear = sum(max(law.values()) >= CLEAR for law in done.laws.values())
    say(
        f"likelihood: computed for {len(done.laws)} of {len(done.asked.unknown)} cells (not where more than "
        f"{TABLES} tables fit); in {clear} of them one value has likelihood {CLEAR} or more"
    )


def tell_pattern(planned: SuppressionPlan) -> None:
    """What the pattern costs, that it is proved, and what statuses settled."""
    tell_absent(planned.absent)
    for line in planned.lines():
        say(line)
    given = planned.given
    if given.published or given.suppressed:
        published, suppressed = len(given.published), len(given.suppressed)
        say(f"by status, {published} cells are published and {suppressed} stay suppressed")
    if planned.bare:
        say(
            f"{len(planned.bare)} cells of status u have no protection level, so nothing is proved about "
            f"them; an attacker knows {planned.exposed} of them exactly"
        )


def tell_noise(
    noise: MultiplicativeNoise, found: Sequence[Known], tables: int, redrawn: bool, whole: bool
) -> None:
    """The attacker, and how much is known exactly."""
    factors = "drawn anew for each table" if redrawn else "one for each establishment"
    say(
        f"attacker: knows which cells have one establishment; that |factor - 1| lies between "
        f"{noise.factors.s} and {noise.factors.t}, {factors}"
        + ("; that values were rounded" if noise.rounding else "")
        + ("; that true values are whole numbers" if whole else "")
    )
    ratios = sum(len(one.ratios) for one in found)
    values = sum(len(one.values) for one in found)
    say(f"{len(found)} cells of one establishment in {tables} tables")
    say(f"  ratios of two values: {sum(one.ratios_known for one in found)} of {ratios} known exactly")
    say(f"  values: {sum(one.values_known for one in found)} of {values} known exactly")
    impossible = sum(one.impossible for one in found)
    if impossible:
        say(f"contradiction: no whole numbers give the published values of {impossible} cells")


def write_noise(path: Path, by: Sequence[str], found: Sequence[Known]) -> None:
    """Where values and ratios lie, by cell."""
    write_rows(
        "--json",
        path,
        (
            {
                "cell": dict(zip(by, one.cell, strict=True)),
                "values": {
                    name: [[text(low), text(high)] for low, high in parts]
                    for name, parts in one.values.items()
                },
                "ratios": {name: [text(low), text(high)] for name, (low, high) in one.ratios.items()},
                "whole": {name: list(map(str, left)) for name, left in one.whole.items()},
            }
            for one in found
        ),
    )
