"""Predicates that a binary float, an open ball or the order of a set would decide are errors, not answers."""

import math
from fractions import Fraction
from functools import partial
from math import inf, sqrt

import pytest

from establish import Every, StatementError, exhaustive
from establish.spec.arithmetic import ARB, MP, SYM, enclosing

THREE, NAMES = 3, frozenset("abcdefgh")
LARGE = 10**17
TENTH, LEVELS, ROOTS = 0.1, (0.1, 0.2), (sqrt,)


def _third(n):
    return n / THREE


def _root(n):
    return math.sqrt(n * n - 1)


def _over(k):
    return lambda n: (LARGE + n) / k == LARGE / k


def _in_place(n):
    LARGE_AND = LARGE + n
    LARGE_AND /= 1
    return LARGE_AND == LARGE


def _is_never_less(n):
    with enclosing(60):
        return not (ARB.exp(ARB.number(n)) * ARB.exp(ARB.number(-n))) < 1


def _is_least(n):
    with enclosing(60):
        return min(ARB.exp(ARB.number(0)), ARB.exp(ARB.number(n)) / ARB.exp(ARB.number(n))) == 1


def _at_most(k, n):
    return n / k <= 1


def _unpacked(n):
    first, *_ = NAMES
    return first == "a" or n < 0


def _by_match(n):
    match _one(n):
        case 1:
            return False
    return True


def _one(n):
    with enclosing(60):
        return ARB.exp(ARB.number(n)) * ARB.exp(ARB.number(-n))


HELPERS = (_third,)

FLOATS = {
    "a third": lambda n: n / 3 * 3 == n,
    "in a helper": lambda n: _third(n) * 3 == n,
    "in a function around it": _over(7),
    "in place": _in_place,
    "to a negative power": lambda n: 3 ** -(n + 1) * 3 ** (n + 1) == 1,
    "by pow": lambda n: pow(3, -n - 1) > 0,
    "modulo the infinite": lambda n: (LARGE + n) % inf == LARGE,
    "in a helper of a tuple": lambda n: HELPERS[0](n) * 3 == n,
    "in a helper of a table": lambda n: {"third": _third}["third"](n) * 3 == n,
    "in a loop": lambda n: all(k / 2 >= 0 for k in range(n + 2)),
    "with a part that is given": partial(_at_most, LARGE),
    "in a function within": lambda n: (lambda k: k / 3)(n) >= 0,
}

BALLS = {
    "a difference that is 0": _is_never_less,
    "the least of two": _is_least,
    "in a tuple": lambda n: (_one(n), 1) != (1, 1),
    "among others": lambda n: _one(n) not in (1, 2),
    "in a set": lambda n: 1 not in {_one(n)},
    "as sets": lambda n: {_one(n)} != {1},
    "as one of others": lambda n: 1 not in [_one(n), 2],
    "in a list that counts": lambda n: [_one(n)].count(1) == 0,
    "by a pattern": _by_match,
    "as a truth": lambda n: bool(_one(n) - 1),
    "as a condition": lambda n: n >= 0 if _one(n) - 1 else n < 0,
    "as one of two": lambda n: (_one(n) - 1 or 7) != 7,
    "as what all are": lambda n: all(_one(k) - 1 for k in range(n + 1)),
    "in a chain": lambda n: not 0 < ARB.exp(ARB.number(n)) - ARB.exp(ARB.number(n)) < 1,
}

HOW_CLOSE = {
    "its middle": lambda n: _one(n).mid() == 1,
    "its radius": lambda n: _one(n).rad() < 1,
    "its upper end": lambda n: _one(n).upper() > 1,
    "whether two overlap": lambda n: _one(n).overlaps(ARB.number(1)),
    "whether it contains a number": lambda n: _one(n).contains(1),
    "whether it is exact": lambda n: not _one(n).is_exact(),
    "its digits": lambda n: _one(n).str(5) != "2",
    "a method of its kind": lambda n: type(_one(n)).mid(_one(n)) == 1,
    "by getattr": lambda n: getattr(_one(n), "mid")() == 1,  # noqa: B009
    "the wholes in it": lambda n: _one(n).unique_fmpz() == 1,
}

AS_TEXT = {
    "in a text": lambda n: f"{_one(n)}" != "2",
    "by format": lambda n: "{}".format(_one(n)) != "2",  # noqa: UP032
    "by the function": lambda n: format(_one(n)) != "2",
    "by %": lambda n: "%s" % _one(n) != "2",  # noqa: UP031
    "by a map of texts": lambda n: next(map(str, [_one(n)])) != "2",
    "as a key": lambda n: max([_one(n), ARB.number(0)], key=str) is not None,
    "in the order of pairs": lambda n: (_one(n), 1) < (_one(n), 2) or n >= 0,
    "in a table": lambda n: {"a": _one(n)} != {"a": 1},
}

NO_NUMBERS = {
    "less than none": lambda n: not n < inf - inf,
    "the infinite times 0": lambda n: not n * 0 * inf > n,
    "none in a list": lambda n: [inf - inf] == [n] or n >= 0,
    "the largest": lambda n: max(n, inf - inf) == n,
    "as a truth": lambda n: n >= 0 if inf - inf else n < 0,
    "rounded numbers": lambda n: MP.exp(MP.number(n)) * MP.exp(MP.number(-n)) != 2,
    "among others": lambda n: n not in (inf - inf,),
}

NAMED = {
    "an imaginary number": lambda n: ((LARGE + n) * 1j).imag == LARGE,
    "a root in a tuple": lambda n: ROOTS[0](LARGE**2 + n) == LARGE,
    "a constant": lambda n: n * TENTH * 10 == n,
    "a constant in a tuple": lambda n: n * LEVELS[0] * 10 == n,
    "a power from the right": lambda n: 1 + (-40).__rpow__(3) == 1 or n < 0,
    "a comparison by its method": lambda n: not _one(n).__eq__(1),
    "float": lambda n: Fraction(float(n)) == n,
    "by a method": lambda n: (LARGE + n).__truediv__(1) == LARGE,
    "hexadecimal": lambda n: n < float.fromhex("0x1p9"),
    "a root": lambda n: math.sqrt(n * n - 1) == n,
    "a root in a helper": lambda n: _root(n) == n,
    "a root by its own name": lambda n: sqrt(n * n - 1) == n,
    "quotients of logarithms": lambda n: math.floor(math.log(1000) / math.log(10)) < 3 or n < 0,
    "decimals": lambda n: n * 0.1 + 0.2 > 0.3,
    "one of a few decimals": lambda n: n in (0.1, 10**8),
}


UNDECIDED = (
    (FLOATS, r"test_as_it_runs\.py:\d+: .* is the binary float .*: write F"),
    (BALLS, "balls"),
    (AS_TEXT, "balls"),
    (HOW_CLOSE, "tells how .* was computed"),
    (NO_NUMBERS, "no number|leave|compares|asked whether it is 0"),
)


@pytest.mark.parametrize(
    ("holds", "told"),
    [pytest.param(one, told, id=name) for table, told in UNDECIDED for name, one in table.items()],
)
def test_what_floats_open_balls_and_their_digits_would_decide_is_an_error(holds, told):
    with pytest.raises(StatementError, match=told):
        exhaustive.each(Every("n", lambda: range(3), holds), "0 to 2")


@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_stands_for_floats_is_refused(name):
    with pytest.raises(StatementError, match="a statement computes exactly"):
        Every("n", lambda: range(3), NAMED[name])


def test_cases_are_exact():
    with pytest.raises(StatementError, match="1 / 10 is the binary float"):
        exhaustive.each(Every("n", lambda: (n / 10 for n in range(1, 3)), lambda n: n >= 0), "1 and 2")


def test_expressions_are_not_compared_as_they_are_written():
    different = Every(
        "n", lambda: range(1, 3), lambda n: SYM.log(SYM.number(8**n)) != 3 * SYM.log(SYM.number(2)) * n
    )
    with pytest.raises(StatementError, match="one of several forms"):
        exhaustive.each(different, "0 to 2")


KEPT, DRAWN = ([],), (iter(range(5)),)


@pytest.mark.parametrize(
    ("cases", "holds"),
    [
        (lambda: range(5), lambda n: KEPT[0].append(n) is None and len(KEPT[0]) < 9),
        (lambda: DRAWN[0], lambda n: n >= 1),
    ],
)
def test_what_a_tuple_holds_may_not_change(cases, holds):
    with pytest.raises(StatementError, match="says the same whenever it is asked"):
        Every("n", cases, holds)


def test_what_balls_decide_is_decided():
    grows = Every("n", lambda: range(3), lambda n: not ARB.exp(ARB.number(n)) > ARB.exp(ARB.number(n + 1)))
    assert exhaustive.each(grows, "0 to 2").established


@pytest.mark.parametrize(
    "first",
    [
        lambda n: list(NAMES)[n] == "abc"[n],
        lambda n: next(iter(NAMES)) == "a" or n < 0,
        lambda n: [name * 2 for name in NAMES][n] == "abc"[n] * 2,
        lambda n: max(NAMES, key=len) == "a" or n < 0,
        lambda n: next(a for a, _ in zip(NAMES, range(n + 1), strict=False)) == "a",
        lambda n: [*NAMES][n] == "abc"[n],
        lambda n: "".join(NAMES)[n] == "abc"[n],
        lambda n: (lambda first, *others: first)(*NAMES) == "a" or n < 0,
        lambda n: [*dict.fromkeys(NAMES)][n] == "abc"[n],
        lambda n: str(NAMES).index("a") < str(NAMES).index("b") or n < 0,
        _unpacked,
    ],
)
def test_the_order_of_a_set_is_the_same_in_every_process(first):
    assert exhaustive.each(Every("n", lambda: range(3), first), "0 to 2").established


def test_an_element_of_a_set_is_not_drawn():
    with pytest.raises(StatementError, match="pop gives any element of a set"):
        exhaustive.each(Every("n", lambda: range(3), lambda n: {n, n + 1}.pop() == n), "0 to 2")


def test_a_name_of_ones_own_is_not_the_built_in_function():
    def largest(n):
        max = lambda one, two: one  # noqa: E731
        return max(n, 9) == n

    assert exhaustive.each(Every("n", lambda: range(3), largest), "0 to 2").established


def test_rationals_are_divided():
    thirds = Every("n", lambda: range(3), lambda n: Fraction(n) / 3 * 3 == n == n // 1 and 2**n >= 1)
    assert exhaustive.each(thirds, "0 to 2").established


def test_a_function_without_a_source_is_refused():
    scope = {}
    exec("def hidden(n): return n >= 0", scope)
    with pytest.raises(StatementError, match="its source cannot be read"):
        exhaustive.each(Every("n", lambda: range(3), scope["hidden"]), "0 to 2")


def test_a_file_that_changed_since_it_was_imported_is_not_run_anew(tmp_path):
    file = tmp_path / "old.py"
    file.write_text("def holds(n):\n    return n >= 0\n", "utf-8")
    scope = {"__name__": "old"}
    exec(compile(file.read_text("utf-8"), str(file), "exec"), scope)
    assert exhaustive.each(Every("n", lambda: range(3), scope["holds"]), "0 to 2").established
    file.write_text("def holds(n):\n    return n >= 1\n", "utf-8")
    with pytest.raises(StatementError, match="its file has changed since it was imported"):
        exhaustive.each(Every("n", lambda: range(4), scope["holds"]), "0 to 3")
