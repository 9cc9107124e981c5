"""Stiction's contact core in MuJoCo: contact forces of chosen pairs of geoms come from stiction.ContactPair.

    pip install mujoco
    python examples/hosts/mujoco_contact.py

MuJoCo keeps its bodies, joints and integrator; its own contact is switched off. In every step its callback for passive
forces asks the core for the wrench on each body, and integrates what the contact remembers (docs/c.md):

    wrench, rates = evaluate(poses, velocities, memory),   memory += h rates,   then update(memory)

Two scenes show the difference. A ball falls and bounces: the core has a coefficient of restitution, MuJoCo's soft
constraint (default solref) has none. A block stands on a slope that friction holds: with MuJoCo's regularised friction it
creeps without end, with the bristles of the core it deflects by tan(slope) / sigma_0 and stands still.
"""
from __future__ import annotations

from typing import Any, Dict, List

import mujoco
import numpy as np

import stiction

_shapes = {
    mujoco.mjtGeom.mjGEOM_PLANE: lambda size: {"type": "halfspace"},
    mujoco.mjtGeom.mjGEOM_SPHERE: lambda size: {"type": "sphere", "radius": size[0]},
    mujoco.mjtGeom.mjGEOM_CAPSULE: lambda size: {"type": "capsule", "radius": size[0], "length": 2 * size[1]},
    mujoco.mjtGeom.mjGEOM_ELLIPSOID: lambda size: {"type": "ellipsoid", "semi_axes": list(size)},
}


def _make_shape(model: Any, geom: int) -> Dict[str, Any]:
    kind = mujoco.mjtGeom(model.geom_type[geom])
    if kind not in _shapes:
        raise ValueError(f"{model.geom(geom).name}: no contact core for {kind.name}")
    return {**_shapes[kind](model.geom_size[geom].tolist()), "position": model.geom_pos[geom].tolist(),
            "orientation": {"quaternion": model.geom_quat[geom].tolist()}}


class _Pair:
    """A pair of geoms: its law, what it remembers, and what was last evaluated."""

    def __init__(self, model: Any, a: str, b: str, law: Dict[str, Any]) -> None:
        geoms = [model.geom(name).id for name in (a, b)]
        self.bodies = [int(model.geom_bodyid[geom]) for geom in geoms]
        shape_a, shape_b = (_make_shape(model, geom) for geom in geoms)
        # Only shapes and law are read; where the bodies stand is told in every call.
        bodies = {"a": {"fixed": True, "shape": shape_a}, "b": {"mass": 1, "inertia": 1, "shape": shape_b}}
        self.core = stiction.ContactPair({"body": bodies, "contact": {"default": law}}, "a", "b")
        self.memory = self.core.make_memory()
        self.rates = np.zeros(len(self.memory) - 1)


class StictionContact:
    """Contact of a MuJoCo model by the core, while the `with` block lasts. One at a time: the callback is global.

    pairs: names of two geoms, and the fields of their contact table (normal, friction).
    """

    def __init__(self, model: Any, pairs: Dict[tuple[str, str], Dict[str, Any]]) -> None:
        if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            raise ValueError("RK4 evaluates forces between steps, where the memory of contacts is not known: take Euler")
        self._pairs: List[_Pair] = [_Pair(model, a, b, law) for (a, b), law in pairs.items()]
        self._model, self._time = model, -1.0
        self.outputs: List[stiction.ContactOutput] = []

    def __enter__(self) -> "StictionContact":
        self._model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        mujoco.set_mjcb_passive(self._apply)
        return self

    def __exit__(self, *_: object) -> None:
        mujoco.set_mjcb_passive(None)
        self._model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_CONTACT)

    @staticmethod
    def _read_body(model: Any, data: Any, body: int) -> Any:
        """Position, quaternion, velocity and angular velocity of a body's frame, world axes."""
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
        return np.concatenate([data.xpos[body], data.xquat[body], velocity[3:], velocity[:3]])

    def _apply(self, model: Any, data: Any) -> None:
        h = data.time - self._time if 0 <= self._time < data.time else 0.0
        self._time = data.time
        self.outputs = []
        for pair in self._pairs:
            a, b = (self._read_body(model, data, body) for body in pair.bodies)
            pair.memory[:-1] += h * pair.rates
            pair.core.update(a, b, pair.memory)
            output = pair.core.evaluate(a, b, pair.memory)
            pair.rates = output.rates
            for body, state, force, torque in ((pair.bodies[0], a, output.force_a, output.torque_a),
                                               (pair.bodies[1], b, output.force_b, output.torque_b)):
                mujoco.mj_applyFT(model, data, force, torque, state[:3], body, data.qfrc_passive)
            self.outputs.append(output)


ball = """<mujoco><option timestep="2e-5"/><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 0.6"><freejoint/><geom name="ball" type="sphere" size="0.1" mass="1"/></body>
</worldbody></mujoco>"""
ball_law = {"normal": {"law": "hertz", "stiffness": 1e7, "restitution": 0.5}, "friction": {"law": "none"}}

slope, gravity = np.radians(10), 9.81  # gravity is turned, not the floor
stiffness, bristle_stiffness = 1e5, 1e5  # of the normal law [N/m]; sigma_0 of the bristles [1/m]
block = f"""<mujoco><option timestep="1e-4" cone="elliptic" gravity="{gravity * np.sin(slope)} 0 {-gravity * np.cos(slope)}"/><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <body name="block" pos="0 0 {0.05 - gravity * np.cos(slope) / stiffness}">
    <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
    <geom name="foot" type="sphere" size="0.05" mass="1" friction="0.5"/></body>
</worldbody></mujoco>"""
block_law = {"normal": {"law": "linear", "stiffness": stiffness, "damping": 600.0},
             "friction": {"law": "bristle", "static": 0.5, "kinetic": 0.5, "stiffness": bristle_stiffness, "damping": 200.0,
                          "stribeck_velocity": 0.1}}


def simulate(xml: str, duration: float, pairs: Dict[tuple[str, str], Dict[str, Any]]) -> Any:
    """Positions of the first body over time, (steps x 4): t, x, y, z. Without pairs: by MuJoCo's own contact."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    rows = np.empty((round(duration / model.opt.timestep), 4))

    def run() -> None:
        for row in rows:
            mujoco.mj_step(model, data)
            row[0], row[1:] = data.time, data.qpos[:3]

    if pairs:
        with StictionContact(model, pairs):
            run()
    else:
        run()
    return rows


def measure_rebound(with_core: bool) -> float:
    """How high the ball rises after its first impact [m]."""
    rows = simulate(ball, 0.7, {("floor", "ball"): ball_law} if with_core else {})
    lowest = np.argmin(rows[: len(rows) // 10 * 6, 3])  # the impact is at 0.32 s
    return float(rows[lowest:, 3].max() - 0.1)


def measure_creep(with_core: bool) -> "tuple[float, float]":
    """Displacement down the slope after 1 s [m], and the mean velocity in the second after it [m/s]."""
    rows = simulate(block, 2.0, {("floor", "foot"): block_law} if with_core else {})
    half = len(rows) // 2
    return float(rows[half, 1]), float((rows[-1, 1] - rows[half, 1]) / (rows[-1, 0] - rows[half, 0]))


def calc_mujoco_creep() -> float:
    """The creep of MuJoCo's own law, from its documentation (Computation, solver parameters) [m/s].

    A constraint force f obeys a + R f = aref, R = (1 - d)/d A, A = 1/m; aref = -b v - k d r along the normal and -b v
    along the surface; b = 2/(dmax tau), k = 1/(dmax tau)^2, and the impedance d grows with the depth r. A block at rest has
    a = 0, so friction f = m g sin needs a velocity:
        k d r = (1 - d)/d g cos,   v = (1 - d)/d g sin / b
    """
    tau, low, high, width = 0.02, 0.9, 0.95, 0.001  # the defaults of solref and solimp
    b, k = 2 / (high * tau), 1 / (high * tau) ** 2
    d = low
    for _ in range(100):
        depth = (1 - d) / d * gravity * np.cos(slope) / (k * d)
        d = low + (high - low) * 2 * (depth / width) ** 2  # its curve below the midpoint of the width
    return float((1 - d) / d * gravity * np.sin(slope) / b)


if __name__ == "__main__":
    print(f"rebound from 0.5 m: {measure_rebound(True):.4f} m with e = 0.5 of the core (e^2 h = 0.125 m), "
          f"{measure_rebound(False):.4f} m with MuJoCo's contact")
    for name, (moved, creep) in (("the core", measure_creep(True)), ("MuJoCo's contact", measure_creep(False))):
        print(f"block on a slope, {name}: {1e6 * moved:.3f} um after 1 s, then {1e6 * creep:.3g} um/s")
    print(f"closed forms: {1e6 * np.tan(slope) / bristle_stiffness:.3f} um (tan(slope) / sigma_0), then 0, with the core; "
          f"{1e6 * calc_mujoco_creep():.0f} um/s with MuJoCo's contact")
