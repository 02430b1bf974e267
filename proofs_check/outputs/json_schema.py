"""The JSON Schema (2020-12) of a type: of TypedDicts and dataclasses, and lists, dicts, unions of them."""

import dataclasses
import inspect
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def of_type(kind: Any) -> dict[str, Any]:
    """Its schema, and each `Keyword` that `Annotated` adds. Raises TypeError for a type that JSON lacks."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if origin is Annotated:
        found = of_type(parts[0]) | dict(parts[1:])
        return {"enum": found["enum"]} if "enum" in found else found
    if kind in NAMES:
        return {"type": NAMES[kind]}
    if origin is Literal:
        return {"const": parts[0]} if len(parts) == 1 else {"enum": list(parts)}
    if origin in (Union, UnionType):
        return {"anyOf": [of_type(part) for part in parts]}
    if origin in (list, tuple):
        return {"type": "array", "items": of_type(parts[0])} | _number(origin, parts)
    if origin is dict:
        keys = {name: rule for name, rule in of_type(parts[0]).items() if name != "type"}
        return {
            "type": "object",
            **({"propertyNames": keys} if keys else {}),
            "additionalProperties": of_type(parts[1]),
        }
    return _object(kind)


def _number(origin: type, parts: tuple[Any, ...]) -> dict[str, int]:
    """How many items an array has, where that is fixed."""
    if origin is list or parts[1:] == (...,):
        return {}
    if any(part != parts[0] for part in parts):
        raise TypeError(f"the items of {parts} differ in type")
    return {"minItems": len(parts), "maxItems": len(parts)}


def _object(kind: Any) -> dict[str, Any]:
    if not is_typeddict(kind) and not dataclasses.is_dataclass(kind):
        raise TypeError(f"{kind} is no type of what is printed")
    hints = get_type_hints(kind, include_extras=True)
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    return {
        "type": "object",
        "properties": {
            name: of_type(get_args(hint)[0] if name in optional else hint) for name, hint in hints.items()
        },
        "required": [name for name in hints if name not in optional],
        "additionalProperties": False,
    }


def described(kind: Any) -> str:
    """The first line of what its rows say of themselves, which a `Keyword` may replace."""
    row = kind
    while row is not None and get_args(row):
        row = get_args(row)[0]
    return (inspect.getdoc(row) or "").partition("\n")[0]
