"""A μ that queries of a plan share by weights."""

from fractions import Fraction as F
from pathlib import Path

import pytest

from establish.impl.budget.accountant import cost
from establish.impl.budget.joint import Joint
from establish.spec.composition import Gaussian
from establish.spec.parameters import ParameterError

SUMS = Path(__file__).with_name("sums.toml").read_text("utf-8")
PLAN = (
    SUMS.replace('ledger = "project.ledger"', "joint = { mu = 1.5 }").replace(
        "mu = { jobs = 0.2 }", "weights = { jobs = 1, wages = 8 }"
    )
    + """[[query]]
name = "sector"
by = ["sector"]
mechanism = "psi"
weights = { jobs = "8" }
"""
)


def test_weights_share_the_joint_budget_and_other_queries_keep_their_own(plan_of):
    """The cube roots 1, 2 and 2 have squares that add up to 9, so that one unit is 1.5/3."""
    plan = plan_of(PLAN)
    identity, county, sector = plan.queries
    assert identity.mu == {"jobs": F(7, 10), "wages": F(1, 3)}
    assert county.mu == {"jobs": F(1, 2), "wages": F(1)}
    assert sector.mu == {"jobs": F(1)}
    assert (identity.weights, county.weights) == ({}, {"jobs": F(1), "wages": F(8)})
    assert cost(plan).total == Gaussian(F(9, 4) + F(49, 100) + F(1, 9))


def test_squared_errors_take_fourth_roots(plan_of):
    """The roots 1, 2 and 2 of 1, 16 and 16."""
    text = PLAN.replace("joint = { mu = 1.5 }", 'joint = { mu = 1.5, error = "squared" }')
    text = text.replace("wages = 8", "wages = 16").replace('jobs = "8"', "jobs = 16")
    _, county, sector = plan_of(text).queries
    assert (county.mu, sector.mu) == ({"jobs": F(1, 2), "wages": F(1)}, {"jobs": F(1)})


@pytest.mark.parametrize("error", ["absolute", "squared"])
@pytest.mark.parametrize(
    "weights",
    [[F(5)], [F(1), F(2), F(3)], [F(1), F(10) ** 900, F(1, 10**900)], [F(k, 7) for k in range(1, 40)]],
)
def test_budgets_never_cost_more_than_the_joint_one_and_leave_little(error, weights):
    """Six digits of each: the square falls short by a factor of at most (1 − 10⁻⁵)²."""
    mu = F(231, 100)
    found = Joint(mu, error).budgets(weights)
    spent = sum(budget**2 for budget in found)
    assert mu**2 * (1 - F(1, 10**5)) ** 2 <= spent <= mu**2
    assert min(found) > 0


REFUSED = [
    ("joint = { mu = 1.5 }\n", "", "query county: weights share a joint budget: write joint = "),
    ("joint = { mu = 1.5 }", "joint = 2", r"joint must be a table"),
    ("joint = { mu = 1.5 }", "joint = {}", r"\[budget\]: joint: mu is missing"),
    ("mu = 1.5", "mu = 0", r"\[budget\]: joint: mu = 0 is not allowed"),
    ("mu = 1.5", 'mu = 1.5, error = "cubed"', "error = cubed is not known: use absolute or squared"),
    ("mu = 1.5", "mu = 1.5, weights = 1", "weights is not known here: the keys are mu, error"),
    ("wages = 8", "wages = 0", "query county: weights of wages = 0 is not allowed"),
    ("wages = 8", "wages = nan", "query county: weights: wages = NaN is not a finite rational"),
    ("wages = 8", "hours = 8", "hours is not protected .* jobs, wages"),
    ("{ jobs = 1, wages = 8 }", "{}", "query county: weights is empty: write weights = "),
    ("weights = { jobs = 1,", "mu = { jobs = 1 }\nweights = { jobs = 1,", "it gives mu and weights"),
    ('mechanism = "psi"\nmu =', 'mechanism = "pnc"\nmu =', "query identity: pnc takes its bounds"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_what_is_no_joint_budget_is_refused_in_one_line(plan_of, old, new, message):
    assert old in PLAN
    with pytest.raises(ParameterError, match=message) as refused:
        plan_of(PLAN.replace(old, new))
    assert "\n" not in str(refused.value)


def test_a_joint_budget_that_nobody_shares_is_refused(plan_of):
    with pytest.raises(ParameterError, match="no query gives weights"):
        plan_of(PLAN.replace("weights =", "mu ="))


def test_only_sums_of_establishments_share_a_budget(plan_of):
    text = 'title = "x"\n[budget]\ndefinition = "record-dp"\ncap = { epsilon = 1 }\njoint = { mu = 1 }\n'
    text += '[data]\npersons = "x.csv"\nearnings = "e"\n[[query]]\nname = "q"\nby = ["d"]\nepsilon = 1\n'
    with pytest.raises(ParameterError, match=r"\[budget\]: joint is not known here"):
        plan_of(text)


def test_identity_by_weights_serves_pnc(plan_of):
    text = PLAN.replace('mu = { jobs = 0.7, wages = "1/3" }', "weights = { jobs = 1, wages = 1 }")
    assert set(plan_of(text).queries[0].mu) == {"jobs", "wages"}
