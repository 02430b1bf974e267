"""One job replaced by another: the predicate and the enumerator agree, and the number of jobs stays."""

import math

from establish.spec.relations.substitution import JobSubstitution
from establish.spec.tables import Tables, Worker, Workplace
from establish.spec.universe import Universe

UNIVERSE = Universe((Workplace("e1"), Workplace("e2")), ("w1", "w2"), (("f",), ("m",)))
RELATION = JobSubstitution(UNIVERSE)


def at(**places):
    """at(w1="e1 f") is the table in which only w1 works."""
    split = {id: place.split() for id, place in places.items()}
    workers = tuple(Worker(id, (value,)) for id, (_, value) in split.items())
    return Tables(UNIVERSE.workplaces, workers, tuple((id, e) for id, (e, _) in split.items()))


def test_a_job_may_change_worker_workplace_and_values_at_once():
    assert RELATION.related(at(w1="e1 f"), at(w1="e1 m"))
    assert RELATION.related(at(w1="e1 f"), at(w2="e2 m"))
    assert not RELATION.related(at(w1="e1 f"), at(w1="e1 f"))
    assert not RELATION.related(at(w1="e1 f", w2="e1 f"), at(w1="e1 m", w2="e1 m"))


def test_tables_with_different_numbers_of_jobs_are_infinitely_far():
    assert not RELATION.related(at(), at(w1="e1 f"))
    assert RELATION.distance(at(), at(w1="e1 f")) == math.inf
