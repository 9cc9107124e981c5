"""contact-kinematics-2003: two ellipsoids and a floor, Figs 5 and 6."""
import math

from draw import COLORS, Panel, draw
from numbers_table import printed
from runs import at, rotate

PAIRS = (("floor/grey", "Delta_1"), ("floor/black", "Delta_2"), ("grey/black", "Delta_3"))
AXES = {"grey": (0.12, 0.2, 0.12), "black": (0.3, 0.25, 0.2)}


def instants(runs, run):
    """(a) to (f): start, grey lands, half way of the rolling over, black approaches, black touches, apart."""
    impacts = {event["name"]: event["time"] for event in reversed(runs.events(run, "impact"))}
    release = runs.events(run, "release")[0]["time"]
    b, meets, e = impacts["floor/grey"], impacts["grey/black"], impacts["floor/black"]
    return {"a": 0.0, "b": b, "c": meets + (e - meets) / 2, "d": e - 0.05, "e": e, "f": release + 0.2}


def figure_5(runs):
    run = runs.get("two_ellipsoids")
    panel = Panel("time [s]", "distance [m]", x_range=(0, 1.3), y_range=(-0.1, 0.5))
    for pair, label in PAIRS:
        t, gap = runs.read(run, f"contact.{pair}.gap")
        panel.curves.append((f"{label}: {pair}", t, gap))
    for name, time in instants(runs, run).items():
        panel.lines.append(([(time, -0.1), (time, 0.45)], "#bbbbbb"))
        panel.texts.append((time + 0.01, 0.42, f"({name})"))
    return [draw([panel])], [printed("order of the first touches", "(b) grey-floor, black-grey, (e) black-floor",
                              ", ".join(event["name"] for event in runs.events(run, "impact")[:3]))]


def outline(center, quaternion, axes):
    """The outline of an ellipsoid seen along y: p = c + A d / sqrt(d'Ad) for d in the plane, A = R S^2 R'."""
    points = []
    for k in range(73):
        d = (math.cos(k * math.pi / 36), 0.0, math.sin(k * math.pi / 36))
        back = rotate((quaternion[0], *(-c for c in quaternion[1:])), d)
        scaled = [s * s * c for s, c in zip(axes, back)]
        size = math.sqrt(sum(c * c / (s * s) for s, c in zip(axes, scaled)))
        p = rotate(quaternion, [c / size for c in scaled])
        points.append((center[0] + p[0], center[2] + p[2]))
    return points


def figure_6(runs):
    run = runs.get("two_ellipsoids")
    panels = []
    for name, time in instants(runs, run).items():
        panel = Panel("x [m]", "z [m]", equal=True, title=f"({name}) t = {time:.3f} s", x_range=(-1.0, 0.8), y_range=(-0.1, 0.9))
        times = runs.read(run, "energy.total")[0]
        sample = lambda prefix, axes="xyz": [at(times, column, time) for column in runs.vector(run, prefix, axes)]
        for body, axes in AXES.items():
            panel.lines.append((outline(sample(f"{body}.position"), sample(f"{body}.orientation", "wxyz"), axes),
                                "#888888" if body == "grey" else "#000000"))
        panel.lines.append(([(-1, 0), (0.8, 0)], "#333333"))
        for i, (pair, _) in enumerate(PAIRS):
            normal = sample(f"contact.{pair}.closest_normal")
            for side, sign in (("a", 1), ("b", -1)):  # the outward normal, and the tangent in the plane of the picture
                p = sample(f"contact.{pair}.closest_{side}")
                panel.circles.append((p[0], p[2], 0.008, COLORS[i], True))
                panel.arrows.append((p[0], p[2], 0.09 * sign * normal[0], 0.09 * sign * normal[2], COLORS[i]))
                panel.arrows.append((p[0], p[2], 0.09 * normal[2], -0.09 * normal[0], COLORS[i]))
        panels.append(panel)
    return [draw(panels)], []


FIGURES = [
    ("5", "Distances of the three objects over time", figure_5, False),
    ("6", "Snapshots with the contact frames at the closest points", figure_6, True),
]
