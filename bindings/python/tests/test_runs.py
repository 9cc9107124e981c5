"""Recorded runs: as a table, with a progress bar, as a report page."""
import locale
import os
import pathlib
import pickle
import subprocess

import numpy as np
import pytest

import stiction

examples = pathlib.Path(os.environ["STICTION_EXAMPLES"])
program = os.environ.get("STICTION_PROGRAM")
short = {"time.duration": 0.3}


def test_examples_come_with_the_package():
    assert stiction.examples() == sorted(path.stem for path in examples.glob("*.toml"))
    assert stiction.example("falling_rod").read_bytes() == (examples / "falling_rod.toml").read_bytes()
    with pytest.raises(KeyError, match='did you mean "falling_rod"'):
        stiction.example("faling_rod")
    with pytest.raises(FileNotFoundError, match='did you mean stiction.example'):
        stiction.run("falling_rod")


def test_to_pandas():
    pandas = pytest.importorskip("pandas")
    run = stiction.run(examples / "falling_rod.toml", set=short)
    table = run.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "t"
    assert list(table.columns) == [signal.name for signal in run.signals]
    assert np.array_equal(table.index, run.t)
    assert np.array_equal(table["rod.position.y"], run["rod.position.y"]) and np.ptp(run["rod.position.y"]) > 0


def test_runs_reach_other_processes():
    run = stiction.run(examples / "falling_rod.toml", set={"time.duration": 0.6, "time.step": 2e-3})
    again = pickle.loads(pickle.dumps(run))
    assert repr(again) == repr(run) and again.hash == run.hash and again.audit == run.audit
    assert repr(again.events) == repr(run.events) and run.events and repr(again.reasons) == repr(run.reasons)
    assert repr(again.signals) == repr(run.signals) and np.array_equal(again.t, run.t)
    for name in run:
        assert np.array_equal(again[name], run[name], equal_nan=True)
    ours, theirs = run.contacts(0.6), again.contacts(0.6)
    assert len(ours) == len(theirs) > 0
    for a, b in zip(ours, theirs):
        assert a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)
    assert len(again.report()) == pytest.approx(len(run.report()), rel=0.01)  # it is run again there
    # A ball dropped with steps of 50 ms, by a method that loses half of its energy there.
    floor = {"fixed": True, "shape": {"type": "halfspace"}}
    ball = {"mass": 2, "position": [0, 0, 0.2], "shape": {"type": "sphere", "radius": 0.1}}
    bad = stiction.run({"world": {"gravity": [0, 0, -10]}, "time": {"duration": 1, "step": 0.05}, "method": {"type": "stewart_trinkle"},
                        "body": {"floor": floor, "ball": ball}, "contact": {"default": {"friction": 0.5}}})
    assert bad.reasons and repr(pickle.loads(pickle.dumps(bad)).reasons) == repr(bad.reasons)


def test_progress_bar(monkeypatch, capsys):
    tqdm = pytest.importorskip("tqdm")
    import tqdm.auto
    bars = []

    class Recorded(tqdm.std.tqdm):
        def close(self):
            bars.append((self.n, self.total))
            super().close()

    monkeypatch.setattr(tqdm.auto, "tqdm", Recorded)
    run = stiction.run(examples / "falling_rod.toml", set=short, progress=True)
    assert run.hash == stiction.run(examples / "falling_rod.toml", set=short).hash
    assert bars and bars[0] == (pytest.approx(0.3), pytest.approx(0.3))
    assert "s/s" in capsys.readouterr().err


def test_progress_without_tqdm(monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert stiction.run(examples / "falling_rod.toml", set=short, progress=True).status == "completed"


def test_report_page(tmp_path, monkeypatch):
    stored = stiction.run(examples / "falling_rod.toml", set=short, out=tmp_path / "run")
    if program:  # the same bytes
        subprocess.run([program, "view", tmp_path / "run", "-o", tmp_path / "page.html"], check=True, capture_output=True)
        assert stored.report() == (tmp_path / "page.html").read_text(encoding="utf-8")
    monkeypatch.setenv("PATH", "")  # no program is needed
    page = stored.report()
    assert page.lower().startswith("<!doctype html") and "falling rod" in page.lower()
    # A run in memory is run again.
    assert len(stiction.run(examples / "falling_rod.toml", set=short).report()) == pytest.approx(len(page), rel=0.01)
    with pytest.raises(ValueError, match="out=folder"):
        stiction.run(stiction.Simulation(examples / "falling_rod.toml", set=short)).view()


def test_locale_of_the_host_does_not_matter(tmp_path, monkeypatch):
    long = {"time.duration": 0.6}  # it has touched the floor
    stored = stiction.run(examples / "falling_rod.toml", set=long, out=tmp_path / "run")
    contact = stored.contacts(0.6)[0]
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], check=True)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    try:
        assert locale.localeconv()["decimal_point"] == ","
        again = stiction.run(examples / "falling_rod.toml", set=long)
        opened = stiction.open(tmp_path / "run")
        assert opened.hash == again.hash == stored.hash
        assert np.array_equal(opened.contacts(0.6)[0]["force"], contact["force"])  # impulses divided by time.step
        assert opened.report() == stored.report()
    finally:
        locale.setlocale(locale.LC_ALL, "C")


def test_view_is_inline(tmp_path):
    display = pytest.importorskip("IPython.display")
    run = stiction.run(examples / "falling_rod.toml", set=short)
    shown = run.view(height=300)
    assert isinstance(shown, display.HTML)
    assert shown.data.startswith("<div><iframe srcdoc=") and "height:300px" in shown.data and len(shown.data) > 1e5


def test_overhead_is_measured():
    # Few steps: that it runs. The numbers of docs/python.md are those of the whole.
    import runpy
    bench = runpy.run_path(str(examples.parent / "bench/python/step_overhead.py"))
    call, engine = bench["measure"](bench["ball"], steps=50, repetitions=1)
    assert call > 0 and engine > 0


def test_plot(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    run = stiction.run(examples / "falling_rod.toml", set=short)
    axes = run.plot("rod.position.y", "rod.position.x")
    assert len(axes.lines) == 2 and np.array_equal(axes.lines[0].get_ydata(), run["rod.position.y"])
    with pytest.raises(ValueError, match="which signals"):
        run.plot()
    assert axes.get_legend().get_texts()[0].get_text() == "rod.position.y [m]"
