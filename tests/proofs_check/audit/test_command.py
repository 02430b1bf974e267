"""``establish audit`` as a user meets it."""

import json
from dataclasses import replace

import pytest

from establish import dp, gedp
from establish.proofs_check.api.audit_report import tell
from establish.proofs_check.audit import audit as audited
from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.commands.audit import defined
from establish.proofs_check.report.audited import drawings

SAMPLE = "establish.impl.sample.audit_"
ER_EE = ("--definition", "strong-er-ee", "--alpha", "1/10", "--epsilon", 2)
GEDP = ("--definition", "gedp", "--mu", 1, "--psi", "sqrt", "--gamma", "1/2")
DP = ("--definition", "dp", "--epsilon", 1)
QUICK = ("--samples", 300_000)


def audit(run, target, *options):
    return run("audit", target, *options)


def test_a_violation_ends_with_1_and_shows_the_witness(run):
    status, out, _ = audit(run, f"{SAMPLE}er_ee:without_shift", *ER_EE, "--samples", 60_000)
    assert status == 1
    for part in (
        "violated: (1/10, 2)-ER-EE privacy",
        "dataset   D  = (0,)",
        "D' = (1,)",
        "event     output ",
        "Pr[M(D)  ∈ event]   between 0.",
        "  bound     ε is at least ",
        " (claimed: 2), wrong with probability at most 1e-09",
        "statistical, wrong with probability at most 1e-09",
    ):
        assert part in out
    assert "power" not in out


def test_no_violation_ends_with_0_and_says_what_would_have_been_found(run):
    status, out, _ = audit(run, f"{SAMPLE}gedp:Roots", *GEDP, *QUICK)
    assert status == 0
    assert "no violation found: 1-GEDP, ψ = sqrt, γ = 1/2" in out
    assert "would have been found with probability 0.99 on any of the" in out
    assert "(the closest to a violation)" in out
    assert "caution   Finding no violation is not evidence of privacy." in out


def test_a_weak_audit_ends_with_3_and_says_what_would_be_enough(run, tmp_path):
    few = ("--samples", 20_000, "--json", tmp_path / "result.json")
    status, out, _ = audit(run, f"{SAMPLE}er_ee:total", *ER_EE, *few)
    assert status == 3
    assert out.startswith("too weak: no violation found, but large ones would have been missed")
    assert "needs     about " in out
    assert "not evidence of privacy" in out
    (result,) = json.loads((tmp_path / "result.json").read_text())
    assert result["outcome"] == "too_weak"
    assert result["detection"] < 0.5
    assert result["enough_samples"] > 20_000
    assert result["pairs_tried"] < result["pairs_listed"]
    assert result["caution"]


def test_pairs_come_from_a_file_and_all_of_them_are_tried(run, tmp_path):
    file = tmp_path / "pairs.json"
    file.write_text("[[[20], [22]], [[100000, 7], [100001, 7]]]")
    status, out, _ = audit(run, f"{SAMPLE}er_ee:total", *ER_EE, *QUICK, "--pairs", file)
    assert status == 0
    assert "2 of the 2 pairs on the list" in out


BAD_PAIRS = {
    "[[[20], [23]]]": "(20,) and (23,) are not neighbors",
    "[[[20]]]": "((20,),) is not a pair of datasets",
    "[]": "holds no pairs",
    "{}": "holds no list",
    "[[": "is not JSON",
}


@pytest.mark.parametrize(("text", "said"), BAD_PAIRS.items(), ids=BAD_PAIRS.values())
def test_a_file_without_neighbors_is_refused(refusal, tmp_path, text, said):
    file = tmp_path / "pairs.json"
    file.write_text(text)
    assert said in refusal("audit", f"{SAMPLE}er_ee:total", *ER_EE, "--pairs", file)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("target", "options", "samples", "status"),
    [
        ("dp:count", DP, 300_000, 0),
        ("er_ee:total", ER_EE, 300_000, 0),
        ("gedp:plain", GEDP, 100_000, 1),
        pytest.param("gedp:first_and_total", GEDP, 100_000, 1, marks=pytest.mark.small_campaign),
        pytest.param(
            *("dp:histogram", (*DP, "--records", "a,b"), 100_000, 0), marks=pytest.mark.small_campaign
        ),
    ],
)
def test_the_examples_come_out_as_they_say(run, target, options, samples, status):
    assert audit(run, f"{SAMPLE}{target}", *options, "--samples", samples)[0] == status


def test_the_result_is_written_as_json(run, tmp_path):
    file = tmp_path / "result.json"
    status, _, _ = audit(run, f"{SAMPLE}gedp:plain", *GEDP, "--samples", 100_000, "--json", file)
    (result,) = json.loads(file.read_text())
    assert status == 1
    assert result["outcome"] == "violated"
    assert result["evidence"] == "statistical"
    assert result["power"] is None
    first, second = result["pair"]
    roots = [abs(x**0.5 - y**0.5) for x, y in zip(first, second, strict=True)]
    assert 0 < sum(roots) == max(roots) <= 0.5 + 1e-12
    (p, _), (_, q) = result["probabilities"]
    assert p > q


@pytest.mark.small_campaign
def test_json_alone_goes_to_standard_output(run):
    status, out, _ = audit(run, f"{SAMPLE}gedp:Roots", *GEDP, *QUICK, "--json", "-")
    assert status == 0
    assert [entry["outcome"] for entry in json.loads(out)] == ["no_violation_found"]


def test_the_same_seed_prints_the_same(run):
    def lines(seed):
        options = (*DP, "--samples", 20_000, "--seconds", "inf", "--seed", seed)
        _, out, complaints = audit(run, f"{SAMPLE}dp:wrong_count", *options)
        assert complaints == ""
        return [line for line in out.splitlines() if not line.startswith(("  work", "  needs"))]

    assert lines(5) == lines(5)


def test_processes_print_the_same_as_one(run):
    def lines(jobs):
        options = (*DP, "--samples", 20_000, "--seconds", "inf", "--jobs", jobs)
        status, out, complaints = audit(run, f"{SAMPLE}dp:wrong_count", *options)
        assert (status, complaints) == (3, "")
        timed = ("  work", "  needs")
        return [line for line in out.splitlines() if not line.startswith(timed)]

    assert lines(1) == lines(2)


MISUSES = [
    ((), "TARGET is missing"),
    (("math:sqrt",), "definition is missing: choose one of strong-er-ee"),
    (("math:sqrt", "--definition", "privacy"), "definition = privacy is not known"),
    (("math:sqrt", "--definition", "dp"), "epsilon is missing: dp needs it"),
    (("math:sqrt", "--definition", "strong-er-ee", "--epsilon", 2), "alpha is missing"),
    (("math:sqrt", "--definition", "gedp", "--mu", 1), "is missing: gedp needs it"),
    (("math:sqrt", *DP, "--mu", 1), "mu = 1 is not used by dp"),
    (("math:sqrt", *DP, "--delta", 2), "delta = 2"),
    (("math:sqrt", "--definition", "dp", "--epsilon", "much"), "epsilon = much"),
    (("math:cube", *DP), "math has no cube"),
    (("math:sqrt", *DP), "raised TypeError on every dataset that was tried, the first of them 0"),
    (("math:sqrt", *DP, "--samples", 5), "samples = 5"),
    (("math:sqrt", *DP, "--json", "nowhere/x.json"), "there is no folder nowhere"),
    (("math:sqrt", "--selftest"), "leave TARGET out"),
]


@pytest.mark.parametrize(("arguments", "said"), MISUSES, ids=[said for _, said in MISUSES])
def test_misuse_ends_with_2_and_one_line(refusal, arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in refusal("audit", *arguments)


def test_debug_shows_where_the_mechanism_raised(run):
    status, _, err = run("audit", "math:sqrt", *DP, "--debug")
    assert status == 2
    assert "Traceback" in err
    assert "AuditError: the mechanism raised TypeError" in err


def test_help_says_what_a_dataset_is_for_each_definition(run):
    out = run("audit", "--help")[1]
    for part in ("(12, 3)", "((7, 5), (3, 0))", "(12.0, 3.5)", "('a', 'b')"):
        assert part in out
    for name in ("audit_er_ee", "audit_gedp", "audit_dp", "mechanism(dataset, rng)"):
        assert name in out


def test_options_become_exact_parameters():
    made = defined("gedp", {"mu": "0.1", "psi": "log", "gamma": "1/3,2"})
    assert isinstance(made, AuditDefinition)
    assert made.name == "1/10-GEDP, ψ = log, γ = 1/3, 2"
    assert defined("dp", {"epsilon": "1", "records": "a,b"}).related(("a",), ("a", "b"))


def test_a_replay_prints_the_fault_that_it_saw_and_ends_with_1(run, tmp_path):
    file = tmp_path / "replays.json"
    code, out, _ = audit(run, SAMPLE + "dp:wrong_count", *DP, "--grey", "--json", file)
    assert code == 1
    assert "\nfault found: " in f"\n{out}"
    assert "replayed  45 of the 45 pairs" in out
    rows = json.loads(file.read_text())
    assert len(rows) == 45
    assert all("by the scale of its noise" in row["faults"][0] for row in rows)


def test_a_replay_without_a_fault_is_no_evidence_and_says_so(run, tmp_path):
    pairs = tmp_path / "pairs.json"
    pairs.write_text("[[[20], [22]]]")
    code, out, _ = audit(run, SAMPLE + "er_ee:total", *ER_EE, "--grey", "--pairs", pairs)
    assert code == 0
    assert "no fault found" in out
    assert "not evidence of privacy" in out


def test_a_sensitivity_is_for_replays_only(run):
    code, _, err = audit(run, SAMPLE + "dp:wrong_count", *DP, "--sensitivity", 1)
    assert code == 2
    assert "--grey only" in err


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (dp(1), "bound     nothing is known about ε: within these bounds the two probabilities may be equal"),
        (
            dp(1, "1/10"),
            "bound     nothing is known about ε at δ = 1/10: within these bounds the probabilities may",
        ),
        (
            gedp(1),
            "bound     nothing is known about μ: within these bounds the two probabilities may be equal",
        ),
    ],
    ids=["pure", "with δ", "gaussian"],
)
def test_where_the_bounds_show_no_level_it_is_said_that_nothing_is_known(claims, said):
    def ignores(d, rng):
        return rng.normal()

    result = audited(ignores, claims, samples=5_000)
    assert result.epsilon_lower_bound == 0
    assert f"  {said}" in "\n".join(tell(result, claims))
    words = next(drawings(result, claims, ignores, 1)).text
    assert words.endswith(f"So nothing is known of the least {claims.level.parameter}.")


def test_where_a_level_is_shown_it_is_told():
    result = audited(lambda d, rng: d + rng.normal(0, 0.1), dp(1), samples=5_000)
    told = "\n".join(tell(result, dp(1)))
    assert "bound     ε is at least " in told
    assert " (claimed: 1), wrong with probability at most 1e-09" in told
    assert "nothing is known" not in told


def test_an_audit_that_tested_no_event_says_so():
    result = audited(lambda d, rng: rng.normal(), dp(1), samples=5_000)
    untested = replace(result, pair=None, probabilities=None, epsilon_lower_bound=0.0)
    told = "\n".join(tell(untested, dp(1)))
    assert "bound     nothing is known about ε: no event was tested (claimed: 1)" in told
