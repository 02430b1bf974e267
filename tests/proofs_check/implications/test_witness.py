"""Witnesses and certificates: sound ones pass, tampered ones do not, and mechanisms are real."""

from fractions import Fraction as F

import pytest

from establish.proofs_check.implications import certificate
from establish.proofs_check.implications.attacks import attack
from establish.proofs_check.implications.definitions import DEFINITIONS, small_universe
from establish.proofs_check.implications.mechanism import extend
from establish.proofs_check.implications.space import Space
from establish.proofs_check.implications.witness import witness_likelihood
from establish.spec.priors import weak_prior
from establish.spec.privacy import PrivacyDefinition
from establish.spec.requirements import Comparison, SizeIs


def space_of(name, *numbers, alpha=F(1)):
    universe = small_universe(*numbers)
    return Space(universe, DEFINITIONS[name].relation(universe, alpha))


# Certificates


@pytest.fixture(scope="module")
def sound():
    """A space, an attack whose plan has several entries, and its level."""
    space, c = space_of("weak-er-ee", 4, 1, 2), F(2)
    prior = weak_prior(space.universe, {None: "1/2", "e1": "1/2"})
    return space, attack(space, prior, Comparison(SizeIs("e1", 2), SizeIs("e1", 4)), c), c


def test_a_plan_that_is_tampered_with_is_refused(sound):
    space, found, c = sound
    weights = space.weights(found.prior)
    first = space.given(weights, found.comparison.first)
    second = space.given(weights, found.comparison.second)

    def check(plan, bound=found.factor):
        certificate.check_plan(plan, first, second, space.distance, c, bound)

    plan = found.worst.plan
    check(plan)
    with pytest.raises(certificate.CertificateError, match="does not prove"):
        check(plan, found.factor - F(1, 10**9))
    pair = next(iter(plan))
    with pytest.raises(certificate.CertificateError, match="does not split"):
        check({**plan, pair: plan[pair] - F(1, 10**9)})
    with pytest.raises(certificate.CertificateError, match="ships"):
        check({**plan, pair: -plan[pair]})
    with pytest.raises(certificate.CertificateError, match="may not use"):
        check({**plan, (pair[1], pair[0]): F(1)})


def test_a_witness_that_is_tampered_with_is_refused(sound):
    space, found, c = sound
    likelihood = witness_likelihood(space, found, c)

    def check(likelihood, factor=found.factor):
        certificate.check_witness(space.relation, c, found.prior, found.comparison, likelihood, factor)

    check(likelihood)
    with pytest.raises(certificate.CertificateError, match="the Bayes factor is not"):
        check(likelihood, found.factor + F(1, 10**9))
    top = max(likelihood, key=likelihood.__getitem__)
    with pytest.raises(certificate.CertificateError, match="further apart than c"):
        check({**likelihood, top: likelihood[top] * c**2})
    with pytest.raises(certificate.CertificateError, match="negative"):
        certificate.check_likelihood(space.relation, {**likelihood, top: F(-1)}, c)


def test_a_chain_with_a_step_that_is_too_long_is_refused():
    space = space_of("edge", 2, 1, 1)
    empty, full = space.datasets[0], space.datasets[-1]
    with pytest.raises(certificate.CertificateError, match="not a neighbor"):
        certificate.chain_length(space.relation, [empty, full])


# Real mechanisms


def test_the_extension_is_private_at_its_level_and_no_lower():
    space, c = space_of("edge", 3, 1, 1), F(2)
    mechanism = extend({d: c ** -len(d.workers) for d in space.datasets}, c)
    assert mechanism(space.datasets[0]) == {"ω": F(2, 3), "other": F(1, 3)}
    assert PrivacyDefinition(space.relation, c).satisfied_by(mechanism)
    assert not PrivacyDefinition(space.relation, F(199, 100)).satisfied_by(mechanism)
    # Likelihoods that are not private do not become so.
    assert not PrivacyDefinition(space.relation, c).satisfied_by(
        extend({d: F(3) ** -len(d.workers) for d in space.datasets}, c)
    )
