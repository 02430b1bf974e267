"""The solver: planted polynomial statements over the reals."""

import pytest
import z3

from establish import AtMost, Below, Grade, Real, solver

x, y, z = z3.Reals("x y z")
TINY = z3.Q(1, 4 * 10**14)

FALSE = {
    "a square root is not always positive": ([x * x == 2], x > 0),
    "a bound missed by 1 at one point": ([x >= 0, x <= 1], x * (1 - x) < z3.Q(1, 4)),
    "a bound missed by 10^-16": ([], x * (2 - x) <= 1 - z3.Q(1, 10**16)),
    "Motzkin's polynomial is not positive": ([], x**4 * y**2 + x**2 * y**4 + 1 > 3 * x**2 * y**2),
    "a cube root below its value": ([x * x * x == 2], x < z3.Q(1259921, 1000000)),
    "a near miss between roots": ([x >= 0], x * x + TINY > x * z3.Q(1, 10**7)),
    "an assumption is missing": ([y > 0], x / y <= x),
    "a reversed inequality": ([x > 0, y > 0], (x + y) * (x + y) <= 4 * x * y),
    "true over the integers only": ([x > 0], x * x >= x),
    "x/x at x = 0": ([], x / x == 1),
    "transitivity of closeness": ([x - y <= 1, y - z <= 1], x - z <= 1),
    "an implication the wrong way round": ([x * x == 1], x == 1),
}
TRUE = {
    "a square is nonnegative": ([], x * x >= 0),
    "Cauchy and Schwarz": ([], (x * y + z) ** 2 <= (x * x + 1) * (y * y + z * z)),
    "Motzkin's polynomial is nonnegative": ([], x**4 * y**2 + x**2 * y**4 + 1 >= 3 * x**2 * y**2),
    "arithmetic and geometric mean": ([x > 0, y > 0], (x + y) * (x + y) >= 4 * x * y),
    "a cube root between decimals": (
        [x * x * x == 2],
        z3.And(x > z3.Q(125992104, 10**8), x < z3.Q(125992105, 10**8)),
    ),
    "a discriminant of exactly 0": ([x >= 0], x * x + TINY >= x * z3.Q(1, 10**7)),
    "x/x away from 0": ([x != 0], x / x == 1),
    "0.1 is a tenth": ([x == 0.1], 10 * x == 1),
    "a case split": ([], z3.If(x >= 0, x, -x) >= x),
    "monotone fractions": ([x > 0, y >= x], x / (1 + x) <= y / (1 + y)),
    "the maximum at a corner": ([x >= 0, x <= 1, y >= 0, y <= 1], z3.And(x * y <= 1, x + y <= 2)),
}
PROVES_NOTHING = {
    "an assumption that is the conclusion": ([x * x <= 2, y > 0], x * x <= 2),
    "assumptions that contradict each other": ([x > 1, x < 0], x > 5),
    "no real number": ([x * x == -1], x == 0),
    "a false conclusion from nothing": ([x * x + y * y < 0], x * x < 0),
}


@pytest.mark.parametrize("statement", FALSE.values(), ids=FALSE)
def test_a_false_statement_is_refuted_with_a_model(statement):
    evidence = solver.for_all(*statement, "planted")
    assert evidence.established is False
    assert "=" in evidence.witness


@pytest.mark.parametrize("statement", TRUE.values(), ids=TRUE)
def test_a_true_statement_is_proved(statement):
    evidence = solver.for_all(*statement, "planted")
    assert evidence.established is True
    assert evidence.grade is Grade.PROOF


@pytest.mark.parametrize("statement", PROVES_NOTHING.values(), ids=PROVES_NOTHING)
def test_assumptions_that_say_nothing_or_everything_prove_nothing(statement):
    assert solver.for_all(*statement, "planted").established is None


def test_the_witness_of_a_refutation_breaks_the_statement():
    evidence = solver.for_all([x >= 0], x * x + TINY > x * z3.Q(1, 10**7), "planted")
    # the only failing point is the double root x = 10^-7/2
    assert evidence.witness == "x = 1/20000000"


def test_a_statement_that_takes_too_long_is_undecided(monkeypatch):
    monkeypatch.setattr(solver, "EFFORT", 20_000)
    a, b, c = z3.Reals("a b c")
    # true: the degree-7 power mean inequality for three numbers
    means = 27 * 27 * (a**7 + b**7 + c**7) >= (a + b + c) ** 7
    evidence = solver.for_all([a > 0, b > 0, c > 0], means, "planted")
    assert evidence.established is None
    assert evidence.witness == "", "it is the conclusion that takes too long, not the assumptions"


def test_of_erf_the_solver_knows_its_range_its_zero_and_its_order():
    either = Real("x"), Real("y", least=lambda c, x: x)
    grows = AtMost(*either, left=lambda c, x, y: c.erf(x), right=lambda c, x, y: c.erf(y))
    negative = AtMost(Real("x", most=0), left=lambda c, x: c.erf(x), right=0)
    below_1 = Below(Real("x"), left=lambda c, x: c.erf(x), right=1)
    assert all(solver.proves(each).established for each in (grows, negative, below_1))
    strict = Below(*either, left=lambda c, x, y: c.erf(x), right=lambda c, x, y: c.erf(y))
    smaller = Below(Real("x"), left=lambda c, x: c.erf(x), right="99/100")
    slope = AtMost(Real("x", least=0), left=lambda c, x: c.erf(x), right=lambda c, x: x)
    assert not any(solver.proves(each).established for each in (strict, smaller, slope))


def test_an_answer_takes_as_many_steps_whatever_was_asked_before():
    def steps() -> int:
        x, y, z = z3.Reals("x y z")
        question, _ = solver._solver([x > y, y > z, z > 1, x * y * z < x * z * z + y - z])
        assert question.check() == z3.unsat
        return question.statistics().get_key_value("rlimit count")

    first = steps()
    for number in range(50):
        other = z3.Real(f"other {number}")
        assert solver.for_all([other > number], other * other > number**2, "").established
    assert steps() == first
