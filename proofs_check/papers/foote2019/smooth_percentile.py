"""End of Section 4.2: the noise of the smooth sensitivity mechanism, its scale, and what it costs."""

from fractions import Fraction

import sympy
import z3

from establish import Evidence, Grade, Outcome, Verdict, aside, claim, fails, ill_posed, misprint, repeats
from establish.proofs_check.engine.methods import enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import exceeding, no_constant
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import AtMost, Bounded, Moment, Real
from establish.proofs_check.papers.haney2017.heavy_tailed import admissible
from establish.spec.arithmetic import SYM, Number, World, enclosing
from establish.spec.distributions import heavy_tailed, laplace
from establish.spec.earnings.neighbors import EarningsOfOne
from establish.spec.earnings.order_sensitivity import Ends, printed_smooth, sample_percentile
from establish.spec.earnings.smooth_percentile import SLIDE, SMOOTHNESS, loss_rate
from establish.spec.mechanisms import smooth_gamma

HALF = Fraction(1, 2)

Pair = tuple[tuple[int, ...], tuple[int, ...]]


def neighbors_at(n: int) -> Pair:
    """Five earnings from 0 to (n+1)², before and after the second lowest rises to the top.

    At e^β = 1 + 1/n the pair is extreme: the medians differ by S*, and S* grows by e^β.
    """
    top = (n + 1) ** 2
    return (0, n + 1, 2 * n + 1, top, top), (0, 2 * n + 1, top, top, top)


FEWER, MORE = neighbors_at(10)
"""The pair of the counterexamples: e^β = 11/10, so that ε_x = 4·ln 1.1 = 0.381."""


def budget(n: int) -> enclosure.Constant:
    """ε_x = 4β = 4·ln(1 + 1/n)."""
    return lambda c: c.log(c.number(1 + Fraction(1, n))) / c.number(SMOOTHNESS)


def extreme_pair(n: int = 10) -> tuple[Evidence, ...]:
    """The medians differ by S*(d), and S*(d') = e^β·S*(d): as far apart as neighbors can be."""
    first, second = neighbors_at(n)
    growth = 1 + Fraction(1, n)
    ends: Ends = (0, (n + 1) ** 2)
    relation = EarningsOfOne(sorted({*first, *second}), 5, 5)
    small, large = (printed_smooth(d, HALF, ends, 1 / growth) for d in (first, second))
    medians = [sample_percentile(d, HALF, ends) for d in (first, second)]
    return (
        exact.compare(int(relation.related(first, second)), "==", 1, f"{first}, {second}: neighbors"),
        exact.compare(medians[1] - medians[0], "==", small, "their medians differ by S*(d)"),
        exact.compare(large, "==", growth * small, f"S*(d') against e^β·S*(d), e^β = {growth}"),
    )


def loss_of_pair(slide: Fraction, w: Fraction, n: int = 10) -> enclosure.Constant:
    """The log-ratio of that pair at w noise scales above the larger median; slide = a/ε_x."""

    def loss(c: World) -> Number:
        shift = c.number(slide) * budget(n)(c)
        ratio = c.number(1 + Fraction(1, n))
        return smooth_gamma.privacy_loss(c.number(w), c.number(1), shift, ratio, c)

    return loss


def _rate(slide: Fraction, sign: int, side: int) -> enclosure.Function:
    """The loss per unit of ε_x over slides up to ``slide``·ε_x and dilations up to ε_x/4."""

    def f(c: World, u: Number, v: Number, s: Number) -> Number:
        moved, stretched = u * c.number(slide), v * c.number(SMOOTHNESS)
        return sign * loss_rate(side * s, 1 - s, moved, stretched, c)

    return f


_OF_PAIR = (Real("w"), Real("u", least=-1, most=1), Real("v", least=0, most=1))
"""An output, in noise units above the answer; how far apart the answers of neighbors are, as a share of the
smooth sensitivity; and how much the larger sensitivity exceeds the smaller, as a share of β = ε_x/4.
"""


def _loss(c: World, epsilon: Number, slide: Number, w: Number, u: Number, v: Number) -> Number:
    """|ln| of the densities of the outputs of two neighbors, the noise being scaled by S*/slide."""
    ratio = c.exp(v * epsilon * c.number(SMOOTHNESS))
    return c.absolute(smooth_gamma.privacy_loss(w, c.number(1), u * slide, ratio, c))


BY_ALL_OF_THE_BUDGET = AtMost(
    Real("ε_x", above=0),
    Real("ε", least=lambda c, epsilon_x: epsilon_x),
    *_OF_PAIR,
    left=lambda c, epsilon_x, epsilon, *of: _loss(c, epsilon_x, epsilon * c.number(SLIDE), *of),
    right=lambda c, epsilon_x, *_: epsilon_x,
)
"""ε_x-private with noise scaled by S*/(ε/16), ε being the budget of all percentiles."""

WITHOUT_SIXTEEN = AtMost(
    Real("ε_x", above=0),
    *_OF_PAIR,
    left=lambda c, epsilon_x, *of: _loss(c, epsilon_x, epsilon_x, *of),
    right=lambda c, epsilon_x, *_: epsilon_x,
)
"""ε_x-private with noise scaled by S*/ε_x."""

UNIT_BOX: list[enclosure.Side] = [(0, 1), (0, 1), (0, 1)]


@shared
def exact_rate(slide: Fraction) -> tuple[enclosure.Supremum, list[Evidence]]:
    """sup of the loss per ε_x, with evidence that it is the largest over directions and sides.

    Neighbors' outputs are Z and A' + e^λ·Z in the smaller noise unit, |A'| ≤ slide·ε_x and 0 ≤ λ ≤ β. That
    map is the flow z' = A + λz for time 1 with A = A'·λ/(e^λ−1), |A| ≤ |A'|; the loss is the integral of
    its rate.
    """
    worst = enclosure.supremum(_rate(slide, 1, 1), UNIT_BOX, Fraction(1, 10**18))
    others = [
        enclosure.at_most(
            _rate(slide, sign, side),
            UNIT_BOX,
            lambda c: worst.lower,
            f"direction {sign:+d}, side {side:+d} stays below the supremum",
        )
        for sign, side in ((1, -1), (-1, 1), (-1, -1))
    ]
    return worst, others


@shared
def _flow() -> tuple[Evidence, ...]:
    """z(1) = A(e^λ−1)/λ + e^λ·z(0), so A ≤ A' since e^λ − 1 ≥ λ; and the loss is the integral of its rate."""
    a, lam, t, z = sympy.symbols("A lambda t z", positive=True)
    path = a * (sympy.exp(lam * t) - 1) / lam + sympy.exp(lam * t) * z
    loss = heavy_tailed.log_kernel(z, 4, SYM) - heavy_tailed.log_kernel(path, 4, SYM) - lam * t
    shift, local, sensitivity, unit = z3.Reals("shift LS S a")
    return (
        symbolic.identity(sympy.diff(path, t), a + lam * path, "the flow satisfies z' = A + λz"),
        symbolic.identity(
            sympy.diff(loss, t), loss_rate(path, 1, a, lam, SYM), "the derivative of the loss along it"
        ),
        solver.for_all(
            [sensitivity > 0, local >= 0, local <= sensitivity, shift <= local, shift >= -local, unit > 0],
            z3.And(shift / (sensitivity / unit) <= unit, shift / (sensitivity / unit) >= -unit),
            "medians at most LS ≤ S apart are at most a apart in units of S/a",
        ),
    )


def _value(worst: enclosure.Supremum) -> str:
    with enclosing():
        return enclosure.digits(worst.ball)


def _below(worst: enclosure.Supremum, limit: int, relation: str, says: str) -> Evidence:
    shown = bool(worst.upper < limit) if relation == "<" else bool(worst.lower > limit)
    return Evidence(f"{says}: {_value(worst)}", shown, Grade.ENCLOSURE, "enclosure")


@claim(
    "foote2019/ss-total-eps-x",
    origin="implied",
    where="end of Section 4.2",
    says="P_x(E) + η·S*/(ε/16) with η ∼ h and β = ε_x/4 is ε_x-differentially private.",
    states=BY_ALL_OF_THE_BUDGET,
)
def printed_scale_uses_the_wrong_budget() -> Verdict:
    """The scale holds ε, the budget of all percentiles, where ε_x is meant. For neighbors that change one
    individual's earnings the loss per ε_x, for small budgets, is the maximum over z of
    (4a·z³ + z⁴ − (1+z⁴)/4)/(1+z⁴), a the slide over ε_x. With ε_x/16 it is 0.8227: the mechanism keeps its
    promise with room, and no smaller factor serves all ε_x (such extreme pairs exist for every
    e^β = 1 + 1/n, n ≥ 2). With three equal budgets ε/16 = 3ε_x/16 and it is 1.0453; at ε_x = 0.381 the
    pair of the counterexample still loses more than 1.027·ε_x. No budget loses relatively more. Unequal
    budgets are worse: the slide alone then costs 3^(3/4)·ε/16, whatever ε_x is.
    """
    meant, others = exact_rate(SLIDE)
    printed, printed_others = exact_rate(3 * SLIDE)
    output = Fraction(181, 100)
    return misprint(
        exact.refuted(BY_ALL_OF_THE_BUDGET, ε_x="0.381", ε="1.143", w=output, u=1, v=1),
        *extreme_pair(),
        enclosure.compare(
            loss_of_pair(3 * SLIDE, output), ">", budget(10), "ε = 3ε_x: loss of the pair against ε_x"
        ),
        aside(_below(printed, 1, ">", "ε = 3ε_x: sup of the loss per ε_x, small budgets, exceeds 1")),
        *map(aside, printed_others),
        *_flow(),
        *others,
        _below(meant, 1, "<", "ε_x/16: sup of the loss per ε_x is less than 1"),
        aside(
            exhaustive.for_all(
                range(2, 41),
                lambda n: all(piece.established for piece in extreme_pair(n)),
                "the pair is extreme at e^β = 1 + 1/n",
                "n = 2, …, 40",
            )
        ),
        *map(aside, extreme_pair(1000)),
        aside(
            enclosure.compare(
                loss_of_pair(SLIDE, Fraction(258, 100), 1000),
                ">",
                lambda c: c.number(Fraction(8226, 10_000)) * budget(1000)(c),
                "ε_x = 4·ln 1.001 with ε_x/16: the loss of such a pair against 0.8226·ε_x",
            )
        ),
        reading="the scale S*/(ε_x/16), neighbors that change one individual's earnings, public end points",
        reading_is=Outcome.HOLDS_LOOSELY,
        counterexample=f"earnings {FEWER} and {MORE} in the range 0 to 121, ε_x = 0.381, about 4·ln 1.1, and "
        "ε = 3ε_x: at 1.81 noise scales above 121 the log-ratio exceeds 1.027·ε_x",
        value=f"total loss {_value(meant)}·ε_x with ε_x/16; {_value(printed)}·ε_x with ε/16 = 3ε_x/16",
    )


def _dilation(c: World, epsilon: Number, z: Number) -> Number:
    """The loss at z when noise of density h is dilated by e^(ε/4)."""
    lam = c.number(SMOOTHNESS) * epsilon
    here, there = (heavy_tailed.log_kernel(x, 4, c) for x in (z, c.exp(lam) * z))
    return here - there - lam


DILATION_COSTS_HALF = AtMost(
    Real("ε", above=0), Real("z"), left=_dilation, right=lambda c, epsilon, _: epsilon / 2
)
"""The second half of admissibility: dilation by e^(ε/4) costs ε/2 at every output."""


@claim(
    "foote2019/admissible-per-part",
    where="end of Section 4.2, Lemma 2.5 of Nissim, Raskhodnikova and Smith",
    says="h is (ε/16, ε/4)-admissible in the sense of that lemma: sliding and dilation cost ε/2 each.",
    states=DILATION_COSTS_HALF,
    origin="implied",
)
def dilation_alone_costs_more_than_half() -> Verdict:
    """Sliding by ε/16 costs 3^(3/4)·ε/16 = 0.142ε. Dilation by e^λ costs 3|λ|, approached at large z: at
    λ = ε/4 that is 3ε/4 > ε/2. So h is not admissible with these constants, though both parts together
    stay below ε, which is what privacy needs (foote2019/ss-total-eps-x). Admissible are slides up to
    ε/(2·3^(3/4)) and dilations up to ε/6.
    """
    return fails(
        exact.refuted(DILATION_COSTS_HALF, ε=4, z=10),
        *admissible.dilation_evidence(),
        *admissible.sliding_evidence(),
        exact.compare(3 * SMOOTHNESS, ">", HALF, "the dilation constant 3 times β/ε against 1/2"),
        exact.compare(3**3, "<", 8**4, "3^(3/4)/16 < 1/2, since 3³ < 8⁴"),
        counterexample="ε = 4, e^λ = e, z = 10: ln((1 + (10e)⁴)/(1 + 10⁴)) − 1 = 2.9999 > ε/2 = 2",
        value="sliding 3^(3/4)/16·ε, dilation 3/4·ε, each to be at most ε/2",
    )


FINITE_AREA = Bounded(
    Real("t", above=0, below=1), left=lambda c, t: (c.power(t, -3) - 1) / 3, by=lambda c, t: c.number(1)
)
"""∫ dx/(1+x)⁴ from −1 + t to 0 has a bound for all t, as a density has."""

_NEAR_THE_POLE = {"t": lambda c, k: 1 / (3 * k + 2)}

MEANT_DENSITY = Moment(
    law=lambda c: heavy_tailed.HeavyTailed(c.number(0), c.number(1), 4, c),
    of=lambda c, x: c.number(1),
    closed=lambda c: c.number(1),
)
"""√2/(π·(1+x⁴)) is a density."""


@claim(
    "foote2019/gamma-density",
    where="Section 4.2, 'Calculating Percentiles'",
    says="The noise has the distribution defined as 1/|1+x|⁴.",
    states=FINITE_AREA,
    meant=MEANT_DENSITY,
    tight=MEANT_DENSITY,
)
def printed_density_has_a_pole() -> Verdict:
    """1/|1+x|⁴ is infinite at x = −1, and so is its integral around it: no density is proportional to it. The
    end of the section has 1/(1+|y|⁴), whose integral is π/√2. (It is not a gamma distribution either.)
    """
    return misprint(
        no_constant(FINITE_AREA, _NEAR_THE_POLE, *map(solver.proves, exceeding(FINITE_AREA, _NEAR_THE_POLE))),
        symbolic.integrates(MEANT_DENSITY),
        reading="density proportional to 1/(1+|x|⁴)",
        reading_is=Outcome.HOLDS,
        counterexample="∫ dx/|1+x|⁴ from −1 to 0 is infinite",
        value="density √2/(π·(1+x⁴))",
    )


@claim(
    "foote2019/gamma-scale",
    origin="implied",
    where="Section 4.2, 'Calculating Percentiles'",
    says="Return y + S·Gamma(1/ε_x), noise of scale S/ε_x: it is ε_x-private.",
    states=WITHOUT_SIXTEEN,
)
def algorithm_and_its_last_display_differ_by_sixteen() -> Verdict:
    """The algorithm's step has S/ε_x, the end of the section S/(ε/16). With S/ε_x a slide costs up to
    3^(3/4)·ε_x = 2.28ε_x by itself, slide and dilation together up to 2.8152ε_x.
    """
    loose, others = exact_rate(Fraction(1))
    meant, meant_others = exact_rate(SLIDE)
    return misprint(
        exact.refuted(WITHOUT_SIXTEEN, ε_x="0.381", w="1.3", u=1, v=1),
        *extreme_pair(),
        enclosure.compare(
            loss_of_pair(Fraction(1), Fraction(13, 10)),
            ">",
            lambda c: 2 * budget(10)(c),
            "loss of the pair at noise scale S/ε_x against 2ε_x",
        ),
        *map(aside, others),
        *_flow(),
        *meant_others,
        _below(meant, 1, "<", "S/(ε_x/16): sup of the loss per ε_x is less than 1"),
        reading="noise of scale 16·S/ε_x",
        reading_is=Outcome.HOLDS_LOOSELY,
        counterexample=f"earnings {FEWER} and {MORE}, ε_x = 0.381, about 4·ln 1.1: at 1.3 noise scales above "
        "121 the log-ratio exceeds 2ε_x",
        value=f"total loss up to {_value(loose)}·ε_x with scale S/ε_x",
    )


repeats(
    "foote2019/h-norm",
    where="end of Section 4.2",
    says="η is drawn from the distribution h(y) = 1/(1+|y|⁴).",
    same_as="haney2017/alg-2-density",
)


def _beyond(c: World, t: Number) -> Number:
    """The share of E|Z| that draws with |Z| > t contribute, in Arb: 1 − (2/π)·arctan(t²)."""
    return 1 - 2 / c.pi * (t * t).atan()


def _beyond_of_laplace(c: World, t: Number) -> Number:
    """The same for the Laplace law of variance 1: (1 + √2·t)·e^(−√2·t)."""
    root = c.sqrt(c.number(2))
    return (1 + root * t) * c.exp(-root * t)


CHANGES_SIGN = "3.13367633479112"
"""At how many standard deviations both shares are the same, to 15 digits."""


def _sign_at(t: Fraction, relation: str) -> Evidence:
    return enclosure.compare(
        lambda c: _beyond(c, c.number(t)),
        relation,
        lambda c: _beyond_of_laplace(c, c.number(t)),
        f"share of E|Z| beyond {t}, of h against that of Laplace",
    )


@claim(
    "foote2019/h-fat-tails",
    where="Section 5.5",
    says="The second main reason for the lower accuracy of smooth sensitivity is that h has very fat tails.",
    origin="implied",
)
def fat_tails_are_a_matter_of_the_threshold() -> Verdict:
    """The tails are fat: P(|Z| > z) falls as z⁻³ only. The error is |Z|·16S/ε, and relative accuracy averages
    it: E|Z| = 1/√2 and Var Z = 1, as for a Laplace law of that variance, so that fat tails make the mean
    error no larger. Whether they contribute more to it than exponential tails, (1 + √2·t)·e^(−√2·t), depends
    on where they begin: beyond 3 standard deviations it is 7.0% of E|Z| for h and 7.5% for Laplace, beyond
    4 it is 4.0% and 2.3%. The comparison changes sign at 0.52 and at 3.13.
    """
    z, t = sympy.symbols("z t", positive=True)
    weight = 2 * heavy_tailed.normalizer(4, SYM) / (1 + z**4)
    tail = sympy.integrate(z * weight, z)
    far = sympy.simplify(sympy.limit(tail, z, sympy.oo) - tail.subs(z, t))
    density = sympy.exp(laplace.log_density(z, 0, 1 / sympy.sqrt(2), SYM))
    return ill_posed(
        symbolic.identity(
            far * sympy.sqrt(2), 1 - 2 / sympy.pi * sympy.atan(t**2), "share of E|Z| from |Z| > t"
        ),
        symbolic.identity(heavy_tailed.absolute_moment(2, 4, SYM), 1, "Var Z"),
        symbolic.identity(
            heavy_tailed.absolute_moment(1, 4, SYM),
            laplace.absolute_moment(1, 1 / sympy.sqrt(2)),
            "E|Z|, and that of the Laplace law of variance 1, scale 1/√2",
        ),
        symbolic.identity(
            2 * sympy.integrate(z * density, (z, t, sympy.oo)) * sympy.sqrt(2),
            (1 + sympy.sqrt(2) * t) * sympy.exp(-sympy.sqrt(2) * t),
            "its share of E|Z| from |Z| > t",
        ),
        enclosure.at_most(
            lambda c, t: _beyond(c, t) - _beyond_of_laplace(c, t),
            [(Fraction(53, 100), Fraction(313, 100))],
            enclosure.rational(0),
            "from 0.53 to 3.13 standard deviations on h contributes less than Laplace",
        ),
        enclosure.at_most(
            lambda c, t: _beyond_of_laplace(c, t) - _beyond(c, t),
            [(Fraction(314, 100), Fraction(20))],
            enclosure.rational(0),
            "from 3.14 to 20 standard deviations on it contributes more",
        ),
        _sign_at(Fraction(52, 100), ">"),
        _sign_at(Fraction(CHANGES_SIGN) - Fraction(1, 10**14), "<"),
        _sign_at(Fraction(CHANGES_SIGN) + Fraction(1, 10**14), ">"),
        condition="tails beyond 3.14 standard deviations are meant, up to 20 of which h was compared",
        counterexample="beyond 3 standard deviations: 7.0% of E|Z| for h, 7.5% for the Laplace law of "
        "the same variance",
        value=CHANGES_SIGN,
    )
