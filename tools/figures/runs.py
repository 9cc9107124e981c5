"""Runs of examples, each made once, and their signals."""
import csv
import json
import shutil
import subprocess


class Runs:
    def __init__(self, program, folder):
        self.program, self.folder, self.made, self.columns = program, folder, {}, {}

    def call(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"figures: stiction {' '.join(map(str, words))} failed:\n{done.stderr}")
        return done.stdout

    def get(self, example, *settings):
        key = (example, settings)
        if key not in self.made:
            out = self.folder / "runs" / f"{example}_{len(self.made)}"
            shutil.rmtree(out, ignore_errors=True)  # of the figures as they were drawn before
            words = [word for setting in settings for word in ("--set", setting)]
            self.call("examples", "run", example, "--quiet", "--out", out, *words)
            self.made[key] = out
        return self.made[key]

    def read(self, run, *signals):
        """Times, then the samples of each signal."""
        wanted = [signal for signal in signals if (run, signal) not in self.columns]
        if wanted or (run, "time") not in self.columns:
            text = self.call("export", run, "--format", "csv", "--signals", *(wanted or ["energy.total"]))
            rows = list(csv.reader(text.splitlines()))
            for name, column in zip(rows[0], zip(*rows[1:])):
                self.columns[run, name] = [float(x) for x in column]
        return [self.columns[run, name] for name in ("time", *signals)]

    def vector(self, run, prefix, axes="xyz"):
        """The components of a vector, without times."""
        return self.read(run, *(f"{prefix}.{axis}" for axis in axes))[1:]

    def contacts(self, run):
        """Recorded contacts, one dict each; numbers are numbers."""
        rows = csv.DictReader(self.call("export", run, "--contacts").splitlines())
        return [{key: value if key in ("a", "b", "mode") else float(value) for key, value in row.items()} for row in rows]

    def events(self, run, kind):
        info = json.loads(self.call("info", run, "--json"))
        return [event for event in info["events"] if event["kind"] == kind]


def at(times, values, t):
    return min(zip(times, values), key=lambda pair: abs(pair[0] - t))[1]


def first_time(times, values, test):
    """When a value first passes the test; NaN: never."""
    return next((t for t, value in zip(times, values) if test(value)), float("nan"))


def rate(times, values):
    """Difference quotients over the intervals that end at the samples; 0 at the first."""
    return [0.0] + [(b - a) / (t - s) for s, t, a, b in zip(times, times[1:], values, values[1:])]


def rotate(quaternion, p):
    """p turned by (w, x, y, z)."""
    w, x, y, z = quaternion
    tx, ty, tz = 2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])
    return (p[0] + w * tx + y * tz - z * ty, p[1] + w * ty + z * tx - x * tz, p[2] + w * tz + x * ty - y * tx)
