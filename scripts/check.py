"""Lint, format, types and import layers: everything that is checked without running the tests.

python scripts/check.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKS = {
    "lint": [sys.executable, "-m", "ruff", "check", "."],
    "format": [sys.executable, "-m", "ruff", "format", "--check", "."],
    "types": [sys.executable, "-m", "mypy"],
    "import layers": [str(Path(sys.executable).parent / "lint-imports")],
}


def main() -> None:
    """Run all checks; print what failed, and exit with 1 if anything did."""
    failed = []
    for name, command in CHECKS.items():
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"{name}: {'failed' if done.returncode else 'ok'}", flush=True)
        if done.returncode:
            print(done.stdout + done.stderr, flush=True)
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
