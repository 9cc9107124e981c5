"""gonthier-thesis-2007, section 5.1.4: the robot with force and moment accommodation, Figs 5.29-5.32. Simulation only: the
thesis prints the experiment beside it. Its time axis, 1400 to 1540 s, is that of the experiment."""
from draw import Panel, draw
from numbers_table import ours_alone, printed
from runs import at, rotate

# Experiment B: repeatedly down with 2 mm/s and up with 1 mm/s.
NORMAL_ONLY = ("controller.accommodation.velocity={table={times=[0,4,8,12,16],values=[[0,0,-2e-3],[0,0,1e-3],[0,0,-2e-3],"
               '[0,0,1e-3],[0,0,0]]},interpolation="hold"}', "time.duration=18")


def get(runs, settings, step):
    return runs.get("arm_on_plate", f"time.step={step}", *settings)


def tip(runs, run):
    """Place of the tip's centre [mm]."""
    places = zip(*runs.vector(run, "hand.position"))
    turns = zip(*runs.vector(run, "hand.orientation", "wxyz"))
    points = [[1e3 * (a + b) for a, b in zip(p, rotate(q, (0.1, 0, 0)))] for p, q in zip(places, turns)]
    return zip(*points)


def positions(settings):
    def make(runs):
        panels = [Panel("time [s]", f"{axis} [mm]", height=150) for axis in "xyz"]
        for step in ("1e-3", "5e-5"):
            run = get(runs, settings, step)
            t = runs.read(run, "energy.total")[0]
            for panel, values in zip(panels, tip(runs, run)):
                panel.curves.append((f"explicit Euler, {1e3 * float(step):g} ms", t, values))
        # As many mm as the print shows: 35, 35 and 40.
        for panel, span in zip(panels, (35, 35, 40)):
            middle = (min(panel.curves[0][2]) + max(panel.curves[0][2])) / 2
            panel.y_range = (middle - span / 2, middle + span / 2)
        start = [panel.curves[0][2][0] for panel in panels]
        apart = max(abs(a - b) for panel in panels for a, b in zip(panel.curves[0][2], panel.curves[1][2]))
        return [draw(panels)], [printed("the tip's place at the start [mm]", "axes: x 820-855, y -280 to -245, z -405 to -365",
                                 ", ".join(f"{value:.0f}" for value in start)),
                                ours_alone("largest difference of 1 ms and 50 us [mm]", f"{apart:.1e}")]
    return make


def forces(settings, at_time):
    def make(runs):
        panels = [Panel("time [s]", f"F{axis} [N]", height=150) for axis in "xyz"]
        for step in ("1e-3", "5e-5"):
            run = get(runs, settings, step)
            t = runs.read(run, "energy.total")[0]
            for panel, values in zip(panels, runs.vector(run, "contact.hand.tip/plate.impulse")):
                # On the plate, means over the recording interval of 10 ms.
                panel.curves.append((f"explicit Euler, {1e3 * float(step):g} ms", t, [value / 0.01 for value in values]))
        fz = [at(t, panel_curve[2], at_time) for panel_curve in panels[2].curves]
        numbers = [printed("force held at 2 mm/s [N]", "approximately 10 N per 1 mm/s, plus a 10 N dead-band",
                           ", ".join(f"{-value:.3f}" for value in fz), closed="30")]
        if not settings:
            fx, fy = (at(t, panel.curves[0][2], 5) for panel in panels[:2])
            numbers.append(printed("friction by normal force, dragged", "mu_S 0.16, mu_C 0.1", f"{(fx * fx + fy * fy) ** 0.5 / -fz[0]:.4f}"))
        return [draw(panels)], numbers
    return make


FIGURES = [
    ("5.29", "Robot pressed on a plate: place of the tip", positions(NORMAL_ONLY), False),
    ("5.30", "Robot pressed on a plate: forces on the plate", forces(NORMAL_ONLY, 3.9), False),
    ("5.31", "Robot dragged along a plate: place of the tip", positions(()), False),
    ("5.32", "Robot dragged along a plate: forces on the plate", forces((), 5.0), False),
]
