"""MuJoCo from PyPI for bench_engines: engine_pypi.py VARIANT, started by engine_pypi.cpp.

Reads the scene as one line of JSON. Answers "ok REMARK" or "no REASON", one line, then for every byte on its input one
step: processor time of the step [s], and x y z qw qx qy qz of each body, as doubles. The call from Python, 0.2 to
0.5 us, is part of the time.
"""
import json
import math
import os
import struct
import sys
import time


def find_damping(e):
    """zeta of an oscillator that returns with e times the speed; see engine_mujoco.cpp."""
    low, high = 0.0, 0.999
    for _ in range(60):
        zeta = 0.5 * (low + high)
        c = math.sqrt(1 - zeta * zeta)
        if math.exp(-zeta / c * math.atan2(2 * zeta * c, 2 * zeta * zeta - 1)) > e:
            low = zeta
        else:
            high = zeta
    return low


def text(values):
    return " ".join(f"{x:.17g}" for x in values)


class Mujoco:
    """Default: every option as it comes. stiff: the hardest contact that its documentation calls stable (solref of two
    steps), impedance 0.9999, exact cones, impratio 100 against slip, Newton's method to 1e-12."""

    def __init__(self, scene, stiff):
        import mujoco
        import numpy

        self.mujoco, self.scene, self.stiff = mujoco, scene, stiff
        self.model = mujoco.MjModel.from_xml_string(self.format_scene())
        self.data = mujoco.MjData(self.model)
        q, v = [], []
        for body in scene["bodies"]:
            turn = body["orientation"]
            if body["planar"]:
                q += body["position"][:2] + [2 * math.atan2(turn[3], turn[0])]
                v += body["velocity"][:2] + [body["angular_velocity"][2]]
                continue
            q += body["position"] + turn
            local = numpy.zeros(3)  # MuJoCo's are in the body's axes
            inverse = numpy.array([turn[0], -turn[1], -turn[2], -turn[3]])
            mujoco.mju_rotVecQuat(local, numpy.array(body["angular_velocity"]), inverse)
            v += body["velocity"] + list(local)
        self.data.qpos[:] = q
        self.data.qvel[:] = v

    def format_body(self, body):
        shape = {
            "sphere": lambda: f'type="sphere" size="{body["radius"]:.17g}"',
            "capsule": lambda: f'type="capsule" size="{body["radius"]:.17g} {0.5 * body["length"]:.17g}" zaxis="1 0 0"',
            "box": lambda: f'type="box" size="{text([0.5 * x for x in body["size"]])}"',
        }[body["shape"]]()
        joint = "<freejoint/>"
        if body["planar"]:
            joint = ('<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
                     '<joint type="hinge" axis="0 0 1"/>')
        contact = ""
        if body["restitution"] > 0:
            omega = 2 * math.pi / (40 * self.scene["h"])
            damping = 2 * find_damping(body["restitution"]) * omega
            contact = f'solref="{-omega * omega:.17g} {-damping:.17g}" solimp="0.999 0.999 0.001"'
        elif self.stiff:
            contact = f'solref="{2 * self.scene["h"]:.17g} 1" solimp="0.9999 0.9999 0.001"'
        friction = f'friction="{self.scene["friction"]:.17g} 0 0"'
        return (f'<body>{joint}<inertial pos="0 0 0" mass="{body["mass"]:.17g}" diaginertia="{text(body["inertia"])}"/>'
                f'<geom {shape} condim="3" priority="1" {friction} {contact}/></body>')

    def format_scene(self):
        scene = self.scene
        options = 'cone="elliptic" impratio="100" tolerance="1e-12" iterations="1000"' if self.stiff else ""
        out = [f'<mujoco><compiler angle="radian"/><option timestep="{scene["h"]:.17g}" '
               f'gravity="{text(scene["gravity"])}" {options}/><worldbody>']
        for side in scene["half_spaces"]:
            n = side["normal"]
            position = [side["offset"] * x for x in n]
            out.append(f'<geom type="plane" size="0 0 1" pos="{text(position)}" zaxis="{text(n)}"/>')
        out += [self.format_body(body) for body in scene["bodies"]]
        return "".join(out) + "</worldbody></mujoco>"

    def remark(self):
        soft = "soft contact of two steps, elliptic cones, impratio 100" if self.stiff else "soft contact"
        springs = any(body["restitution"] > 0 for body in self.scene["bodies"])
        return f"MuJoCo {self.mujoco.__version__}, {soft}" + ("; springs and dampers that give e" if springs else "")

    def step(self):
        self.mujoco.mj_step(self.model, self.data)

    def read(self):
        q, poses, at = self.data.qpos, [], 0
        for body in self.scene["bodies"]:
            if body["planar"]:
                poses += [q[at], q[at + 1], 0, math.cos(0.5 * q[at + 2]), 0, 0, math.sin(0.5 * q[at + 2])]
                at += 3
            else:
                poses += list(q[at:at + 7])
                at += 7
        return poses


def main():
    # What a library prints must not come between the numbers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    requests = sys.stdin.buffer
    scene = json.loads(requests.readline())
    try:
        engine = Mujoco(scene, sys.argv[1] == "mujoco4_stiff")
        remark = engine.remark()
    except ImportError as error:
        remark, engine = f"this Python has no {error.name}", None
    answers.write(f"{'ok' if engine else 'no'} {remark}\n".encode())
    answers.flush()
    while engine is not None and requests.read(1):
        start = time.process_time_ns()
        engine.step()
        seconds = 1e-9 * (time.process_time_ns() - start)
        numbers = [seconds] + engine.read()
        answers.write(struct.pack(f"{len(numbers)}d", *numbers))
        answers.flush()


main()
