"""What a check reads is found in its source: through helpers and packages, and no further."""

from pathlib import Path

import pytest

from establish.proofs_check.engine.ours import file_of, home, name_of, path_of, sources
from establish.proofs_check.engine.reads import Reading
from establish.proofs_check.engine.references import mentioned, reached_by, references
from establish.proofs_check.engine.register import Claim, claims

OWN = '''\
from fractions import Fraction

from establish import SizeUniverse, claim, nothing
from establish.spec import gaussian
from establish.spec.composition import Gaussian
from establish.spec.arithmetic import ARB
from establish.spec.distributions import laplace as noise
from establish.proofs_check.papers.haney2017.laplace import slide_costs_its_length

SIZES = [Gaussian]
"""A constant that a check names."""


def helper():
    return noise.log_density


def shadowed(noise):
    return noise


@decorated
def check():
    """No laplace here."""
    from establish.spec.parameters import exact
    from establish.spec.sensitivity import global_sensitivity

    return helper(), SIZES, ARB, exact, global_sensitivity, Fraction(1, 2), "mine/other"


def through_a_paper():
    return slide_costs_its_length()


def through_the_front_door():
    return claim, SizeUniverse, nothing


def by_module():
    return gaussian.standard_normal_cdf if False else gaussian.__name__
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.py"
    file.write_text(OWN, "utf-8")
    return file


def line_of(name: str) -> int:
    lines = OWN.splitlines()
    at = lines.index(f"def {name}():") if f"def {name}():" in lines else lines.index(f"def {name}(noise):")
    return at if lines[at - 1].startswith("@") else at + 1


def names(own: Path, function: str) -> list[str]:
    return [each.name for each in Reading().reached(own, line_of(function)).definitions]


def test_helpers_constants_imports_inside_and_packages_are_followed(own):
    assert names(own, "check") == [
        "spec.composition.losses.Gaussian",
        "spec.distributions.laplace.log_density",
        "spec.sensitivity.global_sensitivity",
    ]


def test_a_definition_is_where_it_says(own):
    for each in Reading().reached(own, line_of("check")).definitions:
        text = path_of(each.file).read_text("utf-8").splitlines()[each.line - 1]
        assert each.name.rpartition(".")[2] in text or text.startswith("@"), each


def test_a_parameter_hides_the_name_of_its_module(own):
    assert names(own, "shadowed") == []


def test_helpers_among_the_papers_are_followed(own):
    assert names(own, "through_a_paper") == names_of_check("haney2017", "slide_costs_its_length")


def names_of_check(source: str, function: str) -> list[str]:
    from establish.proofs_check.papers.haney2017 import laplace

    code = getattr(laplace, function).__code__
    reached = Reading().reached(Path(code.co_filename), code.co_firstlineno)
    return [each.name for each in reached.definitions]


def test_the_front_door_passes_definitions_on(own):
    assert names(own, "through_the_front_door") == ["spec.relations.universes.SizeUniverse"]


def test_texts_and_lines_of_the_functions_are_told(own):
    reached = Reading().reached(own, line_of("check"))
    assert "mine/other" in reached.texts
    assert (own, line_of("helper")) in reached.functions


def test_files_of_ours_have_a_name_and_are_found_by_it():
    for file in sources():
        assert path_of(name_of(file)) == file
    assert name_of(Path("elsewhere.py")) == "elsewhere.py"
    assert file_of("establish.spec.gaussian") == home("spec") / "gaussian.py"
    assert file_of("establish.spec.composition") == home("spec") / "composition" / "__init__.py"
    assert file_of("establish.spec.nothing") is None
    assert file_of("sympy") is None


@pytest.fixture(scope="module")
def around():
    return references(known := claims(), reached_by(known))


def test_every_claim_stands_where_it_says():
    for entry in claims().values():
        name, _, line = entry.place.rpartition(":")
        text = path_of(name).read_text("utf-8").splitlines()[int(line) - 1].strip()
        begins = "repeats(" if entry.same_as else ("@", "def ")
        assert text.startswith(begins), (entry.id, text)


def test_a_repeated_claim_rests_on_its_home_which_it_uses(around):
    repeated = [entry for entry in claims().values() if entry.same_as]
    assert repeated
    for entry in repeated:
        assert around[entry.id].rests_on == (entry.same_as,)
        assert entry.id in around[entry.same_as].used_by
        rest = set(around[entry.same_as].used_by) - {entry.id}
        assert rest <= set(around[entry.id].used_by), "what rests on it rests on it everywhere"


def test_what_a_loop_names_that_enters_a_check_is_read(around):
    for id, name in (
        ("establish/gaussian-limit/mu1", "spec.gaussian.normal_error"),
        ("establish/joint-budget-absolute", "spec.gaussian.normal_error"),
    ):
        assert name in [definition.name for definition in around[id].reads]


@pytest.mark.parametrize(
    ("id", "reads", "not_reads"),
    [
        ("establish/additive-error/a1over10-e2", "spec.relations.growth.growth_bound", ""),
        ("webb2025/thm-5.3-2", "spec.neighbor_functions.arbitrary.Arbitrary", ""),
        ("haney2017/eq-8", "spec.indistinguishability.is_indistinguishable", ""),
        ("haney2017/lemma-9.2", "spec.relations.strong.Strong", "spec.relations.node.Node"),
        ("haney2017/eq-21", "", "spec.arithmetic.World"),
    ],
)
def test_what_a_statement_object_evaluates_is_read_and_no_more(around, id, reads, not_reads):
    """Of a table by names, what the claim names; of a statement over plain formulas, nothing."""
    found = [definition.name for definition in around[id].reads]
    assert reads in found if reads else not found
    assert not_reads not in found


def test_claims_that_a_text_names_are_found_in_their_order():
    text = "See b/two.1 (and a/one). Not a/one-more, a/o or b/two; again a/one, b/two.1."
    assert mentioned(text, {"a/one", "b/two.1", "a/three"}) == ["b/two.1", "a/one"]


def test_mechanisms_and_certificates_are_named_by_the_claims_they_rest_on(around):
    used = around["haney2017/thm-8.1-strong"].used_by
    assert any(
        "log-laplace (impl/mechanisms/log_laplace.py:" in each and "impl/certificates.lock.gz" in each
        for each in used
    )


def test_a_rule_of_composition_is_named_by_file_and_line(around):
    from establish.spec.composition import RULES

    for rule in RULES.values():
        for id in rule.rests_on:
            assert any(each.startswith("spec/composition/rules.py:") for each in around[id].used_by)


def test_a_claim_that_calls_another_check_rests_on_it(own):
    file = own.with_name("two.py")
    file.write_text("def first():\n    return 1\n\n\ndef second():\n    return first()\n")
    space: dict[str, object] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)  # as an import would
    entries = {
        f"mine/{name}": Claim(f"mine/{name}", "Section 1", "One.", space[name])  # type: ignore[arg-type]
        for name in ("first", "second")
    }
    found = references(entries, reached_by(entries))
    assert found["mine/second"].rests_on == ("mine/first",)
    assert found["mine/first"].used_by == ("mine/second",)
    assert found["mine/first"].rests_on == ()
