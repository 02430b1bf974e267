"""A guarantee is an instance of a settled object about what runs: whatever else is said is refused."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest

from establish import LogLaplace, StatementError
from establish.impl.certificate import CertificateError, certificate_of, certifying
from establish.impl.earnings.mechanisms import NAMES as OF_EARNINGS
from establish.impl.guarantee import Grant, guarantees
from establish.impl.mechanisms import NAMES as OF_COUNTS
from establish.impl.publish.counts import release_table
from establish.proofs_check.certification import counts, runs, theorems
from establish.proofs_check.certification.certify import outdated
from establish.proofs_check.certification.joined import JOINED
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.certification.theorems import Runs, grants
from establish.proofs_check.engine.statements import Private, Rational, given
from establish.proofs_check.papers.haney2017.log_laplace.privacy import PRINTED, SPENT, TIGHT
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism

STRONG, WEAK = ("strong", "establishment"), ("weak", "worker")
GIVEN = {"alpha": "1/10", "epsilon": "2"}


def tight(*rests_on: str) -> Runs:
    def make(alpha: Fraction, epsilon: Fraction) -> LogLaplace:
        return LogLaplace(alpha, epsilon, "tight")

    return Runs("log-laplace", "tight", TightLogLaplaceMechanism, rests_on or ("own/claim",), make)


def private(**changes: Any) -> Any:
    """Strong privacy of the tight Log-Laplace at ε, said otherwise."""
    said: dict[str, Any] = {
        "name": "Log-Laplace",
        "mechanism": TightLogLaplaceMechanism,
        "alpha": lambda alpha, epsilon: alpha,
        "neighbors": "strong",
        "queries": "establishment",
        "level": lambda c, alpha, epsilon: c.number(epsilon),
    }
    return Private(Rational("α", above=0), Rational("ε", above=0), **(said | changes))


def stating(monkeypatch: pytest.MonkeyPatch, *statements: Any) -> None:
    """The claims of a mechanism have these objects."""

    def about(ids: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        return ((ids[0], statement) for statement in statements)

    monkeypatch.setattr(theorems, "_about_privacy", about)


def kinds(found: tuple[Grant, ...]) -> list[tuple[str, str]]:
    return [grant.kind for grant in found]


def test_a_guarantee_is_the_object_at_the_parameters():
    strong, weak = guarantees(grants(tight("haney2017/alg-1-tight")), "tight", GIVEN)
    assert strong.definition == "strong (α, ε)-ER-EE privacy with α = 1/10, ε = 2"
    assert weak.definition == "weak (α, ε)-ER-EE privacy with α = 1/10, ε = 2"


def test_what_was_proved_at_half_of_epsilon_is_granted_at_half_of_epsilon(monkeypatch: pytest.MonkeyPatch):
    stating(monkeypatch, SPENT.strong)
    (said,) = guarantees(grants(replace(tight(), specified=LogLaplaceMechanism)), "tight", GIVEN)
    assert said.definition == "strong (α, ε)-ER-EE privacy with α = 1/10, ε = 1"


def test_a_weak_guarantee_needs_a_theorem_on_weak_neighbors(monkeypatch: pytest.MonkeyPatch):
    stating(monkeypatch, TIGHT.strong)
    assert kinds(grants(tight())) == [("strong", "establishment")]
    stating(monkeypatch, TIGHT.weak)
    assert kinds(grants(tight())) == [("weak", "worker")]


def test_every_mechanism_is_drawn_and_granted_at_each_of_its_calibrations():
    known = {(each.name, each.calibration) for each in runs.runs()}
    for kind in {type(cell.runs) for cell in counts.RUNS}:
        assert {(kind.name, calibration) for calibration in kind.specified} <= known
    assert {*OF_COUNTS, *OF_EARNINGS} <= {name for name, _ in known}


def test_a_mechanism_that_plans_take_beyond_what_is_granted_is_refused():
    (weak, strong) = (Grant("tight", *kind, {"epsilon": "1"}, {}, (), "") for kind in (WEAK, STRONG))
    runs._require_plans("log-laplace", [weak, strong])
    with pytest.raises(CertificateError, match="plans under weak-er-ee take it, and no theorem grants that"):
        runs._require_plans("log-laplace", [strong])
    with pytest.raises(CertificateError, match="plans under strong-er-ee take it"):
        runs._require_plans("log-laplace", [strong, weak, replace(weak, calibration="published")])


class Toy(LogLaplace):
    """A new mechanism, of which only strong privacy was proved."""

    name = "toy"
    specified: ClassVar = {"tight": TightLogLaplaceMechanism}


def test_the_record_of_a_mechanism_that_is_only_strongly_private_promises_no_weak_privacy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """And its budget is kept for strong privacy."""
    stating(monkeypatch, TIGHT.strong)
    found = grants(replace(tight(), name="toy", make=lambda **at: Toy(**at, calibration="tight")))
    (tmp_path / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    with certifying(lambda name: found if name == "toy" else ()):
        done = release_table(
            tmp_path / "in.csv", tmp_path / "o.csv", Toy("1/10", 2, "tight"), count="jobs", seed=1
        )
    assert [each["definition"] for each in done.record["satisfies"]] == [
        "strong (α, ε)-ER-EE privacy with α = 1/10, ε = 2"
    ]
    assert (done.record["definition"], done.record["alpha"]) == ("strong-er-ee", "1/10")


BELOW_ONE = given(lambda c, alpha, epsilon: c.number(epsilon), "<", 1)

LIES: dict[str, tuple[Callable[[], Any], str]] = {
    "half of ε, by the theorem on twice the noise": (lambda: SPENT.strong, "TightLogLaplaceMechanism runs"),
    "the published noise": (lambda: PRINTED.strong, "about LogLaplaceMechanism"),
    "α and ε exchanged": (
        lambda: private(mechanism=lambda a, e: TightLogLaplaceMechanism(e, a)),
        "about alpha = ε",
    ),
    "a thousandth more budget": (
        lambda: private(mechanism=lambda a, e: TightLogLaplaceMechanism(a, e * Fraction(1001, 1000))),
        "about epsilon = ",
    ),
    "half of the growth": (lambda: private(alpha=lambda a, e: a / 2), "its neighbors differ by alpha/2"),
    "a level without ε": (lambda: private(level=lambda c, a, e: c.number(1)), "its level, 1, is not a sum"),
    "a level of ε²": (lambda: private(level=lambda c, a, e: c.number(e) * e), "is not a sum of multiples"),
    "a level below zero": (lambda: private(level=lambda c, a, e: c.number(e) * -1), "is not a sum"),
    "a slack that is no parameter": (
        lambda: private(delta=lambda c, a, e: c.number(Fraction(1, 100))),
        "its δ, 1/100, is not a sum of multiples",
    ),
    "a smaller domain": (
        lambda: private(given=[BELOW_ONE]),
        "it says nothing at α = .* where log-laplace runs",
    ),
    "strong neighbors and some workers": (
        lambda: private(queries="worker"),
        "no record tells of strong neighbors with queries: worker",
    ),
    "weak neighbors and all workers": (
        lambda: private(neighbors="weak"),
        "no record tells of weak neighbors with queries: establishment",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_an_object_that_does_not_entail_the_guarantee_grants_nothing(
    lie: str, monkeypatch: pytest.MonkeyPatch
):
    said, reason = LIES[lie]
    stating(monkeypatch, said())
    with pytest.raises(CertificateError, match=reason):
        grants(tight())


def test_a_clamped_parameter_is_no_statement():
    with pytest.raises(StatementError, match="it uses max"):
        private(mechanism=lambda a, e: TightLogLaplaceMechanism(a, max(e, Fraction(1))))


def test_claims_without_an_object_on_privacy_grant_nothing():
    with pytest.raises(CertificateError, match="none of them is about privacy"):
        grants(tight("haney2017/lemma-8.2"))
    with pytest.raises(CertificateError, match="no claim is registered as haney2017/no-such"):
        grants(tight("haney2017/no-such"))


def test_what_is_joined_by_an_argument_needs_its_claims():
    runs_of = next(each for each in runs.runs() if each.name == "truncated-laplace")
    (found,) = grants(runs_of)
    assert found.joined == JOINED["truncated-laplace"][0].because
    with pytest.raises(CertificateError, match="does not rest on haney2017/sec6-trunc-sensitivity"):
        grants(replace(runs_of, rests_on=("haney2017/def-2.4-scale",)))


class Inherits(LogLaplace):
    """Another mechanism, with a copied seal: what its parent says of it."""


class States(LogLaplace):
    specified: ClassVar = {"tight": TightLogLaplaceMechanism}
    guarantees = ("ε/2",)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(Inherits, "does not say which mechanism of spec/ it draws"), (States, "states guarantees of its own")],
)
def test_a_mechanism_says_itself_what_it_draws_and_not_what_it_satisfies(
    kind: type[LogLaplace], reason: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(counts, "RUNS", [counts.OneCell(kind("1/10", 2, "tight"), (40,))])
    with pytest.raises(CertificateError, match=reason):
        runs.runs()


def test_a_mechanism_with_another_specification_is_drawn_against_that_one():
    """So the law that a theorem is about is the law with which draws are compared."""

    class Published(LogLaplace):
        specified: ClassVar = {"tight": LogLaplaceMechanism}

    cell = counts.OneCell(Published("1/10", 2, "tight"), (500, 40))
    assert cell.law.scale == 2 * counts.OneCell(LogLaplace("1/10", 2, "tight"), (500, 40)).law.scale


LESS = {"epsilon": "1/2"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"level": LESS}, "no theorem grants tight calibration, strong .* level 1/2·epsilon"),
        ({"digest": "0" * 64}, "it does not tell of tight calibration, strong"),
        ({"neighbors": "node"}, "no theorem grants tight calibration, node"),
        ({"delta": {"delta": "1"}}, "no theorem grants .* δ = 1·delta"),
    ],
)
def test_a_certificate_that_says_other_than_the_theorems_is_outdated(change: dict[str, Any], told: str):
    subject, certificate = subjects()["growth-laplace"], certificate_of("growth-laplace")
    first, *rest = certificate.grants
    edited = replace(certificate, grants=(replace(first, **change), *rest))
    assert any(re.search(told, reason) for reason in outdated(subject, edited))
