"""A JSON Schema says what its type says, and the words of an output are those of the code."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict, get_args

import pytest

from establish.proofs_check.engine.verdicts import NOT_RUN, Grade, Outcome
from establish.proofs_check.outputs import words
from establish.proofs_check.outputs.json_schema import described, of_type


class Row(TypedDict):
    """A row.

    And more of it.
    """

    name: str
    note: NotRequired[str | None]


ROW = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (Row, ROW),
        (Any, {}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
        (tuple[Row], {"type": "array", "items": ROW, "minItems": 1, "maxItems": 1}),
        (tuple[float, float], {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
        (dict[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
        (
            dict[words.Whole, int],
            {
                "type": "object",
                "propertyNames": {"pattern": "^[0-9]+$"},
                "additionalProperties": {"type": "integer"},
            },
        ),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (Literal[2], {"const": 2}),
        (Annotated[int, words.Keyword("minimum", 1)], {"type": "integer", "minimum": 1}),
        (Annotated[str, words.one_of("a", "b")], {"enum": ("a", "b")}),
    ],
)
def test_a_type_gives_its_schema(kind, schema):
    assert of_type(kind) == schema


@pytest.mark.parametrize("kind", [tuple[int, str], Sequence, object, set[int], list[object]])
def test_what_json_does_not_have_is_refused(kind):
    with pytest.raises(TypeError):
        of_type(kind)


def test_a_schema_is_described_by_its_rows():
    assert described(Row) == described(list[Row]) == described(tuple[Row]) == "A row."


def test_the_words_are_those_of_the_engine():
    ((_, grades),) = get_args(words.Grade)[1:]
    assert set(grades) == {"", *Grade}
    assert set(words.VERDICTS) == {*Outcome, NOT_RUN}
