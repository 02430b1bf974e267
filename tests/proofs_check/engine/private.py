"""The object that says of a mechanism that it is private, as tests plant it."""

from fractions import Fraction

from establish import Private, Rational
from establish.proofs_check.engine.statements import given


def private(mechanism, share=Fraction(1), steep=None, **said):
    """The mechanism at α and ε keeps a share of its ε, where ε is above ``steep`` times ln(1 + α) if that is
    given; what else is ``said`` takes the place of strong neighbors, of queries and of the growth α.
    """
    usual = {
        "name": "planted",
        "alpha": lambda alpha, epsilon: alpha,
        "neighbors": "strong",
        "queries": "establishment",
        "level": lambda c, alpha, epsilon: c.number(epsilon) * c.number(share),
    }
    if steep is not None:
        low, high = (lambda c, a, e: steep * c.log(1 + c.number(a))), (lambda c, a, e: c.number(e))
        usual["given"] = [given(low, "<", high)]
    return Private(Rational("α", above=0), Rational("ε", above=0), mechanism=mechanism, **usual | said)
