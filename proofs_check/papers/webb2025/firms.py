"""Section 5.4.1: what a firm of several establishments costs, for every ψ and for each mechanism."""

from fractions import Fraction

import sympy
import z3

from establish import Equal, Evidence, Real, Verdict, aside, exact, holds, holds_loosely, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import one_by_one, one_more_establishment, term_by_term
from establish.proofs_check.engine.statements import EstablishmentPrivate, EverySum, FirmPrivate, OfFirm, Sums
from establish.proofs_check.papers.webb2025 import psi_mechanism
from establish.proofs_check.papers.webb2025.probably_no_clipping import (
    CLIPPED_AT_OWN,
    CORRECTED,
    clipped_is_private,
    clipped_values_stay_within,
)
from establish.proofs_check.papers.webb2025.total_budget import WORKFLOW, workflow_is_private
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.mechanisms.probably_no_clipping import (
    ProbablyNoClipping,
    clipped_at_largest,
    clipped_at_own,
    published_sensitivity,
    sensitivity,
)
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.distance import Closeness, firm_steps
from establish.spec.neighbor_functions.functions import identity, logarithm, root

ATTRIBUTES: list[Closeness] = [(root(), Fraction(1, 2)), (logarithm(1), Fraction(1))]
"""Two attributes with different ψ and γ."""

BEFORE, AFTER = [(4, 0), (9, 1), (1, 1)], [(9, 0), (9, 30), (1, 1)]
"""A firm of three establishments: √ moves by 1 = 2γ; ln(x+1) moves by ln(31/2) = 2.74…; nothing moves."""


def staircase() -> tuple[Evidence, Evidence]:
    """f(x) = ⌊ψ(x)/γ + c⌋ moves by at most 1 between close values, and by m = ⌈d⌉ where c is chosen so."""
    s, t, d, e = z3.Reals("s t d e")
    m = z3.Int("m")
    return (
        solver.for_all(
            [s <= t, t - s <= 1],
            z3.And(z3.ToInt(t) - z3.ToInt(s) <= 1, z3.ToInt(t) >= z3.ToInt(s)),
            "values of ψ/γ + c at most 1 apart have floors at most 1 apart",
        ),
        solver.for_all(
            [m >= 1, m - 1 < d, d <= m, e > 0, e <= 1, e <= d - (m - 1)],
            z3.ToInt(d - e) - z3.ToInt(-e) == m,
            "from −e to d − e, with e small and m − 1 < d ≤ m, the floor moves by m",
        ),
    )


@claim(
    "webb2025/sec5.4.1-firm",
    where="Section 5.4.1 and Remark 5.8, for every ψ and several attributes",
    says="The values of a firm in two states are as hard to tell as N(0,1) from N(mμ,1), m the number of "
    "single-record changes between them; no smaller m will do.",
    origin="implied",
)
def a_firm_costs_the_sum_of_its_steps() -> Verdict:
    """Establishment e needs ⌈d_e⌉ changes, d_e the largest |ψ_i(x)−ψ_i(y)|/γ_i over its attributes, all of
    which may move in one change; ψ is continuous, so that cutting [ψ(x), ψ(y)] into equal parts gives
    values in between. A firm needs m = Σ⌈d_e⌉, since one change moves one establishment. Less is not
    enough for any ψ: release Σ_e ⌊ψ(x_e)/γ + c_e⌋ + N(0, 1/μ²), each establishment in the attribute in
    which it moves most, upwards or (with a minus sign) downwards. Close values move one floor by at most
    1, so it is μ-GEDP; for c_e chosen for the two states the sum moves by m, and the cost is exactly mμ.
    Where ψ(0) = −∞ or γ = 0, m may be infinite: such changes are not protected.
    """
    s, d, m = z3.Reals("s d m")
    return holds(
        solver.for_all(
            [d >= 0, m >= 1, d <= m], d / m <= 1, "m ≥ d equal parts of a distance d are at most 1"
        ),
        solver.for_all(
            [m >= 0, d >= 0, s <= m - 1, d > m - 1], s < d, "m − 1 steps of at most 1 stay below d"
        ),
        *staircase(),
        *psi_mechanism.likelihood_of_shifts(),
        exact.compare(int(firm_steps(ATTRIBUTES, BEFORE, AFTER)), "==", 2 + 3 + 0, "changes in the example"),
        value="m = Σ_e max_i ⌈|ψ_i(x_(e,i)) − ψ_i(y_(e,i))|/γ_i⌉, attained",
        condition="attributes that take every nonnegative real value",
    )


def whole_firm(one: EstablishmentPrivate) -> FirmPrivate:
    """ℓ establishments cost ℓ times what one of them does."""
    return OfFirm(one, times=lambda c, size: size)


def firm_is_private(firm: FirmPrivate, one: Evidence) -> Evidence:
    """Evidence for a firm from that for one establishment."""
    _, first, further = one_more_establishment(firm)
    return one_by_one(firm, one, exact.decided(first), solver.proves(further))


def cauchy() -> Evidence:
    """(Σ√x)² ≤ ℓΣx, by induction on ℓ: p = Σ√x over ℓ establishments, P = Σx, and q = √x of one more."""
    p, total, q, k = z3.Reals("p P q k")
    return solver.for_all(
        [k >= 1, p >= 0, total >= 0, q >= 0, p * p <= k * total],
        (p + q) * (p + q) <= (k + 1) * (total + q * q),
        "if (Σ√x)² ≤ ℓΣx, the same holds with one establishment more",
    )


def root_of_a_group() -> Evidence:
    """With r = √Σx and ℓ establishments moved by γ: Σ(√x+γ)² ≤ (r + γ√ℓ)² when Σ√x ≤ r√ℓ."""
    r, roots, gamma, k = z3.Reals("r roots gamma root_l")
    return solver.for_all(
        [r >= 0, gamma >= 0, k >= 1, roots >= 0, roots <= r * k],
        r * r + 2 * gamma * roots + k * k * gamma * gamma <= (r + gamma * k) * (r + gamma * k),
        "√ of the sum moves by at most γ√ℓ",
    )


FIRM = tuple(map(whole_firm, psi_mechanism.PRIVATE))
"""A firm of ℓ establishments costs ℓμ under the ψ-mechanism."""


@claim(
    "webb2025/thm-6.5-firm",
    where="Theorem 6.5 with Section 5.4.1",
    says="A firm of ℓ establishments, each changed to a close record, costs ℓμ under the ψ-mechanism.",
    states=FIRM,
    scope="ψ-close records, sums of one attribute by group",
    origin="implied",
)
def the_root_mechanism_costs_a_firm_the_root_of_its_size() -> Verdict:
    """ℓμ is true (group privacy), and it is attained for ψ(x) = x in one group. For ψ = √ the cost is √ℓ·μ,
    one group or many: ℓ_g establishments of the firm in group g move its root by at most γ√ℓ_g (Cauchy and
    Schwarz: (Σ√x)² ≤ ℓΣx; downwards the same with the two states exchanged, mixed moves lie between, and
    other establishments in the group lower it by concavity), and Σℓ_g = ℓ. Equal establishments in one
    group, or each alone in a group of its own, attain it. For ψ = log and one group it is μ: all values,
    and so their sum, grow at most by the factor e^γ; establishments in different groups cost √ℓ·μ. No
    bound below ℓ holds for all ψ: √(x+1) at x = 0 costs a firm in one group (√(1+ℓ(γ²+2γ)) − 1)/γ times μ,
    which tends to ℓ as γ → 0.
    """
    x, y, a, b, r = z3.Reals("x y a b r")
    gamma, size = sympy.symbols("gamma l", positive=True)
    one = PsiMechanism(root(), 1, 1)
    apart = one.query_cost("abcd", [4] * 4, [9] * 4, SYM)
    together = one.query_cost("aaaa", [4] * 4, [16] * 4, SYM) / 2
    plain = PsiMechanism(identity(), 1, 1).query_cost("aaa", [4] * 3, [5] * 3, SYM)
    relative = PsiMechanism(logarithm(), 1, 1)
    factor = relative.query_cost("aaa", [4, 5, 6], [v * sympy.E for v in (4, 5, 6)], SYM)
    return holds_loosely(
        *(firm_is_private(firm, psi_mechanism.private_evidence(firm.one)) for firm in FIRM),
        cauchy(),
        root_of_a_group(),
        *psi_mechanism.likelihood_of_shifts(),
        symbolic.identity(apart, sympy.Integer(2), "4 establishments, each alone in its group"),
        symbolic.identity(
            one.query_cost("aaaa", [1] * 4, [4] * 4, SYM),
            sympy.Integer(2),
            "4 equal establishments in one group",
        ),
        symbolic.identity(together, sympy.Integer(2), "the same at twice the distance, over 2"),
        symbolic.identity(plain, sympy.Integer(3), "3 establishments in one group, for ψ(x) = x"),
        solver.for_all(
            [x >= 0, y >= 0, a >= 0, b >= 0, r >= 1, y <= r * x, b <= r * a],
            y + b <= r * (x + a),
            "sums of values that grow by at most e^γ do so",
        ),
        symbolic.identity(
            sympy.simplify(factor), sympy.Integer(1), "3 establishments in one group, for ψ = log"
        ),
        aside(
            symbolic.identity(
                sympy.limit((sympy.sqrt(1 + size * (gamma**2 + 2 * gamma)) - 1) / gamma, gamma, 0, "+"),
                size,
                "√(x+1) at x = 0, in one group, as γ → 0",
            )
        ),
        value="√ℓ·μ for ψ = √; for ψ = log μ in one group, √ℓ·μ in ℓ groups; ℓμ for ψ(x) = x",
        condition="tight for ψ = √, log and x; ℓμ cannot be lowered for the whole class",
    )


def _whole_noise(own: bool) -> Sums:
    """For ψ(x) = x every value that falls from its bound, or from below it, by γ moves the sum by Δ(u*)."""

    def moved(c: World, gamma: Number, most: Number, x: Number) -> Number:
        bound, clip = (x, clipped_at_own) if own else (most, clipped_at_largest)
        return clip([x], [bound], c) - clip([x - gamma], [bound], c)

    return EverySum(
        Equal(
            Real("γ", above=0),
            Real("u*", least=lambda c, gamma: gamma),
            Real("x", least=lambda c, gamma, most: gamma, most=lambda c, gamma, most: most),
            left=moved,
            right=lambda c, gamma, most, x: sensitivity(identity(), most, gamma, c),
        ),
        shared=("γ", "u*"),
    )


FIRM_OF_PNC = tuple(map(whole_firm, (*CORRECTED, *CLIPPED_AT_OWN)))
NO_LESS = _whole_noise(own=False), _whole_noise(own=True)
"""For either way to clip: ℓ establishments cost at most ℓμ, and may move the sum by ℓ times Δ = μ·sd."""


@claim(
    "webb2025/thm-6.9-cost",
    where="Theorem 6.9 with Section 5.4.1",
    says="Given the bounds, a group's pnc answer (with ψ(0) for 0) costs μ for one establishment and ℓμ "
    "for a firm of ℓ establishments in the group; less is not true, for either way to clip.",
    states=(*FIRM_OF_PNC, *NO_LESS),
    scope="ψ-close records, sums of one attribute by group, all bounds",
    origin="ours",
)
def pnc_costs_a_firm_its_whole_size() -> Verdict:
    """The sum is not transformed: clipped values add, and each moves by at most Δ(u_j) ≤ Δ(u*). Values at the
    bound that all fall to the lower end L attain Δ each, with all bounds equal, clipped at u* or at u_j.
    So a firm pays ℓμ here and √ℓ·μ for the same sum under the √-mechanism. As printed, with 0 for ψ(0):
    the same for ψ(0) = 0; false for ψ(0) < 0 (Theorem 6.9); for ψ(0) > 0 true, and too costly in noise
    where ψ(u*) − γ < ψ(0): for √(x+1), γ = 1, u* = 5/4 the printed Δ is 2, although values lie in [0, 5/4].
    """
    costs = [
        ProbablyNoClipping(root(), 1, 1, clip).privacy_cost([9] * n, [4] * n, [9] * n, SYM)
        for clip in (clipped_at_largest, clipped_at_own)
        for n in (1, 3)
    ]
    names = ("at u*, one", "at u*, a firm of 3", "at u_j, one", "at u_j, a firm of 3")
    printed, corrected = (
        change(root(1), Fraction(5, 4), sympy.Integer(1), SYM)
        for change in (published_sensitivity, sensitivity)
    )
    return holds(
        *(firm_is_private(firm, clipped_is_private(firm.one)) for firm in FIRM_OF_PNC),
        *(term_by_term(sums, solver.proves(sums.term)) for sums in NO_LESS),
        *(
            symbolic.identity(cost, sympy.Integer(n), f"clipped {name}: 9 falls to 4, γ = μ = 1")
            for cost, n, name in zip(costs, (1, 3, 1, 3), names, strict=True)
        ),
        aside(symbolic.identity(printed, sympy.Integer(2), "printed Δ for √(x+1) at u* = 5/4")),
        aside(symbolic.identity(corrected, sympy.Rational(5, 4), "corrected Δ")),
        value="μ; ℓμ for a firm, against √ℓ·μ under the √-mechanism",
    )


FIRM_IN_WORKFLOW = tuple(map(whole_firm, WORKFLOW))


@claim(
    "webb2025/sec6.2-total-firm",
    where="Section 6.2, after Theorem 6.9, with Section 5.4.1",
    says="A firm of ℓ establishments costs ℓ times the total of identity answers (μ_a) and pnc "
    "answers (μ_b).",
    states=FIRM_IN_WORKFLOW,
    scope="ψ-close records, sums of one attribute by group",
    origin="implied",
)
def the_workflow_costs_a_firm_less_than_group_privacy_says() -> Verdict:
    """Group privacy gives ℓ√(μ_a² + μ_b²). The ℓ identity answers are independent and cost √ℓ·μ_a together;
    given them, and so given the scale that they set, the pnc answer costs at most ℓμ_b (Theorem 6.9); the
    two compose adaptively to √(ℓμ_a² + ℓ²μ_b²). That is the supremum for ψ = √, by the argument of
    webb2025/sec6.2-total with ℓ of the equal establishments in the firm: as x → ∞ each of them uses all
    of Δ(u*).
    """
    size = sympy.Symbol("l", positive=True)
    t = sympy.Symbol("t", real=True)
    r, gamma = sympy.symbols("r gamma", positive=True)
    upper = (r + t) ** 2 - (r + t - gamma) ** 2
    used = size * (r**2 - (r - gamma) ** 2) / upper
    root_l, mu_a, mu_b = z3.Reals("root_l mu_a mu_b")
    four = PsiMechanism(root(), 1, 3).query_cost(range(4), [4] * 4, [9] * 4, SYM)
    return holds_loosely(
        *(firm_is_private(firm, workflow_is_private(firm.one)) for firm in FIRM_IN_WORKFLOW),
        symbolic.identity(four, sympy.Integer(6), "4 identity answers of budget 3 cost √4·3"),
        clipped_values_stay_within(own=False),
        *psi_mechanism.likelihood_of_shifts(),
        symbolic.identity(
            sympy.limit(used, r, sympy.oo), size, "the multiple of Δ(u*) that ℓ values use, x → ∞"
        ),
        solver.for_all(
            [root_l > 1, mu_a > 0, mu_b > 0],
            root_l**2 * mu_a**2 + root_l**4 * mu_b**2 < root_l**4 * (mu_a**2 + mu_b**2),
            "it is less than group privacy says for ℓ > 1",
        ),
        value="√(ℓμ_a² + ℓ²μ_b²), the least that is true for ψ = √",
    )
