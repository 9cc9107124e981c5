"""FMUs, validated and run with FMPy: the same bits as the program at equal steps."""
import pathlib
import re
import subprocess

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy import extract, instantiate_fmu, read_model_description, simulate_fmu  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

from fmu_tools import examples, export, program, run_program  # noqa: E402


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("scene,signal,step", [("falling_rod", "rod.position.y", 0.01), ("impact", "ball.position.z", 1e-3)])
def test_co_simulation_has_the_bits_of_the_program(tmp_path, version, scene, signal, step):
    duration = 60 * step
    path = examples / f"{scene}.toml"
    settings = ["--set", f"time.duration={duration!r}", "--set", f"time.output={step!r}"]
    expected = run_program(path, tmp_path / "run", *settings)
    assert np.ptp(expected[signal]) > 0.01  # it moves
    fmu = export(path, tmp_path / "x.fmu", version, "--outputs", signal, *settings)
    assert validate_fmu(fmu) == []
    result = simulate_fmu(fmu, fmi_type="CoSimulation", stop_time=duration, output_interval=step, step_size=step)
    assert len(result) == len(expected[signal])
    assert np.array_equal(result[signal], expected[signal])


SPRING = """
[time]
duration = 1
step = 0.001
[body.mass]
mass = 2
inertia = 0.1
[joint.rail]
type = "prismatic"
child = "mass"
axis = [1, 0, 0]
[spring.s]
at_a = [-1, 0, 0]
b = "mass"
stiffness = 200
rest_length = 1
"""


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_input_drives_an_oscillator(tmp_path, version, kind):
    # m x'' + k x = F, F = 20 N from t = 0: x = F/k (1 - cos(w t)), w = 10 rad/s.
    scene = tmp_path / "spring.toml"
    scene.write_text(SPRING)
    fmu = export(scene, tmp_path / "spring.fmu", version, "--inputs", "mass.force.x", "--outputs", "mass.position.x")
    assert validate_fmu(fmu) == []
    options = {"relative_tolerance": 1e-9} if kind == "ModelExchange" else {}
    result = simulate_fmu(fmu, fmi_type=kind, stop_time=1, output_interval=0.05, start_values={"mass.force.x": 20.0}, **options)
    x = 0.1 * (1 - np.cos(10 * result["time"]))
    assert np.max(np.abs(result["mass.position.x"] - x)) < (1e-9 if kind == "CoSimulation" else 1e-6)


BOUNCE = """
[world]
gravity = [0, 0, -9.81]
[time]
duration = 0.6
step = 1e-5
output = 0.01
[method]
type = "compliant"
integrator = "dormand_prince"
relative_tolerance = 1e-10
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.ball]
mass = 1
position = [0, 0, 0.6]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
normal = { law = "hertz", stiffness = 1e5, restitution = 0.5 }
friction = { law = "none" }
"""


@pytest.mark.parametrize("version", [2, 3])
def test_model_exchange_locates_the_impact(tmp_path, version):
    scene = tmp_path / "bounce.toml"
    scene.write_text(BOUNCE)
    expected = run_program(scene, tmp_path / "run")
    fmu = export(scene, tmp_path / "bounce.fmu", version, "--outputs", "ball.position.z")
    description = read_model_description(fmu)
    assert description.modelExchange is not None and description.numberOfEventIndicators >= 1
    result = simulate_fmu(fmu, fmi_type="ModelExchange", stop_time=0.6, output_interval=0.01, relative_tolerance=1e-9)
    z = np.interp(expected["time"], result["time"], result["ball.position.z"])
    # Of another integrator, with an event to locate: some 1e3 of its tolerances; linear interpolation at equal times.
    assert abs(z[-1] - expected["ball.position.z"][-1]) < 1e-5
    # Rebound: e = 0.5 of sqrt(2 g 0.5) at the first impact.
    rising = expected["ball.position.z"][-1]
    assert rising > 0.1


def test_states_are_saved_and_events_end_a_step_early(tmp_path):
    scene = tmp_path / "bounce.toml"
    scene.write_text(BOUNCE)
    fmu = export(scene, tmp_path / "bounce.fmu", 3, "--outputs", "ball.position.z", "--set", 'method.type="cone"',
                 "--set", "time.step=0.001")
    folder = extract(fmu)
    token = read_model_description(fmu).instantiationToken
    model = fmpy.fmi3.FMU3Slave(guid=token, unzipDirectory=folder, modelIdentifier="stiction_fmu", instanceName="a")
    model.instantiate(earlyReturnAllowed=True)
    model.enterInitializationMode()
    model.exitInitializationMode()
    event, terminate, early, t = model.doStep(0.0, 0.5)
    # Free fall over 0.5 m: the impact is in the step that contains sqrt(2 * 0.5 / 9.81) = 0.3193 s.
    assert early and 0.3193 <= t <= 0.3203
    state = model.getFMUState()
    bytes_ = model.serializeFMUState(state)
    model.doStep(t, 0.1)
    first = model.getFloat64([1])
    model.setFMUState(model.deserializeFMUState(bytes_))
    model.doStep(t, 0.1)
    assert model.getFloat64([1]) == first
    model.freeFMUState(state)
    model.terminate()
    model.freeInstance()


@pytest.mark.parametrize("method", ["cone", "compliant"])
def test_steps_that_may_end_early_have_the_same_bits(tmp_path, method):
    # Communication points off the grid of time.step, in free fall: whether early return is allowed changes nothing.
    scene = tmp_path / "bounce.toml"
    scene.write_text(BOUNCE)
    settings = ["--set", f'method.type="{method}"', "--set", 'method.integrator="rk4"', "--set", "time.step=0.001"]
    fmu = export(scene, tmp_path / "bounce.fmu", 3, "--outputs", "ball.position.z", *settings)
    token = read_model_description(fmu).instantiationToken
    heights = {}
    for allowed in (False, True):
        model = fmpy.fmi3.FMU3Slave(guid=token, unzipDirectory=extract(fmu), modelIdentifier="stiction_fmu", instanceName="a")
        model.instantiate(earlyReturnAllowed=allowed)
        model.enterInitializationMode()
        model.exitInitializationMode()
        heights[allowed] = []
        for k in range(20):
            _, _, early, t = model.doStep(k * 0.0047, 0.0047)
            assert not early and t == k * 0.0047 + 0.0047
            heights[allowed].append(model.getFloat64([1])[0])
        model.terminate()
        model.freeInstance()
    assert heights[True] == heights[False]


@pytest.mark.parametrize("version", [2, 3])
def test_a_step_from_another_time_is_an_error(tmp_path, version, capsys):
    scene = tmp_path / "spring.toml"
    scene.write_text(SPRING)
    fmu = export(scene, tmp_path / "spring.fmu", version, "--outputs", "mass.position.x")
    model = instantiate_fmu(extract(fmu), read_model_description(fmu), fmi_type="CoSimulation")
    if version == 2:
        model.setupExperiment(startTime=0.0)
    model.enterInitializationMode()
    model.exitInitializationMode()
    model.doStep(0.0, 0.1)
    model.doStep(0.1 + 1e-17, 0.1)
    for t, h in ((0.3, 0.1), (0.0, 0.1), (0.2, 0.0), (0.2, -0.1), (float("nan"), 0.1)):
        with pytest.raises(fmpy.fmi1.FMICallException):
            model.doStep(t, h)
    assert "from 0.3 s, but the model is at 0.2 s" in capsys.readouterr().out
    model.doStep(0.2, 0.1)  # and it goes on
    model.terminate()
    model.freeInstance()


def test_misuse_is_told(tmp_path):
    scene = tmp_path / "spring.toml"
    scene.write_text(SPRING)
    result = subprocess.run([program, "export-fmu", scene, "--outputs", "mas.position.x", "-o", tmp_path / "x.fmu"],
                            capture_output=True, text=True)
    assert result.returncode == 2 and "did you mean" in result.stderr and "--outputs: there is no output" in result.stderr
    assert not (tmp_path / "x.fmu").exists()


@pytest.mark.parametrize("version", [2, 3])
def test_what_makes_no_sense_is_an_error_and_no_crash(tmp_path, version, capfd):
    scene = tmp_path / "bounce.toml"
    scene.write_text(BOUNCE)
    # A pair of bodies in either order.
    fmu = export(scene, tmp_path / "bounce.fmu", version, "--outputs", "contact.ball/floor.gap", "contact.floor/ball.gap")
    description, folder = read_model_description(fmu), extract(fmu)
    assert [variable.name for variable in description.modelVariables if variable.causality == "output"] == ["contact.floor/ball.gap"]
    model = instantiate_fmu(folder, description, fmi_type="CoSimulation")
    restore = model.setFMUstate if version == 2 else model.setFMUState
    bytes_ = model.deSerializeFMUstate if version == 2 else model.deserializeFMUState
    for wrong in (lambda: restore(None), lambda: restore(bytes_(b"no state")), lambda: restore(bytes_(b""))):
        with pytest.raises(fmpy.fmi1.FMICallException):
            wrong()
    model.freeInstance()
    kinds = {2: fmpy.fmi2.FMU2Model, 3: fmpy.fmi3.FMU3Model}
    model = kinds[version](guid=description.guid, unzipDirectory=folder, modelIdentifier="stiction_fmu", instanceName="a")
    model.instantiate()
    with pytest.raises(fmpy.fmi1.FMICallException):
        model.setTime(float("nan"))
    if version == 3:  # FMPy has no such call of FMI 2
        flags, last = [fmpy.fmi3.fmi3Boolean() for _ in range(3)], fmpy.fmi3.fmi3Float64()
        with pytest.raises(fmpy.fmi1.FMICallException):
            model.fmi3DoStep(model.component, 0.0, 0.1, True, *flags, last)
    model.freeInstance()
    told = capfd.readouterr().out
    assert "it is NULL" in told and "not a saved state" in told and "time is not finite" in told


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_brings_its_libraries(tmp_path, version):
    scene = tmp_path / "spring.toml"
    scene.write_text(SPRING.replace("[time]", 'title = "a < b & \\"c\\"\\nd"\n[time]'))
    fmu = export(scene, tmp_path / "spring.fmu", version, "--outputs", "mass.position.x")
    assert validate_fmu(fmu) == []
    folder = pathlib.Path(extract(fmu, tmp_path / "extracted")) / "binaries" / {2: "linux64", 3: "x86_64-linux"}[version]
    loaded = subprocess.run(["ldd", folder / "stiction_fmu.so"], check=True, capture_output=True, text=True).stdout
    system = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "linux-vdso.so.1"}
    brought = set()
    for line in loaded.splitlines():
        name, _, place = line.strip().partition(" => ")
        if not place:
            assert name.split()[0] in system or "ld-linux" in name, line
        elif name not in system:
            assert place.startswith(str(folder)), line
            brought.add(name)
    assert brought | {"stiction_fmu.so"} == {path.name for path in folder.iterdir()}
    # What docs/fmi.md says of the machine that it runs on: the newest symbols of the GNU C library and of GNU C++ 12.
    needed = "".join(subprocess.run(["readelf", "--version-info", "--wide", path], check=True, capture_output=True, text=True).stdout
                     for path in folder.iterdir())
    newest = {kind: max(tuple(map(int, text.split("."))) for text in re.findall(rf"\b{kind}_([0-9.]+)", needed))
              for kind in ("GLIBC", "GLIBCXX")}
    assert newest["GLIBC"] <= (2, 35) and newest["GLIBCXX"] <= (3, 4, 30), newest


@pytest.mark.parametrize("version", [2, 3])
def test_another_token_is_refused(tmp_path, version):
    scene = tmp_path / "spring.toml"
    scene.write_text(SPRING)
    fmu = export(scene, tmp_path / "spring.fmu", version, "--outputs", "mass.position.x")
    description = read_model_description(fmu)
    description.guid = description.instantiationToken = "{another}"
    with pytest.raises(Exception, match="[Ff]ailed to instantiate"):
        instantiate_fmu(extract(fmu, tmp_path / "extracted"), description, fmi_type="CoSimulation")
