"""Release plans: what is read from TOML, and the line that refuses what is not a plan."""

import hashlib
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from establish.impl.budget.plan import DEFINITIONS, read_plan
from establish.impl.budget.queries import MECHANISMS, CountQuery, EarningsQuery, SumQuery
from establish.impl.budget.sources import JobTables, Persons
from establish.impl.cards import cards
from establish.impl.mechanisms import NAMES
from establish.spec.composition import Approximate, DifferentialPrivacy, ErEe, Gaussian
from establish.spec.parameters import ParameterError

SAMPLES = Path(str(files("establish.impl"))) / "sample"

WHY = (
    "calibration = tight is the default for log-laplace: the least noise that is proved private; "
    "calibration = published is the noise as printed",
)

JOBS = """
title = "Counts"
[budget]
definition = "weak-er-ee"
alpha = 0.1
cap = { epsilon = "7/3", delta = 1e-2 }
ledger = "project.ledger"
[data]
jobs = "jobs.parquet"
workers = "workers.csv"
workplaces = "workplaces.parquet"
[domain.establishment]
place = "places.csv"
sector = ["11", "21"]
[domain.worker]
sex = ["F", "M"]
age = ["young", "middle", "old"]
[[query]]
name = "total"
by = []
mechanism = "log-laplace"
epsilon = 0.25
[[query]]
name = "by-sex"
by = ["place", "sex"]
where = { sector = ["11"], age = "old" }
mechanism = "smooth-laplace"
calibration = "tight"
epsilon = 1
delta = "1/200"
"""

SUMS = Path(__file__).with_name("sums.toml").read_text("utf-8")

EARNINGS = """
title = "Earnings"
[budget]
definition = "record-dp"
records_per_person = 2
cap = { epsilon = 3 }
ledger = "project.ledger"
[data]
persons = "earnings.csv"
earnings = "dollars"
person = "id"
[[query]]
name = "percentiles"
by = ["degree", "year"]
mechanism = "histogram-percentiles"
epsilon = "3/2"
percentiles = [10, 50, 97.5]
"""


def test_a_plan_of_counts_is_read_exactly(plan_of, tmp_path):
    plan = plan_of(JOBS)
    assert plan.title == "Counts"
    assert plan.definition == ErEe("weak-er-ee", Fraction(1, 10))
    assert plan.cap == Approximate(Fraction(7, 3), Fraction(1, 100))
    assert plan.ledger == tmp_path / "project.ledger"
    assert plan.digest == hashlib.sha256(JOBS.encode()).hexdigest()
    assert plan.source == JobTables(
        tmp_path / "jobs.parquet",
        tmp_path / "workers.csv",
        tmp_path / "workplaces.parquet",
        {"place": tmp_path / "places.csv", "sector": ("11", "21")},
        {"sex": ("F", "M"), "age": ("young", "middle", "old")},
    )
    assert plan.queries == (
        CountQuery("total", (), {}, "log-laplace", "tight", Fraction(1, 4), Fraction(0), None, WHY),
        CountQuery(
            "by-sex",
            ("place", "sex"),
            {"sector": ("11",), "age": ("old",)},
            "smooth-laplace",
            "tight",
            Fraction(1),
            Fraction(1, 200),
            None,
        ),
    )


def test_a_plan_of_sums_is_read_exactly(plan_of):
    plan = plan_of(SUMS)
    assert plan.cap == Gaussian(Fraction(4))
    wages = plan.definition.by_name["wages"]
    assert (wages.psi, wages.gamma, wages.shift) == ("log", Fraction(1, 10), Fraction(1))
    budgets = {"jobs": Fraction(7, 10), "wages": Fraction(1, 3)}
    assert plan.queries == (
        SumQuery("identity", ("establishment",), "psi", budgets, True, None),
        SumQuery("county", ("county",), "pnc", {"jobs": Fraction(1, 5)}, False, Fraction(1, 100)),
    )


def test_a_query_by_pnc_says_whether_it_answers_every_establishment_again(plan_of):
    pnc = 'mechanism = "pnc"\n'
    (_, query) = plan_of(SUMS.replace(pnc, f"{pnc}remainder = true\n")).queries
    assert isinstance(query, SumQuery)
    assert query.remainder
    assert query.tables == ("county", "county-each")


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ('"psi"', '"psi"\nremainder = true', "query identity: remainder = true is not used by psi"),
        ('"pnc"', '"pnc"\nremainder = 1', "remainder = 1 must be true or false"),
        ('"identity"', '"County-each"', "query county-each: another query has this name"),
    ],
)
def test_a_remainder_that_nothing_leaves_or_that_has_no_place_is_refused(plan_of, old, new, refused):
    text = SUMS.replace('mechanism = "pnc"', 'mechanism = "pnc"\nremainder = true')
    if old == '"pnc"':
        text = SUMS
    with pytest.raises(ParameterError, match=refused):
        plan_of(text.replace(old, new))


def test_a_plan_of_earnings_is_read_exactly(plan_of, tmp_path):
    plan = plan_of(EARNINGS)
    assert plan.definition == DifferentialPrivacy("record-dp", 2)
    assert plan.source == Persons(tmp_path / "earnings.csv", "dollars", "id", None)
    (query,) = plan.queries
    assert isinstance(query, EarningsQuery)
    assert (query.by, query.epsilon) == (("degree", "year"), Fraction(3, 2))
    assert query.percentiles == (10, 50, Fraction(195, 2))
    assert query.bins == "log-normal"


def test_a_query_of_earnings_without_a_mechanism_takes_the_default(plan_of):
    named = 'mechanism = "histogram-percentiles"\n'
    (query,) = plan_of(EARNINGS.replace(named, "")).queries
    assert isinstance(query, EarningsQuery)
    assert (query.mechanism, query.bins) == ("bins-or-gaps", None)
    assert "as no mechanism is named" in query.why[0]
    (query,) = plan_of(EARNINGS.replace(named, 'mechanism = "equal-gaps"\n')).queries
    assert isinstance(query, EarningsQuery)
    assert (query.mechanism, query.why) == ("equal-gaps", ())


@pytest.mark.parametrize("named", ["", 'mechanism = "bins-or-gaps"\n'])
def test_bins_are_refused_for_a_mechanism_that_has_its_own(plan_of, named):
    plan = EARNINGS.replace('mechanism = "histogram-percentiles"\n', named)
    with pytest.raises(ParameterError, match="query percentiles: bins is not used by bins-or-gaps"):
        plan_of(plan + 'bins = "even"\n')


def test_the_values_of_an_attribute_may_come_from_a_public_file(plan_of, tmp_path):
    source = plan_of(JOBS).source
    (tmp_path / "places.csv").write_text("code,place\n1,044\n2,Bristol\n", encoding="utf-8")
    domain = source.domain()
    assert domain["place"] == ("044", "Bristol")
    assert list(domain) == ["place", "sector", "sex", "age"]
    assert domain["sector"] == ("11", "21")


@pytest.mark.parametrize("content", ["", "place\n", "town\na\n", "place\na\na\n", "place,x\n,1\n"])
def test_a_file_that_lists_no_values_is_refused(plan_of, tmp_path, content):
    (tmp_path / "places.csv").write_text(content, encoding="utf-8")
    with pytest.raises(ParameterError, match="must have a column place of distinct values"):
        plan_of(JOBS).source.domain()


def test_a_missing_file_of_values_is_refused(plan_of):
    with pytest.raises(ParameterError, match=r"places.csv cannot be read"):
        plan_of(JOBS).source.domain()


@pytest.mark.parametrize("name", ["plan_workloads.toml", "plan_gedp.toml"])
def test_the_samples_are_plans(name):
    assert read_plan(SAMPLES / name).queries


def test_every_definition_has_mechanisms_and_every_mechanism_that_counts_jobs_a_definition():
    assert set(MECHANISMS) == set(DEFINITIONS)
    planned = {name for names in MECHANISMS.values() for name in names}
    assert {name for name in NAMES if cards()[name].under} <= planned


ALPHA, EPSILON = "alpha = 0.1", "epsilon = 0.25"
BAD_NUMBERS = ["nan", "inf", "-inf", "-1", "0", "true", '""', '"x"', "[1]", '"1/0"', "1e999999999"]


@pytest.mark.parametrize("number", [*BAD_NUMBERS, "1e99999999999999999999", "9" * 5000, '"nan"'])
@pytest.mark.parametrize("place", [ALPHA, EPSILON, 'epsilon = "7/3"', 'delta = "1/200"'])
def test_no_budget_is_read_from_what_is_not_a_positive_number(plan_of, place, number):
    assert place in JOBS
    with pytest.raises(ParameterError) as refused:
        plan_of(JOBS.replace(place, f"{place.partition(' ')[0]} = {number}"))
    assert len(str(refused.value)) < 300
    says_once_where(str(refused.value))


def says_once_where(message: str) -> None:
    """The query, or the part of the plan, stands before the first colon and nowhere else."""
    place = message.partition(":")[0]
    assert message.count(f"{place}:") <= 1


@pytest.mark.parametrize(
    ("text", "old", "new", "told"),
    [
        (JOBS, "epsilon = 0.25", "epsilon = 0", "query total: epsilon = 0 is not allowed: epsilon"),
        (JOBS, 'delta = "1/200"', "delta = 1", "query by-sex: delta = 1 is not allowed: delta must"),
        (SUMS, "jobs = 0.2", "jobs = 0", "query county: mu of jobs = 0 is not allowed: mu of jobs"),
    ],
)
def test_a_query_is_named_once_in_what_is_said_of_it(plan_of, text, old, new, told):
    assert old in text
    with pytest.raises(ParameterError) as refused:
        plan_of(text.replace(old, new))
    assert str(refused.value).startswith(told)
    says_once_where(str(refused.value))


@pytest.mark.parametrize("number", [*BAD_NUMBERS, '"nan"'])
@pytest.mark.parametrize("place", ["mu = 2", "gamma = 0.5", "jobs = 0.7"])
def test_no_gaussian_budget_either(plan_of, place, number):
    assert place in SUMS
    with pytest.raises(ParameterError):
        plan_of(SUMS.replace(place, f"{place.partition(' ')[0]} = {number}"))


@pytest.mark.parametrize("number", ["0", "-1", "1.0", '"1"', "true"])
def test_the_records_of_a_person_are_counted(plan_of, number):
    with pytest.raises(ParameterError, match="records_per_person"):
        plan_of(EARNINGS.replace("records_per_person = 2", f"records_per_person = {number}"))


REFUSED = [
    (JOBS, 'title = "Counts"', "", "plan: title is missing"),
    (JOBS, 'title = "Counts"', "title = 1", 'must be a text in quotes'),
    (JOBS, 'title = "Counts"', 'title = ""', "plan: title is empty: give it a text"),
    (
        JOBS,
        'title = "Counts"',
        'title = "Counts"\nadditive = "foo"',
        "plan: additive = foo is not known: use real or whole",
    ),
    (JOBS, 'title = "Counts"', 'title = "Counts"\nauthor = "x"', "author is not known here: the keys"),
    (JOBS, ALPHA, ALPHA + "\nbeta = 1", r"\[budget\]: beta is not known here: .* alpha"),
    (JOBS, ALPHA, "", "alpha is missing"),
    (JOBS, "weak-er-ee", "magic", "definition = magic is not known: use one of edge-dp"),
    (JOBS, "weak-er-ee", "per-record-zcdp", "is not kept by plans: release each table .* --rho, and"),
    (JOBS, "weak-er-ee", "gedp", "attributes is missing"),
    (JOBS, '"weak-er-ee"\nalpha = 0.1', '"edge-dp"', "delta is not known here"),
    (JOBS, "jobs = ", "job = ", "must name one of jobs"),
    (JOBS, "jobs = ", 'persons = "x"\njobs = ', "must name one of jobs"),
    (JOBS, 'workers = "workers.csv"', "", "workers is missing"),
    (JOBS, "delta = 1e-2", "delta = 1", r"\[budget\]: cap: delta = 1 is not allowed: .* less than 1"),
    (JOBS, 'sex = ["F", "M"]', 'sex = ["F", "F"]', "names one twice"),
    (JOBS, 'sex = ["F", "M"]', "sex = []", "sex has no values"),
    (JOBS, 'sex = ["F", "M"]', "sex = [1, 2]", "must be a text"),
    (JOBS, 'sex = ["F", "M"]', 'sex = "sexes.csv"', "must be a list"),
    (JOBS, 'sex = ["F", "M"]', 'place = ["F"]', "place is both"),
    (JOBS, '["place", "sex"]', '["place", "size"]', "size is not an attribute .* place, sector, sex"),
    (JOBS, '["place", "sex"]', '["sex", "sex"]', "names one twice"),
    (JOBS, '["place", "sex"]', '"sex"', "must be a list of texts"),
    (JOBS, 'by = []\n', "", "query total: by is missing"),
    (JOBS, 'age = "old"', 'age = "ancient"', "where age = ancient is not in"),
    (JOBS, 'age = "old"', "age = []", "where age has no value"),
    (JOBS, 'age = "old"', 'rank = "old"', "rank is not an attribute"),
    (JOBS, 'name = "by-sex"', 'name = "Total"', "another query has this name"),
    (JOBS, 'name = "by-sex"', 'name = "../x"', "names a file"),
    (JOBS, 'name = "by-sex"', 'name = ""', "query number 2: name"),
    (JOBS, '"log-laplace"', '"root-transformation"', "keeps per-record privacy, and plans do not: .* --rho"),
    (JOBS, '"log-laplace"', '"laplace"', "mechanism = laplace is not allowed under weak-er-ee: use growth"),
    (JOBS, "epsilon = 0.25", "epsilon = 0.25\ndelta = 0.1", "query total: delta is not known here"),
    (JOBS, 'delta = "1/200"', "", "query by-sex: delta is missing"),
    (JOBS, '"tight"', '"loose"', "calibration = loose"),
    (JOBS, "[[query]]", "[query]", "TOML|list of tables"),
    (SUMS, 'id = "establishment"', "", "id is missing"),
    (SUMS, "[data]", '[domain]\nx = "y"\n[data]', "used with jobs only"),
    (SUMS, "mu = { jobs = 0.2 }", "mu = {}", "query county: mu is empty"),
    (SUMS, "mu = { jobs = 0.2 }", "mu = 0.2", "mu must be a table"),
    (SUMS, "mu = { jobs = 0.2 }", "mu = { hours = 0.2 }", "hours is not protected .* jobs, wages"),
    (SUMS, 'by = ["county"]', 'by = ["wages"]', "wages is confidential"),
    (SUMS, 'by = ["establishment"]', 'by = ["naics"]', "none answers jobs"),
    (SUMS, '"log", gamma', '"cube", gamma', "psi = cube of wages is not known"),
    (SUMS, "gamma = 0.5 }", "gamma = 0.5, a = 1 }", "a is not known here: the keys are psi, gamma, shift"),
    (SUMS, '"gedp"', '"edge-dp"', "cap: epsilon is missing"),
    (EARNINGS, "record-dp", "edge-dp", "records_per_person is not known"),
    (EARNINGS, '"record-dp"\nrecords_per_person = 2', '"edge-dp"', "edge-dp is about jobs"),
    (EARNINGS, 'earnings = "dollars"', "", "earnings is missing"),
    (EARNINGS, "[10, 50, 97.5]", "50", "must be a list of numbers"),
    (EARNINGS, "[10, 50, 97.5]", "[10, nan]", "is not a finite rational"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "old", "new", "message"), REFUSED)
def test_what_is_not_a_plan_is_refused_in_one_line(plan_of, text, old, new, message):
    assert old in text
    with pytest.raises(ParameterError, match=message) as refused:
        plan_of(text.replace(old, new))
    assert "\n" not in str(refused.value)
    says_once_where(str(refused.value))


def test_a_plan_without_a_query_is_refused(plan_of):
    with pytest.raises(ParameterError, match="there is no"):
        plan_of(JOBS.partition("[[query]]")[0])


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"title = ", b"x = " + b"[" * 10_000])
def test_a_file_that_is_no_plan_is_refused(tmp_path, content):
    path = tmp_path / "plan.toml"
    path.write_bytes(content)
    with pytest.raises(ParameterError):
        read_plan(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="No such file"):
        read_plan(tmp_path / "plan.toml")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("query", "mechanism", "delta"),
    [
        ("epsilon = 2", "smooth-path", 0),
        ("epsilon = 2\none_establishment = true", "whole-staircase", 0),
        ('epsilon = 2\ncalibration = "published"', "smooth-gamma", 0),
        ('epsilon = "4/5"\ndelta = "1/100"', "smooth-path", 0),
    ],
)
def test_a_query_that_names_no_mechanism_gets_the_least_noise_and_is_told_why(
    plan_of, query, mechanism, delta
):
    """δ is not spent where the mechanism does not use it."""
    found = plan_of(JOBS.replace('mechanism = "log-laplace"\nepsilon = 0.25', query)).queries[0]
    assert (found.mechanism, found.delta) == (mechanism, delta)
    assert found.why[0].startswith(f"{mechanism} ({found.calibration}) is the default for these")


def test_a_query_that_names_mechanism_and_calibration_is_what_it_was(plan_of):
    for calibration in ("published", "tight"):
        text = f'mechanism = "log-laplace"\ncalibration = "{calibration}"'
        found = plan_of(JOBS.replace('mechanism = "log-laplace"', text)).queries[0]
        assert (found.mechanism, found.calibration, found.why) == ("log-laplace", calibration, ())


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ('epsilon = 2\ncalibration = "loose"', "query total: calibration = loose is not allowed"),
        ('mechanism = "log-laplace"\nepsilon = 2\none_establishment = true', "one_establishment is"),
        ("epsilon = 2\none_establishment = 1", "one_establishment = 1 must be true or false"),
        ("epsilon = 2\ndelta = 0", "query total: delta = 0 is not allowed"),
    ],
)
def test_what_completes_a_query_is_refused_where_it_does_not_fit(plan_of, query, says):
    with pytest.raises(ParameterError, match=says):
        plan_of(JOBS.replace('mechanism = "log-laplace"\nepsilon = 0.25', query))


def test_only_employer_employee_queries_choose_their_mechanism(plan_of):
    with pytest.raises(ParameterError, match="query identity: mechanism is missing"):
        plan_of(SUMS.replace('mechanism = "psi"\n', ""))
