"""Appendix B: the displayed equations (26) to (31), of the proofs for shapes and single workers."""

from fractions import Fraction

import z3

from establish import Evidence, Outcome, Verdict, aside, claim, exact, fails, misprint, solver
from establish.proofs_check.engine.statements import Equal, Integer, Rational, Real
from establish.proofs_check.papers.haney2017.attacker import (
    C,
    answer,
    at,
    dataset,
    telling_likelihood,
    universe,
)
from establish.proofs_check.papers.haney2017.implications import theorems
from establish.proofs_check.papers.haney2017.neighbors.definitions import within_a_step
from establish.spec.priors import ProductPrior, two_point_prior
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.requirements import Comparison, ShapeIs, bayes_factor
from establish.spec.tables import Tables


def _shape_sizes() -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """z, p, q and y = (q − p)z of the example in equations 26 to 28."""
    z, p, q = Fraction(4), Fraction(1, 2), Fraction(3, 4)
    return z, p, q, (q - p) * z


def _kinds_of_some_are_unknown(
    known: int, first: tuple[int, int], second: tuple[int, int], worst: Fraction
) -> tuple[Evidence, Evidence, Evidence]:
    """A ratio Pr[ω | first] / Pr[ω | second] of ``worst`` > e^ε, for (X workers, size) at one employer.

    ``known`` workers are of kind X at e; one more is at e, of kind X or Y, one of kind X and one of kind Y
    are at e or absent, 1/2 each. The first event has two workforces then, and the second one, which is
    three steps from one of the two.
    """
    space = universe(known + 3, ("e",), ("X", "Y"))
    x, y = at("e", "X"), at("e", "Y")
    kinds = (("X",),)
    exchanged = [dataset(space, *[x] * known, x, None, y), dataset(space, *[x] * known, y, x, None)]
    comparison = Comparison(ShapeIs("e", kinds, *first), ShapeIs("e", kinds, *second))
    relation, prior = Strong(space, 1), two_point_prior(space, *exchanged)
    told = max(
        (telling_likelihood(relation, d) for d in exchanged),
        key=lambda likelihood: bayes_factor(prior, likelihood, comparison),
    )
    broken = PrivacyDefinition(relation, C).violation(lambda d: answer(told[d]))
    ratio = Fraction(bayes_factor(prior, told, comparison))
    return (
        exact.compare(0 if broken is None else 1, "==", 0, "strong neighbors that break e^ε = 2"),
        exact.compare(ratio, "==", worst, f"the ratio of: {comparison}"),
        exact.compare(ratio, ">", C, "against e^ε = 2"),
    )


_SHARES = (
    Integer("z", least=2),
    Rational("p", above=0, below=1),
    Rational("q", above=lambda c, z, p: p, most=1),
)
"""z workers, and shares p < q of a kind among them, by which y = (q − p)z workers differ."""

SAME_SHARE_LEFT = Equal(
    *_SHARES, left=lambda c, z, p, q: p * z / (z - (q - p) * z), right=lambda c, z, p, q: c.number(p)
)
"""If y workers of another kind leave, pz of z − y are left: equation 26 writes p for their share."""

SHARE_FROM_ABOVE = Equal(
    *_SHARES,
    left=lambda c, z, p, q: (q * z - (q - p) * z) / (z - (q - p) * z),
    right=lambda c, z, p, q: c.number(p),
)
"""If y workers of the kind leave, qz − y of z − y are left: equation 27 writes p for their share."""


@claim(
    "haney2017/eq-26",
    where="Appendix B, proof of Theorem 7.1, equation 26",
    says="The y = (q−p)|e| workers by which the shapes differ leave the share p at size z − y, so that "
    "Pr[ω | share p, |e| = z] / Pr[ω | share p, |e| = z − y] ≤ e^ε compares neighbors.",
    states=SAME_SHARE_LEFT,
    origin="implied",
)
def share_changes_with_the_size() -> Verdict:
    """Removing the y workers by which the shapes differ leaves pz workers of the kind among z − y, a
    share of pz/(z−y), not p: the event with share p at size z − y is another one, and may be
    impossible. With the right share a step to a neighbor leads from a workforce to one of the smaller
    size (y ≤ αpz ≤ α(z−y) workers leave), and if each worker's kind is known the two conditional laws
    can be drawn so together. If not, fewer workers of kind Y may mean other workers of kind X: let w1
    be at e, of kind X or Y, w2 of kind X at e or absent, w3 of kind Y at e or absent, 1/2 each, α = 1.
    One X and one Y are (w1, w3) or (w2, w1), one X alone is w1, who has to leave, and to come back as Y
    beside w2: three steps.
    """
    z, p, _, y = _shape_sizes()
    share = p * z / (z - y)
    zz, pp, qq, alpha = z3.Reals("z p q alpha")
    gone = (qq - pp) * zz
    return misprint(
        exact.refuted(SAME_SHARE_LEFT, z=4, p="1/2", q="3/4"),
        exact.compare(p * (z - y), "!=", int(p * (z - y)), "z = 4, p = 1/2, q = 3/4: share p at size 3"),
        exact.compare(share, "!=", p, "the share that is left"),
        solver.for_all(
            [zz > 0, pp > 0, qq >= pp, qq <= 1, alpha > 0, qq <= (1 + alpha) * pp],
            zz <= (1 + alpha) * (zz - gone),
            "z − y and z are within the growth bound",
        ),
        *_kinds_of_some_are_unknown(0, (1, 2), (1, 1), Fraction(17, 4)),
        reading="share pz/(z−y) at size z − y",
        reading_is=Outcome.FAILS,
        counterexample="z = 4, p = 1/2, q = 3/4: y = 1, and 1/2 of 3 workers is not a whole number; 2 of "
        "them are of the kind, 2/3. With that share: α = 1, w1 of kind X or Y at e, w2 of kind X at e or "
        "absent, w3 of kind Y at e or absent, 1/2 each; 1 X of 2 workers against 1 of 1 has the ratio "
        "(2³ + 1/2)/2 = 17/4 > 2 = e^ε",
        value="e^ε with share pz/(z−y), one employer, and every worker's kind known",
    )


@claim(
    "haney2017/eq-27",
    where="Appendix B, proof of Theorem 7.1, equation 27",
    says="From share q at size z they leave the share p at size z − y, so that Pr[ω | share q, |e| = z] / "
    "Pr[ω | share p, |e| = z − y] ≤ e^ε compares neighbors.",
    states=SHARE_FROM_ABOVE,
    origin="implied",
)
def the_same_share_is_meant_from_above() -> Verdict:
    """From share q at size z, y workers of the kind leave: qz − y = pz of z − y are left, a share of
    pz/(z−y), as in equation 26. With that share it fails as there: w0 of kind X is at e too, and with one Y
    two X (w0 and w2, or w0 and w1) are compared with one, w0.
    """
    z, p, q, y = _shape_sizes()
    return misprint(
        exact.refuted(SHARE_FROM_ABOVE, z=4, p="1/2", q="3/4"),
        exact.compare((q * z - y) / (z - y), "!=", p, "the share that is left"),
        aside(exact.compare(q * z - y, "==", p * z, "workers of the kind who are left")),
        *_kinds_of_some_are_unknown(1, (2, 3), (1, 2), Fraction(9, 2)),
        reading="share pz/(z−y) at size z − y",
        reading_is=Outcome.FAILS,
        counterexample="z = 4, p = 1/2, q = 3/4: of 3 workers 2 are of the kind, 2/3 and not 1/2. With that "
        "share: equation 26's three workers beside one of kind X at e, α = 1; 2 X of 3 workers against 1 of "
        "2 has the ratio (2³ + 1)/2 = 9/2 > 2 = e^ε",
        value="e^ε with share pz/(z−y), one employer, and every worker's kind known",
    )


@claim(
    "haney2017/eq-28",
    where="Appendix B, proof of Theorem 7.1, equation 28",
    says="Pr[ω | share q, |e| = z] / Pr[ω | share p, |e| = z] ≤ e^ε, from equations 26 and 27.",
    states=theorems.SHAPES,
)
def two_factors_make_two_epsilon() -> Verdict:
    """Two ratios of at most e^ε each, as equations 26 and 27 have them, bound the ratio of equation 28 by
    e^(2ε) only, and that is attained.
    """
    a, b, m, c = z3.Reals("a b m c")
    return fails(
        *theorems.shape_takes_two_steps(Strong, theorems.SHAPES),
        aside(
            solver.for_all(
                [c >= 1, a > 0, b > 0, m > 0, a <= c * m, m <= c * b],
                a <= c * c * b,
                "what follows from the two steps is e^(2ε)",
            )
        ),
        counterexample="α = 1, z = 2, p = 1/2, q = 1: the ratio is e^(2ε) (haney2017/thm-7.1-req3)",
        value="e^(2ε)",
    )


def _two_uncertain_workers() -> tuple[ProductPrior, dict[Tables, Fraction]]:
    """w1 of kind X at e, w2 of kind X and w3 of kind Y at e or absent, 1/2 each; and a private answer."""
    space = universe(3, ("e",), ("X", "Y"))
    x, y, half = at("e", "X"), at("e", "Y"), Fraction(1, 2)
    prior = ProductPrior(space, {"w1": {x: 1}, "w2": {x: half, None: half}, "w3": {y: half, None: half}})
    told = dict.fromkeys(space.datasets(), half)
    told[dataset(space, x, None, None)] = Fraction(1)
    return prior, told


_AT = ("y, z − y", "y, z − x", "x, z − y", "x, z − x")
"""How many workers of kind X and of other kinds e has, z in all or another number."""

SIZE_DROPPED = Equal(
    Real("e^ε", above=1),
    *(Real(f"Pr[ω | {of}]", above=0, most=1) for of in _AT),
    *(Real(f"Pr[{of} others]", above=0, below=1) for of in ("z − y", "z − x")),
    left=lambda c, level, y_z, y_more, x_less, x_z, *_: y_z / x_z,
    right=lambda c, level, y_z, y_more, x_less, x_z, less, more: (
        (less * y_z + more * y_more) / (less + more) / ((less * x_less + more * x_z) / (less + more))
    ),
    given=[
        each
        for p, q in ((0, 1), (0, 2), (1, 3), (2, 3))
        for each in (*within_a_step(p, q), *within_a_step(q, p))
    ],
)
"""Equation 30 for any z and x < y at e, where an attacker is unsure of y − x workers of kind X and of as many
of other kinds, by any independent beliefs about the two groups, and for the probability of 'yes' of any
private answer: growth by y − x, of either group, is a step.
"""


@claim(
    "haney2017/eq-30",
    where="Appendix B, proof of Theorem 7.2, equation 30",
    says="Pr[ω | share q, |e| = z]/Pr[ω | share p, |e| = z] = Pr[ω | |e_X| = y]/Pr[ω | |e_X| = x].",
    states=SIZE_DROPPED,
)
def size_cannot_be_dropped_from_the_condition() -> Verdict:
    """The right side does not fix |e|. Let w1 be of kind X at e, w2 of kind X and w3 of kind Y at e or
    absent, 1/2 each, x = 1, y = z = 2. On the left w2 alone against w3 alone is there; on the right both or
    none may be. A private answer that is twice as likely when both are absent has ratio 1 on the left and 2/3
    on the right.
    """
    prior, told = _two_uncertain_workers()
    space, x, y = prior.universe, at("e", "X"), at("e", "Y")
    values = (("X",),)
    left = bayes_factor(prior, told, Comparison(ShapeIs("e", values, 2, 2), ShapeIs("e", values, 1, 2)))
    twos = told[dataset(space, x, x, None)] + told[dataset(space, x, x, y)]
    ones = told[dataset(space, x, None, None)] + told[dataset(space, x, None, y)]
    broken = PrivacyDefinition(Weak(space, 1), C).violation(lambda d: answer(told[d]))
    return fails(
        exact.refuted(
            SIZE_DROPPED,
            **{
                "e^ε": C,
                **{f"Pr[ω | {of}]": "1/4" for of in _AT},
                "Pr[ω | x, z − y]": "1/2",
                "Pr[z − y others]": "1/2",
                "Pr[z − x others]": "1/2",
            },
        ),
        exact.compare(0 if broken is None else 1, "==", 0, "neighbors that break e^ε = 2"),
        exact.compare(Fraction(left), "==", 1, "the left side"),
        exact.compare(twos / ones, "==", Fraction(2, 3), "the right side"),
        counterexample="w2 of kind X and w3 of kind Y at e or absent, 1/2 each, beside w1 of kind X; "
        "P('yes') = 1/2 when both are absent and 1/4 else (e^ε = 2, weakly private): 1 on the left, "
        "(1/4)/(3/8) = 2/3 on the right",
    )


@claim(
    "haney2017/eq-31",
    where="Appendix B, proof of Theorem 7.2, equation 31",
    says="Where the size |e| is known, Pr[ω | |e_X| = y]/Pr[ω | |e_X| = x] ≤ e^ε under weak privacy for x "
    "≤ y ≤ (1+α)x.",
    states=theorems.WEAK_SHAPES,
    scope="with the size |e| given as well, at one employer",
    origin="implied",
)
def another_kind_is_two_steps_away() -> Verdict:
    """It holds when the additional workers of kind X come from outside the data. A worker at e may
    instead be of kind X or Y: |e_X| = 2 against 1 then exchanges a worker, two steps and a factor of
    e^(2ε). If X has several values, it fails for workers who are of kind X or absent, too:
    haney2017/thm-7.2-req2 is that case with X = {a, b}.
    """
    return fails(
        *theorems.shape_takes_two_steps(Weak, theorems.WEAK_SHAPES),
        counterexample="α = 1, w1 at e of kind X, w2 at e of kind X or Y: |e_X| = 2 against 1 has e^(2ε)",
        value="e^(2ε) for one exchanged worker",
        condition="true when X is one attribute value, and who may be of kind X is so at e or absent",
    )
