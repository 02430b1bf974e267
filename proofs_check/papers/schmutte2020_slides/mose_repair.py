"""What it takes to make MOSE formally private, and what that costs in noise."""

from fractions import Fraction

import sympy
import z3

from establish import Verdict, aside, claim, exact, exhaustive, fails, holds, solver, symbolic
from establish.proofs_check.engine.rules import exceeding, no_constant
from establish.proofs_check.engine.statements import AtMost, Bounded, Equal, Real
from establish.proofs_check.papers.schmutte2020_slides.groups import GRID, ONE, ZERO
from establish.proofs_check.papers.schmutte2020_slides.releases import public_scale_loss
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace
from establish.spec.regression.local import change_by_adding
from establish.spec.regression.mose import Groups
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.regression.ols import Moments, Points, predict
from establish.spec.sensitivity import local_sensitivity

ISSUES = "Slides, Opportunity Atlas, Issues (not formally private)"


def _change_times_size(c: World, k: Number, m: Number) -> Number:
    """N·|change| at rank 1, for k people at (0, 0), one at (1/m, 0) and one more at (1/m, 1)."""
    zero = c.number(0)
    crowd = Moments(k, zero, zero, zero, zero).plus(1 / m, zero)
    return (k + 1) * c.absolute(change_by_adding(crowd, 1, 1 / m, 1))


PUBLIC_CHI = Bounded(
    Real("k", least=1), Real("m", least=2), left=_change_times_size, by=lambda c, k, m: c.number(1)
)
"""Some χ is at least N·LS of every group, those of k + 1 people here among them."""

_CROWDS = {"k": lambda c, most: 2 * most, "m": lambda c, most: c.number(2)}


@claim(
    "schmutte2020_slides/mose-repair/public-chi",
    where=ISSUES,
    says="There is a public χ with N_g·LS_g ≤ χ for every dataset, so that noise of scale χ/(N_g ε) with "
    "public N_g is ε-private.",
    states=PUBLIC_CHI,
    origin="ours",
)
def no_public_chi_bounds_every_dataset() -> Verdict:
    """Such a χ would do, but there is none. With ranks that are multiples of 1/m, let k people be at
    rank 0 and one at rank 1/m, all with outcome 0; one more at (1/m, 1) moves the prediction at rank 1 by
    m/2, whatever k is. So N·LS_g ≥ (k+1)·m/2, without bound as k grows; for groups of at most n people χ
    must be at least n·m/2, and the scale χ/N_g at least m/2, more than the whole range of the outcomes.
    (Ours; the slides do not state it.)
    """
    m, k, limit = sympy.symbols("m k limit", positive=True)
    crowd = Moments(k, *[sympy.Integer(0)] * 4).plus(1 / m, sympy.Integer(0))
    moved = change_by_adding(crowd, 1, 1 / m, 1)
    at_limit = ((k + 1) * moved).subs(k, 2 * limit / m)
    three = Moments(2, ZERO, ZERO, ZERO, ZERO).plus(Fraction(1, 100), ZERO)
    return fails(
        no_constant(PUBLIC_CHI, _CROWDS, *(solver.proves(piece) for piece in exceeding(PUBLIC_CHI, _CROWDS))),
        symbolic.identity(moved, m / 2, "change at rank 1 with k people at rank 0"),
        symbolic.identity(at_limit - limit, m / 2, "N·LS at k = 2·limit/m exceeds the limit by"),
        *public_scale_loss(),
        aside(
            exact.compare(
                Fraction(change_by_adding(three, ONE, Fraction(1, 100), ONE)),
                "==",
                50,
                "ranks in percent, three people: the change",
            )
        ),
        counterexample="ranks in percent: outcomes 0 at ranks 0, 0, .01 predict 0 at rank 1; with one more "
        "at (.01, 1) they predict 50",
        value="∞; at least n·m/2 for at most n people and ranks in multiples of 1/m",
        condition="true of a χ that bounds every dataset, if there were one",
    )


def clamped(points: Points) -> Fraction:
    """The prediction at rank 1, moved into [0, 1]; 1/2 where there is no line."""
    found = predict(points, ONE)
    return Fraction(1, 2) if found is None else min(max(found, ZERO), ONE)


def _clamped(c: World, x: Number) -> Number:
    """x moved into [0, 1]."""
    return -c.maximum(-c.maximum(x, c.number(0)), c.number(-1))


CLAMPED_MOVES = AtMost(
    Real("p"), Real("q"), left=lambda c, p, q: c.absolute(_clamped(c, p) - _clamped(c, q)), right=1
)
CLAMPED_IS_PRIVATE = AtMost(
    *(Real("ε", above=0), Real("p"), Real("q"), Real("o")),
    left=lambda c, e, p, q, o: (
        Laplace(_clamped(c, p), 1 / e, c).log_density(o) - Laplace(_clamped(c, q), 1 / e, c).log_density(o)
    ),
    right=lambda c, e, *_: e,
)
"""Two predictions, whatever the data are, are at most 1 apart when clamped; and the log-ratio of the
densities of the two releases, with Laplace(1/ε) noise, is at most ε at every output.
"""

AGAINST_MOSE = Equal(
    *(Real(name, above=0) for name in ("ε", "N", "χ")),
    left=lambda c, e, n, chi: 1 / e,
    right=lambda c, e, n, chi: n / chi * (chi / n / e),
)


@claim(
    "schmutte2020_slides/mose-repair/clamped",
    where=ISSUES,
    says="A prediction clamped to [0, 1] (and 1/2 without a line) with Laplace(1/ε) noise is ε-private.",
    states=(CLAMPED_MOVES, CLAMPED_IS_PRIVATE),
    tight=AGAINST_MOSE,
    scope="a group without a line has the prediction 1/2, in [0, 1] too",
    origin="ours",
)
def clamping_needs_the_full_range() -> Verdict:
    """The change is at most the range, 1, whatever the data are, and it is attained: outcomes 0 at ranks 0
    and 1/2 predict 0 at rank 1, one more at (1/2, 1) turns that to 1. So no smaller constant scale does. No
    size needs to be public. The cost: the noise is N/χ times MOSE's, four times at N = 3 and χ = 3/4, and
    it does not fall with N. (Ours; the slides do not state it.)
    """
    return holds(
        solver.proves(CLAMPED_MOVES),
        solver.proves(CLAMPED_IS_PRIVATE),
        symbolic.proves(AGAINST_MOSE),
        value="scale 1/ε, that is N/χ times MOSE's",
    )


def _people_to_an_exception(relation: AddOrRemovePerson, bound: Fraction) -> dict[Groups, int]:
    """γ: the distance to the datasets whose local sensitivity exceeds the bound."""
    sphere = {
        d for d in relation.datasets() if local_sensitivity(lambda x: clamped(x[0]), relation, d) > bound
    }
    away, steps = dict.fromkeys(sphere, 0), 0
    while sphere:
        steps += 1
        sphere = {y for x in sphere for y in relation.neighbors(x)} - away.keys()
        away |= dict.fromkeys(sphere, steps)
    return away


@claim(
    "schmutte2020_slides/mose-repair/tested-bound",
    where=ISSUES,
    says="Let b be a public bound and γ(D) the number of people to add or remove until the local sensitivity "
    "exceeds b. Answering only if γ(D) + Laplace(1/ε1) > ln(1/(2δ))/ε1, with scale b/ε2, is "
    "(ε1+ε2, δ)-private.",
    origin="ours",
)
def bound_may_be_tested_privately() -> Verdict:
    """Propose, test, release (Dwork and Lei 2009). γ changes by at most 1 between neighbors, so that
    answering or not is ε1-private. If γ is 0 on both sides, an answer has probability at most δ. If it
    is not, the prediction changes by at most b, so the answer loses at most ε2. Neither χ nor a size is
    needed. The cost against MOSE with χ/N_g = b: with half of ε for the test the scale doubles, and a
    dataset within about ln(1/(2δ))/ε1 people of an exception gets no answer. (That γ changes by at most 1
    is true of every distance to a set of datasets; it is checked on a finite universe.)
    (Ours; the slides do not state it.)
    """
    relation = AddOrRemovePerson(GRID, 1, 4)
    datasets = list(relation.datasets())
    bound = Fraction(1, 2)
    away = _people_to_an_exception(relation, bound)

    def protected(pair: tuple[Groups, Groups]) -> bool:
        d, other = pair
        near = abs(away[d] - away[other]) <= 1
        change = abs(clamped(d[0]) - clamped(other[0]))
        return near and (change <= bound or away[d] == away[other] == 0)

    s, epsilon = sympy.symbols("s epsilon", positive=True)
    delta = sympy.exp(-s) / 2
    threshold = sympy.simplify(sympy.log(1 / (2 * delta)) / epsilon)
    pass_d, pass_e, p, q, c1, c2, small = z3.Reals("pass pass' p q c1 c2 delta")
    levels = [c1 >= 1, c2 >= 1, small >= 0, p >= 0, q >= 0, p <= 1, q <= 1]
    chances = [pass_d >= 0, pass_e >= 0, pass_d <= 1, pass_e <= 1]
    return holds(
        exhaustive.for_all(
            [(d, other) for d in datasets for other in relation.neighbors(d)],
            protected,
            "γ changes by at most 1 between neighbors, and a change above b has γ = 0 on both sides",
            "clamped predictions at rank 1, groups of up to 4 people, ranks 0, 1/2, 1, b = 1/2",
        ),
        symbolic.identity(
            sympy.simplify(1 - laplace.cdf(threshold, 0, 1 / epsilon, SYM)),
            delta,
            "P(Laplace(1/ε1) > ln(1/(2δ))/ε1) for δ = e^(−s)/2",
        ),
        solver.for_all(
            [*levels, *chances, pass_d <= c1 * pass_e, p <= c2 * q],
            pass_d * p <= c1 * c2 * (pass_e * q),
            "γ > 0 on one side: answering loses ε1, the answer ε2",
        ),
        solver.for_all(
            [*levels, *chances, pass_d <= small],
            pass_d * p <= c1 * c2 * (pass_e * q) + small,
            "γ = 0 on both: an answer has probability at most δ",
        ),
        value="(ε1+ε2, δ); at ε1 = ε2 = ε/2 twice the noise scale of the same bound",
        condition="0 < δ < 1/2",
    )
