"""Every block of Python in docs/python.md, in one namespace, in an empty folder."""
import os
import pathlib
import re

import pytest


def test_the_page_runs(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    examples = pathlib.Path(os.environ["STICTION_EXAMPLES"])
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (examples.parent / "docs/python.md").read_text(), re.M | re.S)
    assert len(blocks) == 7
    namespace = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), namespace)
    # The rod falls from 1 m until it lies on the floor, at its radius of 0.05 m.
    drawn = namespace["axes"].lines[0].get_ydata()
    assert (drawn[0], drawn[-1]) == (1, pytest.approx(0.05, abs=1e-3))
