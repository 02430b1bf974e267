"""A certificate is written for true claims and conforming samplers only, and noticed when out of date."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from establish import Evidence, Grade, SmoothStaircase, TruncatedLaplace
from establish.impl.budget import accountant, heads, spending
from establish.impl.cards import cards, place
from establish.impl.certificate import CertificateError, certificate_of, certifying
from establish.impl.definitions import node_of
from establish.impl.earnings import fitted, histogram_percentiles, public_law, quantile_tree
from establish.impl.earnings.mechanisms import NAMES as OF_EARNINGS
from establish.impl.guarantee import Grant
from establish.impl.mechanisms import NAMES as OF_COUNTS
from establish.impl.mechanisms import least_error
from establish.impl.microdata import neighbor_functions
from establish.impl.microdata.least_squares import Answered
from establish.impl.publish import establishment_answers, jobs
from establish.impl.sampling import chords, ideal_laws, laws, location_scale
from establish.impl.sampling.reals import Reals
from establish.impl.tabulate import Tabulator, checks
from establish.proofs_check.certification import (
    costs,
    counts,
    datasets,
    defaults,
    domains,
    earnings,
    fits,
    ledgers,
    microdata,
    readings,
    releases,
    tabulation,
)
from establish.proofs_check.certification.certify import certify, definitions, outdated
from establish.proofs_check.certification.sampling import certify_bounds, exact_way, float_bounds
from establish.proofs_check.certification.subject import Subject
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.engine import ledger
from establish.spec import domains as decided_domains
from establish.spec.arithmetic import ARB
from establish.spec.composition import Marginal, cost_of_marginal
from establish.spec.distributions import laplace as laplace_law
from establish.spec.domains import Domain
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism

SUBJECTS = subjects()
each = pytest.mark.parametrize("name", SUBJECTS)

TRUE, UNTRUE = "haney2017/def-2.4-scale", "haney2017/lemma-9.2"
SAID = f"{ledger.recorded()[TRUE].verdict} ({ledger.recorded()[TRUE].evidence})"
GRANT = Grant("tight", "edge", "worker", {"epsilon": "1"}, {}, (TRUE,), "0" * 64)
SHOWN = Evidence("it draws the law", True, Grade.STATISTICAL, "statistical", "", "10 draws")


def small(*rests_on: str, shown: Evidence = SHOWN) -> Subject:
    """A subject with one module and one check."""
    return Subject(
        "small", ("establish.impl.mechanisms.laplace",), rests_on, lambda: [shown], lambda: (GRANT,)
    )


@pytest.mark.usefixtures("settled_once")
def test_a_true_claim_and_a_check_that_passes_are_certified():
    found = certify(small(TRUE))
    assert found.mechanism == "small"
    assert (found.claims, found.grants) == ({TRUE: SAID}, (GRANT,))
    assert [(check["says"], check["scope"]) for check in found.checks] == [("it draws the law", "10 draws")]
    assert {"impl/mechanisms/laplace.py Laplace", "impl/sampling/bits.py Bits"} <= found.definitions.keys()
    assert "numpy" in found.checked_with


def test_an_untrue_claim_is_not_certified():
    with pytest.raises(CertificateError, match=f"small cannot be certified: {UNTRUE} is fails"):
        certify(small(TRUE, UNTRUE))


def test_an_unregistered_claim_is_not_certified():
    with pytest.raises(CertificateError, match="no claim is registered as haney2017/no-such"):
        certify(small(TRUE, "haney2017/no-such"))


@pytest.mark.parametrize(("outcome", "reason"), [(False, "too far"), (None, "not decided")])
def test_a_check_that_fails_or_decides_nothing_is_not_certified(outcome: bool | None, reason: str):
    shown = replace(SHOWN, established=outcome, witness="too far" if outcome is False else "")
    with pytest.raises(CertificateError, match=f"it draws the law: {reason}"):
        certify(small(TRUE, shown=shown))


def wider(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The sampler with its scale 5% too large."""

    def drawn(center: Reals, scale: Reals, *rest: Any) -> Any:
        return draw(center, scale.times(Reals.fraction(Fraction(21, 20))), *rest)

    return drawn


def wider_log_laplace(draw: Callable[..., Any]) -> Callable[..., Any]:
    def drawn(count: Reals, gamma: Reals, scale: Reals, *rest: Any) -> Any:
        return draw(count, gamma, scale.times(Reals.fraction(Fraction(21, 20))), *rest)

    return drawn


def wider_geometric(draw: Callable[..., Any]) -> Callable[..., Any]:
    return lambda epsilon, *rest: draw(epsilon * Fraction(20, 21), *rest)


def wider_choice(choose: Callable[..., Any]) -> Callable[..., Any]:
    return lambda choice, bits: choose(replace(choice, rate=choice.rate * Fraction(20, 21)), bits)


def drawn(name: str) -> list[Callable[[], Evidence]]:
    """The checks that draw from a mechanism."""
    cases = [case for case in (*counts.CASES, *earnings.CASES) if case.mechanism == name]
    told = {"stated", "told", "decided", "picks_conform", "readings_conform", "public_laws_conform"}
    told |= {"earnings_stated", *(check.__name__ for check in counts.OF_ALL)}
    return [case.conforms for case in cases if case.conforms.__name__ not in told]


def twice_as_wide_geometric(draw: Callable[..., Any]) -> Callable[..., Any]:
    return lambda epsilon, *rest: draw(epsilon / 2, *rest)


def twice_as_wide_choice(choose: Callable[..., Any]) -> Callable[..., Any]:
    return lambda choice, bits: choose(replace(choice, rate=choice.rate / 2), bits)


def not_certified(name: str, check: Callable[[], Evidence]) -> None:
    assert check in drawn(name)
    with pytest.raises(CertificateError, match=rf"{name} cannot be certified: .*exceeds"):
        certify(replace(SUBJECTS[name], rests_on=(), checks=lambda: [check()]))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "module", "attribute", "plant"),
    [
        ("laplace", laws, "laplace", wider),
        ("smooth-laplace", laws, "laplace", wider),
        ("truncated-laplace", laws, "laplace", wider),
        ("smooth-gamma", laws, "heavy_tailed", wider),
        ("log-laplace", laws, "log_laplace", wider_log_laplace),
        ("histogram-percentiles", laws, "two_sided_geometric", wider_geometric),
    ],
)
def test_every_check_that_draws_sees_a_scale_that_is_5_percent_off(
    name: str,
    module: object,
    attribute: str,
    plant: Callable[[Callable[..., Any]], Callable[..., Any]],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(module, attribute, plant(getattr(module, attribute)))
    for check in drawn(name):
        not_certified(name, check)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("module", "attribute", "plant", "check"),
    [
        (laws, "two_sided_geometric", wider_geometric, earnings.chosen_counts_conform),
        (quantile_tree, "choose", wider_choice, earnings.tree_conforms),
        (laws, "two_sided_geometric", twice_as_wide_geometric, earnings.last_class_counts_conform),
        (quantile_tree, "choose", twice_as_wide_choice, earnings.last_class_medians_conform),
    ],
)
def test_each_check_of_chosen_by_size_sees_a_scale_that_is_off(
    module: object,
    attribute: str,
    plant: Callable[[Callable[..., Any]], Callable[..., Any]],
    check: Callable[[], Evidence],
    monkeypatch: pytest.MonkeyPatch,
):
    """With fewer draws than a certificate: by 5%, or to the double where a draw takes long."""
    monkeypatch.setattr(earnings, "DRAWS", earnings.DRAWS // 4)
    monkeypatch.setattr(earnings, "BATCHES", earnings.BATCHES // 5)
    monkeypatch.setattr(module, attribute, plant(getattr(module, attribute)))
    not_certified("chosen-by-size", check)


@pytest.mark.campaign  # tests/proofs_check/commands/test_certify.py: that of psi
@pytest.mark.parametrize("name", SUBJECTS)
def test_every_sampler_passes_its_checks_and_its_error_bounds_are_among_them(name: str):
    """``make certify`` runs the same, and the certificates are current."""
    found = SUBJECTS[name].checks()
    assert [check.says for check in found if check.established is not True] == []
    assert found[: len(certify_bounds())] == list(certify_bounds())
    assert len(found) > len(certify_bounds())


@pytest.mark.small_campaign
def test_cells_with_another_largest_establishment_are_noticed(monkeypatch: pytest.MonkeyPatch):
    counted = Tabulator.tabulate

    def half(self: Tabulator, *query: Any, **options: Any) -> Any:
        cells = counted(self, *query, **options)
        return replace(cells, largest=cells.largest // 2)

    monkeypatch.setattr(Tabulator, "tabulate", half)
    assert tabulation.tabulated.__wrapped__().established is False


def test_a_plan_that_is_charged_for_one_of_its_filters_only_is_noticed(monkeypatch: pytest.MonkeyPatch):
    alone = lambda filters: {frozenset([n]) for n in range(len(filters))}  # noqa: E731
    monkeypatch.setattr(accountant, "_together", alone)
    assert costs.costed.__wrapped__().established is False


def at_one(z: Any) -> Any:
    """The distribution function of a Laplace law that is centered at 1."""
    return laplace_law.cdf(z, ARB.number(1), ARB.number(1), ARB)


@pytest.mark.small_campaign
def test_a_law_that_only_the_exact_way_reads_is_compared(monkeypatch: pytest.MonkeyPatch):
    assert [piece.established for piece in exact_way.exact_way()] == [True] * 7
    monkeypatch.setattr(ideal_laws, "_laplace", at_one)
    found = [piece.established for piece in exact_way.exact_way.__wrapped__()]
    assert found[:3] == [False, False, False]


def test_a_first_try_that_takes_the_next_line_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(chords, "BEFORE", chords.BEFORE + 1)
    assert not all(map(exact_way._is_the_careful_one, exact_way._long()))


def test_a_stated_deviation_that_is_off_is_noticed(monkeypatch: pytest.MonkeyPatch):
    one = next(run for run in counts.RUNS if run.runs.name == "laplace")
    assert one.stated().established is True
    said = {**one.runs.expected_error, "standard deviation": f"{2**0.5 / one.runs.noise_scale:.4g}"}
    monkeypatch.setattr(type(one.runs), "expected_error", said)
    assert one.stated().established is False


@pytest.mark.parametrize("plant", ["exchanged", "wrong sign"])
def test_published_estimates_and_variances_are_compared(plant: str, monkeypatch: pytest.MonkeyPatch):
    run = microdata._RUNS[1]
    assert run.estimates_conform().established is True
    of = microdata.from_psi

    def planted(*arguments: Any) -> Any:
        found = of(*arguments)
        if plant == "exchanged":
            return replace(found, values=found.variances, variances=found.values)
        return replace(found, values=-found.values)

    monkeypatch.setattr(microdata, "from_psi", planted)
    assert run.estimates_conform().established is False


def test_a_fit_with_values_for_variances_is_noticed(monkeypatch: pytest.MonkeyPatch):
    assert microdata.answers_conform().established is True
    of = establishment_answers._answered

    def exchanged(answers: Any) -> Any:
        return [Answered(found.formed, found.variances, np.abs(found.values) + 1) for found in of(answers)]

    monkeypatch.setattr(establishment_answers, "_answered", exchanged)
    assert microdata.answers_conform.__wrapped__().established is False


def no_refusal(broken: bool, message: str) -> None:
    """Takes any tables."""


def without_error(bound: Any, error: Any) -> None:
    """Forgets that numbers are not known exactly."""


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("module", "attribute", "planted", "check"),
    [
        (checks, "_refuse", no_refusal, datasets.refused_data),
        (spending, "in_sequence", lambda losses: losses[0], ledgers.kept),
        (heads, "LARGEST", 19_999_999, ledgers.kept),
        (SmoothStaircase, "domains", {"tight": Domain("2·ln(1 + α) < ε, 1/1000 <= ε")}, domains.domains),
        (SmoothStaircaseMechanism, "domain", Domain("4·ln(1 + α) < ε"), domains.domains),
        (decided_domains, "_rounded", lambda value, _: "0.01", domains.advice),
        (least_error, "_unit", lambda *_: 1.0, defaults.defaults),
        (histogram_percentiles, "clamped", abs, readings.readings_conform),
        (public_law, "RECOVERED_SD", 0.753, readings.public_laws_conform),
        (fitted, "DEVIATIONS", fitted.DEVIATIONS[:-1], readings.fitted_law_conforms),
        (histogram_percentiles, "mean_absolute_noise", lambda epsilon: 1 / epsilon, readings.earnings_stated),
        (neighbor_functions, "SLACK", 1 - 2.0**-40, fits.fits_conform),
        (location_scale, "add_error", without_error, float_bounds.float_bounds),
    ],
)  # fmt: skip
def test_a_planted_fault_is_noticed(
    module: object, attribute: str, planted: Any, check: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, attribute, planted)
    with certifying():
        found = check.__wrapped__()
    pieces = found if isinstance(found, tuple) else (found,)
    assert any(piece.established is False for piece in pieces)


def differing(triples: Iterable[tuple[str, object, object]]) -> str | None:
    """The first thing that is not as the specification says."""
    return next((what for what, found, meant in triples if found != meant), None)


@pytest.mark.small_campaign
def test_a_release_that_is_charged_or_weighted_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch):
    with certifying():
        assert differing(releases._adds_up("real")) is None
        monkeypatch.setattr(jobs, "weights", lambda laws: [1.0] * len(laws))
        assert differing(releases._adds_up("real")) == "weight of cells"
        one = Marginal()
        monkeypatch.setattr(
            accountant, "cost_of_marginal", lambda of, each, _: cost_of_marginal(of, each, one)
        )
        assert differing(releases._is_released(releases.WEAK_PLAN)) == "loss"


@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize("name", [*OF_COUNTS, TruncatedLaplace.name])
def test_a_mechanism_on_counts_is_certified_with_what_tabulates_and_costs(name: str):
    code = {"impl/budget/accountant.py cost", "impl/publish/jobs.py JobAnswerer"}
    code |= {"impl/publish/plan.py release_plan", "impl/tabulate/tabulate.py Tabulator", "spec/cells.py Cell"}
    assert code <= definitions(SUBJECTS[name]).keys()


def test_every_mechanism_that_runs_is_a_subject():
    assert {*OF_COUNTS, *OF_EARNINGS, TruncatedLaplace.name} <= SUBJECTS.keys()


@pytest.mark.usefixtures("settled_once")
@each
def test_the_code_of_a_mechanism_is_what_runs_and_what_specifies_it(name: str):
    found = definitions(SUBJECTS[name])
    card = cards()[name]
    assert {"impl/sampling/bits.py Bits", "impl/certificate.py require_certificate"} <= found.keys()
    module, _, kind = f"establish.impl.{card.runs}".rpartition(".")
    assert node_of(module, kind) in found
    assert ("impl/sampling/choice.py choose" in found) == (name == "chosen-by-size")
    own = place(name).removeprefix("establish.").replace(".", "/") + ".py CARD"
    assert [node for node in found if node.startswith("impl/cards/") and node.endswith(" CARD")] == [own]
    assert not any(node.startswith("proofs_check/") for node in found)


@pytest.mark.usefixtures("settled_once")
def test_a_certificate_is_current_until_code_verdicts_or_claims_change():
    subject = small(TRUE)
    written = certify(subject)
    assert outdated(subject, written) == []
    name = "impl/mechanisms/laplace.py Laplace"
    changed = replace(written, definitions={**written.definitions, name: "0" * 64})
    assert outdated(subject, changed) == [f"{name} changed"]
    gone = replace(written, definitions={**written.definitions, "impl/gone.py gone": "0" * 64})
    assert outdated(subject, gone) == ["impl/gone.py gone changed"]
    fewer = {node: digest for node, digest in written.definitions.items() if node != name}
    elsewhere = ["its code and its claims begin elsewhere now"]
    assert outdated(subject, replace(written, definitions=fewer)) == elsewhere
    other = replace(written, claims={TRUE: "holds (exhaustive)"})
    assert outdated(subject, other) == [f"{TRUE}: holds (exhaustive) became {SAID}"]
    forgotten = replace(written, claims={"haney2017/no-such": "holds (proof)"})
    reasons = outdated(small("haney2017/no-such"), forgotten)
    assert reasons == [*elsewhere, "haney2017/no-such: holds (proof) became not recorded"]
    assert outdated(small(TRUE, UNTRUE), written) == [*elsewhere, "it rests on other claims now"]


@pytest.mark.usefixtures("settled_once")
@each
def test_the_certificates_are_current(name: str):
    assert outdated(SUBJECTS[name], certificate_of(name)) == []
