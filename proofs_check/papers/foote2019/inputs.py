"""Sections 4.1.1 and 5.1: who is in the cells, and in the cells that are simulated."""

from fractions import Fraction

import sympy

from establish import AtMost, Below, Real, Verdict, aside, claim, exact, ill_posed, solver, symbolic
from establish.proofs_check.engine.statements import Comparison
from establish.proofs_check.engine.statements.variables import Variable
from establish.spec.arithmetic import EXACT, SYM
from establish.spec.distributions import geometric
from establish.spec.earnings.bins import BOTTOM

HOURS = (35 * 50, 40 * 52)
"""The fewest and the most hours that are called a full-time year: 1750 and 2080."""

WAGE_TO_2007, WAGE_FROM_2009 = Fraction(515, 100), Fraction(725, 100)
"""The federal minimum wage in dollars per hour, from 1 September 1997 to 23 July 2007, and since 24 July
2009 (29 U.S.C. 206(a)(1))."""


def _close(wage: Variable) -> Comparison:
    """A full-time year at the wage earns within 10% of the bottom cutoff."""
    return Below(
        wage,
        Real("hours", least=HOURS[0], most=HOURS[1]),
        left=lambda c, dollars, hours: c.absolute(dollars * hours - BOTTOM),
        right=Fraction(BOTTOM, 10),
    )


CLOSE_ALWAYS = _close(Real("wage", least=WAGE_TO_2007, most=WAGE_FROM_2009))
CLOSE_UNTIL_2007 = _close(Real("wage", least=WAGE_TO_2007, most=WAGE_TO_2007))


@claim(
    "foote2019/sec4.1.1-minimum-wage",
    where="Section 4.1.1, before Proposition 4.1; footnote 18",
    says="Full-time work at the federal minimum wage earns close to $10,000 a year.",
    states=CLOSE_ALWAYS,
    meant=CLOSE_UNTIL_2007,
    scope="federal minimum wages from 1997 on",
)
def close_to_ten_thousand_until_2007() -> Verdict:
    """Neither the year nor the hours are printed. At $5.15, the wage until July 2007, a year of 1750 to 2080
    hours earns $9,012.50 to $10,712: within 10%. At $7.25, the wage since July 2009, it earns $12,687.50 to
    $15,080: more than a quarter above. Section 3 takes the prevailing wage; then from 2009 on no individual
    earns close to the bottom cutoff, and part of bin 1 is empty by construction.
    """
    return ill_posed(
        exact.refuted(CLOSE_ALWAYS, wage=WAGE_FROM_2009, hours=HOURS[1]),
        solver.proves(CLOSE_UNTIL_2007),
        aside(
            exact.compare(
                WAGE_FROM_2009 * HOURS[0], ">", BOTTOM * Fraction(5, 4), "at $7.25, 1750 hours: dollars"
            )
        ),
        exact.compare(WAGE_FROM_2009 * HOURS[1], "==", 15_080, "at $7.25, 2080 hours: dollars"),
        condition="the wage of 1997 to 2007, $5.15 an hour",
        counterexample="$7.25 an hour, the wage since July 2009: 2080 hours earn $15,080",
    )


NEVER_NEGATIVE = AtMost(Real("ρ", above=0, below=1), left=lambda c, rho: geometric.cdf(-1, rho, c), right=0)
"""The protected count of an empty bin says how many individuals to draw: it is never negative."""


@claim(
    "foote2019/sec5.1-negative-counts",
    where="Section 5.1",
    says="From the protected histograms individuals are generated, as many in each bin as its count says.",
    states=NEVER_NEGATIVE,
    origin="implied",
)
def negative_counts_generate_nobody() -> Verdict:
    """Protected counts may be negative (foote2019/neg-counts): that of an empty bin is with probability
    ρ/(1+ρ), which nears 1/2 for small ε. What is generated then is not said. If it is nobody, an empty bin
    gets E max(K, 0) = ρ/(1−ρ²) individuals on average, and small cells more than they had.
    """
    rho = sympy.Symbol("rho", positive=True)
    firsts = rho * sympy.diff(1 / (1 - rho), rho)
    return ill_posed(
        exact.refuted(NEVER_NEGATIVE, ρ="1/2"),
        symbolic.identity((1 - geometric.mass(0, rho, SYM)) / 2, rho / (1 + rho), "P(K < 0), by symmetry"),
        exact.compare(
            geometric.cdf(-1, Fraction(1, 2), EXACT), "==", Fraction(1, 3), "an empty bin, e^ε = 2: P(K < 0)"
        ),
        symbolic.identity(
            geometric.mass(0, rho, SYM) * firsts, rho / (1 - rho**2), "E max(K, 0), from Σ j·ρ^j"
        ),
        condition="a rule for negative counts",
        counterexample="an empty bin, e^ε = 2: its protected count is negative with probability 1/3",
        value="counted as 0, an empty bin gets ρ/(1−ρ²) individuals on average",
    )
