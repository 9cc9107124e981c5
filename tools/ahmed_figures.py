#!/usr/bin/env python3
"""Figs 5.20 and 5.21 of gonthier-thesis-2007 anew: ./dev figures

The part of its kinetic energy that a double pendulum loses in one impact with a floor (benchmark of Ahmed et al.), against
friction, for several coefficients of restitution. Prints a table for cases (a) and (b) and writes one SVG for each.
The thesis prints no numbers and does not name its three coefficients; 0.01 stands for 0, as there.
Usage: ahmed_figures.py PROGRAM FOLDER"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

RESTITUTION = (0.01, 0.5, 0.9, 1)
FRICTION = [i / 20 for i in range(21)]
FIGURES = {"ahmed_a": "5.20", "ahmed_b": "5.21"}
COLORS = ("#4269d0", "#d1603d", "#3ca951", "#8d5fb5")


def calc_loss(program, scene, e, mu, folder):
    out = Path(folder) / f"{scene}_{e}_{mu}"
    table = 'contact."lower/floor"'
    friction = [f"{table}.friction.static={mu}", f"{table}.friction.kinetic={mu}"] if mu > 0 else [f"{table}.friction=0"]
    settings = [f"{table}.normal.restitution={e}", 'record.signals=["energy.kinetic"]', "time.duration=8e-3"] + friction
    subprocess.run([program, "examples", "run", scene, "--quiet", "--out", out] +
                   [word for setting in settings for word in ("--set", setting)], check=True)
    info = json.loads(subprocess.run([program, "info", out, "--json"], check=True, capture_output=True).stdout)
    release = [event["time"] for event in info["events"] if event["kind"] == "release"]
    if not release:
        sys.exit(f"ahmed_figures: {scene}, e = {e}, mu = {mu}: the tip did not leave the floor")
    table = subprocess.run([program, "export", out, "--format", "csv"], check=True, capture_output=True, text=True).stdout
    rows = [(float(t), float(energy)) for t, energy in list(csv.reader(table.splitlines()))[1:]]
    after = next(energy for t, energy in rows if t >= release[0])
    return 1 - after / rows[0][1]


def draw(title, losses):
    width, height, left, top = 640, 420, 70, 40
    w, h = width - left - 130, height - top - 60
    highest = max(max(values) for values in losses.values())
    limit = (int(highest * 10) + 1) / 10
    x = lambda mu: left + w * mu
    y = lambda loss: top + h * (1 - loss / limit)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
             f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="{left}" y="24" font-size="15">{title}</text>']
    for i in range(6):
        parts += [f'<line x1="{x(i / 5):.1f}" y1="{top}" x2="{x(i / 5):.1f}" y2="{top + h}" stroke="#ddd"/>',
                  f'<text x="{x(i / 5):.1f}" y="{top + h + 20}" text-anchor="middle">{i / 5:g}</text>']
    for i in range(round(limit * 10) + 1):
        parts += [f'<line x1="{left}" y1="{y(i / 10):.1f}" x2="{left + w}" y2="{y(i / 10):.1f}" stroke="#ddd"/>',
                  f'<text x="{left - 8}" y="{y(i / 10) + 4:.1f}" text-anchor="end">{10 * i}</text>']
    parts += [f'<text x="{left + w / 2}" y="{height - 12}" text-anchor="middle">friction coefficient [-]</text>',
              f'<text transform="translate(20 {top + h / 2}) rotate(-90)" text-anchor="middle">energy loss [%]</text>']
    for i, ((e, values), color) in enumerate(zip(losses.items(), COLORS)):
        points = " ".join(f"{x(mu):.1f},{y(loss):.1f}" for mu, loss in zip(FRICTION, values))
        parts += [f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>',
                  f'<line x1="{left + w + 14}" y1="{top + 20 * i + 10}" x2="{left + w + 40}" y2="{top + 20 * i + 10}" '
                  f'stroke="{color}" stroke-width="2"/>',
                  f'<text x="{left + w + 46}" y="{top + 20 * i + 14}">e = {e:g}</text>']
    return "\n".join(parts + ["</svg>", ""])


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for scene, figure in FIGURES.items():
        with tempfile.TemporaryDirectory() as runs:
            losses = {e: [calc_loss(program, scene, e, mu, runs) for mu in FRICTION] for e in RESTITUTION}
        case = scene[-1]
        print(f"Energy loss [%] in one impact, case ({case}), Fig. {figure} of gonthier-thesis-2007")
        print("friction " + "".join(f"{f'e = {e:g}':>11}" for e in RESTITUTION))
        for i, mu in enumerate(FRICTION):
            print(f"{mu:8.2f} " + "".join(f"{100 * losses[e][i]:11.3f}" for e in RESTITUTION))
        path = folder / f"{scene}.svg"
        path.write_text(draw(f"Double pendulum, one impact, case ({case})", losses))
        print(f"wrote {path}\n")


if __name__ == "__main__":
    main()
