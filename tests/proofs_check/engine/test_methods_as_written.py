"""Evidence is recorded as its author wrote it, before sympy or Python simplifies anything."""

from fractions import Fraction

import pytest
import sympy

from establish.proofs_check.engine.methods import exact, symbolic
from establish.proofs_check.engine.methods.as_written import LONGEST

x, t = sympy.symbols("x t", positive=True)


def test_an_identity_whose_sides_simplify_to_one_text_shows_both_as_written():
    evidence = symbolic.identity(sympy.integrate(1 / t, (t, 1, x)), sympy.log(x), "the integral")
    assert evidence.says == "the integral: integrate(1 / t, (t, 1, x)) = log(x); both are log(x)"


def test_sides_that_differ_are_shown_as_written_and_as_they_come_out():
    evidence = symbolic.identity(sympy.diff((x + 1) ** 2, x), 2 * x + 2, "the slope")
    assert evidence.says.startswith("the slope: diff((x + 1) ** 2, x) = 2 * x + 2")


def test_a_comparison_of_truth_values_shows_what_was_compared():
    evidence = exact.compare(int({1, 2} == {2, 1}), "==", 1, "the sets")
    assert evidence.says == "the sets: int({1, 2} == {2, 1}) == 1; both are 1"


def test_a_local_variable_is_shown_by_what_it_was_set_to():
    total = sum(
        Fraction(1, n)
        for n in (1, 2)
    )  # fmt: skip
    evidence = exact.compare(total, "<", 2, "the sum")
    assert evidence.says == "the sum: sum((Fraction(1, n) for n in (1, 2))) < 2; 3/2 < 2"


def test_a_name_that_stands_for_several_things_is_shown_by_its_value():
    for value in (1, 2):
        assert exact.compare(value, "<", 3, "small").says == f"small: {value} < 3"
    changed = 1
    changed = changed + 4
    assert exact.compare(changed, "==", 5, "five").says == "five: 5 == 5"


def test_plain_numbers_are_shown_once():
    assert exact.compare(17, ">", 16, "γ = 4").says == "γ = 4: 17 > 16"


def test_arguments_that_are_not_written_in_the_call_are_shown_by_value():
    assert exact.compare(*(1, "<", 2), "given").says == "given: 1 < 2"


def test_code_without_a_file_is_shown_by_value():
    space = {"exact": exact}
    code = compile("found = exact.compare(1 + 1, '<', 3, 'typed in')", "<nowhere>", "exec")
    exec(code, space)  # as in a shell
    assert space["found"].says == "typed in: 2 < 3"


def test_a_long_side_is_cut():
    evidence = exact.compare(1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1, ">", 1, "many")  # fmt: skip  # noqa: E501
    written = evidence.says.partition(" > ")[0]
    assert len(written) == len("many: ") + LONGEST + 1
    assert written.endswith("…")


@pytest.mark.parametrize("relation", ["==", "<"])
def test_a_false_statement_is_refuted_however_it_is_shown(relation):
    assert exact.compare(1 + 1, relation, 1, "false").established is False
