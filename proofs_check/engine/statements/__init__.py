"""Statements as objects: written once over ``establish.spec``, printed, searched and settled as they are.

Each is loaded when it is first used, so that a command that needs none starts at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from establish.proofs_check.engine.lazy import loader

if TYPE_CHECKING:
    from establish.proofs_check.engine.statements.additive import Additive, AddsNoise, TotalError
    from establish.proofs_check.engine.statements.additive_errors import (
        NoAdditiveErrorBelow,
        NoSmallerAdditiveError,
    )
    from establish.proofs_check.engine.statements.between_densities import BetweenDensities
    from establish.proofs_check.engine.statements.cases import Every, EveryCase
    from establish.proofs_check.engine.statements.chains import ChainOfNeighbors, Chains
    from establish.proofs_check.engine.statements.comparison import AtMost, Below, Compares, Comparison, Equal
    from establish.proofs_check.engine.statements.composition import AdaptiveComposition, Composes
    from establish.proofs_check.engine.statements.divergence import Divergence, Diverges
    from establish.proofs_check.engine.statements.domain import Condition, Domain, computed, given, within
    from establish.proofs_check.engine.statements.every_pair import EveryPair, PairsOfLaws
    from establish.proofs_check.engine.statements.experiments import InExperiment, Measured, OfExperiment
    from establish.proofs_check.engine.statements.finite_laws import FiniteLaws
    from establish.proofs_check.engine.statements.firms import FirmPrivate, OfFirm
    from establish.proofs_check.engine.statements.fixed_total import LeastAtEqualShares, LeastWhenEqual
    from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate, Gedp
    from establish.proofs_check.engine.statements.gaussian_chains import GaussianChain, GaussianChains
    from establish.proofs_check.engine.statements.heterogeneous import UnderBoth
    from establish.proofs_check.engine.statements.implication import Implication, Implies
    from establish.proofs_check.engine.statements.indistinguishable import (
        Indistinguishability,
        Indistinguishable,
    )
    from establish.proofs_check.engine.statements.integrals import Integral, IntegralFromZero
    from establish.proofs_check.engine.statements.laws import (
        AddUp,
        ConvergesInProbability,
        InProbability,
        SumsOfIndependent,
    )
    from establish.proofs_check.engine.statements.limits import (
        NoLimitBelow,
        NoSmallerLimit,
        NoSmallerStepError,
        NoStepErrorBelow,
    )
    from establish.proofs_check.engine.statements.linear_tables import (
        Combination,
        Combines,
        DualBound,
        DualsBound,
    )
    from establish.proofs_check.engine.statements.maximum import HasMaximum, Maximum
    from establish.proofs_check.engine.statements.mean_errors import NoMeanErrorBelow, NoSmallerMeanError
    from establish.proofs_check.engine.statements.moments import Moment
    from establish.proofs_check.engine.statements.multiples import AtNoMultiple, NoMultiple
    from establish.proofs_check.engine.statements.neighbor_class import ClassByIntervals
    from establish.proofs_check.engine.statements.neighbor_functions import ComparisonOfPsi, EveryPsi
    from establish.proofs_check.engine.statements.normal_noise import AddsNormalNoise, NormalNoise
    from establish.proofs_check.engine.statements.of_order import Bounded, OfOrder
    from establish.proofs_check.engine.statements.one_draw import OneDraw
    from establish.proofs_check.engine.statements.parts import OfParts, ReleasesOfParts
    from establish.proofs_check.engine.statements.per_record import PrivatePerRecord, RecordsPrivate
    from establish.proofs_check.engine.statements.printed import Printed
    from establish.proofs_check.engine.statements.privacy import Private, Satisfies
    from establish.proofs_check.engine.statements.releases import InTurn, ReleasesTogether, Together
    from establish.proofs_check.engine.statements.slopes import CombinedFunctions, Smooth
    from establish.proofs_check.engine.statements.smooth_noise import Smoothed
    from establish.proofs_check.engine.statements.statement import Formula, Side, Statement, StatementError
    from establish.proofs_check.engine.statements.sums import EverySum, Sums
    from establish.proofs_check.engine.statements.tests_of_laws import EventsAndTests
    from establish.proofs_check.engine.statements.variables import Bound, Integer, Rational, Real, Variable

__getattr__ = loader(__name__)
