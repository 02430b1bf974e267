"""Where a statement is defined: its trees owe it, and no method shows what is not shown to be defined."""

from collections.abc import Sequence
from dataclasses import replace

import z3

from establish.proofs_check.engine.methods.reading import Reading, relation
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import WORDS
from establish.proofs_check.engine.statements.terms import TEXT
from establish.proofs_check.engine.statements.terms import Term as Text
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.formula import Tree
from establish.proofs_check.terms.owed import obligations
from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.signs import follows, signs_known
from establish.proofs_check.terms.trees import Prop, Term, parts
from establish.proofs_check.terms.values import compared

EFFORT = 3_000_000
"""How many steps z3 may take for one obligation."""


def where_defined(found: Evidence, statement: Comparison) -> Evidence:
    """The evidence as it is, where it shows nothing or the statement is defined at every point of its domain;
    otherwise undecided, and the witness says what is owed.
    """
    if found.established is not True:
        return found
    open_ = not_shown(statement.sentence)
    return replace(found, established=None, witness=open_) if open_ else found


def not_shown(sentence: Sentence) -> str:
    """What a sentence owes to be defined and is not shown, in words; empty where all is."""
    for one in obligations(sentence):
        if not _shown(_Named(one.digest, one)):
            return f"it must be defined, and it is not shown that {said(one)}"
    return ""


class _Named:
    """A sentence as the key of a question that is asked once."""

    def __init__(self, digest: str, sentence: Sentence) -> None:
        self.digest, self.sentence = digest, sentence

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


@shared
def _shown(named: _Named) -> bool:
    sentence = named.sentence
    conclusion = sentence.conclusion
    constant = all(t.op != "variable" for t in parts([conclusion.left, conclusion.right]))
    if constant and compared(conclusion, {}).truth:
        return True
    return follows(sentence.given, conclusion) or _solved(sentence)


def _solved(sentence: Sentence) -> bool:
    """Whether the solver finds no point at which all is given and the conclusion false."""
    c = Reading()
    terms = [z3.Real(v.data[0]) for v in sentence.variables]

    def told(p: Prop) -> z3.BoolRef:
        left, right = (Tree(side, sentence.variables)(c, *terms) for side in (p.left, p.right))
        return relation(left, p.relation, right, c)

    try:
        sides = [side for p in (*sentence.given, sentence.conclusion) for side in (p.left, p.right)]
        known = signs_known(sentence.given, sides)
        claims = [*map(told, (*sentence.given, *known)), z3.Not(told(sentence.conclusion))]
        for t in parts(sides):
            if t.op == "exp":  # ln e^x = x, so that it is compared with other logarithms
                c.log(Tree(t, sentence.variables)(c, *terms))
            if t.op == "log":  # strictly, beside what is told of every logarithm
                value, x = (Tree(one, sentence.variables)(c, *terms) for one in (t, t.args[0]))
                claims.append(z3.Implies(z3.And(x > 0, x != 1), value < x - 1))
    except TypeError:  # a function of which the solver is told nothing
        return False
    solver = z3.Solver(ctx=(context := z3.Context()))
    solver.set("rlimit", EFFORT)
    solver.add(*(one.translate(context) for one in (*claims, *c.facts())))
    return bool(solver.check() == z3.unsat)


def said(sentence: Sentence) -> str:
    """The conclusion of a sentence, as text."""
    p = sentence.conclusion
    return f"{_text(p.left, sentence.variables)} {WORDS[p.relation]} {_text(p.right, sentence.variables)}"


def _text(term: Term, variables: Sequence[Term]) -> str:
    try:
        return str(Tree(term, tuple(variables))(TEXT, *(Text(v.data[0]) for v in variables)))
    except TypeError:
        return "a formula that branches"
