"""compliant-implicit-2007: disc and ellipsoid on a compliant layer with a rigid core, Figs 4-7."""
from draw import Panel, draw
from numbers_table import computed, printed
from runs import first_time

FINE = "time.output=1e-4"  # every step: the core stops the disc within one


def disc(example, parts):
    def make(runs):
        run = runs.get(example, FINE)
        pair = "contact.disc/floor"
        t, core, all_forces, y, v, energy = runs.read(run, f"{pair}.core_force", f"{pair}.force", "disc.position.y",
                                                      "disc.velocity.y", "energy.total")
        spring = [a - b for a, b in zip(all_forces, core)]
        panels = {"core": Panel("time [s]", "p_nr / h [N]", [("", t, core)], title="non-penetration impulse over h"),
                  "spring": Panel("time [s]", "p_ns / h [N]", [("", t, spring)], title="spring"),
                  "position": Panel("time [s]", "y [m]", [("", t, y)], title="position of the centre"),
                  "velocity": Panel("time [s]", "v_y [m/s]", [("", t, v)], title="velocity"),
                  "energy": Panel("time [s]", "energy [J]", [("", t, energy)], title="total energy")}
        for panel in panels.values():
            panel.x_range, panel.height = (0, 2), 130
        hit = first_time(t, core, lambda f: f > 1)
        if example == "disc_core":
            after = [(a, b) for time, a, b in zip(t, energy, energy[1:]) if time > hit + 0.002]
            numbers = [printed("core reached [s]", "0.34", f"{hit:.4f}"),
                       computed("velocity right after [m/s]: e = 0", "0", f"{v[t.index(hit) + 1]:.4f}")]
        else:
            after = list(zip(energy, energy[1:]))
            numbers = [computed("force of the core", "0", f"{max(core):g} N")]
        numbers.append(printed("loss of energy in a step [J]", "order of 1e-5", f"{sum(a - b for a, b in after) / len(after):.1e}"))
        return [draw([panels[part] for part in parts])], numbers
    return make


def ellipsoid(example, y_range):
    def make(runs):
        run = runs.get(example)
        pair = "contact.ellipsoid/floor"
        t, force, core, friction, energy = runs.read(run, f"{pair}.force", f"{pair}.core_force", f"{pair}.friction",
                                                     "energy.total")
        place = runs.vector(run, "ellipsoid.position")
        spin = runs.vector(run, "ellipsoid.angular_velocity")
        panels = [Panel("time [s]", "force [N]", [("normal", t, force), ("core", t, core), ("friction", t, friction)],
                        y_range=y_range, title="forces"),
                  Panel("time [s]", "position [m]", [(f"{a}", t, values) for a, values in zip("xyz", place)]),
                  Panel("time [s]", "angular velocity [rad/s]", [(f"{a}", t, values) for a, values in zip("xyz", spin)]),
                  Panel("time [s]", "energy [J]", [("", t, energy)], title="total energy")]
        for panel in panels:
            panel.x_range, panel.height = (0, 1), 150
        numbers = [printed("touch-down [s]", "just before 0.2", f"{first_time(t, force, lambda f: f > 0):.3f}"),
                   printed("force of the core (not reached with the printed numbers: see the scene)", "large at the impact", f"{max(core):g} N")]
        if example == "ellipsoid_flat":
            numbers += [printed("spin stops [s]", "approximately 0.4", f"{first_time(t, spin[2], lambda w: abs(w) < 1e-3):.3f}"),
                        computed("normal force at rest [N]: m g", "9.81", f"{force[-1]:.3f}")]
        else:
            numbers.append(printed("angular velocities in x and y after the impact", "appear",
                            f"{max(map(abs, spin[0])):.2f} and {max(map(abs, spin[1])):.2f} rad/s"))
        return [draw(panels)], numbers
    return make


FIGURES = [
    ("4", "Disc that reaches the rigid core", disc("disc_core", ("core", "spring", "position", "velocity", "energy")), True),
    ("5", "Disc that does not reach the core", disc("disc_soft", ("energy", "spring", "position", "velocity")), False),
    ("6", "Ellipsoid dropped flat", ellipsoid("ellipsoid_flat", (-25, 100)), False),
    ("7", "Ellipsoid dropped tilted", ellipsoid("ellipsoid_tilted", None), False),
]
