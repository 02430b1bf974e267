"""Section 2, Definition 2.1: marginal queries over all cells, and what SQL answers."""

from itertools import product

from establish import Equal, Every, Integer, Universe, Verdict, claim, exact, exhaustive, fails, holds
from establish.spec.cells import MarginalQuery
from establish.spec.tables import Workplace

SECTORS, DEGREES = ("farm", "mine"), ("none", "degree")


def _small_universe() -> Universe:
    workplaces = (Workplace("e1", ("farm",)), Workplace("e2", ("mine",)))
    return Universe(workplaces, ("w1", "w2", "w3"), tuple((d,) for d in DEGREES))


@claim(
    "haney2017/def-2.1",
    where="Section 2, Definition 2.1",
    says="A marginal query is a vector of |dom(V)| counts, one per cell; with no attribute it is the size of "
    "the table.",
    origin="implied",
)
def marginal_query_is_a_vector_over_the_domain() -> Verdict:
    """Cells partition the records, so the counts add up to the size of the table, and each equals the count
    of records that match it. The empty product has one element, so q_∅ has one cell, with every record.
    """
    query = MarginalQuery({0: DEGREES}, {0: SECTORS})
    nothing = MarginalQuery({}, {})
    universe = _small_universe()

    def is_as_defined(index: int) -> bool:
        tables = datasets[index]
        counts = query.counts(tables)
        matching = {
            cell: sum(record.attributes == cell for record in tables.worker_full())
            for cell in product(DEGREES, SECTORS)
        }
        return counts == matching and nothing.counts(tables) == {(): len(tables.worker_full())}

    datasets = list(universe.datasets())
    return holds(
        exhaustive.for_all(
            range(len(datasets)),
            is_as_defined,
            "the counts are |dom(V)| numbers, each the number of matching records",
            "3 potential workers, 2 workplaces of different sectors, 2 degrees",
        )
    )


def _rows(table: tuple[str, ...]) -> list[int]:
    """Select Count(*) From D Group By sector: one row for every value that occurs."""
    return [table.count(sector) for sector in SECTORS if sector in table]


def _counts(table: tuple[str, ...]) -> list[int]:
    """The marginal query: one count for every value of the domain (Definition 2.1)."""
    return [table.count(sector) for sector in SECTORS]


AS_IN_SQL = Every(
    "table of records with one attribute of two values",
    cases=lambda: [t for n in range(4) for t in product(SECTORS, repeat=n)],
    holds=lambda table: _rows(table) == _counts(table),
)
IF_ALL_OCCUR = Every(
    "table in which every value occurs",
    cases=lambda: [t for n in range(5) for t in product(SECTORS, repeat=n) if {*t} == {*SECTORS}],
    holds=lambda table: _rows(table) == _counts(table),
    wrong=lambda table: len(_rows(table)) == len(table),
)


ROWS_ARE_CELLS = Equal(
    Integer("|dom(V)|", least=1),
    Integer("occurring", least=0, most=lambda c, cells: cells),
    Integer("records", least=lambda c, cells, occurring: occurring),
    left=lambda c, cells, occurring, records: occurring + 0 * records,
    right=lambda c, cells, occurring, records: cells,
)
"""For any attributes V and any number of records: GROUP BY has a row for each combination of values that
occurs, the marginal query a count for each of dom(V).
"""


@claim(
    "haney2017/def-2.1-sql",
    states=(AS_IN_SQL, ROWS_ARE_CELLS),
    where="Section 2, after Definition 2.1",
    says="The marginal query is 'Select Count(*) From D Group By A1, …, Am'.",
    origin="implied",
)
def group_by_drops_empty_cells() -> Verdict:
    """GROUP BY returns one row per value that occurs. With one record in a domain of two values the
    marginal has two counts, 1 and 0, and the SQL text one row: its length tells which cells are empty, so
    it cannot stand for the vector that a mechanism adds noise to.
    """
    import duckdb  # of an extra: without it this claim alone is not run

    connection = duckdb.connect()
    connection.execute("create table d (sector text)")
    connection.execute("insert into d values ('farm')")
    rows = connection.execute("select count(*) from d group by sector").fetchall()
    universe = _small_universe()
    one_farmer = next(
        t
        for t in universe.datasets()
        if len(t.worker_full()) == 1 and t.worker_full()[0].workplace.id == "e1"
    )
    marginal = MarginalQuery({}, {0: SECTORS}).counts(one_farmer)
    return fails(
        exact.refuted(AS_IN_SQL, case=("farm",)),
        exact.refuted(ROWS_ARE_CELLS, **{"|dom(V)|": 2, "records": 1, "occurring": 1}),
        exhaustive.each(IF_ALL_OCCUR, "up to four records with one of two values, both occurring"),
        exact.compare(len(rows), "==", 1, "rows of the SQL text on one record"),
        exact.compare(len(marginal), "==", 2, "counts of the marginal query on it"),
        counterexample="D = {farm}, dom = {farm, mine}: the marginal is (1, 0), the SQL has one row",
        condition="true if every value of the domain occurs",
    )
