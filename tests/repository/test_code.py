"""What the style guide says and no linter checks: sizes, the public surface, paths."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import augkit

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "augkit").rglob("*.py"))
LONGEST_BODY = 50
MACHINE_PATH = re.compile(rb"(?<![\w.\x80-\xff])/(?:root|work|home)/")
"""An absolute path, not the folder ``work`` of a run."""


def passes(*command):
    """Run a command in the repository; what it printed is the message of a failure."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_functions_are_short():
    """No function body is longer than the style guide allows; a docstring does not count."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [(p, f) for p, t in trees.items() for f in ast.walk(t) if isinstance(f, kinds)]
    assert functions
    long = [f"{p.name}:{f.name}" for p, f in functions if body_lines(f) > LONGEST_BODY]
    assert not long


def body_lines(function):
    """Lines of the statements after the docstring; arguments do not count."""
    statements = function.body[ast.get_docstring(function) is not None :]
    return statements[-1].end_lineno - statements[0].lineno + 1 if statements else 0


def test_the_public_surface():
    """``__all__`` is sorted, is what completion offers, and names only what can be imported."""
    assert augkit.__all__ == sorted(augkit.__all__, key=lambda name: (not name[0].isupper(), name))
    assert set(dir(augkit)) == {*augkit.__all__, "__version__"}
    with pytest.raises(AttributeError):
        _ = augkit.nothing_of_that_name


def test_public_names_stay_what_they_are():
    """A public name gives the same documented thing each time, whatever else is imported."""
    code = (
        "import augkit\n"
        "first = {name: getattr(augkit, name) for name in augkit.__all__}\n"
        "import augkit.cli.app, augkit.runs.settings, augkit.testing\n"
        "changed = [name for name, thing in first.items() if getattr(augkit, name) is not thing]\n"
        "assert not changed, f'became something else: {changed}'\n"
        "assert all(callable(thing) and thing.__doc__ for thing in first.values())"
    )
    passes(sys.executable, "-c", code)


def test_no_path_of_a_machine():
    """No tracked file names a folder of the machine it was written on."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    texts = {path: path.read_bytes() for path in paths if path.is_file()}
    found = [str(p) for p, text in texts.items() if MACHINE_PATH.search(text)]
    assert not found


def test_one_module_prints():
    """It writes control characters out, so that no dataset steers a terminal."""
    printing = {"print", "Console", "typer.echo", "sys.stdout.write", "sys.stderr.write"}
    calls = [
        (path.relative_to(ROOT).as_posix(), ast.unparse(node.func))
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    assert ("augkit/cli/terminal.py", "show_error") in calls
    assert [call for call in calls if call[1] in printing] == []
