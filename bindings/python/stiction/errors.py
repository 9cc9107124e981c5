"""What can go wrong, as exceptions."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Tuple

if TYPE_CHECKING:
    from ._core import Fault, StepReport


class SceneError(ValueError):
    """A scene, a name or an argument is wrong. `faults` has all that is, each with file, line, path, message, hint."""

    def __init__(self, message: str, faults: "List[Fault]") -> None:
        super().__init__(message)
        self.faults = faults

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.faults)


class StepError(RuntimeError):
    """A step failed: it diverged, or constraints cannot hold. The simulation keeps its last good state."""

    def __init__(self, message: str, report: "StepReport") -> None:
        super().__init__(message)
        self.report = report

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.report)
