"""Stiction: rigid and compliant contact, with every step audited.

    import stiction
    run = stiction.run(stiction.example("falling_rod"), set={"time.duration": 1.0})
    run.verdict                     # 'trustworthy'
    run["rod.position.y"]           # a numpy array, not a copy
    run.plot("rod.position.y")

    simulation = stiction.Simulation("my_scene.toml")
    while simulation.time < 1.0:
        simulation.set_force("rod", (0.0, 1.0, 0.0))
        simulation.step()

SI units and world axes everywhere; the names are those of scene files and of `stiction info --signals`.
"""
from __future__ import annotations

import difflib
import functools
import os
import pathlib
from typing import Any, List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, tables
from ._core import Contact, ContactOutput, ContactPair, Event, Fault, InternalError, Judgement, Signal, Simulation, StepReport
from .errors import SceneError, StepError
from .run import Run
from .scene import Table, to_toml
from .tables import Scene

__version__: str = getattr(_core, "__version__")

__all__ = [
    "Contact", "ContactOutput", "ContactPair", "Event", "Fault", "InternalError", "Judgement", "Run", "Scene", "SceneError", "Signal", "Simulation", "StepError",
    "StepReport", "example", "examples", "open", "rollout", "run", "tables", "to_toml", "__version__",
]

_example_folder = pathlib.Path(__file__).parent / "examples"

SceneLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Table, Simulation]


def run(scene: SceneLike, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
        out: Union[str, "os.PathLike[str]", None] = None, progress: bool = False) -> Run:
    """Simulate a scene from its start to its end, recorded as `stiction run` does, to the same bits.

    out: a folder to store the run in, for stiction view and others; without it the run stays in memory.
    progress: show a bar (tqdm, if it is installed).
    """
    if isinstance(scene, Simulation) and set:
        raise ValueError("a Simulation is run as it is: set fields with its own set()")
    simulation = scene if isinstance(scene, Simulation) else Simulation(scene, set)
    # What Run.view() runs again where the run was not stored.
    again = None if isinstance(scene, Simulation) else functools.partial(run, scene, set)
    folder = os.fspath(out) if out else ""
    tqdm = _find_tqdm() if progress else None
    if tqdm is None:
        return Run(_core.run_simulation(simulation, folder=folder), out, again)
    with tqdm(total=simulation.duration, unit="s", unit_scale=True) as bar:
        return Run(_core.run_simulation(simulation, folder=folder, progress=lambda t, _: bar.update(t - bar.n)), out, again)


def _find_tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def examples() -> List[str]:
    """Names of the scenes that come with the package, as `stiction examples` lists them."""
    return sorted(path.stem for path in _example_folder.glob("*.toml"))


def example(name: str) -> pathlib.Path:
    """The file of such a scene: stiction.run(stiction.example("falling_rod"))."""
    if name not in examples():
        near = difflib.get_close_matches(name, examples(), 1)
        raise KeyError(f'there is no example "{name}"' + (f'; did you mean "{near[0]}"?' if near else ""))
    return _example_folder / f"{name}.toml"


def open(folder: Union[str, "os.PathLike[str]"]) -> Run:  # noqa: A001
    """A run that was stored in a folder."""
    return Run(_core.open_run(os.fspath(folder)), folder)


def rollout(simulation: Simulation, states: ArrayLike, controls: Optional[ArrayLike] = None, inputs: Sequence[str] = (),
            steps: Optional[int] = None, threads: Optional[int] = None) -> NDArray[np.float64]:
    """Many runs at once: from each state, with its controls, so many steps.

    states: (runs x nq + nv); controls: (runs x control steps x inputs), set before every step; inputs: their names.
    steps: as many as there are controls, unless it is given; the last controls hold beyond them.
    Returns the states after every step, (runs x steps x nq + nv); rows after a step that failed are NaN. The result does
    not depend on the number of threads. simulation itself is not changed.
    """
    if isinstance(inputs, str):
        raise TypeError(f'inputs is a list of names: ["{inputs}"]')
    starts = np.ascontiguousarray(states, float)
    if controls is None and steps is None:
        raise ValueError("how many steps? rollout(simulation, states, steps=100), or controls")
    given = np.zeros((len(starts), 0, len(inputs))) if controls is None else np.ascontiguousarray(controls, float)
    count = given.shape[1] if steps is None and given.ndim > 1 else steps or 0
    if count < 0:
        raise ValueError(f"steps must be at least 0, got {count}")
    return _core.rollout(simulation, starts, given, list(inputs), count, threads or os.cpu_count() or 1)
