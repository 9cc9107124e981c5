"""Co-simulation: every formulation has the bits of the program; and a controller of another tool moves our arm."""
import re
import subprocess

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy import extract, read_model_description, simulate_fmu  # noqa: E402
from fmpy.fmi2 import FMU2Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402
from fmu_tools import export, program, run_program  # noqa: E402

# A ball is thrown onto the floor, where it slides, rolls and bounces.
THROWN = """
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.4
step = 1e-3
output = 1e-3
[method]
%s
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.ball]
mass = 1
position = [0, 0, 0.15]
velocity = [1, 0.3, 0]
shape = { type = "sphere", radius = 0.1 }
%s
"""
COMPLIANT = """
[contact.default]
normal = { law = "hertz", stiffness = 1e5, restitution = 0.5 }
friction = { law = "bristle", static = 0.35, kinetic = 0.3, stiffness = 1e4, damping = 100 }
"""
RIGID = """
[contact.default]
friction = 0.3
restitution = 0.5
"""
METHODS = {
    "smooth": ['integrator = "rk4"', 'integrator = "dormand_prince"', 'integrator = "cvode_adams"'],
    "compliant": ['integrator = "rk4"', 'integrator = "dormand_prince"', 'integrator = "cvode_bdf"'],
    "cone": [""], "stewart_trinkle": [""], "berard": [""], "anitescu_potra": [""], "geometric_implicit": [""]}


def test_every_formulation_is_tested():
    text = subprocess.run([program, "explain", "method.type"], check=True, capture_output=True, text=True).stdout
    listed = text[text.index("one of"):text.index("default")]
    assert set(re.findall(r'"(\w+)"', listed)) == set(METHODS)


@pytest.mark.parametrize("method,more", [(name, more) for name, list_ in METHODS.items() for more in list_])
@pytest.mark.parametrize("version", [2, 3])
def test_every_formulation_has_the_bits_of_the_program(tmp_path, version, method, more):
    contact = {"smooth": "", "compliant": COMPLIANT}.get(method, RIGID)
    scene = tmp_path / "thrown.toml"
    scene.write_text(THROWN % (f'type = "{method}"\n{more}', contact))
    signals = [f"ball.{kind}.{axis}" for kind in ("position", "velocity", "angular_velocity") for axis in "xyz"]
    expected = run_program(scene, tmp_path / "run")
    fmu = export(scene, tmp_path / "x.fmu", version, "--outputs", *signals)
    assert validate_fmu(fmu) == []
    result = simulate_fmu(fmu, fmi_type="CoSimulation", stop_time=0.4, output_interval=1e-3, step_size=1e-3)
    assert len(result) == 401 == len(expected["time"])
    for name in signals:
        assert np.array_equal(result[name], expected[name]), name


ARM = """
[world]
gravity = [0, 0, -9.81]
[time]
duration = 2
step = 1e-3
output = 0.1
[method]
type = "cone"
[body.plate]
fixed = true
position = [0, 0, -0.6]
shape = { type = "halfspace" }
[body.upper]
mass = 1
inertia = 0.02
shape = { type = "capsule", radius = 0.02, length = 0.46, axis = [1, 0, 0] }
[body.fore]
mass = 1
inertia = 0.02
shape = { type = "capsule", radius = 0.02, length = 0.46, axis = [1, 0, 0] }
[joint.shoulder]
type = "revolute"
child = "upper"
axis = [0, 1, 0]
child_at = [-0.25, 0, 0]
[joint.elbow]
type = "revolute"
parent = "upper"
child = "fore"
at = [0.25, 0, 0]
axis = [0, 1, 0]
child_at = [-0.25, 0, 0]
[contact.default]
touch = false
[contact."fore/plate"]
friction = 0.2
"""
JOINTS = ("shoulder", "elbow")
GAINS = {"shoulder": (200.0, 20.0, 0.5), "elbow": (100.0, 8.0, 0.7)}  # proportional, derivative, target
MOTOR = '[motor.{0}_motor]\njoint = "{0}"\neffort = 0\n'
CONTROLLER = ('[controller.{0}]\ntype = "joint"\njoint = "{0}"\nsample_time = 1e-3\n'
              "proportional = {1}\nderivative = {2}\nposition = {3}\n")

# PD control of a joint, by pythonfmu: another tool, which knows nothing of ours.
SLAVE = """
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Pd(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.angle = self.rate = self.torque = 0.0
        self.proportional = self.derivative = self.target = 0.0
        for name in ("angle", "rate"):
            self.register_variable(Real(name, causality=Fmi2Causality.input))
        self.register_variable(Real("torque", causality=Fmi2Causality.output))
        for name in ("proportional", "derivative", "target"):
            self.register_variable(Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))

    def do_step(self, current_time, step_size):
        self.torque = self.proportional * (self.target - self.angle) - self.derivative * self.rate
        return True
"""


class Slave:
    """An FMU in use, with its variables by name."""

    def __init__(self, fmu, name, **parameters):
        description = read_model_description(fmu)
        self._references = {v.name: v.valueReference for v in description.modelVariables}
        self._slave = FMU2Slave(guid=description.guid, unzipDirectory=extract(fmu), instanceName=name,
                                modelIdentifier=description.coSimulation.modelIdentifier)
        self._slave.instantiate()
        self._slave.setupExperiment(startTime=0.0)
        self._slave.enterInitializationMode()
        for key, value in parameters.items():
            self[key] = value
        self._slave.exitInitializationMode()

    def __getitem__(self, name):
        return self._slave.getReal([self._references[name]])[0]

    def __setitem__(self, name, value):
        self._slave.setReal([self._references[name]], [value])

    def step(self, t, h):
        self._slave.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def close(self):
        self._slave.terminate()
        self._slave.freeInstance()


@pytest.fixture(scope="module")
def pd_fmu(tmp_path_factory):
    pythonfmu = pytest.importorskip("pythonfmu")
    folder = tmp_path_factory.mktemp("pd")
    (folder / "pd.py").write_text(SLAVE)
    return str(pythonfmu.FmuBuilder.build_FMU(folder / "pd.py", dest=folder))


def run_coupled(arm_fmu, pd_fmu, duration, h):
    arm = Slave(arm_fmu, "arm")
    controllers = {}
    for joint in JOINTS:
        proportional, derivative, target = GAINS[joint]
        controllers[joint] = Slave(pd_fmu, joint, proportional=proportional, derivative=derivative, target=target)
    for k in range(round(duration / h)):
        for joint, controller in controllers.items():
            controller["angle"], controller["rate"] = arm[joint + ".position"], arm[joint + ".velocity"]
            controller.step(k * h, h)
            arm[f"motor.{joint}_motor.effort"] = controller["torque"]
        arm.step(k * h, h)
    values = {name: arm[name] for joint in JOINTS for name in (joint + ".position", joint + ".velocity")}
    for kind in ("force", "friction"):
        values[kind] = arm[f"contact.fore/plate.{kind}"]
    for slave in (arm, *controllers.values()):
        slave.close()
    return values


@pytest.mark.parametrize("plate", [False, True])
def test_controller_of_another_tool_moves_our_arm(tmp_path, pd_fmu, plate):
    text = ARM if plate else ARM.replace("-0.6", "-5")
    (tmp_path / "arm.toml").write_text(text + "".join(MOTOR.format(joint) for joint in JOINTS))
    joints = [f"{joint}.{kind}" for joint in JOINTS for kind in ("position", "velocity")]
    fmu = export(tmp_path / "arm.toml", tmp_path / "arm.fmu", 2, "--inputs", "motor.*", "--outputs", *joints,
                 "contact.fore/plate.f*")
    coupled = run_coupled(fmu, pd_fmu, 2.0, 1e-3)

    # The same law as a [controller] of the scene, sampled as often as the FMUs exchange values: the same bits.
    (tmp_path / "inside.toml").write_text(text + "".join(CONTROLLER.format(joint, *GAINS[joint]) for joint in JOINTS))
    inside = run_program(tmp_path / "inside.toml", tmp_path / "run")
    assert [coupled[name] for name in joints] == [inside[name][-1] for name in joints]

    # Statics: kp (target - angle) balances the moments of the weights, which lower the arm as a positive angle does, and
    # of the plate's force and friction at its point. The tip, a ball of 0.02 m, is 0.23 m beyond the middle of the link.
    a, b = coupled["shoulder.position"], coupled["shoulder.position"] + coupled["elbow.position"]
    push, drag, weight = coupled["force"], coupled["friction"], 9.81
    tip, height = (0.25 + 0.23) * np.cos(b), 0.6 - 0.5 * np.sin(a)  # of the point from the elbow, of the elbow above it
    elbow = -weight * 0.25 * np.cos(b) + push * tip + drag * height
    shoulder = elbow + (push - 1.5 * weight) * 0.5 * np.cos(a) + drag * 0.5 * np.sin(a)
    assert (push > 1) == plate
    for joint, moment in (("elbow", elbow), ("shoulder", shoulder)):
        proportional, _, target = GAINS[joint]
        assert proportional * (target - coupled[joint + ".position"]) == pytest.approx(moment, abs=1e-6), joint
