"""Model exchange: FMPy's CVode integrates our scenes, with inputs, controllers and contacts of them."""
import subprocess

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy import extract, read_model_description, simulate_fmu  # noqa: E402
from fmpy.fmi2 import FMU2Model  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402
from fmu_tools import export, program  # noqa: E402

SLIDER = """
[world]
gravity = [0, 0, -9.81]
[time]
duration = 1
step = 1e-3
[body.slider]
mass = 2
inertia = 0.1
[joint.guide]
type = "prismatic"
child = "slider"
axis = [0, 0, 1]
"""
CONTROLLER = """
[controller.c]
type = "joint"
joint = "guide"
sample_time = 0.01
gravity = true
"""


def exchange(fmu, **options):
    return simulate_fmu(fmu, fmi_type="ModelExchange", relative_tolerance=1e-9, **options)


@pytest.mark.parametrize("version", [2, 3])
def test_controller_holds_what_gravity_pulls(tmp_path, version):
    # The weight is fed forward from the first sample, at t = 0: nothing moves.
    scene = tmp_path / "held.toml"
    scene.write_text(SLIDER + CONTROLLER)
    fmu = export(scene, tmp_path / "held.fmu", version, "--outputs", "guide.position")
    assert validate_fmu(fmu) == []
    for kind in ("CoSimulation", "ModelExchange"):
        result = simulate_fmu(fmu, fmi_type=kind, stop_time=0.5, output_interval=0.05, relative_tolerance=1e-9)
        assert np.max(np.abs(result["guide.position"])) < 1e-12


@pytest.mark.parametrize("version", [2, 3])
def test_controller_is_sampled_at_its_times(tmp_path, version):
    # Between samples the force is constant: x+ = x + v T + u T^2/(2 m), v+ = v + u T/m, with u of what was measured two
    # samples ago.
    scene = tmp_path / "pd.toml"
    scene.write_text(SLIDER.replace("-9.81", "0") + CONTROLLER.replace("gravity = true", "delay = 0.02\nposition = 0.3\n"
                                                                       "proportional = 50\nderivative = 20"))
    fmu = export(scene, tmp_path / "pd.fmu", version, "--outputs", "guide.position", "guide.velocity")
    result = exchange(fmu, stop_time=1, output_interval=0.01)
    T, m, x, v = 0.01, 2, [0.0], [0.0]
    for k in range(100):
        seen = max(0, k - 2)
        u = 50 * (0.3 - x[seen]) - 20 * v[seen]
        x.append(x[k] + v[k] * T + u * T * T / (2 * m))
        v.append(v[k] + u * T / m)
    t, first = np.unique(np.round(result["time"] / T).astype(int), return_index=True)
    assert len(t) == 101
    # A hundred restarts of CVode, each within some of its tolerances of 1e-9.
    assert np.max(np.abs(result["guide.position"][first] - x)) < 1e-6
    assert np.max(np.abs(result["guide.velocity"][first] - v)) < 1e-5


def test_saved_state_knows_when_controllers_were_sampled(tmp_path):
    scene = tmp_path / "held.toml"
    scene.write_text(SLIDER + CONTROLLER.replace("gravity = true", "integral = 100\nposition = 1"))
    fmu = export(scene, tmp_path / "held.fmu", 2, "--outputs", "guide.position")
    description = read_model_description(fmu)
    model = FMU2Model(guid=description.guid, unzipDirectory=extract(fmu), modelIdentifier="stiction_fmu")
    model.instantiate()
    model.setupExperiment(startTime=0.0)
    model.enterInitializationMode()
    model.exitInitializationMode()
    size = len([v for v in description.modelVariables if v.name.startswith("state[")])

    def event(t):
        model.setTime(t)
        info = model.newDiscreteStates()
        states = np.zeros(size)
        model.getContinuousStates(states.ctypes.data_as(fmpy.fmi2.POINTER(fmpy.fmi2.fmi2Real)), size)
        return info, states

    first, _ = event(0.0)
    assert first[4] and first[5] == 0.01  # the next event and its time
    _, after_one = event(0.01)
    saved = model.getFMUState()
    _, after_two = event(0.02)
    assert not np.array_equal(after_one, after_two)  # the sum of errors has grown
    model.setFMUState(saved)
    _, again = event(0.01)
    assert np.array_equal(again, after_one)  # this sample was taken before
    _, again = event(0.02)
    assert np.array_equal(again, after_two)
    model.freeFMUState(saved)
    model.terminate()
    model.freeInstance()


DRIVER = """
[driver.d]
joint = "guide"
motion = 0
"""


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
@pytest.mark.parametrize("version", [2, 3])
def test_input_acts_from_when_it_is_set(tmp_path, version, kind):
    # A driver at rest is given 1 m/s at t = 0.5 s: after 1 s it is at 0.5 m.
    scene = tmp_path / "driver.toml"
    scene.write_text(SLIDER + DRIVER)
    name = "driver.d.velocity"
    fmu = export(scene, tmp_path / "driver.fmu", version, "--inputs", name, "--outputs", "guide.position")
    signal = np.array([(0, 0), (0.5, 0), (0.5, 1), (1, 1)], dtype=[("time", float), (name, float)])
    result = simulate_fmu(fmu, fmi_type=kind, stop_time=1, input=signal, output_interval=0.1)
    assert result["guide.position"][-1] == pytest.approx(0.5, abs=1e-9)


RESTING = """
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.1
step = 1e-4
[method]
type = "compliant"
integrator = "dormand_prince"
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.ball]
mass = 1
position = [0, 0, %.17g]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
normal = { law = "hertz", stiffness = 1e5, restitution = 0.5 }
friction = { law = "none" }
"""


@pytest.mark.parametrize("version", [2, 3])
def test_contact_force_is_an_output(tmp_path, version):
    # At rest K depth^(3/2) = m g.
    depth = (9.81 / 1e5) ** (2 / 3)
    scene = tmp_path / "rest.toml"
    scene.write_text(RESTING % (0.1 - depth))
    names = ["contact.floor/ball.force", "contact.floor/ball.depth", "contact.floor/ball.gap"]
    fmu = export(scene, tmp_path / "rest.fmu", version, "--outputs", *names)
    assert validate_fmu(fmu) == []
    for kind in ("CoSimulation", "ModelExchange"):
        result = simulate_fmu(fmu, fmi_type=kind, stop_time=0.1, output_interval=0.01, relative_tolerance=1e-9)[1:]
        assert np.allclose(result[names[0]], 9.81, rtol=1e-6)
        assert np.allclose(result[names[1]], depth, rtol=1e-6)
        assert np.allclose(result[names[2]], -depth, rtol=1e-6)


@pytest.mark.parametrize("output,method,reason", [
    ("contact.floor/ball.impulse", "compliant", 'the output "contact.floor/ball.impulse" is collected over the steps'),
    ("ball.position.z", "cone", 'method.type = "cone" steps')])
def test_where_there_is_none_the_reason_is_told(tmp_path, output, method, reason):
    scene = tmp_path / "rest.toml"
    scene.write_text(RESTING.replace("normal = { law", "# normal = { law").replace("friction =", "# friction =") % 0.1
                     if method == "cone" else RESTING % 0.1)
    command = [program, "export-fmu", scene, "-o", tmp_path / "x.fmu", "--outputs", output, "--set", f'method.type="{method}"']
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "no model exchange: " + reason in told
    assert read_model_description(tmp_path / "x.fmu").modelExchange is None


@pytest.mark.parametrize("version", [2, 3])
def test_a_ball_bounces_until_it_rests(tmp_path, version):
    # Touch-downs, one after another, each to be found by FMPy's CVode. At rest K depth^(3/2) = m g. Default tolerance 1e-5: some
    # um; a ball that has fallen through the floor is metres off.
    depth = (9.81 / 1e5) ** (2 / 3)
    scene = tmp_path / "bounce.toml"
    scene.write_text((RESTING % 0.2).replace("duration = 0.1", "duration = 2"))
    folder = extract(export(scene, tmp_path / "bounce.fmu", version, "--outputs", "ball.position.z"))
    for interval in (0.05, 0.02, 0.01, 0.005):
        for tolerance in (1e-5, 1e-7, 1e-9):
            result = simulate_fmu(folder, fmi_type="ModelExchange", stop_time=2, output_interval=interval,
                                  relative_tolerance=tolerance)
            assert result["ball.position.z"][-1] == pytest.approx(0.1 - depth, abs=2e-5), (interval, tolerance)


# A particle on a rod of 1 m, as a constraint: let go at the height of the pivot, it swings through a half turn.
PENDULUM = """
[world]
gravity = [0, 0, -9.81]
[time]
duration = 20
step = 1e-3
[method]
type = "smooth"
[body.bob]
mass = 1
particle = true
position = [1, 0, 0]
[constraint.rod]
type = "distance"
b = "bob"
length = 1
"""


@pytest.mark.parametrize("version", [2, 3])
def test_constraints_do_not_drift(tmp_path, version):
    # FMPy does not tell its tolerance: 1 um and 1 um/s are allowed after a step, and the step that goes beyond that adds
    # what its tolerance of 1e-8 lets it. Without events the rod is 52 um off after 20 s (112 mm at FMPy's default of 1e-5).
    scene = tmp_path / "pendulum.toml"
    scene.write_text(PENDULUM)
    fmu = export(scene, tmp_path / "pendulum.fmu", version, "--outputs", "bob.position.*", "bob.velocity.*")
    assert validate_fmu(fmu) == []
    result = simulate_fmu(fmu, fmi_type="ModelExchange", stop_time=20, output_interval=0.01, relative_tolerance=1e-8)
    length = np.linalg.norm([result[f"bob.position.{axis}"] for axis in "xyz"], axis=0)
    rate = sum(result[f"bob.position.{axis}"] * result[f"bob.velocity.{axis}"] for axis in "xyz")
    assert np.max(np.abs(length - 1)) < 1.5e-6 and np.max(np.abs(rate)) < 1.5e-6
