"""For all values of some variables that meet some propositions, a proposition: named by its digest."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from establish.proofs_check.terms.trees import NotATerm, Prop, Term, below, parts

REVERSED = {">": "<", ">=": "<="}
"""Relations that are said from the right."""


def prop(left: Term, relation: str, right: Term) -> Prop:
    """``left relation right``, for > and ≥ too."""
    if relation in REVERSED:
        return Prop(right, REVERSED[relation], left)
    return Prop(left, relation, right)


@dataclass(frozen=True, eq=False)
class Sentence:
    """For all values of the variables that meet ``given``: the conclusion. This is all that it says."""

    variables: tuple[Term, ...]
    given: tuple[Prop, ...]
    conclusion: Prop

    @cached_property
    def data(self) -> dict[str, Any]:
        """As JSON, without the names of the variables: what the digest is of, and what `recheck` reads."""
        props = (*self.given, self.conclusion)
        order = parts([*self.variables, *(side for p in props for side in (p.left, p.right))])
        place = {id(term): i for i, term in enumerate(order)}
        names = {id(term): i for i, term in enumerate(self.variables)}

        def told(term: Term) -> list[Any]:
            if term.op == "number":
                return ["number", str(term.data)]
            if term.op == "variable":
                if id(term) not in names:
                    raise NotATerm(f"{term.data[0]} is no variable of the sentence")
                return ["variable", names[id(term)], term.data[1]]
            if term.op == "computed":
                return ["computed", term.data.digest, *(place[id(t)] for t in term.args)]
            if term.op == "where":
                return ["where", term.args[0].relation, *(place[id(t)] for t in below(term))]
            return [term.op, *(place[id(t)] for t in term.args)]

        said = [[place[id(p.left)], p.relation, place[id(p.right)]] for p in props]
        return {"nodes": [told(t) for t in order], "given": said[:-1], "conclusion": said[-1]}

    @cached_property
    def digest(self) -> str:
        printed = json.dumps(self.data, separators=(",", ":"))
        return hashlib.sha256(printed.encode()).hexdigest()
