"""The generated reference pages are those that the code gives now."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "reference.py"
sys.path.insert(0, str(SCRIPT.parent))

from reference_python import methods_of, public_things  # noqa: E402
from reference_tables import described_arguments  # noqa: E402

PUBLIC = [
    (f"{title}.{method.__name__}", method)
    for title, thing in public_things()
    for method in methods_of(thing)
]
PUBLIC += [(title, thing) for title, thing in public_things() if title != "Augmenter"]
CLEAR = {"examples", "copies", "original", "variant", "provenance"}
"""Arguments that need no description."""


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
