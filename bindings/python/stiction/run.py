"""A recorded run."""
from __future__ import annotations

import difflib
import os
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core


class Run:
    """A run and what was recorded of it. run["ball.position.z"] are the samples of a signal at the times run.t."""

    def __init__(self, recorded: _core.RecordedRun, folder: Union[str, "os.PathLike[str]", None] = None,
                 again: "Optional[Callable[[str], Run]]" = None) -> None:
        self._run = recorded
        self._again = again
        self._index = {info.name: i for i, info in enumerate(recorded.signals)}
        self.folder: Optional[str] = os.fspath(folder) if folder else None

    # What the run says of itself.
    status = property(lambda self: self._run.status, doc="completed, diverged, limit, interrupted or failed.")
    message = property(lambda self: self._run.message, doc="Why it stopped, if not completed.")
    hash = property(lambda self: self._run.hash, doc="Of the final state: the same bits give the same 16 digits.")
    verdict = property(lambda self: self._run.verdict, doc="trustworthy, look closer or do not trust.")
    reasons = property(lambda self: self._run.reasons, doc="What is not trustworthy, the worst first.")
    warnings = property(lambda self: self._run.warnings)
    events = property(lambda self: self._run.events, doc="Events in the order of their times.")
    signals = property(lambda self: self._run.signals, doc="Names and units of what was recorded.")
    audit = property(lambda self: self._run.audit, doc="Worst value of each audit signal.")
    title = property(lambda self: self._run.title)
    steps = property(lambda self: self._run.steps)

    @property
    def t(self) -> NDArray[np.float64]:
        """Times of the samples [s]; a view."""
        return np.asarray(self._run.times)

    def _find(self, name: str) -> int:
        index = self._index.get(name)
        if index is None:
            near = difflib.get_close_matches(name, self._index, 1)
            raise KeyError(f'there is no signal "{name}"' + (f'; did you mean "{near[0]}"?' if near else ""))
        return index

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """Samples of a signal; a view, not a copy."""
        return np.asarray(self._run.samples(self._find(name)))

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def unit(self, name: str) -> str:
        return self._run.signals[self._find(name)].unit

    def contacts(self, t: float) -> List[Dict[str, Any]]:
        """Contacts at the sample nearest to t: shapes a and b, position, normal (a to b), gap, force and moment on b,
        slip of b's surface against a's, mode (open, stick, slip)."""
        rows = self._contact_rows()
        if len(rows) == 0:
            return []
        nearest = self.t[np.argmin(np.abs(self.t - t))]
        at = {name: i for i, name in enumerate(_core.contact_columns())}
        names, step = self._run.contact_shapes, self._run.step

        def vector(row: NDArray[np.float64], name: str) -> NDArray[np.float64]:
            return row[at[name + ".x"]:at[name + ".z"] + 1]

        return [{"a": names[int(r[at["a"]])], "b": names[int(r[at["b"]])], "position": vector(r, "position"),
                 "normal": vector(r, "normal"), "gap": r[at["gap"]], "force": vector(r, "impulse") / step,
                 "moment": vector(r, "moment") / step, "slip": vector(r, "slip"),
                 "mode": ("open", "stick", "slip")[int(r[at["mode"]])]} for r in rows[rows[:, at["time"]] == nearest]]

    def _contact_rows(self) -> NDArray[np.float64]:
        if not hasattr(self, "_rows"):
            self._rows: NDArray[np.float64] = np.asarray(self._run.contact_rows())
        return self._rows

    def to_pandas(self) -> Any:
        """All signals as a pandas.DataFrame, indexed by time."""
        import pandas
        return pandas.DataFrame({name: self[name] for name in self}, index=pandas.Index(self.t, name="t"))

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draw signals over time with matplotlib; returns the axes."""
        if not names:
            raise ValueError('which signals? run.plot("rod.position.y"); list(run) has their names')
        import matplotlib.pyplot as plt
        axes = axes if axes is not None else plt.subplots()[1]
        for name in names:
            axes.plot(self.t, self[name], label=f"{name} [{self.unit(name)}]")
        axes.set_xlabel("t [s]")
        axes.legend()
        return axes

    def report(self) -> str:
        """The report page, one HTML file: 3D replay, plots, audit. A run that was not stored is run again for it."""
        if self.folder is not None:
            return _core.make_report([self.folder])
        if self._again is None:
            raise ValueError("a run of a Simulation is in memory only: give run(..., out=folder)")
        with tempfile.TemporaryDirectory() as temporary:
            folder = os.path.join(temporary, "run")
            stored = self._again(folder)
            if stored.hash != self.hash:
                raise ValueError("the scene has changed since it was run: give run(..., out=folder)")
            return _core.make_report([folder])

    def view(self, height: int = 600) -> Any:
        """The report page, inline in Jupyter; elsewhere its text."""
        html = self.report()
        try:
            from IPython.display import HTML
        except ImportError:
            return html
        from html import escape
        frame = f'<iframe srcdoc="{escape(html)}" style="width:100%;height:{height}px;border:0"></iframe>'
        return HTML(f"<div>{frame}</div>")  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<stiction.Run '{self.title}': {self.status}, {self.verdict}, {len(self.t)} samples>"
