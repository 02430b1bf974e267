"""One stem for one thing: what spec, the running code and the claims share, and what they do not."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPERS = "proofs_check/papers"
RUNNING = ("mechanisms", "earnings", "microdata", "synthetic")

EXCEPTIONS = {
    "A helper of claims: it states nothing.": """
        papers/foote2019/half_planes papers/foote2019/simulations/grid
        papers/foote2019/simulations/sampled_cells papers/haney2017/attacker papers/ours/both_neighbors
        papers/haney2017/posterior papers/ours/small_mechanisms
        papers/schmutte2020_slides/groups papers/schmutte2020_slides/releases
        papers/webb2025/rounding papers/webb2025/strategy_errors/setting
        papers/webb2025/strategy_errors/simulation""",
    "It states what other printed numbers decide.": """
        papers/foote2019/bin_bounds papers/foote2019/inputs papers/haney2017/parameter_settings
        papers/webb2025/bias_by_level papers/webb2025/caption_levels papers/webb2025/declared_inputs
        papers/webb2025/experiments papers/webb2025/noise_comparison
        papers/webb2025/printed_intervals papers/webb2025/published_totals
        papers/webb2025/relative_differences""",
    "It runs what several formulas say, many times.": """
        papers/foote2019/evaluation papers/foote2019/simulations/log_normal_cells
        papers/foote2019/simulations/on_grid papers/foote2019/simulations/summed_error
        papers/webb2025/strategy_errors/conclusions papers/webb2025/strategy_errors/entries""",
    "It settles what a paper takes over from elsewhere, over several definitions.": """
        papers/webb2025/background papers/haney2016_slides/repeated
        papers/haney2017/joined papers/webb2025/joined
        papers/schmutte2020_slides/repeated""",
    "It holds several definitions against each other, or against what they are to protect.": """
        papers/foote2019/persons papers/haney2017/approximate papers/haney2017/assumptions
        papers/haney2017/graph_privacy/establishments papers/haney2017/graph_privacy/workers
        papers/haney2017/implications/equations_of_shapes
        papers/haney2017/implications/equations_of_sizes papers/haney2017/implications/theorems
        papers/haney2017/requirement_table papers/haney2017/semantics
        papers/schmutte2020_slides/er_ee papers/webb2025/firms papers/webb2025/persons
        papers/webb2025/semantics""",
    "It adds up what several mechanisms or queries cost.": """
        papers/foote2019/further_releases papers/haney2017/failure_probabilities
        papers/schmutte2020_slides/umetrics_budget
        papers/webb2025/joint_cost papers/webb2025/plan_budget papers/webb2025/postprocessing
        papers/webb2025/total_budget""",
    "It follows one property of a formula, and is named by the property.": """
        papers/foote2019/empty_bins papers/foote2019/fractional_ranks papers/foote2019/gaps
        papers/foote2019/smooth_sensitivity papers/haney2017/comparison
        papers/haney2017/exact_delta papers/haney2017/laplace_admissible
        papers/haney2017/least_epsilon papers/haney2017/local_noise papers/haney2017/points
        papers/haney2017/smooth_sensitivity papers/haney2017/smooth_sensitivity_proof
        papers/schmutte2020_slides/laplace_noise papers/schmutte2020_slides/local_noise
        papers/schmutte2020_slides/mose_conditional papers/schmutte2020_slides/mose_repair
        papers/schmutte2020_slides/umetrics_mose papers/schmutte2020_slides/unbiased
        papers/webb2025/confidence papers/webb2025/data_dependent_bias
        papers/webb2025/data_dependent_variances
        papers/webb2025/error_factor papers/webb2025/interval_lengths
        papers/webb2025/neighbor_class papers/webb2025/payroll_bound
        papers/webb2025/shape_and_scale papers/webb2025/small_shares
        papers/webb2025/smoothness""",
    "It reads, groups, rebuilds or makes up data, about which nothing is specified.": """
        mechanisms/establishment_sums earnings/rebuild microdata/establishments microdata/group_by
        earnings/public_law
        synthetic/industries synthetic/lodes synthetic/lodes_weights synthetic/qcew synthetic/synthesize""",
    "It says what mechanisms are, or measures what they give.": """
        earnings/accuracy earnings/described""",
    "It is about what no mechanism can beat, so that no mechanism is its subject.": """
        papers/ours/additive_errors papers/ours/limit papers/ours/limit_with_delta
        papers/ours/mean_errors""",
    "It runs an experiment on data that a seed makes up.": """
        papers/ours/fitted_microdata_compared papers/ours/noise_infusion_compared""",
    "It puts several formulas together into what runs.": """
        mechanisms/least_error mechanisms/defaults
        mechanisms/on_counts mechanisms/serving mechanisms/smooth_scale
        earnings/bins_or_gaps earnings/fitted
        papers/ours/bins_or_gaps earnings/histogram_percentiles microdata/estimates""",
}
"""The files that share no stem with a file of spec, each group with its reason."""


def stems_of_spec() -> set[str]:
    files = [path.relative_to(ROOT / "spec") for path in (ROOT / "spec").rglob("*.py")]
    return {part.removesuffix(".py") for path in files for part in path.parts} - {"__init__"}


def held(folder: Path) -> Iterator[Path]:
    """The files of a folder, by path below it and without their ending."""
    for file in sorted(folder.rglob("*.py")):
        if file.name != "__init__.py":
            yield file.relative_to(folder).with_suffix("")


def named_otherwise() -> set[str]:
    """The files of claims and of running code whose stem, and whose folder's, spec does not have."""
    known = stems_of_spec()
    claims = {
        f"papers/{paper.name}/{name.as_posix()}"
        for paper in (ROOT / PAPERS).iterdir()
        for name in held(paper)
        if not known & set(name.parts)
    }
    running = {
        f"{room}/{name.as_posix()}"
        for room in RUNNING
        for name in held(ROOT / "impl" / room)
        if not known & set(name.parts)
    }
    return claims | running


def test_a_file_of_claims_or_running_code_shares_its_stem_with_spec_or_is_listed_with_a_reason():
    listed = [name for names in EXCEPTIONS.values() for name in names.split()]
    assert sorted(listed) == sorted(set(listed)), "a file stands in one group"
    assert named_otherwise() == set(listed)


def test_most_stems_are_shared():
    claims = sum(1 for paper in (ROOT / PAPERS).iterdir() for _ in held(paper))
    listed = sum(name.startswith("papers/") for names in EXCEPTIONS.values() for name in names.split())
    assert claims > 100
    assert 3 * listed < 2 * claims
