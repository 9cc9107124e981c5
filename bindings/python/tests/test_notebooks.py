"""The notebooks of examples/notebooks run from the first cell to the last; their assertions hold."""
import os
import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
notebooks = sorted((pathlib.Path(os.environ["STICTION_EXAMPLES"]) / "notebooks").glob("*.ipynb"))


def test_there_are_five():
    assert len(notebooks) == 5


@pytest.mark.parametrize("path", notebooks, ids=lambda path: path.stem)
def test_notebook(path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
