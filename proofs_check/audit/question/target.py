"""The mechanism and the pairs of neighbors that a command line names."""

import difflib
import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import Pair


def load(target: str) -> Any:
    """The object that ``path/file.py:name`` or ``package.module:name`` names.

    A class that is not itself a mechanism is called without arguments. Raises AuditError when the file,
    the module or the name does not exist, or the import raises.
    """
    place, colon, name = target.rpartition(":")
    if not (colon and place and name):
        raise AuditError(
            f"TARGET = {target} is not understood: write path/file.py:name or package.module:name"
        )
    found: Any = _module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, dir(found), n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise AuditError(f"TARGET = {target}: {place} has no {name}{meant}")
        found = getattr(found, part)
    if not isinstance(found, type):
        return found
    try:
        return found()
    except Exception as error:
        raise AuditError(
            f"TARGET = {target}: the class could not be called without arguments: {error}"
        ) from error


def read_pairs(file: str) -> list[Pair]:
    """The pairs of datasets in a JSON file, [[D, D'], ...]; lists become tuples.

    Raises AuditError when there is no such file, or it holds something else.
    """
    try:
        held = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise AuditError(f"pairs: {file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise AuditError(f"pairs: {file} is not JSON: {error}") from error
    if not isinstance(held, list):
        raise AuditError(f"pairs: {file} holds no list of pairs: write [[[20], [22]], ...]")
    if not held:
        raise AuditError(f"pairs: {file} holds no pairs")
    return [_tuples(pair) for pair in held]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _module(place: str) -> ModuleType:
    if place.endswith(".py"):
        path = Path(place)
        if not path.is_file():
            raise AuditError(f"TARGET: there is no file {place}")
        spec = importlib.util.spec_from_file_location(f"_audited_{path.stem}", path)
        assert spec is not None, "a .py file has a loader"
        assert spec.loader is not None, "a .py file has a loader"
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        folder = str(Path(os.path.realpath(path)).parent)
        sys.path.insert(0, folder)
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            raise AuditError(f"TARGET: {place} could not be read: {type(error).__name__}: {error}") from error
        finally:
            sys.path.remove(folder)
        return module
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        missing = error.name or place
        if place == missing or place.startswith(f"{missing}."):
            raise AuditError(f"TARGET: there is no module {place}") from error
        raise AuditError(f"TARGET: {place} could not be read: {error}") from error
    except Exception as error:
        raise AuditError(f"TARGET: {place} could not be read: {type(error).__name__}: {error}") from error
