"""Arguments that cannot be used are named, with what is allowed."""

import numpy as np
import pytest

from establish import AtMost, ParameterError, Real, StatementError, assert_same_law, custom, dp, exact
from establish.impl.suppression.layout import attacker
from establish.proofs_check.audit import audit
from establish.proofs_check.commands.limit import limit
from establish.proofs_check.implications.definitions import universe_named

BELOW_ONE = AtMost(Real("x"), left=lambda c, x: x, right=1)


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: audit(abs, dp(1), seed=-1), ParameterError, "seed = -1 is not allowed"),
        (lambda: audit(abs, dp(1), seed=1.5), ParameterError, r"seed = 1\.5 is not allowed"),
        (lambda: custom([(1,)], 1), ParameterError, r"neighbors: \(1,\) is not a pair of datasets"),
        (lambda: assert_same_law(None, None), ParameterError, "new = None is not a sampler"),
        (lambda: exact.compare(1, "<<", 2, "x"), ValueError, "relation = '<<' is not one of <, <="),
        (lambda: exact.refuted(BELOW_ONE, x="a"), StatementError, "x = 'a' is not a rational number"),
        (lambda: exact.refuted(BELOW_ONE, x="1/0"), StatementError, "x = '1/0' is not a rational number"),
        (lambda: limit("1/10", "2", n="x"), ParameterError, "n = x .* a whole number from 1 to"),
        (lambda: attacker("controlled:0"), ParameterError, "controlled:0: the base 0 must be a whole number"),
        (lambda: attacker("nearest:３"), ParameterError, "nearest:３: the base ３ must be a number"),
        (lambda: attacker("random"), ParameterError, "random: the base B must be a whole"),
        (lambda: universe_named("workers=2,workers=3"), ParameterError, "gives workers twice"),
        (lambda: universe_named("workers=３"), ParameterError, "is not understood"),
    ],
)
def test_what_is_wrong_is_named(call, kind, said):
    with pytest.raises(kind, match=said):
        call()


def test_a_float_of_numpy_is_read_as_its_author_wrote_it():
    assert dp(np.float64(0.1)).level == dp("1/10").level
