"""Scenes as dicts or as tables (stiction.tables): the same tables and fields as in scene files."""
from __future__ import annotations

import dataclasses
import difflib
import math
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

if TYPE_CHECKING:
    from ._core import Fault

_examples = pathlib.Path(__file__).parent / "examples"
_bare_key = re.compile(r"[A-Za-z0-9_-]+\Z")


class Table:
    """A table of a scene file; stiction.tables has them all. Only what is given is written."""

    def __setattr__(self, name: str, value: Any) -> None:
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            raise AttributeError(f'{type(self).__name__} has no field "{name}"' + (f'; did you mean "{near[0]}"?' if near else ""))
        super().__setattr__(name, value)

    def to_dict(self) -> Dict[str, Any]:
        """What was given, by the names of scene files."""
        given = {field.name.rstrip("_"): getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in given.items() if value is not None and not (isinstance(value, dict) and not value)}

    def to_toml(self) -> str:
        """The text of the table; of a scene, its file."""
        return to_toml(self)

    def check(self) -> "List[Fault]":
        """All that is wrong with a scene; an empty list if nothing is."""
        from ._core import Simulation
        from .errors import SceneError
        try:
            Simulation(self)
        except SceneError as error:
            return error.faults
        return []


def _key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"keys of a scene are texts, got {name!r}")
    return name if _bare_key.match(name) else _text(name)


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04X}" for c in escaped) + '"'


def _value(value: Any, path: str) -> str:
    if hasattr(value, "tolist"):  # numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Table):
        value = value.to_dict()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v, f'{path}.{k}')}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, path) for v in value) + "]"
    raise TypeError(f"{path}: a scene cannot hold {value!r}")


def to_toml(scene: "Mapping[str, Any] | Table") -> str:
    """The text of a scene given as a dict, {"world": {"gravity": [0, 0, -9.81]}, "body": {"ball": {...}}}, or as tables."""
    tables = scene.to_dict() if isinstance(scene, Table) else scene
    return "".join(f"{_key(name)} = {_value(value, name)}\n" for name, value in tables.items())


def format_value(value: Any, path: str) -> str:
    """As --set takes it: numbers, lists and dicts as TOML; text as it is ("2 kg", "cone", "[0, 0, -5]")."""
    return value if isinstance(value, str) and "\n" not in value else _value(value, path)


def to_text(scene: Any) -> str:
    """A scene given as text, as the path of a file, as a dict or as tables, as text."""
    text, is_file, _ = to_source(scene, None)
    if not is_file:
        return text
    with open(text, encoding="utf-8") as file:
        return file.read()


def to_source(scene: Any, set: Optional[Mapping[str, Any]]) -> Tuple[str, bool, List[str]]:  # noqa: A002
    """A scene as text, or the name of its file; which of the two; and the overrides."""
    if set is not None and not isinstance(set, Mapping):
        raise TypeError(f'set is a dict of paths and values, as {{"time.step": 1e-4}}, got {set!r}')
    overrides = [f"{path}={format_value(value, path)}" for path, value in (set or {}).items()]
    if isinstance(scene, (Mapping, Table)):
        return to_toml(scene), False, overrides
    if isinstance(scene, str) and "\n" in scene:
        return scene, False, overrides
    path = os.fsdecode(scene)
    if not os.path.exists(path):
        hint = f'; did you mean stiction.example("{path}")?' if (_examples / f"{path}.toml").exists() else \
            "; the text of a scene has a line break" if "=" in path or "[" in path else ""
        raise FileNotFoundError(f'cannot read the scene "{path}": no such file{hint}')
    return path, True, overrides
