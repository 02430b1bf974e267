"""Two solvers of linear programs behind one face: HiGHS in floats, and the exact simplex method.

What HiGHS returns is a hint. It becomes an answer only when whole or rational numbers near it satisfy
the sums and certify the bound exactly, which happens elsewhere.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack

from establish.impl.arrays import Floats, Integers
from establish.impl.suppression.basis import solved
from establish.impl.suppression.programs import Hint, Matrix, Program, Ratios, Vector, scaled, whole
from establish.spec.disclosure_limitation.simplex import optimum

VERTEX = {"presolve": "off", "solver": "simplex", "simplex_strategy": 4}
"""By these options HiGHS goes on from the vertex where it was: the primal simplex method, no presolve."""

FEW = 3
"""Columns for each row that are enough for a point that is low."""

LARGEST_WITHOUT_HIGHS = 60
"""Connected unknowns above which the exact simplex method takes minutes."""


class Infeasible(Exception):
    """No point satisfies the rows and bounds, as far as the solver can tell."""


@dataclass(frozen=True)
class Vertex:
    """A point, and what is basic there: columns by their numbers, row i by −1 − i."""

    point: Floats
    basic: Integers


class Engine(Protocol):
    """Finds the least c·x for changing c."""

    def least(self, cost: Mapping[int, int]) -> Hint | None:
        """None where c·x has no lower bound. Raises Infeasible."""

    def lower(self, cost: Mapping[int, int]) -> Vector | None:
        """A point where c·x is low, if not least, at less effort."""

    def exactly(self, with_dual: bool) -> Hint | None:
        """The last answer of ``least`` without rounding, where that takes another effort and succeeds."""


def highs() -> ModuleType | None:
    """The module ``highspy``, if it is installed."""
    try:
        return importlib.import_module("highspy")
    except ImportError:
        return None


def silent(module: ModuleType, **options: object) -> Any:
    """A solver of HiGHS on one thread that prints nothing: its banner comes when callbacks are enabled."""
    made = type("Silent", (module.Highs,), {"enableCallbacks": lambda _: None})()
    for name, value in ({"output_flag": False, "threads": 1} | options).items():
        made.setOptionValue(name, value)
    return made


def engine(program: Program) -> Engine:
    """The engine that is there."""
    module = highs()
    return ExactEngine(program) if module is None else HighsEngine(program, module)


class HighsEngine:
    """One model whose cost changes: the primal simplex method goes on from the vertex where it was.

    HiGHS' own presolve and its dual simplex would both give up that vertex.
    """

    def __init__(self, program: Program, module: ModuleType, integers: bool = False) -> None:
        self._module: Any = module
        self._highs: Any = silent(module, **({} if integers else VERTEX))
        self._status: Any = module.HighsModelStatus
        self._program = program
        self._cost: dict[int, int] = {}
        self._ends, self._right = _floats(program, module.kHighsInf)
        content = program.matrix.content
        self._highs.passModel(_model(module, content, self._ends, self._right, integers))
        self._wide = hstack([content, eye_array(len(program.rows), dtype=np.int64)], "csc")
        self._elsewhere: Vertex | None = None
        self._draw = np.random.default_rng(0)

    def least(self, cost: Mapping[int, int]) -> Hint | None:
        for place in self._cost.keys() - cost.keys():
            self._highs.changeColCost(place, 0.0)
        for place, value in cost.items():
            self._highs.changeColCost(place, float(value))
        self._cost = dict(cost)
        if self._elsewhere is not None:
            self._start_at(self._highs, np.arange(len(self._program.lower)), self._elsewhere)
            self._elsewhere = None
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == self._status.kOptimal:
            found = self._highs.getSolution()
            return Hint(np.array(found.col_value), np.array(found.row_dual))
        if status in (self._status.kUnbounded, self._status.kUnboundedOrInfeasible):
            return None
        raise Infeasible

    def lower(self, cost: Mapping[int, int]) -> Vector | None:
        """Only some columns move: those of the basis, those with a cost and some others, drawn each time."""
        n, m = len(self._program.lower), len(self._program.rows)
        if n < 2 * FEW * m:
            hint = self.least(cost)
            return None if hint is None else hint.point
        at = self._elsewhere or self._vertex(self._highs, np.arange(n), np.zeros(n))
        moves = self._draw.random(n) < FEW * m / n
        moves[at.basic[at.basic >= 0]] = moves[list(cost)] = True
        columns = np.flatnonzero(moves)
        fixed = np.where(moves, 0.0, at.point)
        content, right = self._program.matrix.content, self._right
        part = silent(self._module, **VERTEX)
        ends = [end[columns] for end in self._ends]
        own = self._wide[:, columns].tocsr()
        part.passModel(_model(self._module, own, ends, right - content @ fixed))
        places = np.array([*cost], dtype=np.int32)
        prices = np.array([*cost.values()], dtype=float)
        part.changeColsCost(len(cost), np.searchsorted(columns, places).astype(np.int32), prices)
        self._start_at(part, columns, at)
        part.run()
        if part.getModelStatus() != self._status.kOptimal:
            return None
        self._elsewhere = self._vertex(part, columns, fixed)
        return self._elsewhere.point

    def _vertex(self, solver: Any, columns: Integers, point: Floats) -> Vertex:
        """Where a solver of some columns stands, and ``point`` in the others."""
        point = point.copy()
        point[columns] = solver.getSolution().col_value
        basic = solver.getBasicVariables()[1]
        return Vertex(point, np.where(basic < 0, basic, columns[np.maximum(basic, 0)]))

    def _start_at(self, solver: Any, columns: Integers, at: Vertex) -> None:
        """Set a solver of some columns to a vertex whose basis they hold."""
        status = self._module.HighsBasisStatus
        basic = np.zeros(len(at.point) + len(self._right), dtype=bool)
        basic[np.where(at.basic < 0, len(at.point) - 1 - at.basic, at.basic)] = True
        low, high = (abs(end - at.point) for end in self._ends)
        state = np.where(low <= high, 0, 1)
        state[np.isinf(low) & np.isinf(high)] = 2
        state[basic[: len(state)]] = 3
        words = [status.kLower, status.kUpper, status.kZero, status.kBasic]
        start = self._module.HighsBasis()
        start.valid = True
        start.col_status = [words[k] for k in state[columns].tolist()]
        start.row_status = [words[3 if own else 0] for own in basic[len(state) :].tolist()]
        solver.setBasis(start)

    def exactly(self, with_dual: bool) -> Hint | None:
        program, basic = self._program, self._highs.getBasicVariables()[1]
        n, own = len(program.lower), np.flatnonzero(basic >= 0)
        square = Matrix(self._wide[:, np.where(basic < 0, n - 1 - basic, basic)].tocsr())
        point = np.array(self._highs.getSolution().col_value)
        point[basic[own]] = 0
        ends = whole(self._end(k, value) if value else 0 for k, value in enumerate(point.tolist()))
        right = whole(program.right) - program.matrix.times(ends)
        found = solved(square, right, lambda v: self._highs.getBasisSolve(v)[1])
        dual: Ratios | None = Ratios(np.zeros(len(right), dtype=np.int64), 1)
        if with_dual:
            aim = whole(self._cost.get(k, 0) for k in basic.tolist())
            turned = Matrix(square.content.T.tocsr())
            dual = solved(turned, aim, lambda v: self._highs.getBasisTransposeSolve(v)[1])
        if found is None or dual is None:
            return None
        numbers = scaled(ends, found.denominator).astype(object)
        numbers[basic[own]] = found.numbers[own]
        return Hint(Ratios(whole(numbers), found.denominator), dual)

    def _end(self, k: int, value: float) -> int:
        """The bound at which an unknown stands that is not basic."""
        ends = self._program.lower[k], self._program.upper[k]
        return min((end for end in ends if end is not None), key=lambda end: abs(end - value), default=0)


def _floats(program: Program, infinite: float) -> tuple[list[Floats], Floats]:
    """The bounds, lower and upper, and the right side."""
    low = np.array([-infinite if v is None else float(v) for v in program.lower])
    high = np.array([infinite if v is None else float(v) for v in program.upper])
    return [low, high], np.array([float(v) for v in program.right])


def _model(
    module: ModuleType, content: csr_array, ends: Sequence[Floats], right: Floats,
    integers: bool = False,
) -> Any:  # fmt: skip
    model = module.HighsLp()
    model.num_row_, model.num_col_ = content.shape
    model.col_cost_ = np.zeros(model.num_col_)
    model.col_lower_, model.col_upper_ = ends
    model.row_lower_ = model.row_upper_ = right
    matrix = model.a_matrix_
    matrix.format_ = module.MatrixFormat.kRowwise
    matrix.start_, matrix.index_, matrix.value_ = content.indptr, content.indices, content.data.astype(float)
    if integers:
        model.integrality_ = [module.HighsVarType.kInteger] * model.num_col_
    return model


class ExactEngine:
    """The exact simplex method of ``spec``, from the start each time: for small tables."""

    def __init__(self, program: Program) -> None:
        self._program = program
        n = len(program.lower)
        # Column k of the standard form is sign·(x − base) of an unknown; a free one has two columns.
        self._columns: list[tuple[int, int, int]] = []
        for at, (low, high) in enumerate(zip(program.lower, program.upper, strict=True)):
            if low is not None:
                self._columns.append((at, 1, low))
            elif high is not None:
                self._columns.append((at, -1, high))
            else:
                self._columns += [(at, 1, 0), (at, -1, 0)]
        base = [0] * n
        for at, _, start in self._columns:
            base[at] = start
        self._base = base
        boxed = [
            (k, at)
            for k, (at, _, _) in enumerate(self._columns)
            if program.lower[at] is not None and program.upper[at] is not None
        ]
        width = len(self._columns) + len(boxed)
        self._rows = [
            [Fraction(row.get(at, 0) * sign) for at, sign, _ in self._columns] + [Fraction(0)] * len(boxed)
            for row in program.rows
        ]
        self._right = [
            Fraction(right - sum(value * base[at] for at, value in row.items()))
            for row, right in zip(program.rows, program.right, strict=True)
        ]
        for slack, (k, at) in enumerate(boxed, start=len(self._columns)):
            self._rows.append([Fraction(j in (k, slack)) for j in range(width)])
            self._right.append(Fraction((program.upper[at] or 0) - (program.lower[at] or 0)))
        self._width = width

    def least(self, cost: Mapping[int, int]) -> Hint | None:
        aim = [Fraction(-cost.get(at, 0) * sign) for at, sign, _ in self._columns]
        aim += [Fraction(0)] * (self._width - len(aim))
        try:
            found = optimum(aim, self._rows, self._right)
        except ValueError:
            raise Infeasible from None
        if found is None:
            return None
        point = [Fraction(value) for value in self._base]
        for k, (at, sign, _) in enumerate(self._columns):
            point[at] += sign * found.point[k]
        dual = [-value for value in found.dual[: len(self._program.rows)]]
        return Hint(Ratios.of(point), Ratios.of(dual))

    def lower(self, cost: Mapping[int, int]) -> Vector | None:
        hint = self.least(cost)
        return None if hint is None else hint.point

    def exactly(self, with_dual: bool) -> Hint | None:
        return None
