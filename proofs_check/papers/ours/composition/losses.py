"""What releases cost together, and what they leave of a cap."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from establish import Equal, Every, Integer, Rational, Verdict, claim, exhaustive, holds, solver, symbolic
from establish.proofs_check.engine.rules import adaptive_normals, composition_lemmas
from establish.proofs_check.engine.statements import Composes
from establish.proofs_check.papers.ours.composition.cases import PARTS, PLACE
from establish.spec.composition import Approximate, Gaussian, Loss, in_sequence

_LOSS = (Rational("ε", least=0), Rational("δ", least=0))
_TWO = (*_LOSS, Rational("ε'", least=0), Rational("δ'", least=0))
_TWO_SQUARES = (Rational("μ²", least=0), Rational("μ'²", least=0))
_RELEASES = Integer("n", least=0)


def _both(e: Any, d: Any, e2: Any, d2: Any) -> Any:
    """Two releases on the same data."""
    return in_sequence([Approximate(e, d), Approximate(e2, d2)])


SUMS = (
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(_both(e, d, e2, d2).epsilon),
        right=lambda c, e, d, e2, d2: e + e2,
    ),
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(_both(e, d, e2, d2).delta),
        right=lambda c, e, d, e2, d2: d + d2,
    ),
    Equal(
        _RELEASES,
        *_LOSS,
        left=lambda c, n, e, d: c.number(Approximate(e, d).times(n).epsilon),
        right=lambda c, n, e, d: n * e,
    ),
    Equal(
        _RELEASES,
        *_LOSS,
        left=lambda c, n, e, d: c.number(Approximate(e, d).times(n).delta),
        right=lambda c, n, e, d: n * d,
    ),
    Equal(
        _RELEASES,
        _TWO_SQUARES[0],
        left=lambda c, n, m: c.number(Gaussian(m).times(n).mu_squared),
        right=lambda c, n, m: n * m,
    ),
)
"""Two losses in sequence, and n of the same loss; with μ the second part is `TOTAL`."""

TOTAL = Composes(
    lambda c, spent, mu: _parts(in_sequence([Gaussian(spent), Gaussian(mu * mu)]))[0],
    lambda c, spent: c.sqrt(spent),
)
"""Adaptive releases with losses of μ_j cost the root of what the budget adds up."""

LEFT = (
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(
            Approximate(e, d).left(Approximate(e2, d2)).plus(Approximate(e2, d2)).epsilon
        ),
        right=lambda c, e, d, e2, d2: e,
    ),
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(
            Approximate(e, d).left(Approximate(e2, d2)).plus(Approximate(e2, d2)).delta
        ),
        right=lambda c, e, d, e2, d2: d,
    ),
    Equal(
        *_TWO_SQUARES,
        left=lambda c, m, m2: c.number(Gaussian(m).left(Gaussian(m2)).plus(Gaussian(m2)).mu_squared),
        right=lambda c, m, m2: m,
    ),
)
"""What is left of a cap and what was spent are together the cap."""

STEPS = Equal(
    Integer("steps", least=1),
    Rational("μ", least=0),
    left=lambda c, k, m: c.number(Gaussian(m * m).over(k).mu_squared),
    right=lambda c, k, m: (k * m) * (k * m),
)
"""Between datasets that are some steps apart a loss of μ is steps·μ, kept as its square."""


@claim(
    "establish/losses-add-up",
    where=PLACE,
    says="Losses of releases on the same data add up in ε and in δ, and n of one loss cost n times it.",
    states=SUMS,
    tight=SUMS,
)
def losses_add_up() -> Verdict:
    """The sums that a budget is kept by, as the specification writes them; that sums are what releases in
    sequence cost is the matter of haney2017/thm-7.3 and haney2017/sec3-several-releases-delta.
    """
    return holds(*map(solver.proves, SUMS), value="Σε, Σδ, n·ε, n·δ, n·μ²")


@claim(
    "establish/squares-of-mu-add-up",
    where=PLACE,
    says="Adaptive releases with losses of μ_j are together indistinguishable at the root of what the budget "
    "adds up.",
    states=TOTAL,
    tight=TOTAL,
)
def squares_of_mu_add_up() -> Verdict:
    """The sum of squares that a budget keeps is that of webb2025/thm-5.7; the rule has the argument."""
    return holds(
        adaptive_normals(TOTAL, *(symbolic.proves(owed) for owed in composition_lemmas(TOTAL))),
        value="√(Σμ_j²)",
    )


@claim(
    "establish/left-and-spent-are-the-cap",
    where=PLACE,
    says="What is left of a cap after a loss, and that loss, are together the cap, in ε, in δ and in μ².",
    states=LEFT,
    tight=LEFT,
)
def left_and_spent_are_the_cap() -> Verdict:
    """What `establish budget` shows as left. It is the difference, of squares for μ."""
    return holds(*map(solver.proves, LEFT), value="cap − spent")


@claim(
    "establish/steps-times-mu",
    where=PLACE,
    says="Over k neighbor steps a loss of μ is counted as k·μ.",
    states=STEPS,
    tight=STEPS,
)
def a_loss_over_steps_is_steps_times_mu() -> Verdict:
    """The square that is kept is (k·μ)²; that kμ is the loss over k steps is webb2025/sec5.4.1-firm."""
    return holds(solver.proves(STEPS), value="k·μ")


Pair = tuple[Approximate, Approximate] | tuple[Gaussian, Gaussian]


def _pairs() -> Iterator[Pair]:
    losses = [Approximate(e, d) for e, d in product(PARTS, repeat=2)]
    yield from product(losses, repeat=2)
    yield from product([Gaussian(m) for m in PARTS], repeat=2)


def _parts(loss: Loss) -> tuple[Fraction, ...]:
    if isinstance(loss, Approximate):
        return loss.epsilon, loss.delta
    return (loss.mu_squared,) if isinstance(loss, Gaussian) else ()


def _is_least_above_both(pair: Pair) -> bool:
    first, second = pair
    either = first.either(second)
    above = [loss for loss in (first, second) if not loss.within(either)]
    return not above and all(
        part in both for part, *both in zip(_parts(either), _parts(first), _parts(second), strict=True)
    )


def _is_within_exactly_when_nothing_is_overdrawn(pair: Pair) -> bool:
    loss, cap = pair
    return loss.within(cap) == all(part >= 0 for part in _parts(cap.left(loss)))


def _adds_nothing(pair: Pair) -> bool:
    return _parts(pair[0].either(pair[1])) == _parts(pair[0])


def _is_less(pair: Pair) -> bool:
    return pair[0].within(pair[1]) == all(part > 0 for part in _parts(pair[1].left(pair[0])))


EITHER = Every("pair of losses", _pairs, _is_least_above_both, wrong=_adds_nothing)
WITHIN = Every("loss and cap", _pairs, _is_within_exactly_when_nothing_is_overdrawn, wrong=_is_less)
GRID = "(ε, δ) and μ² with parts 0, 1/100, 1/10 and 1/2"


@claim(
    "establish/either-is-the-larger",
    where=PLACE,
    says="Releases of which only one changes between neighbors cost the least loss that both are within, and "
    "a loss is within a cap exactly when nothing is left below 0.",
    states=(EITHER, WITHIN),
)
def one_of_two_costs_the_larger() -> Verdict:
    """A cap that is reached exactly is kept; every part of the larger loss is a part of one of the two."""
    return holds(exhaustive.each(EITHER, GRID), exhaustive.each(WITHIN, GRID))
