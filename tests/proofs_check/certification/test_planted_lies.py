"""Lies planted by hand, of mechanisms and of records: each is refused, and the line says what differs.

A lie of a mechanism goes to the check of ``certify`` that refuses it, without the others; a lie of a record
into the record of a real release, which ``verify`` reads. Others stand beside what they are about: in
test_theorems.py (objects that do not entail a guarantee), test_decided.py (what is drawn) and
test_printed_domains.py.
"""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from establish import GrowthStaircase, SmoothLomax, TruncatedLaplace, WholeStaircase
from establish.impl import certificate as certificates
from establish.impl.cards import cards
from establish.impl.certificate import CertificateError, certificate_of, certifying
from establish.impl.guarantee import Grant
from establish.impl.mechanisms import log_laplace
from establish.impl.mechanisms.growth_laplace import GrowthLaplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.publish.counts import release_table
from establish.impl.sampling.reals import Reals
from establish.proofs_check.certification import constants, counts, runs, theorems, verify
from establish.proofs_check.certification.certify import outdated
from establish.proofs_check.certification.decided import decided
from establish.proofs_check.certification.joined import EPSILON, JOINED, cost
from establish.proofs_check.certification.printed_domains import printed
from establish.proofs_check.certification.record import read_record
from establish.proofs_check.certification.restated import differing
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.certification.theorems import Runs, grants, tried
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.papers.haney2017.log_laplace.privacy import SPENT
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism
from tests.proofs_check.files import read_json

Patch = pytest.MonkeyPatch
JOINT = JOINED["equal-gaps"][1]

# Lies of mechanisms: certify


def run(kind: Any, calibration: str = "tight", *rests_on: str, specified: Any = None) -> Runs:
    def make(**at: Fraction) -> Any:
        return kind(**at, calibration=calibration)

    return Runs(kind.name, calibration, specified or kind.specified[calibration], rests_on, make)


def drawn(runs: Any) -> Evidence:
    """A few cells of every magnitude, decided again."""
    return decided(runs, counts.specification(runs), 200)


def tight() -> LogLaplace:
    return LogLaplace("1/10", 2, "tight")


def smooth_laplace() -> SmoothLaplace:
    return SmoothLaplace("1/10", 2, "1/100", "tight")


def changed(patch: Patch, kind: Any, change: Callable[[Any, Any], Any]) -> None:
    """What is released becomes ``change`` of the counts and of it."""
    of = kind._noisy
    patch.setattr(kind, "_noisy", lambda self, n, top, bits: change(n, of(self, n, top, bits)))


def telling(patch: Patch, what: str, runs: Any, check: Callable[[Any], Evidence], **other: Any) -> object:
    """What runs tells other parameters, or other constants, and is checked."""
    own = getattr(type(runs), what).fget
    patch.setattr(type(runs), what, property(lambda self: {**own(self), **other}))
    return check(runs)


def halves_noise_for_much_epsilon(patch: Patch) -> object:
    """The cells of its card have ε up to 4."""
    of = LogLaplace.__init__

    def less(self: LogLaplace, *given: Any, **named: Any) -> None:
        of(self, *given, **named)
        if self.epsilon > 4:
            self._scale = self._scale.times(Reals.fraction(Fraction(1, 2)))

    patch.setattr(LogLaplace, "__init__", less)
    tried.cache_clear()
    return counts.anywhere(run(LogLaplace))


def exchanges_calibrations(patch: Patch) -> object:
    return grants(run(LogLaplace, "tight", "haney2017/alg-1-tight", specified=LogLaplaceMechanism))


def inherits_claims(patch: Patch) -> object:
    return grants(run(SmoothLomax, "tight", *tight().rests_on))


def leaves_out_its_theorem(patch: Patch) -> object:
    return grants(run(LogLaplace, "tight", "haney2017/lemma-8.2", "haney2017/alg-1-l1-error"))


def joins_without_a_claim(patch: Patch) -> object:
    return grants(Runs("histogram-percentiles", "corrected", None, ("foote2019/prop-4.1",), object))


def answers_plans_of_another_definition(patch: Patch) -> object:
    patch.setattr(runs, "MECHANISMS", {**runs.MECHANISMS, "node-dp": ("truncated-laplace", "log-laplace")})
    return runs.granted.__wrapped__("log-laplace")


def draws_no_cell(patch: Patch) -> object:
    patch.setattr(counts, "RUNS", [each for each in counts.RUNS if each.runs.name != "log-laplace"])
    return runs.granted.__wrapped__("log-laplace")


def draws_one_calibration(patch: Patch) -> object:
    published = (each for each in counts.RUNS if each.runs.calibration == "published")
    patch.setattr(counts, "RUNS", [each for each in published if each.runs.name == "log-laplace"])
    return runs.runs()


def states_a_scope(patch: Patch) -> object:
    patch.setattr(LogLaplace, "scope", "Rows may overlap as they like.")
    return runs.runs()


class Inherits(WholeStaircase):
    """With the domain of its parent, which is larger."""

    domains: ClassVar = GrowthStaircase.domains


def inherits_a_domain(patch: Patch) -> object:
    return printed(run(Inherits))


def takes_what_its_domain_leaves_out(patch: Patch) -> object:
    patch.setattr(SmoothLaplace, "_require_defined", lambda self, **at: None)
    tried.cache_clear()
    return printed(run(SmoothLaplace))


def another_shift(patch: Patch) -> object:
    patch.setattr(log_laplace, "shift", lambda alpha: 1 / alpha + 5)
    return drawn(tight())


def rounds_down(patch: Patch) -> object:
    of = LogLaplace._noisy
    patch.setattr(LogLaplace, "_noisy", lambda self, n, top, bits: of(self, n - 0.5, top, bits))
    return drawn(tight())


def rounds_to_five(patch: Patch) -> object:
    changed(patch, LogLaplace, lambda n, out: 5 * np.round(out / 5))
    return drawn(tight())


def cuts_its_tails(patch: Patch) -> object:
    changed(patch, LogLaplace, lambda n, out: np.clip(out, 0.8 * n - 3, 1.2 * n + 3))
    return drawn(tight())


def cuts_and_says_nothing(patch: Patch) -> object:
    changed(patch, LogLaplace, lambda n, out: np.maximum(out, 0))
    return drawn(LogLaplace("1/10", "1/5", "tight"))


def says_that_it_cuts(patch: Patch) -> object:
    patch.setattr(LogLaplace, "noise", f"{LogLaplace.noise}, negative ones set to 0")
    return drawn(LogLaplace("1/10", "1/5", "tight"))


def biased_where_it_is_large(patch: Patch) -> object:
    changed(patch, LogLaplace, lambda n, out: np.where(n > 2.0**40, np.floor(out * 1.05), out))
    return drawn(tight())


def told_otherwise(patch: Patch, kind: Any, which: str, old: str, new: str) -> object:
    """The error of the first cell of its card, with other words."""
    cell = next(each for each in counts.RUNS if type(each.runs) is kind)
    said = {**cell.runs.expected_error}
    assert re.search(old, said[which])
    patch.setattr(kind, "expected_error", {**said, which: re.sub(old, new, said[which], count=1)})
    return cell.stated()


def about(patch: Patch, *statements: Any) -> None:
    patch.setattr(theorems, "_about_privacy", lambda ids: ((ids[0], statement) for statement in statements))


def stays_with_a_stale_theorem(patch: Patch) -> object:
    """Its certificate was written when ε was proved, and the claim says ε/2 of twice the noise now."""
    subject, written = subjects()["log-laplace"], certificate_of("log-laplace")
    about(patch, SPENT.strong)
    now = tuple(grants(run(LogLaplace, "published", "haney2017/thm-8.1-strong")))
    return outdated(replace(subject, granted=lambda: now), written)


def joins_by_another_argument(patch: Patch) -> object:
    other = replace(theorems.JOINED["truncated-laplace"][0], because="It is well known.")
    patch.setattr(theorems, "JOINED", {**theorems.JOINED, "truncated-laplace": (other,)})
    subject = subjects()["truncated-laplace"]
    now = tuple(grant for each in runs.runs() if each.name == "truncated-laplace" for grant in grants(each))
    return outdated(replace(subject, granted=lambda: now), certificate_of("truncated-laplace"))


def carries_a_copied_certificate(patch: Patch) -> object:
    copied = replace(certificate_of("laplace"), mechanism="growth-laplace")
    return outdated(subjects()["growth-laplace"], copied)


def told_of(runs: Any) -> Evidence:
    return constants.told(runs, counts.specification(runs))


def tells_twice_the_noise(patch: Patch) -> object:
    patch.setattr(LogLaplace, "noise", LogLaplace.noise.replace("Laplace(λ)", "Laplace(2·λ)"))
    return told_of(tight())


def tells_another_scale(patch: Patch) -> object:
    patch.setattr(GrowthLaplace, "noise", GrowthLaplace.noise.replace("Laplace(1/ε)", "Laplace(2/ε)"))
    return told_of(GrowthLaplace("1/10", 2))


def tells_losses(patch: Patch, *loss: str) -> object:
    card = replace(cards()["smooth-lomax"], loss=loss)
    patch.setattr(runs, "cards", lambda: {**cards(), "smooth-lomax": card})
    return runs.granted.__wrapped__("smooth-lomax")


def told_to_cost_half(patch: Patch) -> object:
    """The certificate, with half of what the joined claims say."""
    written = certificate_of("equal-gaps")
    half = tuple(replace(grant, level={"epsilon": "1/2"}) for grant in written.grants)
    return outdated(subjects()["equal-gaps"], replace(written, grants=half))


LIES: Mapping[str, tuple[Callable[[Patch], object], str]] = {
    "its record tells half of ε": (
        lambda patch: telling(patch, "parameters", tight(), drawn, epsilon="1"),
        "draws the quantile .*ε|epsilon = 1",
    ),
    "its record tells another α": (
        lambda patch: telling(patch, "parameters", tight(), drawn, alpha="1/5"),
        "alpha = 1/5.* draws the quantile",
    ),
    "its record tells less δ": (
        lambda patch: telling(patch, "parameters", smooth_laplace(), drawn, delta="1/10000000"),
        "tells parameters that its specification refuses",
    ),
    "half of the noise, for some ε": (halves_noise_for_much_epsilon, "all over its domain: .*'epsilon': '"),
    "the theorem of another calibration": (exchanges_calibrations, "Tight.*, and LogLaplaceM"),
    "inherited claims": (inherits_claims, "about TightLogLaplaceMechanism, and SmoothLomaxMechanism runs"),
    "no theorem": (leaves_out_its_theorem, "none of them is about privacy"),
    "an argument without its claim": (joins_without_a_claim, "does not rest on foote2019/sec4.1-corollary"),
    "plans of another definition": (answers_plans_of_another_definition, "plans under node-dp take it"),
    "no cell to draw": (draws_no_cell, "it is not a mechanism whose claims are known"),
    "no cell of one calibration": (draws_one_calibration, "draws no cell at calibration = tight"),
    "a scope of its own": (states_a_scope, "LogLaplace states a scope of its own"),
    "an inherited domain": (inherits_a_domain, "runs where .*, and nowhere else: .*'alpha'"),
    "parameters outside of its domain": (takes_what_its_domain_leaves_out, "nowhere else: .*'delta'"),
    "another constant": (another_shift, "draws the quantile"),
    "rounding down": (rounds_down, "draws the quantile"),
    "rounding to five": (rounds_to_five, "draws the quantile"),
    "cut tails": (cuts_its_tails, "draws the quantile"),
    "negative outputs cut in silence": (cuts_and_says_nothing, "draws the quantile"),
    "negative outputs that are said to be cut": (says_that_it_cuts, "draws the quantile"),
    "a bias above 2^40": (biased_where_it_is_large, "draws the quantile"),
    "less error": (
        lambda patch: told_otherwise(patch, LogLaplace, "mean absolute error", r"= \S+·", "= 0.001·"),
        r"states the errors.*'E\|noisy − n\| = 0.001"),
    "no bias": (
        lambda patch: told_otherwise(patch, LogLaplace, "bias", "= .*", "= 0"),
        r"states the errors.*'E\[noisy\] − n = 0', 'E\[noisy\] − n = 0.0"),
    "no bias at one size": (
        lambda patch: told_otherwise(patch, GrowthLaplace, "bias", r"\S+ at n = 10\b", "0 at n = 10"),
        "states the errors.*'0 at n = 10', "),
    "less error of what is kept": (
        lambda patch: told_otherwise(patch, TruncatedLaplace, "mean absolute error", r"= \S+", "= 1"),
        r"states the errors.* = 1', '"),
    "a stale theorem": (stays_with_a_stale_theorem, r"no theorem grants tight .*level 1·epsilon"),
    "another argument": (joins_by_another_argument, "no theorem grants .* node"),
    "another constant in its record": (
        lambda patch: telling(patch, "constants", tight(), told_of, λ=0.05),
        "tells the constants.*'λ'",
    ),
    "a constant of nobody": (
        lambda patch: telling(patch, "constants", tight(), told_of, κ=1.0),
        "tells the constants.*'κ', 1.0, None",
    ),
    "words of twice the noise": (tells_twice_the_noise, r"tells the constants.*2·λ\)', nan"),
    "words of another scale": (tells_another_scale, r"tells the constants.*Laplace\(2/ε\)"),
    "a card with the loss of another": (
        lambda patch: tells_losses(patch, "establish/smooth-lomax", "haney2017/alg-1-tight"),
        "a loss by haney2017/alg-1-tight, on"),
    "a card without its theorem": (
        lambda patch: tells_losses(patch, "establish/smooth-lomax-error"),
        "no loss by establish/smooth-lomax, wh"),
    "half of a joined cost": (told_to_cost_half, "no theorem grants .* level 1/2·epsilon"),
    "a copied certificate": (carries_a_copied_certificate, "rests on other claims now"),
}  # fmt: skip


def told(call: Callable[[], object]) -> str:
    """What refuses; nothing where it is believed."""
    try:
        with certifying():
            found = call()
    except CertificateError as error:
        return str(error)
    if isinstance(found, Evidence):
        return "" if found.established is True else f"{found.says}: {found.witness}"
    assert isinstance(found, list | tuple)
    return "; ".join(map(str, found)) if isinstance(found, list) else ""


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_of_a_mechanism_is_refused_and_named(lie: str, monkeypatch: Patch):
    plant, line = LIES[lie]
    assert re.search(line, told(lambda: plant(monkeypatch)))
    tried.cache_clear()


def test_what_is_no_lie_is_certified():
    """So each check refuses for the lie, and not for what stands around it."""
    assert told(lambda: drawn(tight())) == ""
    assert told(lambda: drawn(smooth_laplace())) == ""
    assert told(lambda: counts.anywhere(run(LogLaplace))) == ""
    assert told(lambda: grants(run(LogLaplace, "tight", "haney2017/alg-1-tight"))) == ""
    assert told(runs.runs) == ""
    assert told(lambda: told_of(tight())) == told(lambda: told_of(GrowthLaplace("1/10", 2))) == ""


def test_what_joined_claims_cost_follows_from_their_objects():
    """Twice the level in one object, another value, or one step more: each changes the cost."""
    said = {id: (theorems.imported(theorems.known()[id]).stated.printed, "") for id in JOINT.claims}
    level, slack = JOINT.claims[0], "haney2017/eq-14"
    assert cost(JOINT, said) == 2 * EPSILON
    (gaps,) = said[level][0]
    worse = {**said, level: ((replace(gaps, level=lambda c, r: r**4),), "")}
    assert cost(JOINT, worse) == 4 * EPSILON
    assert cost(replace(JOINT, steps=3), said) == 3 * EPSILON
    assert cost(JOINT, {**said, level: ((), "2ε"), slack: said[slack]}) == 4 * EPSILON


# Lies of seals


def test_a_certificate_under_a_seal_that_was_copied_lets_nothing_run(tmp_path: Path, monkeypatch: Patch):
    """One check less in the certificate, with the seal of before; then the seal of another installation."""
    for name in (certificates.LOCK, certificates.SEAL):
        (tmp_path / name).write_bytes(certificates._folder().joinpath(name).read_bytes())
    content = json.loads(certificates.text_of_lock(tmp_path))
    content["mechanisms"]["log-laplace"]["checks"].pop()
    certificates.write_lock(tmp_path, json.dumps(content))
    monkeypatch.setattr(certificates, "_folder", lambda: tmp_path)
    with pytest.raises(CertificateError, match="the certificates are not those that were written"):
        certificates.require_seal()
    with pytest.raises(CertificateError, match="log-laplace is stale: what it shares with others"):
        certificate_of("log-laplace")
    seal = read_json(tmp_path / certificates.SEAL)
    seal["digest"] = "0" * 63
    (tmp_path / certificates.SEAL).write_text(json.dumps(seal), "utf-8")
    with pytest.raises(CertificateError, match="no digest that covers them, or a damaged one"):
        certificates.require_seal()


# Lies of records: verify

Record = dict[str, Any]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a table."""
    folder = tmp_path_factory.mktemp("released")
    (folder / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    with certifying(runs.granted):
        release_table(folder / "in.csv", folder / "o.csv", tight(), count="jobs")
    return folder / "o.csv.json"


def failing(content: Record, folder: Path) -> list[str]:
    return [each.says for each in verify.verify_release(read_record(content), folder) if each.holds is False]


def guarantee(key: str, old: str, new: str) -> Callable[[Record], object]:
    def tell(record: Record) -> None:
        first = record["satisfies"][0]
        assert old in first[key]
        first[key] = first[key].replace(old, new)

    return tell


def of_another(record: Record) -> None:
    """The seal of another mechanism."""
    other = certificate_of("laplace")
    own = {"format": other.format, "identity": other.identity, "code": "0" * 64}
    record["certificates"]["log-laplace"] = {"status": "current", **own}


def of_nobody(record: Record) -> None:
    """A mechanism that has no card, with the seal of one that has."""
    of_another(record)
    record["mechanism"] = "toy"
    record["certificates"]["toy"] = record["certificates"].pop("log-laplace")


FOLLOWS = "the record states what follows from the parameters, except"
ACCOUNT = "the record states the definition and the loss of its mechanism, except"
NOTES = "the notes begin with the rounding"

TOLD: Mapping[str, tuple[Callable[[Record], object], str]] = {
    "half of ε": (guarantee("definition", "ε = 2", "ε = 1"), f"{FOLLOWS} satisfies"),
    "another α": (guarantee("definition", "α = 1/10", "α = 1"), f"{FOLLOWS} satisfies"),
    "node privacy": (guarantee("definition", "strong (α, ε)-ER-EE", "node"), f"{FOLLOWS} satisfies"),
    "more cells": (guarantee("applies_to", "establishment", "any"), f"{FOLLOWS} satisfies"),
    "a wider scope": (guarantee("scope", "must be disjoint", "may be any"), f"{FOLLOWS} satisfies"),
    "one guarantee more": (lambda r: r["satisfies"].append(r["satisfies"][0]), f"{FOLLOWS} satisfies"),
    "another ε of the mechanism": (lambda r: r["parameters"].update(epsilon="1"), f"{FOLLOWS} .*constants"),
    "the other calibration": (lambda r: r.update(calibration="published"), f"{FOLLOWS} .*constants"),
    "a larger domain": (lambda r: r.update(domain="α ≥ 0"), f"{FOLLOWS} domain"),
    "other noise": (lambda r: r.update(noise=r["noise"].replace("(λ)", "(2λ)")), f"{FOLLOWS} noise"),
    "another constant": (lambda r: r["constants"].update(λ=0.5), f"{FOLLOWS} constants"),
    "no bias": (lambda r: r["expected_error"].update(bias="E[noisy] − n = 0"), f"{FOLLOWS} expected_error"),
    "a claim less": (lambda r: r["rests_on"].pop(), f"{FOLLOWS} rests_on"),
    "a copied verdict": (lambda r: r["rests_on"][0].update(verdict="fails"), ", but the record says fails"),
    "less loss": (lambda r: r["loss"].update(epsilon="1"), f"{ACCOUNT} loss"),
    "δ": (lambda r: r["queries"]["table"].update(delta="1/2"), f"{ACCOUNT} queries"),
    "another definition": (lambda r: r.update(definition="strong-er-ee"), f"{ACCOUNT} definition"),
    "other cells": (lambda r: r.update(where="sector = 'A'"), f"{ACCOUNT} plan"),
    "cells that do not overlap": (lambda r: r.update(disjoint=True), f"{ACCOUNT} plan"),
    "other intervals": (lambda r: r.update(intervals={"level": "99/100"}), f"{ACCOUNT} intervals"),
    "no rounding": (lambda r: r["notes"].__setitem__(0, "Nothing was rounded."), NOTES),
    "no negative counts": (lambda r: r["notes"].__setitem__(1, "No count is negative."), NOTES),
    "known noise": (lambda r: r.update(seeded=True), "the noise source operating-system entropy"),
    "production": (lambda r: r.update(production=True), "made in production, .*, except a signature"),
    "a copied seal": (of_another, "certificate .* of log-laplace is the one installed here"),
    "a seal of nobody": (of_nobody, "establish has the mechanism toy"),
}  # fmt: skip


@pytest.mark.usefixtures("as_recorded")
@pytest.mark.parametrize("lie", TOLD)
def test_a_lie_of_a_record_is_refused_and_named(lie: str, released: Path):
    plant, line = TOLD[lie]
    true = read_json(released)
    content = deepcopy(true)
    plant(content)
    known = failing(true, released.parent)
    assert set(known) <= {"log-laplace ran certified code"}
    assert any(re.search(line, says) for says in failing(content, released.parent) if says not in known)


@pytest.mark.usefixtures("as_recorded")
def test_what_no_theorem_grants_any_more_is_found_in_the_record(released: Path):
    """The theorem grants 2ε since."""
    record = read_record(read_json(released))
    (use,) = record.uses

    def since(name: str) -> tuple[Grant, ...]:
        return tuple(replace(grant, level={"epsilon": "2"}) for grant in runs.granted(name))

    assert differing(use, record) == []
    assert differing(use, record, since) == ["satisfies"]
