"""The generated reference pages are those that the code gives now."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "reference.py"
sys.path.insert(0, str(SCRIPT.parent))

from reference_python import is_called, methods_of, public_things  # noqa: E402
from reference_tables import described_arguments  # noqa: E402

PUBLIC = [
    (f"{title}.{method.__name__}", method)
    for title, thing in public_things()
    for method in methods_of(thing)
]
PUBLIC += [(title, thing) for title, thing in public_things() if is_called(thing)]
CLEAR = {"examples", "texts", "copies", "original", "variant", "provenance"}
"""Arguments that need no description."""


@pytest.mark.slow
def test_the_pages_are_up_to_date():
    """``python scripts/reference.py`` would change nothing."""
    command = [sys.executable, SCRIPT, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("title", "thing"), PUBLIC, ids=[title for title, _ in PUBLIC])
def test_arguments_are_described(title, thing):
    """Arguments of a public name have a description unless all are clear, and no other has one."""
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}
    parameters = inspect.signature(thing).parameters.values()
    names = [stars.get(one.kind.name, "") + one.name for one in parameters if one.name != "self"]
    expected = [] if CLEAR.issuperset(names) else names
    assert list(described_arguments(inspect.getdoc(thing))) == expected, title


IMPORT = re.compile(r"^ *(?:>>> )?(from augkit(?:\.\w+)* import .+)$", re.MULTILINE)
PAGES = sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "reference")


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_pages_use_public_names(page):
    """What a page imports from augkit is on the page of public names."""
    public = {thing for _, thing in public_things()}
    for line in IMPORT.findall(page.read_text(encoding="utf-8")):
        (statement,) = ast.parse(line).body
        for name in statement.names:
            found = getattr(importlib.import_module(statement.module), name.name)
            assert found in public, f"{statement.module}.{name.name}: add it to reference_python.py"
