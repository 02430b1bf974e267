"""The page that leads from the papers to the code has every claim once, and what stands around it."""

import importlib.util
import sys
from pathlib import Path

import pytest

from establish.proofs_check.engine.index import index
from establish.proofs_check.engine.reads import Definition
from establish.proofs_check.engine.references import References
from establish.proofs_check.engine.register import Claim

HOOK = Path(__file__).parents[1] / "docs" / "mapping.py"


@pytest.fixture(scope="module")
def mapping():
    pytest.importorskip("mkdocs", reason="mkdocs comes with the extra dev")
    spec = importlib.util.spec_from_file_location("mapping", HOOK)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _claim(id: str, location: str) -> Claim:
    return Claim(id, location, "A statement.", lambda: pytest.fail("no check runs"))


def test_a_section_leads_to_its_claims_formulas_code_and_theorems(mapping):
    claims = [
        _claim("haney2017/table-1/b", "Table 1"),
        _claim("haney2017/lemma-9.2", "Section 9, Lemma 9.2"),
        _claim("haney2017/table-1/a", "Table 1"),
    ]
    reads = tuple(Definition(f"spec.m{n}.f", f"spec/m{n}.py", 1) for n in range(6))
    used = (
        "mechanism wave (impl/mechanisms/wave.py:9), certificate impl/certificates/wave.json",
        "spec/x.py:1",
    )
    around = {claim.id: References() for claim in claims} | {
        "haney2017/lemma-9.2": References(reads, (), used)
    }
    verdicts = {"haney2017/lemma-9.2": "ill_posed", "haney2017/table-1/a": "holds"}
    found = mapping.rows(claims, around, verdicts, lambda claim: ["Wave.least"] * claim.id.endswith("9.2"))
    first, second = (list(row.cells()) for row in found["haney2017"])
    assert first == [
        "Section 9",
        "`haney2017/lemma-9.2`",
        "ill posed",
        "`spec/m0.py`, `spec/m1.py`, `spec/m2.py`, `spec/m3.py` and 2 more",
        "`impl/mechanisms/wave.py`",
        "`Wave.least`",
    ]
    assert second[:3] == ["Table 1", "`haney2017/table-1/*` (2)", "not recorded 1, holds 1"]
    assert all(line.count("|") == 7 for line in mapping.page(found).splitlines() if line.startswith("|"))


@pytest.mark.small_campaign
def test_every_claim_of_the_register_stands_in_one_row(mapping):
    known = index()
    found = mapping.rows(known.claims.values(), known.around, {}, mapping.theorems_of)
    ids = [id for own in found.values() for row in own for id in row.ids]
    assert sorted(ids) == sorted(known.claims)
    (privacy,) = (row for row in found["haney2017"] if "haney2017/thm-8.1-strong" in row.ids)
    assert "impl/mechanisms/log_laplace.py" in privacy.code
    assert any(file.startswith("spec/") for file in privacy.spec)
    assert any(row.theorems for own in found.values() for row in own)
