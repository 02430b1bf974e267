"""Files of JSON of which each line is an entry, so that git shows what changed."""

import json
from collections.abc import Mapping


def text_of(content: Mapping[str, object]) -> str:
    """The content as JSON: a line for each entry of a dict in it, and for each other value."""
    parts = (f"{_json(name)}: {_entries(part)}" for name, part in content.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _entries(part: object) -> str:
    if not isinstance(part, dict) or not part:
        return _json(part)
    return "{\n" + ",\n".join(f"{_json(name)}: {_json(value)}" for name, value in part.items()) + "\n}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
