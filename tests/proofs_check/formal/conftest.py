"""The files of Coq that tests compute with, compiled once for each file of tests; the record, read anew."""

from collections.abc import Callable, Iterator

import pytest

from establish.proofs_check.formal import coq, record
from establish.proofs_check.formal.formulas import MODULE, definitions, source
from establish.proofs_check.formal.record import closure
from establish.proofs_check.formal.theorems import sources


@pytest.fixture(scope="session")
def workshop_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., coq.Workshop]:
    """A folder with the named files and all that they rest on; skips where Coq is not installed."""

    def compiled(*stems: str) -> coq.Workshop:
        if missing := coq.missing():
            pytest.skip(f"Coq is not installed: {' '.join(missing)}")
        texts = {**sources(), MODULE: source(definitions())}
        needed = {name for stem in stems for name in closure(stem, texts)}
        own = {name: texts[name] for name in needed}
        shop = coq.Workshop(tmp_path_factory.mktemp("coq"), own)
        shop.compile(2, lambda line: None)
        return shop

    return compiled


@pytest.fixture(autouse=True)
def read_afresh() -> Iterator[None]:
    record.forget()
    yield
    record.forget()
