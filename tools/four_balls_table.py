#!/usr/bin/env python3
"""Table 1 of stewart-trinkle-2000 anew, beside the paper's numbers: ./dev table

Velocity error: integral over [0, 1] of |v^h - v|_inf, over the 24 components of velocity and angular velocity; position
error: largest |x^h - x|_inf over time of the centres and of the angles (integrals of the angular velocity); "exact" is the solution for h = 0.00125, as in the paper.
Variation: the largest over the components of the sum of |dv| (ERRATA of the paper: its V is that of a component).
Usage: four_balls_table.py PROGRAM"""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

PAPER = {0.02: (0.5050, 0.2505, 19.4046), 0.01: (0.3523, 0.2015, 19.1728), 0.005: (0.1657, 0.0838, 19.1702),
         0.0025: (0.0700, 0.0298, 19.0862), 0.00125: (None, None, 19.0690)}
FINEST = 0.00125


def run(program, step, folder):
    out = Path(folder) / f"run_{step}"
    subprocess.run([program, "examples", "run", "four_balls", "--quiet", "--out", out, "--set", f"time.step={step}",
                    "--set", f"time.output={step}", "--set", "time.duration=1"], check=True, stdout=subprocess.DEVNULL)
    table = out / "signals.csv"
    subprocess.run([program, "export", out, "--format", "csv", "--signals", "ball*.position.*", "ball*.velocity.*",
                    "ball*.angular_velocity.*", "--out", table], check=True, stdout=subprocess.DEVNULL)
    with open(table, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)[1:]
        values = [[float(x) for x in row[1:]] for row in rows]
    centres = [i for i, name in enumerate(names) if ".position." in name]
    velocities = [i for i, name in enumerate(names) if "velocity." in name]
    spins = [i for i, name in enumerate(names) if "angular_velocity." in name]
    positions, angles = [], [0.0] * len(spins)
    for k, row in enumerate(values):
        if k > 0:
            angles = [angle + step * row[i] for angle, i in zip(angles, spins)]
        positions.append([row[i] for i in centres] + angles)
    return positions, [[row[i] for i in velocities] for row in values]


def largest_difference(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        runs = {step: run(program, step, folder) for step in PAPER}
    exact_x, exact_v = runs[FINEST]
    print("Four balls, stewart-trinkle-2000, Table 1 (ours | the paper's)")
    print("step       velocity error      position error      velocity variation")
    for step, (x, v) in runs.items():
        ratio = round(step / FINEST)
        # v^h is the velocity of the whole step that ends there.
        velocity_error = sum(FINEST * largest_difference(v[-(-k // ratio)], exact_v[k]) for k in range(1, len(exact_v)))
        position_error = max(largest_difference(x[k], exact_x[k * ratio]) for k in range(len(x)))
        variation = max(sum(abs(v[k][i] - v[k - 1][i]) for k in range(1, len(v))) for i in range(len(v[0])))
        paper = PAPER[step]
        show = lambda ours, theirs: f"{ours:8.4f} | {theirs:.4f}" if theirs is not None else f"{'-':>8} | -     "
        print(f"{step:<10g} {show(velocity_error, paper[0]):19} {show(position_error, paper[1]):19} "
              f"{show(variation, paper[2])}")


if __name__ == "__main__":
    main()
