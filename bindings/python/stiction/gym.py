"""Gymnasium environments (pip install gymnasium): contact tasks on stiction scenes.

    from stiction.gym import PegInHole, ArmOnPlate
    env = PegInHole()
    observation, info = env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

Importing this module registers "stiction/PegInHole-v0" and "stiction/ArmOnPlate-v0" for gymnasium.make.
"""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._core import Simulation

Observation = NDArray[np.float64]


class ContactEnvironment(gymnasium.Env[Observation, NDArray[np.float64]]):
    """A scene of which some inputs are actions: each is held for so many steps, then the state is observed."""

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, scene: Mapping[str, Any], inputs: Sequence[str], scales: Sequence[float], steps: int,
                 most_actions: int) -> None:
        self.simulation = Simulation(scene)
        self._inputs, self._scales = list(inputs), np.asarray(scales, float)
        self._steps, self._most_actions, self._count = steps, most_actions, 0
        self._start = self.simulation.save()
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self._inputs),), np.float64)
        size = len(self.observe())
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)

    def observe(self) -> Observation:
        raise NotImplementedError

    def judge(self) -> Tuple[float, bool]:
        """Reward, and whether the task is done."""
        raise NotImplementedError

    def vary(self) -> None:
        """Change the start, with self.np_random."""

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[Observation, Dict[str, Any]]:
        super().reset(seed=seed)
        self.simulation.restore(self._start)
        self._count = 0
        self.vary()
        return self.observe(), {}

    def step(self, action: NDArray[np.float64]) -> Tuple[Observation, float, bool, bool, Dict[str, Any]]:
        for name, value in zip(self._inputs, np.clip(action, -1, 1) * self._scales):
            self.simulation[name] = float(value)
        for _ in range(self._steps):
            self.simulation.step()
        self._count += 1
        reward, done = self.judge()
        return self.observe(), reward, done, self._count >= self._most_actions, {"time": self.simulation.time}


def _make_hole(width: float, wall: float, height: float) -> Dict[str, Any]:
    """A square hole made of four boxes; its mouth is at z = 0."""
    middle, z = (width + wall) / 2, -height / 2
    sides = {"east": ([middle, 0, z], [wall, width + 2 * wall, height]),
             "west": ([-middle, 0, z], [wall, width + 2 * wall, height]),
             "north": ([0, middle, z], [width, wall, height]), "south": ([0, -middle, z], [width, wall, height])}
    return {name: {"fixed": True, "position": at, "shape": {"type": "box", "size": size}}
            for name, (at, size) in sides.items()}


class PegInHole(ContactEnvironment):
    """Push a square peg of 20 mm into a hole with 0.5 mm of play. Actions: force x, y, z (5 N) and torque x, y (0.1 N m).

    Observation: position [m], rotation vector by its quaternion's x, y, z, velocity, angular velocity. Reward: depth of
    the peg's lower end below the mouth, in its full depth; done at 30 mm.
    """

    def __init__(self) -> None:
        scene = {
            "world": {"gravity": [0, 0, -9.81]}, "time": {"duration": 100, "step": 1e-3}, "method": {"type": "cone"},
            "body": {"peg": {"density": 2700, "position": [0, 0, 0.031],
                             "shape": {"type": "box", "size": [0.02, 0.02, 0.06]}}, **_make_hole(0.0205, 0.03, 0.05)},
            "contact": {"default": {"friction": 0.2}},
        }
        inputs = ["peg.force.x", "peg.force.y", "peg.force.z", "peg.torque.x", "peg.torque.y"]
        super().__init__(scene, inputs, [5, 5, 5, 0.1, 0.1], 10, 300)

    def vary(self) -> None:
        q = np.array(self.simulation.q)
        q[4:6] += self.np_random.uniform(-5e-3, 5e-3, 2)  # beside the hole
        self.simulation.set_state(q, np.zeros(6))

    def observe(self) -> Observation:
        s = self.simulation
        return np.concatenate([s.position("peg"), s.quaternion("peg")[1:], s.velocity("peg"), s.angular_velocity("peg")])

    def judge(self) -> Tuple[float, bool]:
        depth = 0.03 - float(self.simulation.position("peg")[2])
        return float(np.clip(depth / 0.03, -1, 1)), depth >= 0.03


class ArmOnPlate(ContactEnvironment):
    """Press a plate with 10 N and drag along it, with an arm of two links. Actions: torques of shoulder and elbow (20 N m).

    Observation: angles, velocities, position of the tip (x, z), force of the plate [N]. Reward: 1 less the errors of the
    force, in 10 N, and of the tip's velocity, in 0.1 m/s.
    """

    def __init__(self) -> None:
        link = {"mass": 1, "inertia": 0.02, "shape": {"type": "capsule", "radius": 0.02, "length": 0.46, "axis": [1, 0, 0]}}
        scene = {
            "time": {"duration": 100, "step": 1e-3}, "method": {"type": "cone"},
            "body": {"plate": {"fixed": True, "shape": {"type": "halfspace"}}, "upper": link, "fore": link},
            "joint": {
                "shoulder": {"type": "revolute", "child": "upper", "at": [0, 0, 0.42], "axis": [0, 1, 0],
                             "child_at": [-0.25, 0, 0], "position": 0.2},
                "elbow": {"type": "revolute", "parent": "upper", "child": "fore", "at": [0.25, 0, 0], "axis": [0, 1, 0],
                          "child_at": [-0.25, 0, 0], "position": 0.4}},
            "motor": {"shoulder_motor": {"joint": "shoulder", "effort": 0}, "elbow_motor": {"joint": "elbow", "effort": 0}},
            "contact": {"default": {"touch": False}, "fore/plate": {"friction": 0.2}},
        }
        super().__init__(scene, ["motor.shoulder_motor.effort", "motor.elbow_motor.effort"], [20, 20], 5, 400)

    def _force(self) -> float:
        return float(sum(abs(contact.force[2]) for contact in self.simulation.contacts()))

    def _tip(self) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
        s = self.simulation
        arm = np.asarray(s.rotation("fore")) @ np.array([0.25, 0, 0])
        return s.position("fore") + arm, s.velocity("fore") + np.cross(s.angular_velocity("fore"), arm)

    def observe(self) -> Observation:
        tip, _ = self._tip()
        return np.concatenate([self.simulation.q, self.simulation.v, tip[[0, 2]], [self._force()]])

    def judge(self) -> Tuple[float, bool]:
        _, velocity = self._tip()
        return 1 - abs(self._force() - 10) / 10 - abs(float(velocity[0]) - 0.1) / 0.1, False


for _name in ("PegInHole", "ArmOnPlate"):
    gymnasium.register(f"stiction/{_name}-v0", entry_point=f"stiction.gym:{_name}")
