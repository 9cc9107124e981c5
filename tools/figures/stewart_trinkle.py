"""stewart-trinkle-2000: the falling rod (Figs 2-5) and four balls (Figs 6-8)."""
import math

from draw import COLORS, Panel, draw
from numbers_table import printed

ROD_STEPS = (0.01, 0.005, 0.0025)


def rod_run(runs, step):
    return runs.get("falling_rod", "method.type=stewart_trinkle", f"time.step={step}", f"time.output={step}")


def rod_outline(x, y, angle, half=0.25, radius=0.05):
    """A capsule: two straight sides and two half circles."""
    points = []
    for end, start in ((half, -90), (-half, 90)):
        for k in range(13):
            turn = math.radians(start + 15 * k)
            points.append((end + radius * math.cos(turn), radius * math.sin(turn)))
    c, s = math.cos(angle), math.sin(angle)
    return [(x + c * u - s * v, y + s * u + c * v) for u, v in points + points[:1]]


def figure_2(runs):
    run = rod_run(runs, 0.0025)
    t, x, y, w, z = runs.read(run, "rod.position.x", "rod.position.y", "rod.orientation.w", "rod.orientation.z")
    angle = lambda i: 2 * math.atan2(z[i], w[i])
    panel = Panel("x [m]", "y [m]", equal=True)
    times = (0, 0.1, 0.2, 0.3, 0.383, 0.42, 0.46, 0.5, 0.548, 0.65)
    for time in times:
        i = min(range(len(t)), key=lambda k: abs(t[k] - time))
        outline = rod_outline(x[i], y[i], angle(i))
        panel.lines.append((outline, COLORS[0]))
        px, py = max(outline) if time < 0.383 else min(outline)  # the end that is in the air
        place = (px + (0.01 if time < 0.383 else -0.09), py, f"{time:g}")
        last = panel.texts[-1] if panel.texts else (9, 9, "")
        if max(abs(place[0] - last[0]), abs(place[1] - last[1])) < 0.05:  # it lies where it lay: one label
            panel.texts[-1] = (last[0] - 0.05, last[1], f"{last[2]}, {time:g}")
        else:
            panel.texts.append(place)
    panel.lines.append(([(-0.65, 0), (0.4, 0)], "#333333"))
    starts = [event["time"] - 0.0025 for event in runs.events(run, "impact")]
    speed = runs.read(run, "rod.velocity.x")[1]
    rest = next(t[i] for i in range(len(t)) if t[i] > starts[1] and max(abs(v) for v in speed[i:]) < 1e-6)
    return [draw([panel])], [printed("first contact, start of its step [s]", "0.383", f"{starts[0]:.4f}"),
                             printed("slap-down, start of its step [s]", "0.548", f"{starts[1]:.4f}"),
                             printed("horizontal slide after it [s]", "0.02", f"{rest - starts[1]:.4f}")]


def rod_figure(signal, label):
    def make(runs):
        panel = Panel("time [s]", label, x_range=(0, 1))
        for step in ROD_STEPS:
            t, values = runs.read(rod_run(runs, step), signal)
            panel.curves.append((f"h = {step:g}", t, values))
        return [draw([panel])], []
    return make


def balls(runs, time, run):
    """Positions at the sample nearest to a time."""
    out = []
    for i in range(1, 5):
        t, x, y, z = runs.read(run, *(f"ball{i}.position.{axis}" for axis in "xyz"))
        k = min(range(len(t)), key=lambda n: abs(t[n] - time))
        out.append((x[k], y[k], z[k]))
    return out


def figure_6(runs):
    """Impulses on both balls of each contact in the step in which the first collision is, elevation and plan."""
    run = runs.get("four_balls")
    hit = next(c for c in runs.contacts(run) if c["a"] == "ball1" and c["mode"] != "open")
    contacts = [c for c in runs.contacts(run) if c["time"] == hit["time"] and c["mode"] != "open"]
    centers = balls(runs, hit["time"] - 0.005, run)
    panels = []
    for name, axis, y_range in (("elevation", "z", (-0.06, 0.3)), ("plan", "y", (-0.16, 0.2))):
        panel = Panel("x [m]", f"{axis} [m]", equal=True, title=f"Impulses, {name}: 1 N s is drawn as 0.4 m",
                      x_range=(0.6, 1.65), y_range=y_range)
        for x, y, z in centers:
            panel.circles.append((x, z if axis == "z" else y, 0.1, COLORS[4], False))
        for c in contacts:
            n = (c["normal.x"], c["normal." + axis])
            p = (c["impulse.x"], c["impulse." + axis])
            for sign, color in ((1, COLORS[0]), (-1, COLORS[1])):  # on b, on a; the table's own is not drawn
                if sign < 0 and c["a"] == "table":
                    continue
                inside = 0.015 * sign
                panel.arrows.append((c["position.x"] + inside * n[0], c["position." + axis] + inside * n[1],
                                     0.4 * sign * p[0], 0.4 * sign * p[1], color))
        panels.append(panel)
    reached = {body for c in contacts for body in (c["a"], c["b"])} - {"table"}
    ball1 = [c for c in contacts if c["a"] == "ball1"]
    lift = -sum(c["impulse.z"] for c in ball1)
    return [draw(panels)], [
        printed("balls that the impulses of the collision's first step reach", "all four", str(len(reached))),
        printed("vertical impulse on the thrown ball", "up", f"{'up' if lift > 0 else 'down'}, {abs(lift):.4f} N s")]


def views(axis, label):
    def make(runs):
        run = runs.get("four_balls")
        panel = Panel("x [m]", label, equal=True)
        for i in range(1, 5):
            _, x, other = runs.read(run, f"ball{i}.position.x", f"ball{i}.position.{axis}")
            panel.curves.append((f"ball {i}", x, other))
        for k in range(21):
            for i, place in enumerate(balls(runs, 0.05 * k, run)):
                panel.circles.append((place[0], place[2 if axis == "z" else 1], 0.1, COLORS[i], False))
        table = [c["time"] for c in runs.contacts(run) if c["b"] == "ball1"]
        hit = [c["time"] for c in runs.contacts(run) if c["a"] == "ball1"]
        return [draw([panel])], [printed("thrown ball reaches the table [s]", "0.42", f"{table[0]:.3f}"),
                                 printed("it hits the first ball [s]", "0.59", f"{hit[0]:.3f}")] if axis == "z" else []
    return make


FIGURES = [
    ("2", "Falling and spinning rod, h = 0.0025", figure_2, True),
    ("3", "Vertical velocity of the rod for various h", rod_figure("rod.velocity.y", "vertical velocity [m/s]"), False),
    ("4", "Angular velocity of the rod for various h", rod_figure("rod.angular_velocity.z", "angular velocity [rad/s]"), False),
    ("5", "Horizontal velocity of the rod for various h", rod_figure("rod.velocity.x", "horizontal velocity [m/s]"), False),
    ("6", "Impulses at the collision of the balls", figure_6, True),
    ("7", "Elevation of the balls, every 0.05 s", views("z", "z [m]"), False),
    ("8", "Plan of the balls, every 0.05 s", views("y", "y [m]"), False),
]
