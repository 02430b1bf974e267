"""A drawing shows a point only when the statement, evaluated there again, is false and says the same."""

import re
from copy import copy
from fractions import Fraction

import hypothesis
import pytest
from hypothesis import strategies as st

from establish import AtMost, Every, Integer, Printed, Real, ShapeUniverse, exact
from establish.proofs_check.engine.statements import OfParts, given
from establish.proofs_check.report.drawings import attacks, cases, constants, curves, numbers, parts
from establish.proofs_check.report.drawings.drawing import outward, shown, tabulated
from establish.proofs_check.report.drawings.points import point_of, written
from establish.proofs_check.report.drawings.shapes import ticks
from establish.spec.indistinguishability import hockey_stick

SQUARE = AtMost(Real("x", least=0), Real("y"), left=lambda c, x, y: x * x + 0 * y, right=9)


def test_the_point_of_a_refutation_is_read_back():
    assert point_of(SQUARE, exact.refuted(SQUARE, x="7/2", y=-1)) == {"x": Fraction(7, 2), "y": -1}


@pytest.mark.parametrize("words", ["x = 7/2: ", "x = 2, y = -1: ", "x = -4, y = -1: ", ""])
def test_words_that_the_statement_does_not_say_there_give_no_point(words: str):
    piece = exact.refuted(SQUARE, x="7/2", y=-1)
    forged = copy(piece)
    object.__setattr__(forged, "says", piece.says.replace("x = 7/2, y = -1: ", words))
    assert forged != piece
    assert point_of(SQUARE, forged) is None


def test_a_case_is_read_from_its_text_or_found_in_its_universe():
    pairs = Every("pair", lambda: ((1, 2), (2, 2)), lambda case: case[0] == case[1])
    assert point_of(pairs, exact.refuted(pairs, case=(1, 2))) == {"case": (1, 2)}
    sets = Every("set", lambda: (frozenset("ab"), frozenset()), lambda case: not case)
    assert point_of(sets, exact.refuted(sets, case=frozenset("ab"))) == {"case": frozenset("ab")}
    assert point_of(pairs, exact.refuted(sets, case=frozenset("ab"))) is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        (1, -2, "a"),
        Fraction(-6, 5),
        [Fraction(1, 2), (True,)],
        {"a": Fraction(3), ("b", 1): None},
        frozenset({("c", 1)}),
        frozenset(),
        {1, 2},
    ],
)
def test_text_of_plain_values_is_read(value: object):
    assert written(repr(value)) == value


@pytest.mark.parametrize("text", ["__import__('os')", "f(1)", "(1, x)", "1 + 1", "Fraction(x=1)", "("])
def test_other_text_is_refused_and_never_executed(text: str):
    with pytest.raises(ValueError, match="not the text of a value"):
        written(text)


def test_a_curve_goes_through_the_point_along_the_variable_that_decides():
    drawing = curves.drawn(SQUARE, {"x": Fraction(7, 2), "y": Fraction(-1)})
    assert drawing is not None
    assert drawing.title == "Both sides along x"
    assert "At x = 7/2 the left side (disk) is 12.25 and the right side (square) is 9." in drawing.text
    drawn, wrong = map(int, re.findall(r"Of the (\d+) .* at (\d+)", drawing.text)[0])
    xs = [Fraction(21, 2) * k / curves.STEPS for k in range(curves.STEPS + 1)]
    values = {*xs, Fraction(7, 2)}
    assert (drawn, wrong) == (len(values), sum(x * x > 9 for x in values))


def test_a_curve_leaves_out_what_lies_outside_the_domain():
    half = AtMost(
        Integer("n", least=0, most=20), left=lambda c, n: n, right=3, given=[given(lambda c, n: n, "<=", 7)]
    )
    drawing = curves.drawn(half, {"n": Fraction(5)})
    assert drawing is not None
    assert "from 0 to 7" in drawing.text
    assert "Of the 8 drawn values of n it is false at 4: 4 to 7" in drawing.text


def test_a_statement_about_two_numbers_is_a_number_line():
    drawing = curves.drawn(AtMost(left="7/2", right=3), {})
    assert drawing is not None
    assert drawing.kind == "number line"
    assert "left side is 3.5" in drawing.text


def test_a_printed_number_stands_beside_its_value_and_what_rounds_to_it():
    drawing = numbers.drawn(Printed(lambda c: c.sqrt(c.number(2)), "1.42"), {})
    assert "Printed is 1.42" in drawing.text
    assert "value is 1.41421356237" in drawing.text
    assert "between 1.415 and 1.425" in drawing.text


def test_the_strip_of_cases_counts_the_false_ones():
    even = Every("number", lambda: range(1, 8), lambda case: case % 2 == 0)
    drawing = cases.drawn(even, {"case": 3})
    assert (
        "7 cases, all cases of the universe in its order: 4 are false (hatched); it is case 3" in drawing.text
    )
    assert drawing.svg.count("url(#") == 4 + 1  # the legend has one


def test_the_strip_of_a_large_universe_lies_around_the_counterexample():
    below = Every("number", lambda: range(1, 2000), lambda case: case != 1000)
    drawing = cases.drawn(below, {"case": 1000})
    assert "72 cases, cases 964 to 1035 of the universe" in drawing.text
    assert "1 is false (hatched); it is case 1000" in drawing.text
    assert drawing.svg.count("url(#") == 1 + 1
    beyond = Every("number", lambda: range(10**9), lambda case: case != 10**8)
    assert cases.drawn(beyond, {"case": 10**8}).svg == ""


def test_releases_of_parts_are_drawn_with_the_event_that_is_too_likely():
    composed = OfParts("strong", "workers", level=lambda c, e, delta: e)
    two = {"D": ((1, 1),), "D'": ((2, 2),), "speaks": (((1,),), ((1,),))}
    refuting = exact.refuted(composed, **{"α": 1, "c": 2, "δ": 0, "universe": ShapeUniverse(1, 2, 2), **two})
    point = point_of(composed, refuting)
    assert point is not None
    drawing = parts.drawn(composed, point)
    on_first, on_second, most = map(
        Fraction, re.findall(r"probability (\S+) on D and (\S+) on D'.* at most (\S+) on D", drawing.text)[0]
    )
    p, q = composed.laws(point)
    assert most == 2 * on_second < on_first
    assert on_first - most == hockey_stick(p, q, Fraction(2))


def test_values_are_shown_as_a_reader_writes_them():
    assert shown((Fraction(6, 5), frozenset({2, 1}), None)) == "(6/5, {1, 2}, none)"
    assert tabulated("d", (("Ada", 1), ("Bob", 2))).rows == (("Ada", "1"), ("Bob", "2"))
    assert tabulated("d", (3, 4), ["x", "y"]).header == ("x", "y")
    assert tabulated("d", ()).rows == ()


def test_drawings_are_the_same_bytes_again_and_take_the_color_of_the_page():
    point = {"x": Fraction(7, 2), "y": Fraction(-1)}
    one, other = (curves.drawn(SQUARE, point) for _ in range(2))
    assert one == other
    assert one is not None
    assert "currentColor" in one.svg
    assert not re.search(r"#[0-9a-f]{6}\b|<style|<metadata", one.svg)
    assert 'role="img"' in one.svg


@pytest.mark.small_campaign
def test_constants_are_those_of_the_formulas():
    drawn = {drawing.title: drawing for drawing, _ in constants.drawn()}
    scale = drawn["Log-Laplace: scale of the noise, along α"]
    assert "The first is 2 times the second." in scale.text
    delta = drawn["Smooth Laplace: least δ, along α"]
    (table,) = delta.tables
    printed, tight = zip(*((float(p), float(t)) for _, p, t in table.rows), strict=True)
    assert any(p < t for p, t in zip(printed, tight, strict=True)) == ("change places" in delta.text)


@pytest.mark.small_campaign
def test_an_attack_is_built_again_and_tells_each_workers_prior(settled_once: None, own_register):
    entry = own_register["haney2017/table-1/node-dp"]
    (piece,) = [p for p in entry.check().evidence if p.refutes]
    (statement,) = [s for s in entry.stated.all if s.text == piece.decides]
    point = point_of(statement, piece)
    assert point is not None
    drawing = attacks.drawn(statement, point)
    assert [len(table.rows) for table in drawing.tables] == [4, 4]
    assert "The Bayes factor 8 is more than the bound 4" in drawing.text
    unsure = [w for w, b in point["prior"].beliefs.items() if len(b) > 1]
    assert len(unsure) == 2
    for worker in unsure:
        chances = point["prior"].beliefs[worker]
        told = ", ".join(f"{place[0]}: {chance}" for place, chance in chances.items())
        assert f"{worker} ({told})" in drawing.text


@hypothesis.given(st.floats(1e-12, 1.0), st.floats(1e-12, 1.0))
def test_printed_bounds_are_bounds_but_for_the_last_bits(one: float, other: float):
    low, high = sorted((one, other))
    down, up = map(float, outward(low, high))
    assert down <= low * (1 + 2**-49)
    assert high * (1 - 2**-49) <= up
    assert (down, up) == pytest.approx((low, high), rel=1.1e-3)


def test_bounds_are_rounded_away_from_each_other():
    assert outward(0.881593, 0.881593) == ("0.8815", "0.8816")
    assert outward(0.25, 0.26) == ("0.25", "0.26")  # the float 0.26 is a little more
    assert outward(0.0, 1.0) == ("0", "1")


@hypothesis.given(st.floats(1e-9, 1e3))
def test_an_axis_has_a_few_ticks_up_to_its_end(top: float):
    found = ticks(top)
    assert found[0] == 0
    assert 3 <= len(found) <= 7
    assert top / 2 < found[-1] <= top * (1 + 1e-9)
