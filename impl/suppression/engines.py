"""Two solvers of linear programs behind one face: HiGHS in floats, and the exact simplex method.

What HiGHS returns is a hint. It becomes an answer only when whole or rational numbers near it satisfy
the sums and certify the bound exactly, which happens elsewhere.
"""

import importlib
from collections.abc import Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from scipy.sparse import eye_array, hstack

from establish.impl.suppression.basis import solved
from establish.impl.suppression.programs import Hint, Matrix, Program, Ratios, scaled, whole
from establish.spec.disclosure_limitation.simplex import optimum

LARGEST_WITHOUT_HIGHS = 60
"""Connected unknowns above which the exact simplex method takes minutes."""


class Infeasible(Exception):
    """No point satisfies the rows and bounds, as far as the solver can tell."""


class Engine(Protocol):
    """Finds the least c·x for changing c."""

    def least(self, cost: Mapping[int, int]) -> Hint | None:
        """None where c·x has no lower bound. Raises Infeasible."""

    def exactly(self, with_dual: bool) -> Hint | None:
        """The last answer without rounding, where that takes another effort and succeeds."""


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
        vertex = {"presolve": "off", "solver": "simplex", "simplex_strategy": 4}
        self._highs: Any = silent(module, **({} if integers else vertex))
        self._status: Any = module.HighsModelStatus
        self._program = program
        self._cost: dict[int, int] = {}
        self._highs.passModel(_model(program, module, integers))
        self._wide = hstack([program.matrix.content, eye_array(len(program.rows), dtype=np.int64)], "csc")

    def least(self, cost: Mapping[int, int]) -> Hint | None:
        for place in self._cost.keys() - cost.keys():
            self._highs.changeColCost(place, 0.0)
        for place, value in cost.items():
            self._highs.changeColCost(place, float(value))
        self._cost = dict(cost)
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == self._status.kOptimal:
            found = self._highs.getSolution()
            return Hint(np.array(found.col_value), np.array(found.row_dual))
        if status in (self._status.kUnbounded, self._status.kUnboundedOrInfeasible):
            return None
        raise Infeasible

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


def _model(program: Program, module: ModuleType, integers: bool) -> Any:
    infinite = module.kHighsInf
    model = module.HighsLp()
    model.num_col_, model.num_row_ = len(program.lower), len(program.rows)
    model.col_cost_ = np.zeros(len(program.lower))
    model.col_lower_ = np.array([-infinite if v is None else float(v) for v in program.lower])
    model.col_upper_ = np.array([infinite if v is None else float(v) for v in program.upper])
    model.row_lower_ = model.row_upper_ = np.array([float(v) for v in program.right])
    matrix = model.a_matrix_
    matrix.format_ = module.MatrixFormat.kRowwise
    content = program.matrix.content
    matrix.start_, matrix.index_, matrix.value_ = content.indptr, content.indices, content.data.astype(float)
    if integers:
        model.integrality_ = [module.HighsVarType.kInteger] * len(program.lower)
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

    def exactly(self, with_dual: bool) -> Hint | None:
        return None
