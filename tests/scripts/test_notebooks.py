"""The notebooks of the documentation run, and print what is stored in them."""

import importlib.util
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = importlib.util.spec_from_file_location("notebooks", ROOT / "scripts" / "notebooks.py")
notebooks = importlib.util.module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(notebooks)
PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))


def test_all_five_are_there():
    """Every notebook is listed on the index page, and the page lists no other."""
    page = (notebooks.NOTEBOOKS / "index.md").read_text(encoding="utf-8")
    assert len(PATHS) == 5
    assert sorted(path.name for path in PATHS if f"]({path.name})" in page) == [
        path.name for path in PATHS
    ]


@pytest.mark.slow
@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="the IPython of Python 3.10 cuts characters of its output"
)
def test_cells_print_what_is_stored():
    """A fresh kernel gives the text of every cell again.

    One notebook shows that; the workflow of the docs runs all of them.
    """
    (path,) = (path for path in PATHS if path.stem == "find-and-break-a-shortcut")
    shown = list(notebooks.printed(nbformat.read(path, 4)))
    assert any(shown)
    assert list(notebooks.printed(notebooks.execute(path))) == shown


def test_times_and_progress_are_not_compared():
    """Only what depends on the machine is left out."""
    progress = "fitting: 1 of 3\npreparing coba …\nasking: 2 of 1,200\n20 of 380 rows\n"
    text = f"{progress} time   1.5 s\n\nvariants  7 of 8 rows kept\n"
    assert notebooks.comparable(text) == [" time   TIME", "variants  7 of 8 rows kept"]


def test_a_stream_in_pieces_is_one():
    """Chance cuts a stream where another one speaks."""
    pieces = [("stdout", "one l"), ("stderr", "a warning\n"), ("stdout", "ine\n")]
    outputs = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in pieces]
    outputs += [nbformat.v4.new_output("execute_result", {"text/plain": "7"})] * 2
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=outputs)])
    assert list(notebooks.printed(notebook)) == [["one line", "7", "7", "a warning"]]
