"""Refutations that are no point of an object: growth, figures of a verdict, both readings of a misprint."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.statements import AtMost, Bounded, Every, HasMaximum, Integer, Real, given
from establish.proofs_check.engine.verdicts import Evidence, Grade
from establish.proofs_check.report.drawings import attacks, constants, figures, growth, readings

RECORD = Record(
    id="mine/one",
    source="mine",
    location="Section 1",
    statement="The mean squared error is 40.0.",
    verdict="misprint",
    evidence="enclosure",
    value="39.98 ± 0.02",
    counterexample="100 counties: 1.357 ± 0.001",
    condition="read: 50 counties (holds); wrong with probability below 1e-9",
    method="",
    seconds=0.0,
)


pytestmark = pytest.mark.usefixtures("made_by_hand")


def piece(says: str, **more: object) -> Evidence:
    return replace(Evidence(says, True, Grade.ENCLOSURE, "enclosure"), **more)


def test_values_without_a_largest_one_rise_to_their_bound():
    def value(c, k):
        return 1 - 1 / (k + c.number(2))

    bound = AtMost(Integer("k", least=0), left=value, right=1)
    drawing = growth.without_maximum(HasMaximum(Integer("k", least=0), of=value), [bound])
    assert drawing is not None
    assert drawing.tables[0].rows[:2] == (("0", "1/2"), ("1", "2/3"))
    assert "They stay below 1 (dashes)" in drawing.text


def test_a_formula_that_has_a_largest_value_is_not_drawn_as_one_that_has_none():
    peak = HasMaximum(Integer("k", least=0), of=lambda c, k: -(k - c.number(9)) * (k - c.number(9)))
    assert growth.without_maximum(peak, []) is None


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (Bounded(Real("t", least=1), left=lambda c, t: t, by=lambda c, t: 1 + 0 * t), "along t"),
        (
            Bounded(
                Real("ε", above=0),
                left=lambda c, e: 1 / (e - 2),
                by=lambda c, e: 1 / e,
                given=[given(lambda c, e: c.number(2), "<", lambda c, e: e)],
            ),
            "the distance of ε to 2, the end of its domain",
        ),
        (
            Bounded(
                Real("x", least=0),
                Real("y", least=0),
                left=lambda c, x, y: y - x,
                by=lambda c, x, y: 1 + 0 * x,
                given=[given(lambda c, x, y: y, "<=", lambda c, x, y: x + c.sqrt(x) + 1)],
            ),
            "x, with y as large as it may be",
        ),
    ],
)
def test_a_path_leads_to_where_no_constant_is_enough(statement, words: str):
    drawing = growth.without_constant(statement)
    assert drawing is not None
    assert words in drawing.text
    domain = statement.bounded.domain
    last = dict(zip(domain.names, map(Fraction, drawing.tables[0].rows[-1]), strict=False))
    assert float(drawing.tables[0].rows[-1][-1]) > growth.GROWTH
    assert set(last) == set(domain.names)


def test_no_path_is_found_where_a_constant_is_enough():
    bounded = Bounded(Real("x", least=0), left=lambda c, x: 3 * x + 2, by=lambda c, x: x + 1)
    near = Bounded(Real("x", least=0, below=1), left=lambda c, x: x, by=lambda c, x: 1 + 0 * x)
    assert growth.without_constant(bounded) is None
    assert growth.without_constant(near) is None


def test_an_entry_stands_between_what_rounds_to_it_and_both_settings():
    drawing = figures.of_record(RECORD, [])
    assert drawing is not None
    assert "Printed is 40.0 (square)" in drawing.text
    assert "between 39.95 and 40.05" in drawing.text
    assert all(number in drawing.svg for number in ("printed: 40.0", "39.98", "1.357"))


def test_margins_and_intervals_are_read_from_evidence_first():
    other = replace(RECORD, verdict="ill_posed", counterexample="N = 9: -0.25 ± 0.01")
    told = figures.of_record(other, [])
    assert told is not None
    assert "N = 9: -0.25 ± 0.01" in told.text
    found = [piece("even bins beat: average difference 0.042, margin 0.017")]
    told = figures.of_record(other, found)
    assert told is not None
    assert "even bins beat: 0.042 ± 0.017" in told.text
    assert "0.25" not in told.text


def test_bars_show_what_the_counterexample_names():
    record = replace(RECORD, verdict="fails", value="", counterexample="excess 0.0625... > 1/40")
    pieces = [
        piece("the excess against δ/2: 0.06250000000 > 0.025"),
        piece("a detail: 3.0 > 2.0"),
        piece("a negative gap: -0.0625 < 0"),
    ]
    drawing = figures.of_record(record, pieces)
    assert drawing is not None
    assert "the excess against δ/2: 0.06250000000 > 0.025" in drawing.text
    assert "detail" not in drawing.text
    assert drawing.svg.count("<rect") == 2
    assert figures.of_record(record, [piece("an identity: x = x")]) is None


def test_both_readings_stand_one_above_the_other_with_what_differs():
    cases = Every("number", lambda: range(3), lambda case: case < 2)
    meant = Every("number", lambda: range(3), lambda case: case < 3)
    drawing = readings.of_misprint(RECORD, Stated(printed=(cases,), meant=(meant,)))
    assert drawing is not None
    marked = {name: [part for part, changed in line if changed] for name, line in drawing.lines}
    assert marked == {"printed": ["2"], "meant": ["3"]}
    assert readings._READING.sub("", "read: x·η, which is mine/two (fails)") == "x·η"
    in_words = readings.of_misprint(RECORD, Stated())
    assert in_words is not None
    assert ["".join(p for p, _ in line) for _, line in in_words.lines] == [RECORD.statement, "50 counties"]
    assert readings.of_misprint(replace(RECORD, verdict="fails"), Stated()) is None


def test_the_margin_of_the_printed_delta_changes_sign_at_the_value_of_the_claim():
    drawing = constants.broken("α = 1/10, any ε just above 16.437650045140858, δ = e^…")
    assert drawing is not None
    start, end = map(float, re.findall(r"falls from (\S+) to (\S+) and", drawing.text)[0])
    assert start > 0 > end
    assert constants.broken("α = 1/10: something else") is None


@pytest.mark.parametrize(
    "said",
    [
        "α = 1, e^ε = 2, 1 worker, 2 employers, w1 works at e versus w1 works at f: 4 against c",
        "α = 3/2, e^ε = 2, 3 workers, 1 employer, e has 3 workers versus e has 1 worker: inf against c",
    ],
)
def test_one_worker_or_one_employer_is_read(said: str):
    assert attacks._SAID.match(said)
