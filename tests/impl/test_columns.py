"""Columns whose labels are codes are written as the same columns with the labels spelled out."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from establish.impl.tables.columns import Coded, table_writer

VALUES = ("b", "", "a", 'Ünter, "x"')
CODES = np.array([2, 2, 0, 3, 1], dtype=np.int32)
REST = {"count": np.array([3, -1, 0, 2**52, 7]), "share": np.array([0.5, np.nan, -0.0, 1e300, 2.0])}
SPELLED = {"place": np.array(["a", "a", "b", 'Ünter, "x"', ""], dtype=object), **REST}


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_codes_and_spelled_labels_make_the_same_table(tmp_path, ending):
    table_writer({"place": Coded(VALUES, CODES), **REST}, ending)(tmp_path / f"coded{ending}")
    table_writer(SPELLED, ending)(tmp_path / f"spelled{ending}")
    coded, spelled = (tmp_path / f"{name}{ending}" for name in ("coded", "spelled"))
    if ending == ".parquet":
        assert pq.read_table(coded).equals(pq.read_table(spelled))
        assert pq.read_schema(coded) == pq.read_schema(spelled)
        assert pq.read_table(coded)["share"].to_pylist() == [0.5, None, -0.0, 1e300, 2.0]
    else:
        assert coded.read_bytes() == spelled.read_bytes()
