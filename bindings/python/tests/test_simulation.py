"""The package as a user sees it. Numbers come from closed forms, or from the program (the same bits)."""
import _thread
import copy
import gc
import json
import os
import pathlib
import pickle
import resource
import subprocess
import threading

import numpy as np
import pytest

import stiction

examples = pathlib.Path(os.environ["STICTION_EXAMPLES"])
program = os.environ.get("STICTION_PROGRAM")

ball = {
    "world": {"gravity": [0, 0, -10]},
    "time": {"duration": 1, "step": 0.01},
    "body": {
        "floor": {"fixed": True, "shape": {"type": "halfspace"}},
        "ball": {"mass": 2, "position": np.array([0, 0, 0.2]), "shape": {"type": "sphere", "radius": 0.1}},
    },
    "contact": {"default": {"friction": 0.5}},
}


def test_run_has_the_bits_of_the_program(tmp_path):
    run = stiction.run(examples / "falling_rod.toml", set={"time.duration": 0.4})
    assert run.status == "completed" and run.verdict == "trustworthy"
    if program:
        command = [program, "run", examples / "falling_rod.toml", "--set", "time.duration=0.4", "--out", tmp_path / "run", "--json"]
        summary = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        assert run.hash == summary["hash"]
        stored = stiction.open(tmp_path / "run")
        assert stored.hash == run.hash and stored.verdict == run.verdict
        assert np.array_equal(stored["rod.position.y"], run["rod.position.y"])
        assert [e.t for e in stored.events] == [e.t for e in run.events]


def test_ball_comes_to_rest_and_carries_its_weight():
    run = stiction.run(ball)
    # Free fall from 0.1 m above: z = 0.2 - 5 t^2 up to t = sqrt(0.02) = 0.1414 s; then 0.1 m, to the solver's tolerance.
    falling = run.t < 0.14
    assert np.allclose(run["ball.position.z"][falling], 0.2 - 5 * run.t[falling] ** 2, atol=1e-12)
    assert run["ball.position.z"][-1] == pytest.approx(0.1, abs=1e-9)
    impacts = [e for e in run.events if e.kind == "impact"]
    assert len(impacts) == 1 and impacts[0].t == pytest.approx(np.sqrt(0.02), abs=1e-6)
    (contact,) = run.contacts(0.9)
    assert {contact["a"], contact["b"]} == {"floor", "ball"}
    assert abs(contact["force"][2]) == pytest.approx(20, abs=1e-6)
    assert run.unit("ball.position.z") == "m"
    with pytest.raises(KeyError, match="did you mean"):
        run["ball.position.zz"]


def test_samples_are_views():
    run = stiction.run(ball)
    z = run["ball.position.z"]
    assert not z.flags.owndata and not z.flags.writeable
    assert z.__array_interface__["data"] == run["ball.position.z"].__array_interface__["data"]
    del run
    gc.collect()
    assert z[0] == 0.2


def test_steps():
    simulation = stiction.Simulation(ball)
    q = simulation.q
    report = simulation.step()
    assert report.status == "ok" and report.h == 0.01
    assert simulation.time == 0.01
    assert q[6] == simulation.position("ball")[2] == simulation["ball.position.z"]  # a view follows the state
    simulation.step_to(0.5)
    (contact,) = simulation.contacts()
    assert contact.a == "floor" and contact.force[2] == pytest.approx(20, abs=1e-6) and contact.mode == "stick"
    assert simulation.signal("contact.floor/ball.force") == pytest.approx(20, abs=1e-6)
    # a = 30 N / 2 kg - 10 m/s^2 = 5 m/s^2 for 0.2 s
    simulation["ball.force.z"] = 30
    simulation.step_to(0.7)
    assert simulation.position("ball")[2] == pytest.approx(0.2, abs=1e-8)
    assert simulation.velocity("ball")[2] == pytest.approx(1, abs=1e-8)
    assert np.allclose(simulation.rotation("ball"), np.eye(3))
    simulation.step_length = 1e-3
    assert simulation.step().h == pytest.approx(1e-3)


def test_recorded_contacts():
    # A solid ball that slides: its contact point slows down by (7/2) mu g, and sticks after 2 v / (7 mu g) = 0.143 s. The
    # method is exact under constant forces, up to the impulse of its first step.
    scene = copy.deepcopy(ball)
    scene["time"]["step"] = 1e-3
    scene["body"]["ball"].update(position=[0, 0, 0.1], velocity=[1, 0, 0])
    scene["contact"]["default"] = {"friction": 0.2}
    run = stiction.run(scene)
    (contact,) = run.contacts(0.05)
    assert contact["mode"] == "slip" and contact["a"] == "floor"
    assert np.allclose(contact["slip"], [1 - 3.5 * 0.2 * 10 * 0.05, 0, 0], atol=1e-9)
    assert np.allclose(contact["force"], [-4, 0, 20], atol=1e-6) and np.allclose(contact["moment"], 0)
    assert run.contacts(0.3)[0]["mode"] == "stick" and np.allclose(run.contacts(0.3)[0]["slip"], 0, atol=1e-9)
    # One that spins on the spot: the moment is mu f_n e_r = 0.2 x 20 N x 0.01 m.
    scene["body"]["ball"].update(velocity=[0, 0, 0], angular_velocity=[0, 0, 100])
    scene["contact"]["default"] = {"friction": 0.2, "ellipse": [1, 1, 0.01], "direction": [1, 0, 0]}
    (contact,) = stiction.run(scene).contacts(0.05)
    assert np.allclose(contact["moment"], [0, 0, -0.04], atol=1e-6) and np.allclose(contact["slip"], 0)
    with pytest.raises(ValueError, match="set fields"):
        stiction.run(stiction.Simulation(scene), set={"time.duration": 1})


def test_the_number_of_a_signal_stays():
    simulation = stiction.Simulation(ball)
    names = [info.name for info in simulation.signals]
    assert simulation["contact.floor/ball.gap"] == pytest.approx(0.1)
    assert [info.name for info in simulation.signals] == names + ["contact.floor/ball.gap"]
    assert simulation["energy.total"] == pytest.approx(2 * 10 * 0.2)


def test_copies_and_states_continue_bit_for_bit():
    simulation = stiction.Simulation(examples / "falling_rod.toml", set={"time.duration": 0.4})
    simulation.step_to(0.2)
    saved = simulation.save()
    twins = [simulation.copy(), copy.copy(simulation), copy.deepcopy(simulation)]
    simulation.step_to(0.4)
    for twin in twins:
        twin.step_to(0.4)
        assert twin.hash == simulation.hash
    other = stiction.Simulation(examples / "falling_rod.toml", set={"time.duration": 0.4})
    other.restore(saved)
    assert other.time == pytest.approx(0.2, abs=1e-12)
    other.step_to(0.4)
    assert other.hash == simulation.hash
    simulation.reset()
    assert simulation.time == 0
    with pytest.raises(stiction.SceneError, match="not a saved state"):
        other.restore(b"nonsense")


def test_a_scene_is_written_and_steps_have_a_limit():
    simulation = stiction.Simulation(examples / "gripper.toml")
    again = stiction.Simulation(simulation.to_toml())
    assert again.title == simulation.title and len(simulation.to_toml(all=True)) > len(simulation.to_toml())
    for each in (simulation, again):
        report = each.advance(0.3 * each.step_length)
        assert report.h == each.time == 0.3 * each.step_length
        each.advance(1.0)  # to the grid
        assert each.time == each.step_length
        each.step_to(0.15)
    assert simulation.hash == again.hash
    assert "box" in repr(simulation.contacts()[0]) and "stick" in repr(simulation.contacts()[0])


def test_faults_are_data():
    with pytest.raises(stiction.SceneError) as caught:
        stiction.Simulation("[body.a]\nmas = 1\n[body.b]\nmass = -1\n")
    faults = caught.value.faults
    assert [f.line for f in faults] == [2, 4]
    assert faults[1].path == "body.b.mass" and "did you mean" in faults[0].hint
    with pytest.raises(OSError):
        stiction.Simulation("/nowhere/scene.toml")
    simulation = stiction.Simulation(ball)
    with pytest.raises(stiction.SceneError, match='did you mean "ball"'):
        simulation.position("bal")
    with pytest.raises(stiction.SceneError, match="did you mean"):
        simulation["ball.force.q"] = 1
    with pytest.raises(stiction.SceneError, match="not a finite number"):
        simulation["ball.force.x"] = float("nan")
    with pytest.raises(TypeError):
        stiction.Simulation({"body": {"a": object()}})


def test_diverging_step_is_an_exception():
    scene = {"time": {"duration": 10, "step": 1}, "body": {"m": {"mass": 1, "inertia": 1, "position": [2, 0, 0]}},
             "spring": {"s": {"b": "m", "stiffness": 1e9, "rest_length": 1}}}
    simulation = stiction.Simulation(scene, set={"method.integrator": "rk1", "time.duration": 1000})
    with pytest.raises(stiction.StepError) as caught:
        simulation.step_to(1000)
    assert caught.value.report.status != "ok"
    assert np.isfinite(simulation.q).all()


def test_set_changes_a_field():
    simulation = stiction.Simulation(ball)
    for value in ("[0, 0, -5]", [0, 0, -5], (0, 0, "-500 cm/s^2"), np.array([0, 0, -5.0])):
        simulation.set("world.gravity", value)
        simulation.step_to(0.1)
        assert simulation.position("ball")[2] == pytest.approx(0.2 - 0.5 * 5 * 0.01, abs=1e-12)
    for mass in (3, 3.0, "3000 g", np.float64(3)):
        simulation.set("body.ball.mass", mass)
        simulation["ball.force.x"] = 6
        simulation.step_to(0.1)
        assert simulation.velocity("ball")[0] == pytest.approx(0.2, abs=1e-12)
    simulation.set("method.type", "stewart_trinkle")
    assert simulation.method == "stewart_trinkle"
    with pytest.raises(stiction.SceneError) as caught:
        simulation.set("body.ball.mass", -1)
    assert caught.value.faults[0].path == "body.ball.mass"
    assert simulation.method == "stewart_trinkle"  # a fault changes nothing
    assert simulation.inputs[0].name == "ball.force.x" and simulation.inputs[0].unit == "N"


def test_views_outlive_what_they_show():
    simulation = stiction.Simulation(ball)
    simulation.step_to(0.05)
    q, v = simulation.q, simulation.v
    shown = q.copy(), v.copy()
    for count in (200, 1, 300):  # other sizes: their memory is other memory
        simulation.set("body.ball.copies", {"count": [count, 1, 1], "spacing": [0.3, 0, 0]})
        simulation.step_to(0.1)
        assert len(simulation.q) == 7 * count and len(simulation.v) == 6 * count
        assert np.array_equal(q, shown[0]) and np.array_equal(v, shown[1])
    q = simulation.q
    shown = q.copy()
    del simulation
    stiction.Simulation(ball).step()
    assert np.array_equal(q, shown)
    with pytest.raises(ValueError):
        q[0] = 1


def test_a_state_that_is_not_finite_is_refused():
    simulation = stiction.Simulation(ball)
    simulation.step_to(0.05)
    q, v = simulation.q.copy(), simulation.v.copy()
    with pytest.raises(stiction.SceneError, match="not finite"):
        simulation.set_state(q * np.nan, v)
    assert np.array_equal(simulation.q, q) and simulation.time == pytest.approx(0.05)


def test_a_state_is_given_by_anything_that_numpy_takes():
    simulation = stiction.Simulation(ball)
    simulation.set_state([1, 0, 0, 0, 0, 0, 0.25], (0, 0, 0, 0, 0, np.float32(-0.5)))
    assert simulation.position("ball")[2] == 0.25 and simulation.velocity("ball")[2] == -0.5
    for wrong in (np.zeros(6), np.zeros((7, 1)), []):
        with pytest.raises(stiction.SceneError, match="q must have 7 numbers"):
            simulation.set_state(wrong, np.zeros(6))
    with pytest.raises(stiction.SceneError, match='quaternion of body "ball" is zero'):
        simulation.set_state(np.zeros(7), np.zeros(6))
    assert simulation.position("ball")[2] == 0.25


def test_wrong_arguments_are_told():
    with pytest.raises(FileNotFoundError, match="no such file"):
        stiction.Simulation("nowhere.toml")
    with pytest.raises(FileNotFoundError, match="no such file"):
        stiction.Simulation(b"nowhere.toml")
    with pytest.raises(FileNotFoundError, match="has a line break"):
        stiction.Simulation("[body.a]")
    with pytest.raises(TypeError, match="a dict of paths and values"):
        stiction.Simulation(ball, set=["time.step=1"])
    simulation = stiction.Simulation(ball)
    with pytest.raises(stiction.SceneError, match="too short for the precision of the time"):
        simulation.step_length = 1e-300
    with pytest.raises(stiction.SceneError, match="contact signals: contact"):
        simulation.signal("contact.ball/flor.force")
    with pytest.raises(KeyError, match='did you mean "ball.position.z"'):
        stiction.run(ball).unit("ball.position.zz")
    states = np.tile(np.concatenate([simulation.q, simulation.v]), (4, 1))
    with pytest.raises(TypeError, match=r'\["ball.force.x"\]'):
        stiction.rollout(simulation, states, np.zeros((4, 5, 1)), "ball.force.x")
    states[2, 0] = states[3, 0] = np.nan
    for threads in (1, 2):
        with pytest.raises(stiction.SceneError, match="run 2: the state has numbers that are not finite"):
            stiction.rollout(simulation, states, np.zeros((4, 5, 1)), ["ball.force.x"], threads=threads)


def test_exceptions_reach_other_processes():
    with pytest.raises(stiction.SceneError) as caught:
        stiction.Simulation("[body.a]\nmas = 1\n[body.b]\nmass = -1\n")
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert str(again) == str(caught.value)
        assert [repr(fault) for fault in again.faults] == [repr(fault) for fault in caught.value.faults]
    scene = {"time": {"duration": 1000, "step": 1}, "body": {"m": {"mass": 1, "inertia": 1, "position": [2, 0, 0]}},
             "spring": {"s": {"b": "m", "stiffness": 1e9, "rest_length": 1}}}
    with pytest.raises(stiction.StepError) as caught:
        stiction.Simulation(scene, set={"method.integrator": "rk1"}).step_to(1000)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.report.status == caught.value.report.status == "diverged"
    report = stiction.Simulation(ball).step_to(0.5)
    again = pickle.loads(pickle.dumps(report))
    assert again.events and [repr(e) for e in again.events] == [repr(e) for e in report.events] and again.h == report.h


def test_simulations_reach_other_processes():
    # From a file with an override, and from a dict; in the middle of a contact that remembers (warm starts), pushed from
    # outside: the copy goes on with the same bits.
    for made in (stiction.Simulation(examples / "falling_rod.toml", {"time.step": 2e-3}), stiction.Simulation(ball)):
        name = made.bodies[-1]
        made.step_to(0.45)
        made.set_force(name, (0.3, 0.1, 0))
        made.step()
        again = pickle.loads(pickle.dumps(made))
        assert again.time == made.time and again.hash == made.hash and again.step_length == made.step_length
        assert again.input(f"{name}.force.x") == 0.3
        made.step_to(0.7), again.step_to(0.7)
        assert again.hash == made.hash and again.position(name)[0] == made.position(name)[0]
        again.set(f"body.{name}.mass", 3)  # the scene is there, too
        assert again.time == 0


def test_rollout_of_so_many_steps():
    # The ball, 2 kg, falls from 1 m, pushed by 6 N for 0.1 s: v_x = F t / m = 0.3 m/s.
    simulation = stiction.Simulation(ball)
    states = np.tile(np.concatenate([simulation.q, simulation.v]), (2, 1))
    states[:, 6] = 1  # z
    assert np.array_equal(stiction.rollout(simulation, states, steps=10)[1],
                          stiction.rollout(simulation, states, np.zeros((2, 10, 1)), ["ball.force.x"])[1])
    pushes = np.full((2, 3, 1), 6.0)
    held = stiction.rollout(simulation, states, pushes, ["ball.force.x"], steps=10, threads=2)
    assert np.array_equal(held, stiction.rollout(simulation, states, np.full((2, 10, 1), 6.0), ["ball.force.x"]))
    assert held[1, -1, 7 + 3] == pytest.approx(0.3, rel=1e-12)
    assert stiction.rollout(simulation, states, pushes, ["ball.force.x"]).shape == (2, 3, 13)
    first = stiction.rollout(simulation, states, pushes, ["ball.force.x"], steps=2)
    assert np.array_equal(first, held[:, :2])
    with pytest.raises(ValueError, match="how many steps"):
        stiction.rollout(simulation, states)
    with pytest.raises(ValueError, match="at least 0, got -1"):
        stiction.rollout(simulation, states, steps=-1)


def test_rollout_does_not_depend_on_threads():
    simulation = stiction.Simulation(ball)
    state = np.concatenate([simulation.q, simulation.v])
    states = np.tile(state, (7, 1))
    states[:, 4] = np.arange(7)
    controls = np.random.default_rng(1).normal(size=(7, 40, 2))
    inputs = ["ball.force.x", "ball.force.y"]
    one = stiction.rollout(simulation, states, controls, inputs, threads=1)
    three = stiction.rollout(simulation, states, controls, inputs, threads=3)
    assert one.shape == (7, 40, 13) and np.array_equal(one, three)
    # By hand.
    alone = stiction.Simulation(ball)
    alone.set_state(states[3, :7], states[3, 7:])
    for k in range(40):
        for name, value in zip(inputs, controls[3, k]):
            alone[name] = value
        alone.step()
    assert np.array_equal(one[3, -1], np.concatenate([alone.q, alone.v]))
    assert simulation.time == 0


def test_lock_is_released_while_stepping():
    simulation = stiction.Simulation(ball, set={"time.duration": 1000, "time.step": 1e-5})
    beats = 0
    done = threading.Event()

    def work():
        simulation.step_to(0.3)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        beats += 1
    thread.join()
    assert beats > 10  # with the lock held throughout it would be 0 or 1


def test_a_simulation_is_used_by_one_thread_at_a_time():
    simulation = stiction.Simulation(ball, set={"time.duration": 1000, "time.step": 1e-5})
    q = simulation.q
    started, refused = threading.Event(), []

    def work():
        started.set()
        simulation.step_to(0.2)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    while thread.is_alive():
        try:
            simulation.set_force("ball", (1, 0, 0))
            simulation.set_force("ball", (0, 0, 0))
        except RuntimeError as error:
            refused.append(str(error))
        assert np.isfinite(q).all()
    thread.join()
    assert refused and "another thread" in refused[0]
    assert simulation.time == pytest.approx(0.2)

    # Nor may a callback of a run step it.
    again = stiction.Simulation(ball)
    with pytest.raises(RuntimeError, match="calls back"):
        stiction._core.run_simulation(again, progress=lambda *_: again.step())


def test_ctrl_c_stops_steps():
    simulation = stiction.Simulation(ball, set={"time.duration": 1e6, "time.step": 1e-4})
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.step_to(1e5)
    reached = simulation.time
    assert 0 < reached < 1e5 and simulation.q[6] == pytest.approx(simulation.position("ball")[2])
    simulation.step()  # and it goes on
    assert simulation.time > reached


def test_ctrl_c_stops_long_steps_and_rollouts():
    # A pile: a thousand of its steps take seconds. It ends long before they are taken.
    simulation = stiction.Simulation(examples / "pile.toml")
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        simulation.step_to(1e5)
    assert 0 < simulation.time < 500 * simulation.step_length
    start = stiction.Simulation(examples / "pile.toml")
    states = np.tile(np.concatenate([start.q, start.v]), (3, 1))
    body = next(info.name for info in start.inputs if info.name.endswith(".force.x"))
    for threads in (1, 2):
        threading.Timer(0.2, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            stiction.rollout(start, states, np.zeros((3, 2000, 1)), [body], threads=threads)
    seen = []

    def interrupt(t, duration):
        seen.append(t)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):  # nor is an exception of a callback lost
        stiction._core.run_simulation(stiction.Simulation(ball), progress=interrupt)
    assert seen == [0]


def test_steps_leak_nothing():
    simulation = stiction.Simulation(ball)
    for _ in range(2000):
        simulation.step()
        simulation["ball.position.z"]
        simulation.contacts()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100000):
        simulation.step()
        simulation.q, simulation.v
    for _ in range(2000):
        simulation["ball.position.z"]
        simulation.contacts()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000  # KiB; 20 bytes a step would be as much


def test_contact_pair_in_a_hand_written_loop():
    scene = {"body": {"floor": {"fixed": True, "shape": {"type": "halfspace"}},
                      "ball": {"mass": 1, "position": [0, 0, 1], "shape": {"type": "sphere", "radius": 0.1}}},
             "contact": {"default": {"normal": {"law": "hertz", "stiffness": 1e5, "restitution": 0.5},
                                     "friction": {"law": "none"}}}}
    pair = stiction.ContactPair(scene, "floor", "ball")
    floor = np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], float)
    ball = floor.copy()
    ball[2], ball[9] = 0.1 + 1e-9, -1.0  # just above, at 1 m/s
    memory = pair.make_memory()
    h = 1e-6
    while True:  # semi-implicit Euler, no gravity, until it has parted again
        ball[9] += h * pair.evaluate(floor, ball, memory).force_b[2]
        ball[2] += h * ball[9]
        if pair.update(floor, ball, memory) and not memory[-1]:
            break
    # Newton's coefficient of restitution; the step takes 1e-3 of the contact's 3 ms.
    assert ball[9] == pytest.approx(0.5, abs=2e-3)
    with pytest.raises(stiction.SceneError, match='did you mean "ball"'):
        stiction.ContactPair(scene, "floor", "bal")
    # A copy of the memory, made because it has another type, would take the change.
    memory, touching = pair.make_memory(), floor.copy()
    touching[2] = 0.09
    for wrong in (memory.astype(np.float32), list(memory), memory[:11]):
        with pytest.raises(TypeError):
            pair.update(floor, touching, wrong)
    assert pair.update(floor, touching, memory) and memory[-1] == 1
    with pytest.raises(stiction.SceneError, match="memory of the contact is not finite"):
        pair.evaluate(floor, touching, memory * np.nan)
    with pytest.raises(stiction.SceneError, match="^error: the quaternion of a body is zero"):
        pair.evaluate(floor * 0, touching, memory)
    scene["contact"]["default"]["normal"]["restitution"], scene["body"]["ball"]["mass"] = 2, -1
    with pytest.raises(stiction.SceneError) as caught:  # its faults are data, too
        stiction.ContactPair(scene, "floor", "ball")
    assert sorted(fault.path for fault in caught.value.faults) == ["body.ball.mass", "contact.default.normal"]
