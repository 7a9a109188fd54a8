"""The generated reference pages are those that the code gives now."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "reference.py"


def test_the_pages_are_up_to_date():
    """``python scripts/reference.py`` would change nothing."""
    command = [sys.executable, SCRIPT, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
