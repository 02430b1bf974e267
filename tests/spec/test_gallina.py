"""Formulas printed as Gallina: read back by a small evaluator of their own, they have the same values."""

import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from establish.proofs_check.formal.formulas import FORMULAS
from establish.spec.arithmetic import MP
from establish.spec.distributions import gaussian, heavy_tailed, laplace, log_laplace
from establish.spec.gallina import GALLINA, Integer, NotATerm, Proposition, Term
from establish.spec.gaussian import raised, total
from establish.spec.mechanisms import log_laplace as log_laplace_mechanism
from establish.spec.mechanisms import smooth_gamma, smooth_laplace
from establish.spec.relations.growth import growth_bound, may_grow

DIGITS = 60
TOKEN = re.compile(r"\s*(/\\|\\/|<=|[-+*/^()<=]|[A-Za-z_][\w.]*|\d+)")


class Reader:
    """A term as Coq reads it: by its own parentheses, functions applied to what follows."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self.tokens = TOKEN.findall(text)
        assert "".join(self.tokens) == re.sub(r"\s", "", text)
        self.values, self.place = values, 0

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def value(self) -> Any:
        token = self.take()
        if token == "(":
            return self.inside()
        if token.isdigit():
            return mpmath.mpf(int(token))
        return +mpmath.pi if token == "PI" else self.values[token]

    def inside(self) -> Any:
        token = self.tokens[self.place]
        if token in ("-", "/"):
            self.take()
            operand = self.value()
            result = -operand if token == "-" else 1 / operand
        elif token in FUNCTIONS and self.tokens[self.place + 1] != ")":
            function, arity = FUNCTIONS[self.take()]
            result = function(*[self.value() for _ in range(arity)])
        else:
            result = self.value()
            if self.tokens[self.place] != ")":
                result = OPERATORS[self.take()](result, self.value())
        assert self.take() == ")"
        return result


FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "ln": (mpmath.log, 1),
    "exp": (mpmath.exp, 1),
    "sqrt": (mpmath.sqrt, 1),
    "sin": (mpmath.sin, 1),
    "Rabs": (abs, 1),
    "sign": (mpmath.sign, 1),
    "erf": (mpmath.erf, 1),
    "Rmax": (max, 2),
    "Rpower": (mpmath.power, 2),
    "powerRZ": (mpmath.power, 2),
    "Z.abs": (abs, 1),
}
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "^": lambda x, y: x ** int(y),
    "<=": lambda x, y: x <= y,
    "/\\": lambda x, y: x and y,
    "\\/": lambda x, y: x or y,
}


def parts(text: str) -> tuple[str, list[tuple[str, str]], str]:
    """The name, the parameters with their types, and the body of a definition."""
    head, _, body = text.partition(":=")
    return head.split()[1], re.findall(r"\((\w+) : (\w)\)", head), body.strip().removesuffix(".")


# The same function of spec/, called without the renderer: what a printed term must evaluate to.
IN_PYTHON: dict[str, Callable[..., Any]] = {
    "laplace_log_density": lambda x, center, scale: laplace.log_density(x, center, scale, MP),
    "laplace_cdf": lambda x, center, scale: laplace.cdf(x, center, scale, MP),
    "log_laplace_log_density": lambda x, count, shift, scale: log_laplace.log_density(
        x, count, shift, scale, MP
    ),
    "heavy_tailed_log_density": lambda z: heavy_tailed.log_density(z, 4, MP),
    "heavy_tailed_normalizer": lambda: heavy_tailed.normalizer(4, MP),
    "heavy_tailed_sliding_constant": lambda: heavy_tailed.sliding_constant(4, MP),
    "heavy_tailed_dilation_constant": lambda: heavy_tailed.dilation_constant(4, MP),
    "heavy_tailed_absolute_moment_1": lambda: heavy_tailed.absolute_moment(1, 4, MP),
    "log_laplace_published_scale": lambda alpha, epsilon: log_laplace_mechanism.published_scale(
        alpha, epsilon, MP
    ),
    "log_laplace_tight_scale": lambda alpha, epsilon: log_laplace_mechanism.tight_scale(alpha, epsilon, MP),
    "smooth_gamma_published_slide": lambda alpha, epsilon: smooth_gamma.published_slide(alpha, epsilon, MP),
    "smooth_gamma_tight_slide": lambda alpha, epsilon: smooth_gamma.tight_slide(alpha, epsilon, MP),
    "smooth_laplace_least_epsilon": lambda alpha, delta: smooth_laplace.least_epsilon(alpha, delta, MP),
    "smooth_laplace_exact_delta": lambda alpha, epsilon: smooth_laplace.exact_delta(alpha, epsilon, MP),
    "growth_bound": lambda x, alpha: growth_bound(x, alpha, MP),
    "normal_cdf": lambda z: gaussian.cdf(z, MP),
    "gaussian_log_density": lambda x, mean, sd: gaussian.log_density(x, mean, sd, MP),
    "gaussian_raised": lambda z, mu: raised(z, mu, MP),
    "gaussian_composed": lambda mu_1, mu_2: total([mu_1, mu_2], MP),
}


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)
def test_every_printed_term_is_read_back_whole(formula):
    name, parameters, body = parts(formula.text)
    rng = random.Random(name)
    with mpmath.workdps(DIGITS):
        values = {
            symbol: rng.randint(-5, 5) if kind == "Z" else mpmath.mpf(rng.randint(1, 999)) / 1000
            for symbol, kind in parameters
        }
        for term in filter(str.strip, re.split(r"[\[\];]+", body)):  # one, or those of a list of lists
            reader = Reader(term, values)
            result = reader.value()
            assert reader.place == len(reader.tokens)
            assert isinstance(result, bool) or mpmath.isfinite(result)


@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_printed_term_agrees_with_python_at_40_digits(name):
    (text,) = (formula.text for formula in FORMULAS if formula.name == name)
    _, parameters, body = parts(text)
    rng = random.Random(f"agree {name}")
    for _ in range(20):
        with mpmath.workdps(DIGITS):
            given = {symbol: Fraction(rng.randint(1, 999), 1000) for symbol, _ in parameters}
            read = Reader(body, {k: mpmath.mpf(v.numerator) / v.denominator for k, v in given.items()})
            printed = read.value()
            expected = mpmath.mpf(IN_PYTHON[name](**{k: MP.number(v) for k, v in given.items()}))
            assert abs(printed - expected) <= mpmath.mpf(10) ** -40 * max(1, abs(expected))


def test_the_reader_notices_a_changed_sign():
    (text,) = (f.text for f in FORMULAS if f.name == "laplace_log_density")
    values = {"x": mpmath.mpf(3), "center": mpmath.mpf(1), "scale": mpmath.mpf(2)}
    body = parts(text)[2]
    assert (
        Reader(body.replace("(x - center)", "(x + center)"), values).value() != Reader(body, values).value()
    )


def test_growth_is_the_same_relation_in_both_languages():
    """The printed conditions, evaluated, against may_grow, for all sizes up to 12 and three shares."""
    (text,) = (f.text for f in FORMULAS if f.name == "may_grow")
    body = parts(text)[2]
    outcomes = set()
    for alpha in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        for x in range(13):
            for y in range(13):
                printed = Reader(body, {"x": x, "y": y, "alpha": alpha}).value()
                assert printed is may_grow(x, y, alpha)
                outcomes.add(printed)
    assert outcomes == {True, False}


def test_what_has_no_term_is_refused_with_the_reason():
    with pytest.raises(NotATerm, match=r"branches on \(x <= 0\)"):
        bool(Term("x") <= 0)
    with pytest.raises(NotATerm, match=r"0\.5 of type float is not an exact number"):
        GALLINA.number(0.5)
    with pytest.raises(NotATerm, match="rounds x"):
        float(Term("x"))
    with pytest.raises(NotATerm, match="takes x as an integer"):
        int(Term("x"))
    with pytest.raises(NotATerm, match="inverts erf"):
        GALLINA.erfinv(Term("x"))


def test_powers_print_as_coq_wants_them():
    x = Term("x")
    assert str(GALLINA.power(x, 4)) == "(x ^ 4)"
    assert str(GALLINA.power(x, -2)) == "(/ (x ^ 2))"
    assert str(GALLINA.power(x, Fraction(1, 2))) == "(Rpower x (1 / 2))"
    assert str(GALLINA.power(x, abs(Integer("k")))) == "(powerRZ x (Z.abs k))"
    assert str(2 - x) == "(2 - x)"
    assert str(-x / 3) == "((- x) / 3)"
    assert str(Fraction(-1, 2) * x) == "(((- 1) / 2) * x)"
    assert isinstance(x > 2, Proposition)
    assert str(x > 2) == "(2 < x)"
