"""Mechanisms for tests of the white box."""

from establish.spec.distributions.laplace import Laplace


class Lawful:
    """A mechanism that is its law."""

    def __init__(self, law):
        self.law = law


def laplace(scale):
    return Lawful(lambda n, c: Laplace(c.number(n), c.number(scale), c))
