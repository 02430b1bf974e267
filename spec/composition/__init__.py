"""What several releases cost together: exact composition rules, as they are proved."""

from establish.spec.composition.conversions import counted
from establish.spec.composition.definitions import (
    Attribute,
    Definition,
    DifferentialPrivacy,
    ErEe,
    Gedp,
    PerRecordConcentrated,
)
from establish.spec.composition.losses import Approximate, Gaussian, Loss, PerRecord, in_sequence
from establish.spec.composition.marginals import Charge, Marginal, cost_of_marginal, cost_of_sums
from establish.spec.composition.records import read_definition, read_loss
from establish.spec.composition.rules import RULES, Rule

__all__ = [
    "RULES",
    "Approximate",
    "Attribute",
    "Charge",
    "Definition",
    "DifferentialPrivacy",
    "ErEe",
    "Gaussian",
    "Gedp",
    "Loss",
    "Marginal",
    "PerRecord",
    "PerRecordConcentrated",
    "Rule",
    "cost_of_marginal",
    "cost_of_sums",
    "counted",
    "in_sequence",
    "read_definition",
    "read_loss",
]
