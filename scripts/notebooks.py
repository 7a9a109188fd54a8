"""Execute the notebooks under ``docs/notebooks`` and keep what their cells print.

    python scripts/notebooks.py              # execute all, write their outputs
    python scripts/notebooks.py --check      # exit 1 where a cell prints something else
    python scripts/notebooks.py study        # only those whose names contain "study"

Each runs in a temporary folder with the files of ``docs/notebooks/recorded``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "docs" / "notebooks"
SECONDS = 600
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
PROGRESS = re.compile(
    r"(: [\d,]+ of [\d,]+\)?| …)(, unchanged for \d+ min)?$|^[\d,]+ of [\d,]+ rows$"
)
"""Lines that a command prints only where it takes long."""
BOLD = re.compile(r"\x1b\[[\d;]*m")


def main() -> None:
    """Execute the chosen notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", help="parts of names; default: all")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if one differs")
    arguments = parser.parse_args()
    stale = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if arguments.names and not any(name in path.name for name in arguments.names):
            continue
        shown, executed = nbformat.read(path, 4), execute(path)
        if list(printed(shown)) != list(printed(executed)):
            stale.append(path.name)
        if not arguments.check:
            nbformat.write(executed, path)
    if arguments.check and stale:
        sys.exit(
            f"cells print something else: {', '.join(stale)}. Run: python scripts/notebooks.py"
        )
    print(f"changed: {', '.join(stale) or 'none'}")


def execute(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a fresh kernel, in a folder of its own."""
    notebook = nbformat.read(path, 4)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as first:
        shutil.copytree(path.parent / "recorded", Path(folder) / "recorded")
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute(env=environment(Path(first)))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
    }
    return notebook


def environment(first: Path) -> dict[str, str]:
    """The kernel finds this environment's ``augkit`` and prints 80 columns without colours.

    No notebook needs torch, but spaCy imports it where it can, which takes seconds: the kernel
    looks into the folder ``first``, and does not find it there.
    """
    (first / "torch.py").write_text("raise ImportError('hidden')\n", encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    modules = os.pathsep.join([str(first), *filter(None, [os.environ.get("PYTHONPATH")])])
    changed = {"PATH": path, "PYTHONPATH": modules, "COLUMNS": "80", "NO_COLOR": "1"}
    return {**os.environ, **changed}


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Neighbouring pieces of one stream as one (chance cuts them), without bold and colours."""
    result: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = result[-1] if result else None
        if last is not None and output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            result.append(output)
    for output in result:
        if output.output_type == "stream":
            output.text = BOLD.sub("", output.text)
    return result


def printed(notebook: nbformat.NotebookNode) -> Iterator[list[str]]:
    """What each code cell shows as text, results and then errors, without the time that it took."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts = {False: "", True: ""}  # a stream may come in pieces, in the middle of a line
            for output in cell.outputs:
                texts[output.get("name") == "stderr"] += _text(output)
            yield [line for text in texts.values() for line in comparable(text)]


def comparable(text: str) -> list[str]:
    """The lines without spaces at their ends, without times and without progress."""
    timeless = re.sub(r"\d+\.\d s\b", "TIME", text)
    lines = [line.rstrip() for line in timeless.splitlines()]
    return [line for line in lines if line and not PROGRESS.search(line)]


def _text(output: nbformat.NotebookNode) -> str:
    return (
        output.text
        if output.output_type == "stream"
        else output.get("data", {}).get("text/plain", "") + "\n"
    )


if __name__ == "__main__":
    main()
