"""A formally checked specification library for the confidentiality of establishment statistics.

Everything that a user needs hangs on this one name, and is loaded when it is first used::

    import establish

    establish.check("haney2017/lemma-8.*")              # settle claims
    establish.assert_private(mechanism, establish.dp(1))  # audit a mechanism in a test

``establish.spec`` says what must hold, ``establish.impl`` is what runs, and
``establish.proofs_check`` is why it is true.
"""

from functools import cache
from importlib import import_module

_HOMES = {
    "impl.certificate": "CertificateError",
    "impl.mechanisms": "mechanism",
    "proofs_check.api.public": "audit budget compare convert imply limit release_counts "
    "release_earnings release_plan sample show suppress_audit suppress_plan verify",
    "proofs_check.audit.question.custom": "custom",
    "proofs_check.audit.question.definitions": "dp edge gedp node strong_er_ee weak_er_ee",
    "proofs_check.audit.question.mechanism": "AuditError",
    "proofs_check.audit.testing": "assert_density assert_moments assert_private assert_same_law "
    "assert_unbiased neighbors",
    "proofs_check.engine": "rules",
    "proofs_check.engine.checking": "check",
    "proofs_check.engine.methods": "enclosure exact exhaustive solver statistical symbolic",
    "proofs_check.engine.methods.on_integers": "Concentrated OnIntegers PerRecord Renyi SumOnIntegers",
    "proofs_check.engine.misuse": "Misuse",
    "proofs_check.engine.register": "RegisterError claim repeats",
    "proofs_check.engine.rules.premise": "premise",
    "proofs_check.engine.rules.rule": "RuleError",
    "proofs_check.engine.statements.between_densities": "HockeyStick MaxDivergence "
    "MeanLossOfDensities RenyiOfDensities",
    "proofs_check.engine.statements.cases": "Every",
    "proofs_check.engine.statements.comparison": "AtMost Below Compares Equal",
    "proofs_check.engine.statements.domain": "computed given",
    "proofs_check.engine.statements": "guarantees",
    "proofs_check.engine.statements.every_pair": "EveryPair",
    "proofs_check.engine.statements.finite_laws": "OfFiniteLaws",
    "proofs_check.engine.statements.moments": "Moment",
    "proofs_check.engine.statements.per_record": "PrivatePerRecord",
    "proofs_check.engine.statements.printed": "Printed",
    "proofs_check.engine.statements.privacy": "Private",
    "proofs_check.engine.statements.statement": "StatementError",
    "proofs_check.engine.statements.variables": "Integer Rational Real",
    "proofs_check.engine.verdicts": "Evidence Grade Outcome UnsettledError Verdict aside fails holds "
    "holds_loosely ill_posed misprint not_checkable",
    "spec.parameters": "ParameterError",
    "spec.relations.universes": "ShapeUniverse SizeUniverse",
    "spec.universe": "Universe",
}
"""The module, below ``establish``, in which each public name is defined, but for mechanisms, which cards
name; ``__init__.pyi`` tells editors of all.
"""

_FOLDERS = ("impl", "proofs_check", "spec")

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


@cache
def _homes() -> dict[str, str]:
    """The module, below ``establish``, of every public name."""
    from establish.impl.cards import classes

    return {**_HOME_OF, **classes()}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("establish")
    if name == "__all__":  # what ``*`` takes: not ``given``, which in a file of tests is that of Hypothesis
        return sorted({*_homes(), "__version__"} - {"given"})
    if name in _FOLDERS:
        return import_module(f"establish.{name}")
    place = _HOME_OF.get(name) or (None if name.startswith("_") else _homes().get(name))
    if place is None:
        nearest = import_module("establish.spec.nearest").nearest
        hint = "" if name.startswith("_") else nearest(name, _homes())
        raise AttributeError(f"module 'establish' has no attribute {name!r}{hint}")
    home = import_module(f"establish.{place}")
    if not hasattr(home, name):  # a name that is itself a module, such as a method
        import_module(f"{home.__name__}.{name}")
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted([*_homes(), "__version__"])
