"""Figs 5.20 and 5.21 of gonthier-thesis-2007: the part of its kinetic energy that a double pendulum loses in one impact
with a floor (benchmark of Ahmed et al.), against friction, for several coefficients of restitution. The thesis prints
no numbers and does not name its three coefficients; 0.01 stands for 0, as there."""
from draw import Panel, draw
from numbers_table import ours_alone

RESTITUTION = (0.01, 0.5, 0.9, 1)
FRICTION = [i / 20 for i in range(21)]


def calc_loss(runs, scene, e, mu):
    table = 'contact."lower/floor"'
    friction = [f"{table}.friction.static={mu}", f"{table}.friction.kinetic={mu}"] if mu > 0 else [f"{table}.friction=0"]
    run = runs.get(scene, f"{table}.normal.restitution={e}", 'record.signals=["energy.kinetic"]', "time.duration=8e-3", *friction)
    release = runs.events(run, "release")
    if not release:
        raise SystemExit(f"figures: {scene}, e = {e}, mu = {mu}: the tip did not leave the floor")
    t, energy = runs.read(run, "energy.kinetic")
    after = next(value for time, value in zip(t, energy) if time >= release[0]["time"])
    return 1 - after / energy[0]


def losses(scene, friction=FRICTION):
    def make(runs):
        panel = Panel("friction coefficient [-]", "energy loss [%]", x_range=(0, 1))
        table = {e: [100 * calc_loss(runs, scene, e, mu) for mu in friction] for e in RESTITUTION}
        for e, values in table.items():
            panel.curves.append((f"e = {e:g}", friction, values))
        return [draw([panel])], [ours_alone(f"loss at mu = {mu:g} for e = 0.01, 0.5, 0.9, 1 [%]",
                                           ", ".join(f"{table[e][i]:.3f}" for e in RESTITUTION)) for i, mu in enumerate(friction)]
    return make


FIGURES = [("5.20", "Benchmark double pendulum: energy loss, case (a)", losses("ahmed_a"), False),
           ("5.21", "Benchmark double pendulum: energy loss, case (b)", losses("ahmed_b"), False)]
