"""Section 2, Definition 2.5: the geometric mechanism, and its law."""

import sympy

from establish import Verdict, aside, claim, exact, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import AtMost, EverySum, Integer, Rational, Real
from establish.spec.arithmetic import SYM
from establish.spec.distributions import geometric
from establish.spec.distributions.geometric import Geometric

_RHO = Rational("ρ", above=0, below=1)

ANY_QUERY_IS_PRIVATE = AtMost(
    _RHO,
    Integer("output"),
    Integer("q"),
    Integer("q'"),
    left=lambda c, rho, x, q, _: geometric.mass(x - q, rho, c),
    right=lambda c, rho, x, _, other: geometric.mass(x - other, rho, c) / c.number(rho),
)
"""Definition 2.5 at ρ = 1 − p = e^(−ε): no sensitivity bounds how far the values of neighbors are apart."""


WITH_SENSITIVITY = EverySum(
    AtMost(
        *(Integer(name) for name in ("output", "q", "q'")),
        left=lambda c, x, q, other: abs(x - other) - abs(x - q),
        right=lambda c, x, q, other: abs(q - other),
    ),
    shared=[],
)
"""Over d coordinates: the loss at an output, in ln(1/ρ), is at most the L1 distance of the values."""

COUNT_IS_PRIVATE = AtMost(
    Real("ε", above=0),
    Integer("output"),
    Integer("q"),
    Integer("q'", least=lambda c, epsilon, x, q: q - 1, most=lambda c, epsilon, x, q: q + 1),
    left=lambda c, epsilon, x, q, other: (
        Geometric(q, c.exp(-epsilon), c).log_weight(x) - Geometric(other, c.exp(-epsilon), c).log_weight(x)
    ),
    right=lambda c, epsilon, *_: epsilon,
)
"""For values that are at most 1 apart: the loss at an output with p = 1 − e^(−ε)."""


@claim(
    "foote2019/def-2.5-p",
    where="Section 2, Definition 2.5",
    says="q(D) + η with η the difference of two geometric variables with p = 1 − e^(−ε) is ε-private.",
    states=ANY_QUERY_IS_PRIVATE,
    meant=WITH_SENSITIVITY,
)
def geometric_mechanism_needs_sensitivity_one() -> Verdict:
    """The ratio of the masses at distances k and k + Δ is ρ^Δ with ρ = 1 − p, so the loss is Δ·ln(1/ρ): with
    p = 1 − e^(−ε) it is ε exactly when the integer-valued query has L1 sensitivity 1. The definition does
    not mention the sensitivity; twice a count loses 2ε, half a count has outputs that a neighbor cannot
    produce. In general p = 1 − e^(−ε/Δ).
    """
    epsilon, spread = sympy.symbols("epsilon Delta", positive=True)
    k = sympy.Symbol("k", integer=True, nonnegative=True)
    delta = sympy.Symbol("Delta", integer=True, positive=True)
    rho = sympy.Symbol("rho", positive=True)
    ratio = geometric.mass(k, rho, SYM) / geometric.mass(k + delta, rho, SYM)
    return ill_posed(
        term_by_term(WITH_SENSITIVITY, solver.proves(WITH_SENSITIVITY.term)),
        aside(symbolic.identity(ratio, rho**-delta, "the ratio of the masses at distances k and k + Δ")),
        symbolic.identity(
            -spread * sympy.log(1 - (1 - sympy.exp(-epsilon / spread))), epsilon, "at p = 1 − e^(−ε/Δ)"
        ),
        exact.refuted(ANY_QUERY_IS_PRIVATE, **{"ρ": "1/2", "output": 0, "q": 0, "q'": 2}),
        condition="q takes integers and has L1 sensitivity 1",
        counterexample="q = 2·count, e^ε = 2: at output 0 the masses for counts 0 and 1 have the ratio 4",
        value="p = 1 − e^(−ε/Δ)",
    )


@claim(
    "foote2019/def-2.5-law",
    where="Section 2, Definition 2.5",
    says="Geo(X, p) − Geo(Y, p) is the two-sided geometric law.",
    origin="implied",
)
def difference_of_geometrics_is_two_sided() -> Verdict:
    """P(X − Y = k) = Σ_j p²·ρ^(j+k)·ρ^j = p²·ρ^k/(1 − ρ²) with ρ = 1 − p, which is (1−ρ)/(1+ρ)·ρ^k. Whether
    the variables start at 0 or at 1 cancels. The sum over j is geometric: its partial sums are
    (1 − ρ^(2n))/(1 − ρ²).
    """
    rho = sympy.Symbol("rho", positive=True)
    n, k = sympy.symbols("n k", integer=True, nonnegative=True)
    partial = (1 - rho ** (2 * n)) / (1 - rho**2)
    return holds(
        symbolic.identity(
            partial.subs(n, n + 1) - partial, rho ** (2 * n), "partial sums of Σ ρ^(2j), their step"
        ),
        symbolic.identity(partial.subs(n, 0), 0, "and their start"),
        symbolic.identity(
            (1 - rho) ** 2 * rho**k / (1 - rho**2), geometric.mass(k, rho, SYM), "p²·ρ^k·Σ ρ^(2j), the mass"
        ),
        value="(1−ρ)/(1+ρ)·ρ^|k| with ρ = 1 − p",
        condition="X and Y are independent",
    )
