"""What is known of every mechanism that runs: one line each, and no empty field."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.ours import home, name_of
from establish.proofs_check.engine.references import mechanism_classes
from establish.proofs_check.engine.verdicts import Grade


@dataclass(frozen=True)
class Settled:
    """Claims that settle a property, by id."""

    ids: tuple[str, ...]


@dataclass(frozen=True)
class NotApplicable:
    """Why there is nothing to settle."""

    because: str


Property = Settled | NotApplicable


def settled(*ids: str) -> Settled:
    return Settled(ids)


@dataclass(frozen=True)
class Properties:
    """Of one mechanism: where its definition and the density of its output stand in ``establish.spec``
    (module and name), and what settles its privacy loss, the admissibility of its noise, its bias and its
    moments.
    """

    definition: str
    density: str
    loss: Property
    admissibility: Property
    bias: Property
    moments: Property


FIXED = NotApplicable("the scale of the noise does not depend on the data")
PERCENTILES = NotApplicable(
    "a percentile of noisy counts has no closed form: impl.earnings.accuracy estimates it"
)

INTEGRATED = NotApplicable(
    "mean_errors in the mechanism's specification integrates both sides of the error, joint by joint"
)

PROPERTIES = {
    "laplace": Properties(
        "mechanisms.laplace.LaplaceMechanism",
        "distributions.laplace.Laplace",
        loss=settled("haney2017/def-2.4-scale", "haney2017/sec6-edge-laplace"),
        admissibility=FIXED,
        bias=settled("haney2017/sec8.1-biased"),
        moments=settled("haney2017/sec2-laplace-l1"),
    ),
    "log-laplace": Properties(
        "mechanisms.log_laplace.LogLaplaceMechanism",
        "distributions.log_laplace.LogLaplace",
        loss=settled("haney2017/thm-8.1-strong", "haney2017/thm-8.1-weak", "haney2017/alg-1-tight"),
        admissibility=NotApplicable("the scale of the noise in the logarithm does not depend on the data"),
        bias=settled("haney2017/lemma-8.2"),
        moments=settled("haney2017/alg-1-l1-error", "haney2017/thm-8.3-infinite"),
    ),
    "smooth-gamma": Properties(
        "mechanisms.smooth_gamma.SmoothGammaMechanism",
        "distributions.heavy_tailed.HeavyTailed",
        loss=settled("haney2017/lemma-8.7", "haney2017/alg-2-tight"),
        admissibility=settled("haney2017/lemma-8.5-real", "haney2017/lemma-8.6-above-1"),
        bias=settled("haney2017/lemma-8.8"),
        moments=settled("haney2017/lemma-8.8-EZ", "haney2017/sec8.2-gamma4"),
    ),
    "smooth-laplace": Properties(
        "mechanisms.smooth_laplace.SmoothLaplaceMechanism",
        "distributions.laplace.Laplace",
        loss=settled("haney2017/alg-3-exact"),
        admissibility=settled("haney2017/lemma-8.5-real", "haney2017/lemma-9.1"),
        bias=settled("haney2017/lemma-9.3"),
        moments=settled("haney2017/lemma-9.3"),
    ),
    "growth-laplace": Properties(
        "mechanisms.growth_laplace.GrowthLaplaceMechanism",
        "distributions.on_growth_scale.OnGrowthScale",
        loss=settled("establish/growth-laplace"),
        admissibility=FIXED,
        bias=INTEGRATED,
        moments=settled("establish/growth-laplace-error"),
    ),
    "growth-staircase": Properties(
        "mechanisms.growth_staircase.GrowthStaircaseMechanism",
        "distributions.on_growth_scale.OnGrowthScale",
        loss=settled("establish/growth-staircase"),
        admissibility=FIXED,
        bias=INTEGRATED,
        moments=settled("establish/limit/a1over10-e2"),
    ),
    "growth-staircase-unbiased": Properties(
        "mechanisms.growth_staircase.UnbiasedGrowthStaircaseMechanism",
        "distributions.on_growth_scale.OnGrowthScale",
        loss=settled("establish/growth-staircase-unbiased"),
        admissibility=FIXED,
        bias=settled("establish/growth-staircase-unbiased-mean"),
        moments=settled("establish/growth-staircase-unbiased-error"),
    ),
    "whole-staircase": Properties(
        "mechanisms.whole_staircase.WholeStaircaseMechanism",
        "distributions.whole_staircase.WholeStaircase",
        loss=settled("establish/whole-staircase"),
        admissibility=FIXED,
        bias=settled("establish/whole-staircase-errors"),
        moments=settled("establish/whole-staircase-errors"),
    ),
    "smooth-lomax": Properties(
        "mechanisms.smooth_lomax.SmoothLomaxMechanism",
        "distributions.lomax.Lomax",
        loss=settled("establish/smooth-lomax"),
        admissibility=settled("haney2017/lemma-8.5-real", "establish/smooth-lomax"),
        bias=settled("establish/smooth-lomax-error"),
        moments=settled("establish/smooth-lomax-error"),
    ),
    "smooth-staircase": Properties(
        "mechanisms.smooth_staircase.SmoothStaircaseMechanism",
        "distributions.spreading_staircase.SpreadingStaircase",
        loss=settled("establish/smooth-staircase"),
        admissibility=settled("haney2017/lemma-8.5-real", "establish/smooth-staircase"),
        bias=settled("establish/smooth-staircase-error"),
        moments=settled("establish/smooth-staircase-error"),
    ),
    "smooth-path": Properties(
        "mechanisms.smooth_path.SmoothPathMechanism",
        "distributions.shortest_path.ShortestPath",
        loss=settled("establish/smooth-path"),
        admissibility=settled("haney2017/lemma-8.5-real", "establish/smooth-path"),
        bias=settled("establish/smooth-path-error"),
        moments=settled("establish/smooth-path-error"),
    ),
    "smooth-staircase-unbiased": Properties(
        "mechanisms.smooth_staircase.UnbiasedSmoothStaircaseMechanism",
        "distributions.spreading_staircase.SpreadingStaircase",
        loss=settled("establish/smooth-staircase-unbiased"),
        admissibility=settled("haney2017/lemma-8.5-real", "establish/smooth-staircase-unbiased"),
        bias=settled("establish/smooth-staircase-error"),
        moments=settled("establish/smooth-staircase-error"),
    ),
    "truncated-laplace": Properties(
        "mechanisms.truncated_laplace.TruncatedLaplaceMechanism",
        "distributions.laplace.Laplace",
        loss=settled("haney2017/sec6-trunc-sensitivity", "haney2017/def-2.4-scale"),
        admissibility=FIXED,
        bias=settled("haney2017/sec10-truncation-bias"),
        moments=settled("haney2017/sec2-laplace-l1"),
    ),
    "histogram-percentiles": Properties(
        "earnings.histogram.ProtectedHistogram",
        "distributions.geometric.Geometric",
        loss=settled("foote2019/prop-4.1", "foote2019/sec4.1-corollary"),
        admissibility=FIXED,
        bias=PERCENTILES,
        moments=settled("foote2019/sec5-noise-bins"),
    ),
    "chosen-by-size": Properties(
        "earnings.chosen_by_size.SizeRule",
        "distributions.geometric.Geometric",
        loss=settled("establish/chosen-by-size-loss", "establish/quantile-tree-loss"),
        admissibility=FIXED,
        bias=PERCENTILES,
        moments=settled("foote2019/sec5-noise-bins"),
    ),
    "equal-gaps": Properties(
        "earnings.equal_gaps.EqualGaps",
        "distributions.laplace.Laplace",
        loss=settled("establish/equal-gaps-loss"),
        admissibility=FIXED,
        bias=PERCENTILES,
        moments=NotApplicable(
            "it draws from finitely many candidates; the Laplace law is what it tends to in large cells"
        ),
    ),
    "bins-or-gaps": Properties(
        "earnings.chosen_by_size.SizeRule",
        "distributions.geometric.Geometric",
        loss=settled("establish/chosen-by-size-loss", "establish/equal-gaps-loss"),
        admissibility=FIXED,
        bias=PERCENTILES,
        moments=settled("foote2019/sec5-noise-bins"),
    ),
    "psi": Properties(
        "mechanisms.psi_mechanism.PsiMechanism",
        "distributions.gaussian.Gaussian",
        loss=settled("webb2025/thm-6.5", "webb2025/def-5.6"),
        admissibility=settled("webb2025/def-5.1-class"),
        bias=settled("webb2025/thm-6.6-sqrt-mean", "webb2025/thm-6.6-log-mean"),
        moments=settled("webb2025/thm-6.6-sqrt-var", "webb2025/thm-6.6-log-var"),
    ),
    "pnc": Properties(
        "mechanisms.probably_no_clipping.ProbablyNoClipping",
        "distributions.gaussian.Gaussian",
        loss=settled("webb2025/def-6.8-corrected", "webb2025/thm-6.9"),
        admissibility=settled("webb2025/def-5.1-class"),
        bias=settled("webb2025/sec4-unbiased"),
        moments=NotApplicable(
            "given the bounds, the answer is a clipped sum and normal noise of standard deviation Δ/μ"
        ),
    ),
}
"""By the name under which a mechanism is certified."""

COLUMNS = ("definition", "density", "loss", "admissibility", "bias", "moments")
"""The fields of `Properties`; a row of the table has the sampler, the certificate and its claims as well."""


def table() -> list[dict[str, object]]:
    """One row for each mechanism: ids of claims, places in our source, or why there is nothing to settle."""
    rows: list[dict[str, object]] = []
    recorded = ledger.recorded()
    for name, known in PROPERTIES.items():
        certificate = home("impl") / "certificates" / f"{name}.json"
        rests_on = json.loads(certificate.read_text("utf-8"))["claims"]
        rows.append(
            {
                "mechanism": name,
                "definition": _place(known.definition),
                "density": _place(known.density),
                "privacy": privacy(known.loss, recorded),
                **{each: _told(getattr(known, each)) for each in COLUMNS[2:]},
                "sampler": [place for own, place in mechanism_classes() if own == name],
                "certificate": name_of(certificate),
                "claims": sorted(rests_on),
            }
        )
    return rows


def privacy(loss: Property, recorded: ledger.Ledger) -> str:
    """``formal`` where a proof assistant's kernel accepted every claim on the loss; else which claims the
    ledger records with other evidence, and why no claim settles it where none does.
    """
    if isinstance(loss, NotApplicable):
        return loss.because
    grades = {id: recorded[id].evidence if id in recorded else "not recorded" for id in loss.ids}
    missing = [f"{id} ({grade})" for id, grade in grades.items() if grade != Grade.FORMAL]
    return f"no kernel accepted {', '.join(missing)}" if missing else str(Grade.FORMAL)


def _told(known: Property) -> str | list[str]:
    return list(known.ids) if isinstance(known, Settled) else known.because


def _place(dotted: str) -> str:
    """File and line of a class of ``establish.spec``."""
    module, _, name = dotted.rpartition(".")
    defined = getattr(import_module(f"establish.spec.{module}"), name)
    return f"{name_of(Path(inspect.getfile(defined)))}:{inspect.getsourcelines(defined)[1]}"
