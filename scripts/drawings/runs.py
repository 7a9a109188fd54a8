"""Runs of augkit whose files a picture shows."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def finished(command: str) -> Iterator[Path]:
    """The folder of a run, made by this ``augkit`` command, as long as it is needed."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "run"
        arguments = command.split()[1:]
        subprocess.run([sys.executable, "-m", "augkit", *arguments, "--out", folder], check=True)
        yield folder


def rows(path: Path) -> list[dict[str, Any]]:
    """A file of one JSON object per line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
