"""Which noise is admissible: the predicate against densities and tails."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, ParameterError, Verdict, claim, exhaustive, holds
from establish.spec.admissible import heavy_tailed_is_admissible, laplace_is_admissible
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions import heavy_tailed, laplace

PLACE = "Admissible noise (Haney et al. 2017, Definition 8.3)"

Noise = tuple[Fraction, Fraction, Fraction, Fraction, Fraction]


def _heavy_tailed() -> Iterator[Noise]:
    """a, b, ε1, ε2 and γ, close to where a slide or a dilation costs all of its ε."""
    a, b = Fraction(1, 2), Fraction(1, 3)
    for gamma, slide in ((4, "2.2795"), (3, "1.5874"), (Fraction(3, 2), "0.7937")):
        for first, second in product(map(Fraction, ("9/10", "999/1000", "1001/1000", "2")), (0, 1, 2)):
            least = max(Fraction(1), Fraction(gamma) - 1) * b
            second_epsilon = least * (Fraction(999, 1000), Fraction(1), Fraction(1001, 1000))[second]
            yield a, b, a * Fraction(slide) * first, second_epsilon, Fraction(gamma)


OUTPUTS = (*(Fraction(k, 16) for k in range(-64, 65)), Fraction(10**6), Fraction(-(10**6)))
"""Outputs between −4 and 4, where slides cost most, and two far out, where dilations do."""


def _never_costs_more(case: Noise) -> bool:
    """Admissible exactly where no output loses more than ε1 by a slide of a, or ε2 by a dilation of e^±b.

    Both largest losses are found to 1 in 1000 at these outputs: Z at which |Z|^γ = γ − 1 is among the
    points that are searched around, and a dilation costs its limit far out or at 0.
    """
    a, b, epsilon_1, epsilon_2, gamma = case
    with enclosing():
        z_most = ARB.exp(ARB.log(ARB.number(gamma - 1)) / ARB.number(gamma))
        tiny = Fraction(1, 10**6)
        slides = [
            heavy_tailed.slide_loss(z, ARB.number(s * tiny), gamma, ARB) / ARB.number(tiny)
            for z in (*map(ARB.number, OUTPUTS), z_most, -z_most)
            for s in (1, -1)
        ]
        far = [ARB.number(Fraction(10) ** 40), ARB.number(0)]
        dilations = [
            heavy_tailed.dilation_loss(z, ARB.number(s * b), gamma, ARB)
            for z in (*map(ARB.number, OUTPUTS), *far)
            for s in (1, -1)
        ]
        near = ARB.number(Fraction(10001, 10000))
        slides_fit = all(loss * ARB.number(a) < ARB.number(epsilon_1) * near for loss in slides)
        dilations_fit = all(loss < ARB.number(epsilon_2) * near for loss in dilations)
    return heavy_tailed_is_admissible(a, b, epsilon_1, epsilon_2, gamma) == (slides_fit and dilations_fit)


def _slides_alone_decide(case: Noise) -> bool:
    a, b, epsilon_1, epsilon_2, gamma = case
    return heavy_tailed_is_admissible(a, b, epsilon_1, epsilon_2, gamma) == (epsilon_1 > a)


HEAVY_TAILED = Every("noise", _heavy_tailed, _never_costs_more, wrong=_slides_alone_decide)


def _laplace() -> Iterator[Noise]:
    """a, b, ε1, ε2 and δ, close to the least δ."""
    for b, epsilon_2 in product(map(Fraction, ("1/10", "1/2", "1")), map(Fraction, ("1", "2"))):
        near = Fraction(MP.mp.nstr(2 * laplace.dilation_excess(MP.number(b), MP.number(epsilon_2), MP), 17))
        for factor, a in product(("99/100", "101/100"), ("1/2", "1", "1001/1000")):
            yield Fraction(a), b, Fraction(1), epsilon_2, near * Fraction(factor)


ENDS = tuple(Fraction(k, 40) for k in range(800))
"""Ends t of the events |Z| > t."""


def _tails_never_exceed(case: Noise) -> bool:
    """Admissible exactly where a ≤ ε1 and no event |Z| > t exceeds e^ε2 times itself dilated, by δ/2."""
    a, b, epsilon_1, epsilon_2, delta = case
    with enclosing():
        stretch, level = ARB.exp(ARB.number(b)), ARB.exp(ARB.number(epsilon_2))
        most = ARB.number(0)
        for t in ENDS:
            own, dilated = (ARB.exp(-end) for end in (ARB.number(t), stretch * ARB.number(t)))
            most = ARB.maximum(most, own - level * dilated)
        fits = bool(most <= ARB.number(delta / 2))
    return laplace_is_admissible(a, b, epsilon_1, epsilon_2, delta) == (fits and a <= epsilon_1)


LAPLACE = Every("noise", _laplace, _tails_never_exceed)


def _outside() -> Iterator[tuple[str, ...]]:
    """Arguments of which one is at or beyond an end of its domain, the law's name first."""
    good = ("1/4", "1/8", "1", "1")
    for place, wrong in product(range(4), ("0", "-1")):
        changed = (*good[:place], wrong, *good[place + 1 :])
        yield ("heavy-tailed", *changed, "4")
        yield ("laplace", *changed, "1/10")
    for gamma in ("1", "1/2", "0"):
        yield ("heavy-tailed", *good, gamma)
    for delta in ("0", "1"):
        yield ("laplace", *good, delta)
    yield "laplace", "1/4", "2", "1", "1", "1/10"


def _is_refused(case: tuple[str, ...]) -> bool:
    name, *arguments = case
    try:
        if name == "laplace":
            laplace_is_admissible(*arguments)
        else:
            heavy_tailed_is_admissible(*arguments)
    except ParameterError:
        return True
    return False


def _inside() -> Iterator[tuple[str, ...]]:
    yield "heavy-tailed", "1/4", "1/8", "1", "1", "1001/1000"
    yield "laplace", "1/4", "1", "1", "1", "999/1000"


def _is_accepted(case: tuple[str, ...]) -> bool:
    return not _is_refused(case)


OUTSIDE, INSIDE = (Every("arguments", _outside, _is_refused), Every("arguments", _inside, _is_accepted))


@claim(
    "establish/admissible-as-densities-are",
    where=PLACE,
    says="Noise is called admissible exactly where no slide and no dilation within (a, b) costs more than "
    "(ε1, ε2, δ/2), as its densities and tails show.",
    states=(HEAVY_TAILED, LAPLACE, OUTSIDE, INSIDE),
)
def admissible_as_densities_and_tails_show() -> Verdict:
    """The constants by which the predicate decides are those of haney2017/lemma-8.6-above-1 and
    haney2017/lemma-9.1; here densities and tails are read at outputs where slides and dilations cost most.
    """
    return holds(
        exhaustive.each(HEAVY_TAILED, "γ = 4, 3 and 3/2, ε 1 in 1000 off its least value and farther"),
        exhaustive.each(LAPLACE, "three dilations, two levels, δ 1 in 100 off its least value"),
        exhaustive.each(OUTSIDE, "one argument at or beyond an end"),
        exhaustive.each(INSIDE, "arguments at or near an end that belongs to the domain"),
    )
