#!/usr/bin/env python3
"""The figures of the papers that show results, anew: ./dev figures [FOLDER]

Runs the example scenes, draws each figure as SVG with the axes of the print, and writes one HTML page for each paper
with the numbers that can be read off the print beside ours. A figure for which there is no scene is listed with the
reason. Usage: paper_figures.py PROGRAM FOLDER [PAPER...]"""
import csv
import html
import json
import math
import subprocess
import sys
import time
from pathlib import Path

DEGREE = math.pi / 180


class Runs:
    """Runs of examples, each made once."""

    def __init__(self, program, folder):
        self.program, self.folder, self.made = program, folder, {}

    def get(self, example, *settings):
        key = (example, settings)
        if key not in self.made:
            out = self.folder / "runs" / f"{example}_{len(self.made)}"
            words = [word for setting in settings for word in ("--set", setting)]
            subprocess.run([self.program, "examples", "run", example, "--quiet", "--out", out] + words, check=True)
            self.made[key] = out
        return self.made[key]

    def read(self, run, *signals):
        """Times, then the samples of each signal."""
        text = subprocess.run([self.program, "export", run, "--format", "csv"] +
                              ["--signals", *signals],
                              check=True, capture_output=True, text=True).stdout
        rows = list(csv.reader(text.splitlines()))
        head = [name.split(" ")[0].split("[")[0] for name in rows[0]]
        columns = list(zip(*([float(x) for x in row] for row in rows[1:])))
        return [list(columns[0])] + [list(columns[head.index(signal)]) for signal in signals]

    def events(self, run, kind=None):
        info = json.loads(subprocess.run([self.program, "info", run, "--json"], check=True, capture_output=True).stdout)
        return [event for event in info["events"] if kind in (None, event["kind"])]

    def plot(self, name, runs, signals, *options):
        out = self.folder / name
        subprocess.run([self.program, "plot", *runs, *signals, "-o", out, *options], check=True, capture_output=True)
        return out.name


def at(times, values, t):
    return min(zip(times, values), key=lambda pair: abs(pair[0] - t))[1]


# Each figure: (number, caption, function of runs -> (svg names, [(quantity, print, ours)])); None: why there is none.

def rod(runs):
    run = runs.get("falling_rod", "method.type=stewart_trinkle", "time.step=0.0025", "time.output=0.0025")
    starts = [event["time"] for event in runs.events(run, "impact")]
    return run, [("first contact, start of its step [s]", "0.383", f"{starts[0] - 0.0025:.4f}"),
                 ("slap-down, start of its step [s]", "0.548", f"{starts[1] - 0.0025:.4f}")]


def rod_figure(signal, name):
    def make(runs):
        series = [runs.get("falling_rod", "method.type=stewart_trinkle", f"time.step={h}", f"time.output={h}")
                  for h in (0.01, 0.005, 0.0025)]
        numbers = rod(runs)[1] if signal == "rod.angular_velocity.z" else []
        return [runs.plot(name, series, [signal])], numbers
    return make


def simple(example, name, signals, *options, settings=(), numbers=None):
    def make(runs):
        run = runs.get(example, *settings)
        return [runs.plot(name, [run], list(signals), *options)], numbers(runs, run) if numbers else []
    return make


def four_balls(runs):
    run = runs.get("four_balls")
    svg = [runs.plot("st_7_elevation.svg", [run], ["ball*.position.z"]),
           runs.plot("st_8_plan.svg", [run], ["ball*.position.y"], "--against", "ball1.position.x")]
    return svg, []


def pendulum_rest(runs, run):
    _, shoulder, elbow = runs.read(run, "shoulder.position", "elbow.position")
    return [("first joint at rest [deg]", "2.2 (not reproduced, see ERRATA)", f"{abs(shoulder[-1]) / DEGREE:.3f}"),
            ("second joint at rest [deg]", "about -65", f"{elbow[-1] / DEGREE:.1f}")]


def slope_numbers(runs, run):
    _, x, z = runs.read(run, "ball.velocity.x", "ball.velocity.z")
    speed = math.hypot(x[-1], z[-1])
    return [("speed at the end [m/s]; rolling: 5/7 g sin 20 deg", "", f"{speed:.3f}")]


def stick_slip(speed, number):
    def make(runs):
        v = speed / math.sqrt(2)
        run = runs.get("stick_slip", f"body.plate.shape.surface_velocity=[{v},{v},0]")
        return [runs.plot(f"th_{number}.svg", [run], ["block.position.x"])], []
    return make


def arm(runs):
    run = runs.get("arm_on_plate")
    t, z = runs.read(run, "hand.position.z")
    _, f = runs.read(run, "contact.hand.tip/plate.force")
    return [runs.plot("th_5_31.svg", [run], ["hand.position.*"]),
            runs.plot("th_5_32.svg", [run], ["contact.hand.tip/plate.force", "contact.hand.tip/plate.friction"])], [
                ("force held at 2 mm/s [N]: 10 N per mm/s and a dead-band of 10 N", "30", f"{at(t, f, 2.5):.2f}")]


def ellipsoids(runs):
    run = runs.get("two_ellipsoids", 'record.signals=["*","contact.*.gap"]')
    return [runs.plot("ck_5.svg", [run], ["contact.*.gap"])], [
        ("events in the order of the paper", "(b) grey-floor, black-grey, (e) black-floor",
         ", ".join(event["name"] for event in runs.events(run, "impact")[:3]))]


PAPERS = {
    "stewart-trinkle-2000": [
        ("3", "Vertical velocity of the rod for various h", rod_figure("rod.velocity.y", "st_3.svg")),
        ("4", "Angular velocity of the rod for various h", rod_figure("rod.angular_velocity.z", "st_4.svg")),
        ("5", "Horizontal velocity of the rod for various h", rod_figure("rod.velocity.x", "st_5.svg")),
        ("7, 8", "Four balls: elevation and plan", four_balls)],
    "cooking-complementarity-2006": [
        (f"4.{i}", title, simple(f"recipe_4_{i}", f"cc_4_{i}.svg", signals))
        for i, title, signals in (
            (1, "Double pendulum (the paper shows systems, no results)", ("a.position.*", "b.position.*")),
            (2, "On a smooth floor", ("block.position.x", "b.position.x", "b.position.y")),
            (3, "With friction", ("block.position.x", "b.position.x", "b.position.y")),
            (4, "Pushed", ("block.position.x", "pusher.position.x", "b.position.y")),
            (5, "Pushed on a belt", ("block.position.x", "pusher.position.x", "b.position.y")),
            (6, "Full planar model", ("block.position.x", "pusher.position.x", "particle.position.y")))],
    "compliant-implicit-2007": [
        ("4-7", "Disc and ellipsoid on a compliant layer", None)],
    "contact-kinematics-2003": [("5", "Distances of two ellipsoids and the floor", ellipsoids)],
    "gonthier-thesis-2007": [
        ("5.2", "Contact force against indentation",
         simple("impact", "th_5_2.svg", ("contact.*.force",), "--against", "contact.ball/floor.depth")),
        ("5.4", "Stick-slip, 0.05 m/s", stick_slip(0.05, "5_4")),
        ("5.5", "Stick-slip, 0.1 m/s", stick_slip(0.1, "5_5")),
        ("5.6", "Stick-slip, 0.15 m/s", stick_slip(0.15, "5_6")),
        ("5.7", "Ball on an inclined plane: path", simple("ball_on_slope", "th_5_7.svg", ("ball.position.*",))),
        ("5.8", "Ball on an inclined plane: velocities",
         simple("ball_on_slope", "th_5_8.svg", ("ball.velocity.*", "ball.angular_velocity.*"), numbers=slope_numbers)),
        ("5.9", "Ball in a cylinder, plane: path",
         simple("ball_in_cylinder_2d", "th_5_9.svg", ("ball.position.z",), "--against", "ball.position.x")),
        ("5.10", "Ball in a cylinder, plane: velocities", simple("ball_in_cylinder_2d", "th_5_10.svg", ("ball.velocity.*",))),
        ("5.11", "Ball in a cylinder: path", simple("ball_in_cylinder_3d", "th_5_11.svg", ("ball.position.*",))),
        ("5.12", "Ball in a cylinder: velocities", simple("ball_in_cylinder_3d", "th_5_12.svg", ("ball.velocity.*",))),
        ("5.13", "Ball in a cylinder: total energy", simple("ball_in_cylinder_3d", "th_5_13.svg", ("energy.total",))),
        ("5.15", "Double pendulum: joint positions",
         simple("pendulum_on_floor", "th_5_15.svg", ("shoulder.position", "elbow.position"), numbers=pendulum_rest)),
        ("5.16", "Double pendulum: joint velocities",
         simple("pendulum_on_floor", "th_5_16.svg", ("shoulder.velocity", "elbow.velocity"))),
        ("5.19", "Double pendulum: total energy", simple("pendulum_on_floor", "th_5_19.svg", ("energy.total",))),
        ("5.25", "Robot in free motion: joint positions",
         simple("arm_free_motion", "th_5_25.svg", ("swing.position", "shoulder.position", "elbow.position",
                                                   "roll.position", "pitch.position", "yaw.position"))),
        ("5.26", "Robot in free motion: joint velocities",
         simple("arm_free_motion", "th_5_26.svg", ("swing.velocity", "shoulder.velocity", "elbow.velocity",
                                                   "roll.velocity", "pitch.velocity", "yaw.velocity"))),
        ("5.29-5.32", "Robot with force accommodation on a plate", arm)],
}
REASONS = {"compliant-implicit-2007": "no scene: the layer's implicit step is not among the methods"}


def write_page(paper, entries, folder):
    parts = [f'<!doctype html><meta charset="utf-8"><title>{paper}</title>'
             '<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}td,th{padding:2px 12px;text-align:left}'
             'img{max-width:100%}</style>', f"<h1>{paper}</h1>"]
    for number, caption, svgs, numbers, reason in entries:
        parts.append(f"<h2>Fig. {number}: {html.escape(caption)}</h2>")
        parts += [f'<img src="{svg}" alt="Fig. {number}">' for svg in svgs]
        if reason:
            parts.append(f"<p>{html.escape(reason)}</p>")
        if numbers:
            parts.append("<table><tr><th></th><th>print</th><th>ours</th></tr>" + "".join(
                f"<tr>{''.join(f'<td>{html.escape(x)}</td>' for x in row)}</tr>" for row in numbers) + "</table>")
    (folder / f"{paper}.html").write_text("\n".join(parts) + "\n")


def main():
    program, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    wanted = sys.argv[3:] or list(PAPERS)
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    runs = Runs(program, folder)
    start = time.monotonic()
    for paper in wanted:
        entries = []
        for number, caption, make in PAPERS[paper]:
            svgs, numbers = make(runs) if make else ([], [])
            entries.append((number, caption, svgs, numbers, None if make else REASONS[paper]))
            for quantity, printed, ours in numbers:
                print(f"{paper} {number}: {quantity}: print {printed or '-'}, ours {ours}")
        write_page(paper, entries, folder)
        print(f"{folder / paper}.html: {len(entries)} figures, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
