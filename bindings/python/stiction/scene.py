"""Scenes as dicts: the same tables and fields as in scene files."""
from __future__ import annotations

import math
import os
import re
from typing import Any, List, Mapping, Optional, Tuple

_bare_key = re.compile(r"[A-Za-z0-9_-]+\Z")


def _key(name: str) -> str:
    return name if _bare_key.match(name) else _text(name)


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04X}" for c in escaped) + '"'


def _value(value: Any) -> str:
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
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    raise TypeError(f"a scene cannot hold {value!r}")


def to_toml(scene: Mapping[str, Any]) -> str:
    """The text of a scene given as a dict: {"world": {"gravity": [0, 0, -9.81]}, "body": {"ball": {...}}, ...}."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in scene.items())


def format_value(value: Any) -> str:
    """As --set takes it: numbers, lists and dicts as TOML; text as it is ("2 kg", "cone", "[0, 0, -5]")."""
    return value if isinstance(value, str) and "\n" not in value else _value(value)


def to_text(scene: Any) -> str:
    """A scene given as text or as a dict, as text."""
    return to_toml(scene) if isinstance(scene, Mapping) else str(scene)


def to_source(scene: Any, set: Optional[Mapping[str, Any]]) -> Tuple[str, bool, List[str]]:  # noqa: A002
    """A scene as text, or the name of its file; which of the two; and the overrides."""
    overrides = [f"{path}={format_value(value)}" for path, value in (set or {}).items()]
    if isinstance(scene, Mapping):
        return to_toml(scene), False, overrides
    if isinstance(scene, str) and "\n" in scene:
        return scene, False, overrides
    return os.fspath(scene), True, overrides
