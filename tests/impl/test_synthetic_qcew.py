"""Reading published cells: what a file of the census may hold, and what is refused by row number."""

from pathlib import Path

import duckdb
import pytest

from establish.impl.synthetic.industries import SECTOR, SUPERSECTOR
from establish.impl.synthetic.qcew import read_cells
from establish.spec.parameters import ParameterError

COLUMNS = (
    "area_fips,own_code,industry_code,agglvl_code,year,qtr,disclosure_code,"
    "qtrly_estabs_count,month1_emplvl,month2_emplvl,month3_emplvl,total_qtrly_wages"
)
CELL = "44001,5,236118,78,2016,1,,3,8,9,10,90000"
SMALL = "44001,5,811111,78,2016,1,,5,1,0,2,700"
EMPTY = "44001,5,325620,78,2016,1,-,0,0,0,0,0"
HIDDEN = "44003,5,111110,78,2016,1,N,4,0,0,0,0"
FEDERAL = "44003,1,491110,78,2016,1,,2,7,7,7,50"
COARSER = "44003,5,23,74,2016,1,,9,99,99,99,999"


@pytest.fixture
def write(tmp_path: Path):
    def file(*lines: str, header: str = COLUMNS) -> Path:
        path = tmp_path / "cells.csv"
        path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
        return path

    return file


def test_disclosed_private_cells_are_taken_and_others_counted(write):
    cells = read_cells(write(COARSER, CELL, EMPTY, HIDDEN, FEDERAL, SMALL))
    assert (cells.empty, cells.suppressed) == (1, 1)
    assert cells.labels["industry_code"].tolist() == ["236118", "811111"]
    assert {name: values.tolist() for name, values in vars(cells.totals).items()} == {
        "establishments": [3, 5],
        "month_1": [8, 1],
        "month_2": [9, 0],
        "month_3": [10, 2],
        "wages": [90000, 700],
    }


def test_other_ownership_codes_are_taken_when_they_are_named(write):
    assert read_cells(write(CELL, FEDERAL), ("1", "5")).labels["own_code"].tolist() == ["5", "1"]


def test_quarters_are_told_apart(write):
    cells = read_cells(write(CELL, CELL.replace("2016,1", "2016,2")))
    assert cells.labels["qtr"].tolist() == ["1", "2"]


def test_a_parquet_file_with_typed_columns_is_read(write, tmp_path):
    path = tmp_path / "cells.parquet"
    duckdb.sql(
        f"COPY (SELECT * REPLACE (agglvl_code::INTEGER AS agglvl_code, "
        f"month1_emplvl::BIGINT AS month1_emplvl) FROM read_csv('{write(CELL, EMPTY)}', "
        f"all_varchar = true)) TO '{path}'"
    )
    cells = read_cells(path)
    assert cells.totals.month_1.tolist() == [8]
    assert cells.empty == 1


def test_cells_that_are_not_taken_may_hold_anything(write):
    cells = read_cells(write(CELL, FEDERAL.replace(",,2,7", ",?,x,-7"), COARSER.replace("99", "1.5")))
    assert cells.totals.establishments.tolist() == [3]


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([CELL, SMALL.replace(",,5,", ",,-5,")], "qtrly_estabs_count must be a whole number.*row 2"),
        ([CELL.replace(",8,", ",8.5,")], "month1_emplvl must be a whole number.*row 1"),
        ([CELL.replace(",9,", ",-9,")], "month2_emplvl must be a whole number.*row 1"),
        ([CELL.replace(",10,", ",ten,")], "month3_emplvl must be a whole number.*row 1"),
        ([CELL.replace(",90000", ",")], "total_qtrly_wages must be a whole number.*row 1"),
        ([CELL.replace("90000", "nan")], "total_qtrly_wages must be a whole number.*row 1"),
        ([CELL.replace("90000", "1e300")], "total_qtrly_wages must be a whole number.*row 1"),
        ([SMALL, CELL, CELL], "each cell must be listed once: not so in row 3"),
        ([CELL.replace("44001", "US000")], "area_fips must be a code of 5 digits.*row 1"),
        ([CELL.replace("236118", "23611")], "industry_code must be a code of 6 digits.*row 1"),
        ([CELL.replace("236118", "106118")], "industry_code must be a NAICS code.*row 1"),
        ([CELL.replace("2016,1,,", "2016,1,?,")], "disclosure_code must be empty, '-' or 'N'.*row 1"),
        ([CELL, EMPTY.replace(",0,0,0,0,0", ",0,0,0,1,0")], "must have no jobs or wages.*row 2"),
        ([CELL, EMPTY.replace(",0,0,0,0,0", ",0,0,0,0,1")], "must have no jobs or wages.*row 2"),
        ([HIDDEN, FEDERAL, COARSER], "no disclosed county × NAICS-6 cell"),
        ([EMPTY], "no establishment in any disclosed cell"),
        ([], "no disclosed county × NAICS-6 cell"),
        (
            [c.replace("90000", str(2**53 - 1)) for c in (CELL, CELL.replace("44001", "44003"))],
            "total_qtrly_wages adds up to more than 2",
        ),
    ],
)
def test_bad_cells_are_refused_by_row(write, lines, message):
    with pytest.raises(ParameterError, match=message):
        read_cells(write(*lines))


@pytest.mark.parametrize("column", COLUMNS.split(","))
def test_a_missing_column_is_named(write, column):
    with pytest.raises(ParameterError, match=f"has no column {column}; a file of the Quarterly"):
        read_cells(write(CELL, header=COLUMNS.replace(column, "something")))


def test_sectors_and_supersectors_are_nested():
    assert (SECTOR["32"], SECTOR["45"], SECTOR["49"], SECTOR["23"]) == ("31-33", "44-45", "48-49", "23")
    assert len(set(SECTOR.values())) == 21  # the 20 NAICS sectors and 99, unclassified
    assert len(set(SUPERSECTOR.values())) == 12
    of_sector: dict[str, set[str]] = {}
    for prefix, sector in SECTOR.items():
        of_sector.setdefault(sector, set()).add(SUPERSECTOR[prefix])
    assert all(len(found) == 1 for found in of_sector.values())
