"""The worst mechanism of an attack as a real mechanism, and the exact re-check of the attack."""

from fractions import Fraction

from establish.proofs_check.implications.attacks import Attack
from establish.proofs_check.implications.certificate import check_plan, check_witness, likelihoods
from establish.proofs_check.implications.mechanism import extend
from establish.proofs_check.implications.space import Space
from establish.spec.privacy import Mechanism, PrivacyDefinition, Violation
from establish.spec.tables import Tables


def labels_of(space: Space, found: Attack) -> dict[int, int | None]:
    """The exponent of c of every dataset in a worst mechanism; None for likelihood 0.

    Labels beyond the largest one of the two events are cut to it, which keeps them within 1 between
    neighbors and the likelihoods readable.
    """
    labels = {at: found.worst.label(at, space.distance) for at in range(len(space.datasets))}
    compared = {*found.worst.labels, *(i for i, _ in found.worst.plan)}
    most = max((k for at in compared if (k := labels[at]) is not None), default=0)
    return {at: None if k is None else min(k, most) for at, k in labels.items()}


def witness_likelihood(space: Space, found: Attack, c: Fraction) -> dict[Tables, Fraction]:
    """The likelihood of the worst output on every dataset, the largest scaled to 1."""
    labels = {space.datasets[at]: k for at, k in labels_of(space, found).items()}
    return likelihoods(labels, c)


def witness_mechanism(space: Space, found: Attack, c: Fraction) -> Mechanism[Tables]:
    """A mechanism with outputs "ω" and "other" that satisfies the definition, worst at "ω"."""
    return extend(witness_likelihood(space, found, c), c)


def mechanism_violation(space: Space, found: Attack, c: Fraction) -> Violation[Tables] | None:
    """Where the witness mechanism breaks the definition, by the definition; None: nowhere."""
    definition = PrivacyDefinition(space.relation, c)
    return definition.violation(witness_mechanism(space, found, c))


def recheck(space: Space, found: Attack, c: Fraction) -> None:
    """Both sides of the worst case of one attacker, by the definitions alone.

    Raises CertificateError when the likelihoods are not private, their Bayes factor is another, or
    the plan does not show that no mechanism exceeds it.
    """
    likelihood = witness_likelihood(space, found, c)
    check_witness(space.relation, c, found.prior, found.comparison, likelihood, found.factor)
    if isinstance(found.factor, Fraction):
        weights = space.weights(found.prior)
        first = space.given(weights, found.comparison.first)
        second = space.given(weights, found.comparison.second)
        check_plan(found.worst.plan, first, second, space.distance, c, found.factor)
