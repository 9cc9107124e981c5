"""What a call of step() from Python costs on top of the engine's step.

    python bench/python/step_overhead.py

The same steps are taken twice from the same state: by so many calls of step(), and by one call of step_to(), whose loop is
in C++. The difference, divided by the number of steps, is the overhead. Times are those of the thread on the processor;
the best of many short repetitions is printed: others measure what else the machine does.
"""
import time

import stiction
from stiction.tables import Body, Contact, Joint, Scene, Shape, Time, World

pendulum = Scene(world=World(gravity=[0, 0, -9.81]), time=Time(duration=1e6, step=1e-3),
                 body={"bob": Body(mass=1, inertia=0.1)},
                 joint={"hinge": Joint("revolute", child="bob", axis=[0, 1, 0], child_at=[0, 0, 1], position=0.3)})
ball = Scene(world=World(gravity=[0, 0, -9.81]), time=Time(duration=1e6, step=1e-3),
             body={"floor": Body(fixed=True, shape=Shape("halfspace")),
                   "ball": Body(mass=1, position=[0, 0, 0.1], shape=Shape("sphere", radius=0.1))},
             contact={"default": Contact(friction=0.5)})


def measure(scene: Scene, steps: int = 500, repetitions: int = 200) -> "tuple[float, float]":
    """Seconds for a step from Python, and for one of the engine."""
    simulation = stiction.Simulation(scene)
    simulation.step_to(0.1)
    saved = simulation.save()
    calls, engine = [], []
    for _ in range(repetitions):
        simulation.restore(saved)
        step = simulation.step
        start = time.thread_time()
        for _ in range(steps):
            step()
        calls.append((time.thread_time() - start) / steps)
        end = simulation.time
        simulation.restore(saved)
        start = time.thread_time()
        simulation.step_to(end)
        engine.append((time.thread_time() - start) / steps)
    return min(calls), min(engine)


if __name__ == "__main__":
    for name, scene in (("pendulum, smooth", pendulum), ("ball on a floor, cone", ball)):
        call, engine = measure(scene)
        print(f"{name}: {1e6 * call:.2f} us a step from Python, {1e6 * engine:.2f} us in the engine, "
              f"overhead {1e6 * (call - engine):.2f} us")
